"""Importing labelwise with every public name and package, beyond the libraries it needs; and the time to the help."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median

from benchmarks.speed.clock import verdict

_REPEATS = 15
_LIBRARIES = "import numpy, scipy.special, pyarrow"
_ALL_NAMES = f"{_LIBRARIES}, labelwise; [getattr(labelwise, n) for n in dir(labelwise)]"
# The clock starts inside the process: starting Python itself is the same for both, and noisy.
_TIMED = "import time, json; w, c = time.perf_counter(), time.process_time(); {}; " + (
    "print(json.dumps([time.perf_counter() - w, time.process_time() - c]))"
)


def run(rows: int, folder: Path) -> None:
    """Time imports in fresh processes, in turns."""
    _import_time(_LIBRARIES), _import_time(_ALL_NAMES)  # writes the compiled files, fills the cache
    pairs = [(_import_time(_LIBRARIES), _import_time(_ALL_NAMES)) for _ in range(_REPEATS)]
    print(f"median of {_REPEATS} fresh processes, in turns        wall       CPU")
    for title, which in (("numpy, scipy.special, pyarrow", 0), ("... and every name of labelwise", 1)):
        wall, cpu = (median(pair[which][clock] for pair in pairs) for clock in (0, 1))
        print(f"{title:<36} {wall:8.3f} s {cpu:8.3f} s")
    wall, cpu = (median(pair[1][clock] - pair[0][clock] for pair in pairs) for clock in (0, 1))
    print(f"{'median of the differences':<36} {wall:8.3f} s {cpu:8.3f} s")
    verdict("at most 0.15 s more than the libraries (wall)", wall, at_most=0.15)
    _help()


def _import_time(statement: str) -> list[float]:
    done = subprocess.run([sys.executable, "-c", _TIMED.format(statement)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def _help() -> None:
    beside = Path(sys.executable).parent / "labelwise"
    command = str(beside) if beside.exists() else shutil.which("labelwise")
    if command is None:
        print("labelwise --help: not run, there is no such command beside this Python")
        return
    first = subprocess.run([command, "--help"], capture_output=True, text=True)
    if first.returncode != 0:
        reason = (first.stderr.strip().splitlines() or ["(silent)"])[-1]
        print(f"labelwise --help: not run, it ends with code {first.returncode}: {reason}")
        return
    nothing = [sys.executable, "-c", "pass"]
    pairs = [(_cpu_time(nothing), _cpu_time([command, "--help"])) for _ in range(_REPEATS)]
    python, ours = (median(pair[which] for pair in pairs) for which in (0, 1))
    print(f"labelwise --help: {ours * 1000:.0f} ms of CPU, {ours / python:.1f} times that of `python -c pass`")
    verdict("labelwise --help within 250 ms of CPU", ours * 1000, at_most=250)


def _cpu_time(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
