"""Error of estimated accuracies, by class and by bin of the score, after 2, 5 and 10 labels per group."""

from __future__ import annotations

import numpy as np

from benchmarks.labels.pools import SCORED, pool
from benchmarks.labels.rows import row
from labelwise.beliefs import InformedPrior, LearnedPrior, Target
from labelwise.groups import Grouping, by_prediction, by_score
from labelwise.policies import Policy, RandomItem, Thompson
from labelwise.questions import Estimate
from labelwise.simulation import Scenario, rmse, simulate

_A_GROUP = (2, 5, 10)
_GOALS = {"CIFAR-100": (6.0, 5.2, 4.6), "SVHN": (2.0, 2.0, 1.9)}


def run(n_runs: int) -> None:
    row("RMSE, %, at 2/5/10 labels per group", "papers' IPrior(+TS)", "learned prior (+TS)", "goal")
    for name in SCORED:
        groups = by_prediction(pool(name))
        (theirs, _), (ours, error) = _best(groups, False, n_runs), _best(groups, True, n_runs)
        goal = _GOALS.get(name, tuple(0.5 * value for value in theirs))
        reached = bool((ours <= np.array(goal)).all())
        row(f"{name}, by class", _said(theirs), _said(ours, error), _said(goal), reached)
    for name in SCORED:
        groups = by_score(pool(name), 10, equal="mass")
        (theirs, _), (ours, error) = _played(groups, False, Thompson(), n_runs), _best(groups, True, n_runs)
        row(f"{name}, by bin (theirs with TS)", _said(theirs), _said(ours, error), "below", bool((ours < theirs).all()))


def _best(groups: Grouping, is_learned: bool, n_runs: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the smaller error of random items and Thompson sampling at each count, in percent, with its own error."""
    played = [_played(groups, is_learned, policy, n_runs) for policy in (RandomItem(), Thompson())]
    means, errors = (np.stack(parts) for parts in zip(*played, strict=True))
    best = means.argmin(axis=0)
    return means.min(axis=0), np.take_along_axis(errors, best[None], axis=0)[0]


def _played(groups: Grouping, is_learned: bool, policy: Policy, n_runs: int) -> tuple[np.ndarray, np.ndarray]:
    """Return error and its standard error at each count, in percent."""
    at = [count * groups.n_groups for count in _A_GROUP]
    prior = LearnedPrior() if is_learned else InformedPrior()
    target: Target = "pool" if is_learned else "population"
    scenario = Scenario(groups, Estimate(), policy, prior, at[-1], target=target)
    found = simulate(scenario, [rmse], n_runs=n_runs, at=at, jobs=2)
    return 100 * found.mean["rmse"], 100 * found.error["rmse"]


def _said(values: object, errors: object = None) -> str:
    said = " ".join(f"{value:.2f}" for value in np.asarray(values))
    return said if errors is None else f"{said} (+-{np.max(np.asarray(errors)):.2f})"
