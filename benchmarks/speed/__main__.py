"""Runs all speed benchmarks, or the named ones: `python -m benchmarks.speed calibration reading --rows 100000`."""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

NAMES = (
    "calibration",
    "reading",
    "memory",
    "importing",
    "intervals",
    "latency",
    "reopening",
    "storing",
    "simulating",
    "reproducing",
    "report",
)
_RIVALS = ("netcal", "torch", "torchmetrics", "optuna")
_NEEDED = ("numba", *_RIVALS)  # by some benchmarks, and not by labelwise's plain install


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description="Speed against named rivals.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"which to run: {', '.join(NAMES)}; all if none")
    parser.add_argument("--rows", type=int, default=1_000_000, help="items in the synthetic pool (default: 1,000,000)")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(NAMES)}")
    if chosen.rows < 1:
        parser.error(f"--rows must be at least 1, but is {chosen.rows}")
    print(_machine())
    with tempfile.TemporaryDirectory(prefix="labelwise-speed-") as folder:
        for name in chosen.names or NAMES:
            print(f"\n== {name}", flush=True)
            try:
                # Loaded one at a time: the importing of torch must not weigh on a benchmark that does without it.
                import_module(f"benchmarks.speed.{name}").run(chosen.rows, Path(folder))
            except ModuleNotFoundError as error:
                if error.name not in _NEEDED:
                    raise
                print(f"not run: {error.name} is missing; pip install -r benchmarks/requirements.txt")


def _machine() -> str:
    libraries = " ".join(f"{name} {_version(name)}" for name in ("numpy", "scipy", "pyarrow", *_NEEDED))
    return f"Python {platform.python_version()}, {os.cpu_count()} cores; {libraries}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(missing)"


if __name__ == "__main__":
    main()
