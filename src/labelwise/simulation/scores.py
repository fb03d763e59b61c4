"""Scores: the error of an answer given the truth, one number per run and snapshot.

Every score takes the stacked beliefs of all runs and snapshots, shape (n_runs, n_at, ...), and returns an array of
shape (n_runs, n_at). Estimates are posterior means.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, LearnedAccuracy, Target
from labelwise.beliefs.belief import AccuracyBelief, ConfusionBelief
from labelwise.beliefs.interval import draws_interval
from labelwise.beliefs.learned.group_slope import steepness_in
from labelwise.checks import check_count
from labelwise.errors import UnanswerableError
from labelwise.metrics import ConfusionMetric
from labelwise.metrics.accuracy import Accuracy
from labelwise.metrics.bias import CalibrationBias
from labelwise.questions import Overall, Question
from labelwise.simulation.scenario import Scenario
from labelwise.simulation.score import Score, by_moment, groups_there
from labelwise.simulation.verdicts import decided, labels_until_decided, verdict_right

_Floats = NDArray[np.float64]
_INTERVAL_DRAWS = 2_000


def estimates(scenario: Scenario, beliefs: Belief) -> _Floats:
    """Return the posterior mean of the metric in every group, shape (n_runs, n_at, n_groups)."""
    metric = scenario.question.metric
    if not metric.takes_stacks and metric.mean(scenario.start, target=scenario.target) is None:
        raise UnanswerableError(
            f"Simulations cannot score {metric.name}, which has no closed-form mean; use accuracy, bias, ECE or cost."
        )
    crosses_groups = scenario.start.outer is not scenario.start.groups
    if crosses_groups or not metric.takes_stacks:
        return by_moment(scenario, beliefs, lambda one: np.asarray(metric.mean(one, target=scenario.target)))
    if isinstance(beliefs, LearnedAccuracy) and metric.is_share_of_hits:
        return _shared_means(beliefs, scenario.target)
    found = metric.plug_in(beliefs, target=scenario.target)
    return np.asarray(metric.mean(beliefs, target=scenario.target) if found is None else found)


def _shared_means(beliefs: LearnedAccuracy, target: Target) -> _Floats:
    """Return the means of groups that share a calibration map, with compiled code if numba is installed."""
    try:
        from labelwise.simulation.kernels.means import put_means
    except ImportError:
        return beliefs.mean(target=target)
    scores, settings = beliefs.scores, beliefs.prior.settings
    counts = (beliefs.hits, beliefs.labels, beliefs.in_bin, beliefs.bin_hits)
    hits, labels, in_bin, bin_hits = (np.ascontiguousarray(each, np.int64) for each in counts)
    means = np.empty(hits.shape)
    directions = slice(2 if scores.has_scores else 1)  # shift and slope, or shift alone
    put_means(
        scores.x, np.ascontiguousarray(scores.share.T), scores.whole[:, None], hits, labels, in_bin, bin_hits,
        beliefs.n_items.astype(np.int64), settings["middle"][directions], settings["spread"][directions],
        settings["strengths"], steepness_in(scores, settings["steepness"]), target == "pool", means,
    )  # fmt: skip
    return means


def _rmse(scenario: Scenario, beliefs: Belief) -> _Floats:
    nonempty = groups_there(scenario)
    gap = estimates(scenario, beliefs)[..., nonempty] - scenario.truth[nonempty]
    return np.asarray(np.sqrt((scenario.groups.share[nonempty] * gap**2).sum(axis=-1)))


rmse = Score("rmse", _rmse)
"""Root mean squared error of the group estimates, weighted by the groups' shares of the pool."""


def ranks(scenario: Scenario, values: _Floats) -> NDArray[np.int64]:
    """Return the rank of every group, 0 for the one the question seeks first; ties go to the lowest position."""
    order = np.argsort(-scenario.question.sign * values, axis=-1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(values.shape[-1]), order.shape), axis=-1)
    return rank


