"""Counts labels, or the named part: `python -m benchmarks.labels finding --runs 500`."""

from __future__ import annotations

import argparse
from importlib import import_module

NAMES = ("estimating", "reaching", "finding", "whole", "covering", "costing", "defaults", "stopping")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.labels", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"which to run: {', '.join(NAMES)}; all if none")
    parser.add_argument("--runs", type=int, default=500, help="runs of each row (default: 500)")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; there are: {', '.join(NAMES)}")
    for name in chosen.names or NAMES:
        print(f"\n== {name}, {chosen.runs} runs", flush=True)
        import_module(f"benchmarks.labels.{name}").run(chosen.runs)


if __name__ == "__main__":
    main()
