"""Labels to the same error: how few the learned prior needs for what the papers' method has after 10 a class."""

from __future__ import annotations

import numpy as np

from benchmarks.labels.pools import SCORED, pool
from benchmarks.labels.rows import row
from labelwise.beliefs import InformedPrior, LearnedPrior
from labelwise.groups import by_prediction
from labelwise.policies import Thompson
from labelwise.questions import Estimate
from labelwise.simulation import Scenario, rmse, simulate

_A_CLASS, _GOAL = 10, 0.1


def run(n_runs: int) -> None:
    row("labels until the RMSE of 10 a class", "papers' IPrior+TS", "learned prior + TS", "a tenth")
    for name in SCORED:
        groups = by_prediction(pool(name))
        budget = _A_CLASS * groups.n_groups
        theirs = simulate(
            Scenario(groups, Estimate(), Thompson(), InformedPrior(), budget),
            [rmse],
            n_runs=n_runs,
            at=[budget],
            jobs=2,
        )
        wanted, error = float(theirs.mean["rmse"][0]), float(theirs.error["rmse"][0])
        at = np.unique(np.r_[1:21, np.linspace(20, budget, 100).astype(int)])
        at = at[at <= budget]
        scenario = Scenario(groups, Estimate(), Thompson(), LearnedPrior(), budget, target="pool")
        ours = simulate(scenario, [rmse], n_runs=n_runs, at=at, jobs=2).mean["rmse"]
        # from here on the error stays below theirs: an early low by luck does not count
        above = np.flatnonzero(ours > wanted)
        place = 0 if len(above) == 0 else int(above[-1]) + 1
        said = f"{at[place]:,}" if place < len(at) else f"over {budget:,}"
        reached = place < len(at) and at[place] <= _GOAL * budget
        row(name, f"{budget:,} ({100 * wanted:.2f} +- {100 * error:.2f} %)", said, f"{_GOAL * budget:,.0f}", reached)
