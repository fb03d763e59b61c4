"""How good an answer is, given the truth: one number a run and moment.

Every score reads the stacked beliefs of many runs and moments at once, shape (n_runs, n_at, ...), and gives an array of
shape (n_runs, n_at). Estimates are posterior means.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import ConfusionBelief, LearnedAccuracy, Target, draws_interval
from labelwise.beliefs.learned.group_slope import steepness_in
from labelwise.checks import check_count
from labelwise.errors import UnanswerableError
from labelwise.metrics import ECE, Accuracy, CalibrationBias, ConfusionMetric, ExpectedCost
from labelwise.questions import Compare, Estimate, Overall, Question
from labelwise.simulation.scenario import Scenario
from labelwise.simulation.score import Score, by_moment, groups_there
from labelwise.simulation.verdicts import decided, labels_until_decided, verdict_right

_Floats = NDArray[np.float64]
_INTERVAL_DRAWS = 2_000


def estimates(scenario: Scenario, beliefs: Any) -> _Floats:
    """Give the posterior mean of the metric in every group, shape (n_runs, n_at, n_groups)."""
    metric = scenario.question.metric
    if not isinstance(metric, (Accuracy, CalibrationBias, ExpectedCost, ECE)):
        raise UnanswerableError(f"A simulation does not score {metric.name}; ask about accuracy, bias, ECE or cost.")
    if isinstance(scenario.start, ConfusionBelief) and scenario.start.outer is not scenario.start.groups:
        return by_moment(scenario, beliefs, lambda one: np.asarray(metric.mean(one, target=scenario.target)))
    if isinstance(beliefs, LearnedAccuracy) and isinstance(metric, Accuracy):
        return _shared_means(beliefs, scenario.target)
    how: dict[str, Any] = {"target": scenario.target}
    mean = metric.plug_in(beliefs, **how) if isinstance(metric, ECE) else metric.mean(beliefs, **how)
    return np.asarray(mean)


def _shared_means(beliefs: LearnedAccuracy, target: Target) -> _Floats:
    """Give the means of groups that share a map at many moments: compiled where there is a compiler."""
    try:
        from labelwise.simulation.kernels.means import put_means
    except ImportError:
        return beliefs.mean(target=target)
    scores, how = beliefs.scores, beliefs.prior.settings
    told = (beliefs.hits, beliefs.labels, beliefs.in_bin, beliefs.bin_hits)
    hits, labels, in_bin, bin_hits = (np.ascontiguousarray(each, np.int64) for each in told)
    found = np.empty(hits.shape)
    ways = slice(2 if scores.has_scores else 1)
    put_means(
        scores.x, np.ascontiguousarray(scores.share.T), scores.whole[:, None], hits, labels, in_bin, bin_hits,
        beliefs.n_items.astype(np.int64), how["middle"][ways], how["spread"][ways], how["strengths"],
        steepness_in(scores, how["steepness"]), target == "pool",
        found,
    )  # fmt: skip
    return found


def _rmse(scenario: Scenario, beliefs: Any) -> _Floats:
    there = groups_there(scenario)
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
        there = groups_there(scenario)
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
        there = groups_there(scenario)
        true = ranks(scenario, scenario.truth[there]) < m
        found = ranks(scenario, estimates(scenario, beliefs)[..., there]) < m
        return np.asarray((true == found).all(axis=-1).astype(float))

    return Score("success", of, is_better_high=True)


def _confusion(scenario: Scenario, beliefs: Any) -> _Floats:
    if not isinstance(scenario.start, ConfusionBelief):
        raise UnanswerableError("The error of a confusion matrix needs a question about confusion or cost.")
    rows = scenario.start.groups  # finer than the groups that are asked, where those mix predictions
    truth = scenario.known.counts / np.maximum(rows.n_items, 1)[:, None]
    there = np.flatnonzero(rows.n_items > 0)
    gap = beliefs.mean()[..., there, :] - truth[there]
    return np.asarray(np.sqrt((rows.share[there] * (gap**2).sum(axis=-1)).sum(axis=-1)))


confusion_error = Score("confusion", _confusion)
"""Root of the squared distance of the confusion matrix, rows weighed by their shares."""


def ece_error(truth: float | None = None) -> Score:
    """Score how far the plug-in ECE of the whole pool is off, as a part of the true one.

    Cells are the groups of the scenario (bins of the score); their gaps add up to the ECE.
    """

    def of(scenario: Scenario, beliefs: Any) -> _Floats:
        groups = scenario.groups
        there = groups_there(scenario)
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
        truth = scenario.truth[groups_there(scenario)]
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
    metric, there = scenario.question.metric, groups_there(scenario)

    def ends_of(one: Any) -> _Floats:
        ends = metric.interval(one, level, kind="equal-tailed", target=target)
        if isinstance(one, LearnedAccuracy):  # groups that share a map have no closed form
            draws = metric.draw(one, _INTERVAL_DRAWS, target=target, rng=np.random.default_rng(0))
            ends = draws_interval(draws, level, "equal-tailed")
        if ends is None:
            raise UnanswerableError(f"A simulation has no intervals of {metric.name}; ask about accuracy or bias.")
        return np.stack(ends)[:, there]

    found = by_moment(scenario, beliefs, ends_of)  # (n_runs, n_at, 2, n_there)
    return found[..., 0, :], found[..., 1, :]


def _overall_error(scenario: Scenario, beliefs: Any) -> _Floats:
    share = scenario.groups.share[groups_there(scenario)]
    values = (estimates(scenario, beliefs), scenario.truth)
    found, truth = (each[..., groups_there(scenario)] @ share for each in values)
    return np.asarray(np.abs(found - truth))


overall_error = Score("overall-error", _overall_error)
"""How far the estimate for the whole pool is off."""


def overall_coverage(level: float = 0.95, target: Target = "pool") -> Score:
    """Score whether the interval of the whole pool holds the truth on all labels."""

    def of(scenario: Scenario, beliefs: Any) -> _Floats:
        there = groups_there(scenario)
        truth = float(scenario.truth[there] @ scenario.groups.share[there])
        ends = _overall_ends(scenario, beliefs, level, target)
        return np.asarray(((ends[..., 0] <= truth) & (truth <= ends[..., 1])).astype(float))

    return Score(f"overall-coverage-{level:g}", of, is_better_high=True)


def overall_width(level: float = 0.95, target: Target = "pool") -> Score:
    """Score how wide the interval of the whole pool is."""
    return Score(f"overall-width-{level:g}", lambda s, b: np.ptp(_overall_ends(s, b, level, target), axis=-1))


def _overall_ends(scenario: Scenario, beliefs: Any, level: float, target: Target) -> _Floats:
    """Give the ends of the interval of the whole, shape (n_runs, n_at, 2)."""

    def ends_of(one: Any) -> _Floats:
        rng = np.random.default_rng(0)
        draws = scenario.question.metric.draw_overall(one, _INTERVAL_DRAWS, target=target, rng=rng)
        if draws is None:
            raise UnanswerableError(f"The {scenario.question.metric.name} of the groups makes no whole to score.")
        return np.concatenate(draws_interval(draws[:, None], level, "equal-tailed"))

    return by_moment(scenario, beliefs, ends_of)


def _regret(scenario: Scenario, beliefs: Any) -> _Floats:
    """Labels that were not spent on the group that is truly looked for first, weighed by how far theirs is off."""
    there = groups_there(scenario)
    truth = scenario.truth[there]
    first = truth[int(np.argmin(ranks(scenario, truth)))]
    labels = np.asarray(scenario.question.metric.n_labels(beliefs))[..., there]
    return np.asarray((labels * np.abs(truth - first)).sum(axis=-1))


regret = Score("regret", _regret)
"""What the labels spent elsewhere than on the true first group have missed, added up."""


def scores_for(question: Question, level: float = 0.95) -> list[Score]:
    """Give the scores that suit a question, the one that sums it up first.

    Examples
    --------
    >>> import labelwise as lw
    >>> [score.name for score in scores_for(lw.Worst(lw.accuracy, m=3))]
    ['mrr', 'success']
    >>> [score.name for score in scores_for(lw.Estimate(lw.accuracy))]
    ['rmse', 'coverage-0.95', 'width-0.95']
    >>> [score.name for score in scores_for(lw.Overall(lw.accuracy))]
    ['overall-error', 'overall-coverage-0.95', 'overall-width-0.95']
    """
    if isinstance(question, Compare):
        return [labels_until_decided(), decided(), verdict_right]
    if not isinstance(question, Estimate):
        return [reciprocal_rank(question.plays), success(question.plays)]
    if isinstance(question, Overall):
        return [overall_error, overall_coverage(level), overall_width(level)]
    if isinstance(question.metric, ConfusionMetric):
        return [confusion_error]
    if isinstance(question.metric, (Accuracy, CalibrationBias)):
        return [rmse, coverage(level), width(level)]
    return [rmse]
