"""Memory of holding a pool, against the size of its score matrix."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.speed.clock import verdict
from benchmarks.speed.sample import parquet_file, scores_and_labels

_REPEATS = 3
_ROOT = Path(__file__).parents[2]  # where `benchmarks` can be imported from
_GOAL = 1.3


def run(rows: int, folder: Path) -> None:
    """Hold a pool in fresh processes and print how much their resident memory grew."""
    if not Path("/proc/self/status").exists():
        print("not run: memory is read from /proc, which this system does not have")
        return
    paths = {"read_pool": parquet_file(folder, rows), "pool_from_arrays": _array_files(folder, rows)}
    print(f"{rows:,} x 100 float32; growth of resident memory / size of the scores")
    print(f"{f'median of {_REPEATS} processes':<22} {'scores':>8} {'holding':>9} {'released':>9} {'peak':>9}")
    ratios = {}
    for name, path in paths.items():
        results = [_hold("arrays" if name == "pool_from_arrays" else "file", path) for _ in range(_REPEATS)]
        matrix = results[0]["matrix"]
        ratio = {part: median(r[part] for r in results) / matrix for part in ("kept", "released", "peak")}
        shown = " ".join(f"{value:9.3f}" for value in ratio.values())
        print(f"{name:<22} {matrix / 1e6:5.0f} MB {shown}", flush=True)
        ratios[name] = ratio
    print("holding: right after; released: after pyarrow gave unused memory back; peak: while it was made")
    print("the arrays that the caller holds are not counted in pool_from_arrays")
    if rows < 1_000_000:
        print("so few rows weigh less than the threads and tables that reading starts; judge at 1,000,000")
    for name, ratio in ratios.items():
        verdict(f"{name}: at most {_GOAL} times the scores, holding", ratio["kept"], at_most=_GOAL)
        verdict(f"{name}: at most {_GOAL} times the scores, released", ratio["released"], at_most=_GOAL)


def _array_files(folder: Path, rows: int) -> Path:
    """Save the arrays, so that the process under test need not draw them and leave its heap in disorder."""
    scores, labels = scores_and_labels(rows)
    for part, array in {"scores": scores, "labels": labels, "ids": np.arange(rows)}.items():
        np.save(folder / f"array-{part}.npy", array)
    return folder / "array"


def _hold(kind: str, path: Path) -> dict[str, int]:
    command = [sys.executable, "-m", "benchmarks.speed.holder", kind, str(path)]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)
