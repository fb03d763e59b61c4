"""What the learned prior costs: a run of 2,000 labels on CIFAR-100 beside plain Thompson sampling, one thread."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import numpy as np

from benchmarks.labels.pools import pool
from benchmarks.labels.rows import row
from labelwise.beliefs import InformedPrior, LearnedPrior
from labelwise.groups import by_prediction
from labelwise.policies import Thompson
from labelwise.questions import Worst
from labelwise.simulation import Scenario
from labelwise.simulation.compiled import play_compiled

_BUDGET, _RUNS, _GOAL = 2_000, 50, 10.0


def run(n_runs: int) -> None:
    groups = by_prediction(pool("CIFAR-100"))
    seconds = []
    plain = Scenario(groups, Worst(), Thompson(), InformedPrior(), _BUDGET)
    for scenario in (plain, replace(plain, prior=LearnedPrior(), target="pool")):
        play_compiled(scenario, [0], np.array([_BUDGET]))
        best = []
        for _ in range(5):
            start = process_time()
            play_compiled(scenario, list(range(_RUNS)), np.array([_BUDGET]))
            best.append(process_time() - start)
        seconds.append(min(best) / _RUNS)
    ratio = seconds[1] / seconds[0]
    theirs, ours = (f"{1000 * each:.2f} ms" for each in seconds)
    row("2,000 labels of CIFAR-100, one thread", theirs, ours, "10 times", ratio <= _GOAL)
    print(f"ratio {ratio:.1f}")