def reciprocal_rank(m: int = 1) -> Score:
    """Score the mean reciprocal rank of the true m groups, each ranked with the other m - 1 left out.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), section 5.
    """
    check_count(m, "m")

    def of(scenario: Scenario, beliefs: Belief) -> _Floats:
        nonempty = groups_there(scenario)
        true = np.argsort(ranks(scenario, scenario.truth[nonempty]))[:m]
        rank = ranks(scenario, estimates(scenario, beliefs)[..., nonempty])[..., true]
        # true groups ranked before this one do not count against it
        before = (rank[..., :, None] > rank[..., None, :]).sum(axis=-1)
        return np.asarray((1.0 / (1 + rank - before)).mean(axis=-1))

    return Score("mrr", of, is_better_high=True)


def success(m: int = 1) -> Score:
    """Score whether the m groups ranked first by their estimates are the true ones, in any order."""
    check_count(m, "m")

    def of(scenario: Scenario, beliefs: Belief) -> _Floats:
        nonempty = groups_there(scenario)
        true = ranks(scenario, scenario.truth[nonempty]) < m
        estimated = ranks(scenario, estimates(scenario, beliefs)[..., nonempty]) < m
        return np.asarray((true == estimated).all(axis=-1).astype(float))

    return Score("success", of, is_better_high=True)


def _confusion(scenario: Scenario, beliefs: Belief) -> _Floats:
    if not isinstance(scenario.start, ConfusionBelief):
        raise UnanswerableError("The confusion score needs a question about confusion or cost.")
    rows = scenario.start.groups  # finer than the scenario's groups if those mix predictions
    truth = ConfusionBelief.of(scenario.known).counts / np.maximum(rows.n_items, 1)[:, None]
    nonempty = np.flatnonzero(rows.n_items > 0)
    gap = beliefs.mean()[..., nonempty, :] - truth[nonempty]
    return np.asarray(np.sqrt((rows.share[nonempty] * (gap**2).sum(axis=-1)).sum(axis=-1)))


confusion_error = Score("confusion", _confusion)
"""Euclidean distance between estimated and true confusion matrix, rows weighted by their shares of the pool."""


def ece_error(truth: float | None = None) -> Score:
    """Score the relative error of the plug-in ECE of the pool; the groups of the scenario are the ECE's score bins."""

    def of(scenario: Scenario, beliefs: Belief) -> _Floats:
        groups = scenario.groups
        nonempty = groups_there(scenario)
        share, confidence = groups.share[nonempty], groups.mean_confidence[nonempty]
        accuracy = beliefs.mean()[..., nonempty]
        known = AccuracyBelief.of(scenario.known).hits[nonempty] / groups.n_items[nonempty]
        true = float((share * np.abs(known - confidence)).sum()) if truth is None else truth
        estimate = (share * np.abs(accuracy - confidence)).sum(axis=-1)
        return np.asarray(np.abs(estimate - true) / true)

    return Score("ece", of)


def coverage(level: float = 0.95, target: Target = "pool") -> Score:
    """Score the share of the groups whose interval covers the true value."""

    def of(scenario: Scenario, beliefs: Belief) -> _Floats:
        low, high = _ends(scenario, beliefs, level, target)
        truth = scenario.truth[groups_there(scenario)]
        return np.asarray(((low <= truth + 1e-12) & (truth - 1e-12 <= high)).mean(axis=-1))

    return Score(f"coverage-{level:g}", of, is_better_high=True)


def width(level: float = 0.95, target: Target = "pool") -> Score:
    """Score the mean width of the groups' intervals."""

    def of(scenario: Scenario, beliefs: Belief) -> _Floats:
        low, high = _ends(scenario, beliefs, level, target)
        return np.asarray((high - low).mean(axis=-1))

    return Score(f"width-{level:g}", of)


