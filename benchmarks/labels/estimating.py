"""Error of estimated accuracies, by class and by bin of the score, after 2, 5 and 10 labels a group."""

from __future__ import annotations

import numpy as np

from benchmarks.labels.pools import SCORED, pool
from benchmarks.labels.rows import row
from labelwise.beliefs import InformedPrior, LearnedPrior, Target
from labelwise.groups import Grouping, by_prediction, by_score
from labelwise.policies import RandomItem, Thompson
from labelwise.questions import Estimate
from labelwise.simulation import Scenario, rmse, simulate

_A_GROUP = (2, 5, 10)
_GOALS = {"CIFAR-100": (6.0, 5.2, 4.6), "SVHN": (2.0, 2.0, 1.9)}


def run(n_runs: int) -> None:
    row("RMSE, %, at 2/5/10 labels a group", "papers' IPrior(+TS)", "learned prior (+TS)", "goal")
    for name in SCORED:
        groups = by_prediction(pool(name))
        theirs, ours = _best(groups, False, n_runs), _best(groups, True, n_runs)
        goal = _GOALS.get(name, tuple(0.5 * value for value in theirs))
        reached = bool((ours <= np.array(goal)).all())
        row(f"{name}, by class", _said(theirs), _said(ours), _said(goal), reached)
    for name in SCORED:
        groups = by_score(pool(name), 10, equal="mass")
        theirs, ours = _best(groups, False, n_runs), _best(groups, True, n_runs)
        row(f"{name}, by bin", _said(theirs), _said(ours), "below", bool((ours < theirs).all()))


def _best(groups: Grouping, is_learned: bool, n_runs: int) -> np.ndarray:
    """Give the smaller error of random items and Thompson sampling at each count, in percent."""
    at = [count * groups.n_groups for count in _A_GROUP]
    found = []
    for policy in (RandomItem(), Thompson()):
        prior = LearnedPrior() if is_learned else InformedPrior()
        target: Target = "pool" if is_learned else "population"
        scenario = Scenario(groups, Estimate(), policy, prior, at[-1], target=target)
        found.append(100 * simulate(scenario, [rmse], n_runs=n_runs, at=at, jobs=2).mean["rmse"])
    return np.min(found, axis=0)


def _said(values: object) -> str:
    return " ".join(f"{value:.2f}" for value in np.asarray(values))
