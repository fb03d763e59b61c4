"""How good an answer is, given the truth: one number a run and moment.

Every score reads the stacked beliefs of many runs and moments at once, shape (n_runs, n_at, ...), and gives an array of
shape (n_runs, n_at). Estimates are posterior means.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import DirichletBelief, Target
from labelwise.checks import check_count
from labelwise.errors import UnanswerableError
from labelwise.metrics import ECE, Accuracy, CalibrationBias, ExpectedCost
from labelwise.simulation.scenario import Scenario

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """A named score.

    Attributes
    ----------
    name : how it is called in results.
    of : from a scenario and its stacked beliefs to one number a run and moment.
    is_better_high : whether a high number is a good one.
    """

    name: str
    of: Callable[[Scenario, Any], _Floats]
    is_better_high: bool = False


def estimates(scenario: Scenario, beliefs: Any) -> _Floats:
    """Give the posterior mean of the metric in every group, shape (n_runs, n_at, n_groups)."""
    metric = scenario.question.metric
    if not isinstance(metric, (Accuracy, CalibrationBias, ExpectedCost, ECE)):
        raise UnanswerableError(f"A simulation does not score {metric.name}; ask about accuracy, bias, ECE or cost.")
    mean = metric.plug_in(beliefs) if isinstance(metric, ECE) else metric.mean(beliefs)
    return np.asarray(mean)


def _there(scenario: Scenario) -> NDArray[np.int64]:
    """The groups that have items: an empty one has no truth."""
    return np.flatnonzero(scenario.groups.n_items > 0)


def _rmse(scenario: Scenario, beliefs: Any) -> _Floats:
    there = _there(scenario)
    gap = estimates(scenario, beliefs)[..., there] - scenario.truth[there]
    return np.asarray(np.sqrt((scenario.groups.share[there] * gap**2).sum(axis=-1)))


rmse = Score("rmse", _rmse)
"""Root of the mean squared error of the groups' estimates, weighed by their shares."""


def ranks(scenario: Scenario, values: _Floats) -> NDArray[np.int64]:
    """Give the place of every group, 0 for the one that is looked for first; ties go to the lowest position."""
    sign = 1.0 if scenario.question.metric.worse == "low" else -1.0
    if type(scenario.question).__name__ == "Best":
        sign = -sign
    order = np.argsort(sign * values, axis=-1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.broadcast_to(np.arange(values.shape[-1]), order.shape), axis=-1)
    return place


def reciprocal_rank(m: int = 1) -> Score:
    """Score the mean reciprocal rank of the m groups that are truly looked for, each ranked without the others.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), section 5.
    """
    check_count(m, "m")

    def of(scenario: Scenario, beliefs: Any) -> _Floats:
        there = _there(scenario)
        true = np.argsort(ranks(scenario, scenario.truth[there]))[:m]
        place = ranks(scenario, estimates(scenario, beliefs)[..., there])[..., true]
        # how many of the other true ones stand before it: they are left out of its rank
        before = (place[..., :, None] > place[..., None, :]).sum(axis=-1)
        return np.asarray((1.0 / (1 + place - before)).mean(axis=-1))

    return Score("mrr", of, is_better_high=True)


def success(m: int = 1) -> Score:
    """Score whether the m groups that look so are those that are truly looked for, in any order."""
    check_count(m, "m")

    def of(scenario: Scenario, beliefs: Any) -> _Floats:
        there = _there(scenario)
        true = ranks(scenario, scenario.truth[there]) < m
        found = ranks(scenario, estimates(scenario, beliefs)[..., there]) < m
        return np.asarray((true == found).all(axis=-1).astype(float))

    return Score("success", of, is_better_high=True)


def _confusion(scenario: Scenario, beliefs: Any) -> _Floats:
    if not isinstance(scenario.start, DirichletBelief):
        raise UnanswerableError("The error of a confusion matrix needs a question about confusion or cost.")
    truth = scenario.known.counts / np.maximum(scenario.groups.n_items, 1)[:, None]
    there = _there(scenario)
    gap = beliefs.mean()[..., there, :] - truth[there]
    return np.asarray(np.sqrt((scenario.groups.share[there] * (gap**2).sum(axis=-1)).sum(axis=-1)))


confusion_error = Score("confusion", _confusion)
"""Root of the squared distance of the confusion matrix, rows weighed by their shares."""


def ece_error(truth: float | None = None) -> Score:
    """Score how far the plug-in ECE of the whole pool is off, as a part of the true one.

    Cells are the groups of the scenario (bins of the score); their gaps add up to the ECE.
    """

    def of(scenario: Scenario, beliefs: Any) -> _Floats:
        groups = scenario.groups
        there = _there(scenario)
        share, confidence = groups.share[there], groups.mean_confidence[there]
        accuracy = beliefs.mean()[..., there]
        known = scenario.known.hits[there] / groups.n_items[there]
        true = float((share * np.abs(known - confidence)).sum()) if truth is None else truth
        found = (share * np.abs(accuracy - confidence)).sum(axis=-1)
        return np.asarray(np.abs(found - true) / true)

    return Score("ece", of)


def coverage(level: float = 0.95, target: Target = "pool") -> Score:
    """Score which part of the groups' intervals hold the truth on all labels."""

    def of(scenario: Scenario, beliefs: Any) -> _Floats:
        low, high = _ends(scenario, beliefs, level, target)
        truth = scenario.truth[_there(scenario)]
        return np.asarray(((low <= truth + 1e-12) & (truth - 1e-12 <= high)).mean(axis=-1))

    return Score(f"coverage-{level:g}", of, is_better_high=True)


def width(level: float = 0.95, target: Target = "pool") -> Score:
    """Score how wide the groups' intervals are on average."""

    def of(scenario: Scenario, beliefs: Any) -> _Floats:
        low, high = _ends(scenario, beliefs, level, target)
        return np.asarray((high - low).mean(axis=-1))

    return Score(f"width-{level:g}", of)


def _ends(scenario: Scenario, beliefs: Any, level: float, target: Target) -> tuple[_Floats, _Floats]:
    """Give the ends of all intervals, moment by moment: the finite pool's distributions are tabulated one at a time."""
    metric, there = scenario.question.metric, _there(scenario)
    shape = beliefs.hits.shape[:-1] if hasattr(beliefs, "hits") else ()
    if not shape:
        raise UnanswerableError(f"A simulation has no intervals of {metric.name}; ask about accuracy or bias.")
    low, high = np.empty((*shape, len(there))), np.empty((*shape, len(there)))
    for place in np.ndindex(*shape):
        one = scenario.stacked({"hits": beliefs.hits[place], "labels": beliefs.labels[place]})
        ends = metric.interval(one, level, kind="equal-tailed", target=target)
        if ends is None:
            raise UnanswerableError(f"A simulation has no intervals of {metric.name}; ask about accuracy or bias.")
        low[place], high[place] = ends[0][there], ends[1][there]
    return low, high


def _regret(scenario: Scenario, beliefs: Any) -> _Floats:
    """Labels that were not spent on the group that is truly looked for first, weighed by how far theirs is off."""
    there = _there(scenario)
    truth = scenario.truth[there]
    first = truth[int(np.argmin(ranks(scenario, truth)))]
    labels = np.asarray(scenario.question.metric.n_labels(beliefs))[..., there]
    return np.asarray((labels * np.abs(truth - first)).sum(axis=-1))


regret = Score("regret", _regret)
"""What the labels spent elsewhere than on the true first group have missed, added up."""