def _ends(scenario: Scenario, beliefs: Belief, level: float, target: Target) -> tuple[_Floats, _Floats]:
    """Return the bounds of all intervals, computed one belief at a time: finite-pool intervals are not vectorised."""
    metric, nonempty = scenario.question.metric, groups_there(scenario)

    def ends_of(one: Belief) -> _Floats:
        ends = metric.interval(one, level, kind="equal-tailed", target=target)
        if one.accuracies is not None and one.accuracies.is_learned:  # a mixture: no closed form
            draws = metric.draw(one, _INTERVAL_DRAWS, target=target, rng=np.random.default_rng(0))
            ends = draws_interval(draws, level, "equal-tailed")
        if ends is None:
            raise UnanswerableError(f"Simulations cannot score intervals of {metric.name}; use accuracy or bias.")
        return np.stack(ends)[:, nonempty]

    bounds = by_moment(scenario, beliefs, ends_of)  # (n_runs, n_at, 2, n_nonempty)
    return bounds[..., 0, :], bounds[..., 1, :]


def _overall_error(scenario: Scenario, beliefs: Belief) -> _Floats:
    share = scenario.groups.share[groups_there(scenario)]
    values = (estimates(scenario, beliefs), scenario.truth)
    estimate, truth = (each[..., groups_there(scenario)] @ share for each in values)
    return np.asarray(np.abs(estimate - truth))


overall_error = Score("overall-error", _overall_error)
"""Absolute error of the estimate for the whole pool."""


def overall_coverage(level: float = 0.95, target: Target = "pool") -> Score:
    """Score whether the interval for the whole pool covers the true value."""

    def of(scenario: Scenario, beliefs: Belief) -> _Floats:
        nonempty = groups_there(scenario)
        truth = float(scenario.truth[nonempty] @ scenario.groups.share[nonempty])
        ends = _overall_ends(scenario, beliefs, level, target)
        return np.asarray(((ends[..., 0] <= truth) & (truth <= ends[..., 1])).astype(float))

    return Score(f"overall-coverage-{level:g}", of, is_better_high=True)


def overall_width(level: float = 0.95, target: Target = "pool") -> Score:
    """Score the width of the interval for the whole pool."""
    return Score(f"overall-width-{level:g}", lambda s, b: np.ptp(_overall_ends(s, b, level, target), axis=-1))


def _overall_ends(scenario: Scenario, beliefs: Belief, level: float, target: Target) -> _Floats:
    """Return the bounds of the interval for the whole pool, shape (n_runs, n_at, 2)."""

    def ends_of(one: Belief) -> _Floats:
        rng = np.random.default_rng(0)
        draws = scenario.question.metric.draw_overall(one, _INTERVAL_DRAWS, target=target, rng=rng)
        if draws is None:
            raise UnanswerableError(f"Simulations cannot score {scenario.question.metric.name} of the whole pool.")
        return np.concatenate(draws_interval(draws[:, None], level, "equal-tailed"))

    return by_moment(scenario, beliefs, ends_of)


def _regret(scenario: Scenario, beliefs: Belief) -> _Floats:
    """Return sum_g n_g |theta_g - theta_first| over the labels n_g and true values theta_g of the groups."""
    nonempty = groups_there(scenario)
    truth = scenario.truth[nonempty]
    first = truth[int(np.argmin(ranks(scenario, truth)))]
    labels = np.asarray(scenario.question.metric.n_labels(beliefs))[..., nonempty]
    return np.asarray((labels * np.abs(truth - first)).sum(axis=-1))


regret = Score("regret", _regret)
"""Regret: labels of each group times the distance of its true value from that of the true first group, summed."""


def scores_for(question: Question, level: float = 0.95) -> list[Score]:
    """Return the scores that suit a question, the main one first.

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
    if question.is_comparison:
        return [labels_until_decided(), decided(), verdict_right]
    if not question.is_estimate:
        return [reciprocal_rank(question.plays), success(question.plays)]
    if question.kind == Overall.kind:
        return [overall_error, overall_coverage(level), overall_width(level)]
    if isinstance(question.metric, ConfusionMetric):
        return [confusion_error]
    if question.metric.name in (Accuracy.name, CalibrationBias.name):
        return [rmse, coverage(level), width(level)]
    return [rmse]
