"""Simulation on two cores: one scenario with two threads against one, and the whole of table 6 for CIFAR-100."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import labelwise as lw
import labelwise.simulation.compiled  # without its compiler there is nothing to time
from benchmarks.speed.clock import in_turns, verdict
from benchmarks.speed.pool import like_cifar100
from labelwise.simulation import reciprocal_rank

_REPEATS = 5
_N_RUNS = 400  # of the scenario that is played with one thread and with two
_TABLE_RUNS = 1_000
_ROOT = Path(__file__).parents[2]  # where `benchmarks` can be imported from
_MINUTES, _GIGABYTES = 5.0, 2.0


def run(rows: int, folder: Path) -> None:
    """Time both, and print the peak memory of the second; sizes are those of the goals, whatever `rows` says."""
    _threads()
    _table()


def _threads() -> None:
    groups = lw.by_prediction(like_cifar100())
    scenario = lw.Scenario(groups, lw.Worst(lw.accuracy), lw.Thompson(), lw.InformedPrior())
    play = partial(lw.simulate, scenario, [reciprocal_rank()], n_runs=_N_RUNS)
    times, _ = in_turns({"one": partial(play, jobs=1), "two": partial(play, jobs=2)}, _REPEATS)
    one, two = (min(values) for values in times.values())
    print(f"least accurate of 100 groups, {_N_RUNS} runs to the last label, scored at 100 label counts")
    print(f"best of {_REPEATS} in turns: 1 thread {one:.3f} s, 2 threads {two:.3f} s; {one / two:.2f} x, goal 1.8 x")
    if not verdict("two threads at least 1.8 times as fast as one", one / two, at_least=1.8):
        start, before = perf_counter(), process_time()
        play(jobs=2)
        n_cores = (process_time() - before) / (perf_counter() - start)
        print(f"what limits it: two threads got {n_cores:.2f} cores; other work or Python's lock had the rest.")


def _table() -> None:
    if not Path("/proc/self/status").exists():
        print("table 6: not run, memory is read from /proc, which this system does not have")
        return
    command = [sys.executable, "-m", "benchmarks.speed.player", str(_TABLE_RUNS), "2"]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    minutes, peak = found["seconds"] / 60, found["peak"] / 1e9
    n_scenarios = len(found["shares"])
    print(f"table 6 on {found['data']}: {_TABLE_RUNS:,} runs of {n_scenarios} scenarios to the last label, 2 threads")
    print("labels to MRR > 0.99:", ", ".join(f"{name}: {100 * part:.1f} %" for name, part in found["shares"].items()))
    print(f"{found['seconds']:.1f} s in a fresh process, compiled code kept from before; peak memory {peak:.2f} GB")
    verdict(f"table 6 in minutes (at most {_MINUTES:g})", minutes, at_most=_MINUTES)
    verdict(f"table 6 within {_GIGABYTES:g} GB", peak, at_most=_GIGABYTES)
