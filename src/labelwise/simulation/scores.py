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

from labelwise.beliefs import ConfusionBelief, MixtureBelief, Target, draws_interval
from labelwise.checks import check_count, check_positive
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.metrics import ECE, Accuracy, CalibrationBias, ConfusionMetric, ExpectedCost, beta_difference_below
from labelwise.questions import Compare, Estimate, Question
from labelwise.simulation.scenario import Scenario, counts_of

_Floats = NDArray[np.float64]
_INTERVAL_DRAWS = 2_000
_GUARD = 1e-6  # of a group's size, added to its hits and misses: no Beta without one of them, as in the papers' code
_SLACK = 1e-12  # accuracies are ratios of whole numbers: equal ones may differ in the last digit


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
    if isinstance(scenario.start, ConfusionBelief) and scenario.start.outer is not scenario.start.groups:
        return _by_moment(scenario, beliefs, lambda one: np.asarray(metric.mean(one, target=scenario.target)))
    how: dict[str, Any] = {"target": scenario.target}
    mean = metric.plug_in(beliefs, **how) if isinstance(metric, ECE) else metric.mean(beliefs, **how)
    return np.asarray(mean)


def _by_moment(scenario: Scenario, beliefs: Any, value: Callable[[Any], _Floats]) -> _Floats:
    """Work out something of one belief after the other: what cannot read many at once."""
    counts = counts_of(beliefs)
    shape = next(iter(counts.values())).shape[:2]
    found = [
        value(scenario.stacked({name: array[place] for name, array in counts.items()})) for place in np.ndindex(*shape)
    ]
    return np.stack(found).reshape(*shape, *found[0].shape)


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

    def ends_of(one: Any) -> _Floats:
        ends = metric.interval(one, level, kind="equal-tailed", target=target)
        if isinstance(one, MixtureBelief):  # groups that share a map have no closed form
            draws = metric.draw(one, _INTERVAL_DRAWS, target=target, rng=np.random.default_rng(0))
            ends = draws_interval(draws, level, "equal-tailed")
        if ends is None:
            raise UnanswerableError(f"A simulation has no intervals of {metric.name}; ask about accuracy or bias.")
        return np.stack(ends)[:, there]

    found = _by_moment(scenario, beliefs, ends_of)  # (n_runs, n_at, 2, n_there)
    return found[..., 0, :], found[..., 1, :]


def _regret(scenario: Scenario, beliefs: Any) -> _Floats:
    """Labels that were not spent on the group that is truly looked for first, weighed by how far theirs is off."""
    there = _there(scenario)
    truth = scenario.truth[there]
    first = truth[int(np.argmin(ranks(scenario, truth)))]
    labels = np.asarray(scenario.question.metric.n_labels(beliefs))[..., there]
    return np.asarray((labels * np.abs(truth - first)).sum(axis=-1))


regret = Score("regret", _regret)
"""What the labels spent elsewhere than on the true first group have missed, added up."""


def _compared(scenario: Scenario) -> Compare:
    question = scenario.question
    if not (isinstance(question, Compare) and isinstance(question.metric, Accuracy)):
        raise UnanswerableError(
            f"Only a comparison of accuracies has a verdict to score, and this question is {str(question)!r}; ask "
            "`Compare` of accuracy."
        )
    return question


def regions(scenario: Scenario, beliefs: Any) -> _Floats:
    """Give the probabilities that the one accuracy is lower, equal or higher, shape (n_runs, n_at, 3).

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> scenario = Scenario(lw.by_prediction(pool), lw.Compare("cat", "dog"), lw.Thompson())
    >>> counts = {"hits": np.array([[[0, 0], [9, 0]]]), "labels": np.array([[[0, 0], [9, 9]]])}
    >>> regions(scenario, scenario.stacked(counts)).round(3)
    array([[[0.451, 0.098, 0.451],
            [0.   , 0.   , 1.   ]]])
    """
    question, start = _compared(scenario), scenario.start
    try:
        from labelwise.simulation.kernels.regions import put_regions
    except ImportError as error:
        raise ArgumentError(
            f"Scores of a comparison need numba ({error}). Install it with `pip install 'labelwise[simulate]'`."
        ) from None
    pair = [scenario.groups.index(name) for name in (question.one, question.other)]
    prior = np.stack([start.prior_a[pair], start.prior_b[pair]], axis=1)
    hits, labels = (counts[..., pair].astype(np.int64) for counts in (beliefs.hits, beliefs.labels))
    found = np.empty((*labels.shape[:-1], 3))
    put_regions(prior, hits, labels, float(question.margin), found)
    return found


def true_region(scenario: Scenario) -> tuple[int, float]:
    """Give where the true difference lies (0 lower, 1 equal, 2 higher), and how probable that is given all labels.

    The probability is that of Beta(hits, misses) of the whole groups: what a perfect knowledge of the pool says of new
    items.

    Examples
    --------
    >>> import labelwise as lw
    >>> labels = ["cat"] * 26 + ["dog"] * 10 + ["cat"] * 4  # 26 of 30 cats and 6 of 10 dogs are hits
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=labels)
    >>> region, chance = true_region(Scenario(lw.by_prediction(pool), lw.Compare("dog", "cat"), lw.Thompson()))
    >>> region, round(chance, 4)
    (0, 0.9149)
    """
    question = _compared(scenario)
    shapes = []
    for name in (question.one, question.other):
        g = scenario.groups.index(name)
        n_items, hits = float(scenario.groups.n_items[g]), float(scenario.known.hits[g])
        shapes.append((hits + _GUARD * n_items, n_items - hits + _GUARD * n_items, hits / n_items))
    (a1, b1, one), (a2, b2, other) = shapes
    lower = beta_difference_below(a1, b1, a2, b2, -question.margin)
    up_to = beta_difference_below(a1, b1, a2, b2, question.margin)
    gap = one - other
    region = 0 if gap < -question.margin - _SLACK else 2 if gap > question.margin + _SLACK else 1
    return region, (lower, up_to - lower, 1 - up_to)[region]


def _is_right(scenario: Scenario, chances: _Floats) -> NDArray[np.bool_]:
    # beliefs that are alike give lower and higher the same probability: the tie must not be left to rounding
    return np.asarray(chances.round(10).argmax(axis=-1) == true_region(scenario)[0])


def _right(scenario: Scenario, beliefs: Any) -> _Floats:
    return _is_right(scenario, regions(scenario, beliefs)).astype(float)


verdict_right = Score("right", _right, is_better_high=True)
"""Whether the likeliest of lower, equal and higher is where the true difference of two accuracies lies."""


def _decided(scenario: Scenario, beliefs: Any, tolerance: float) -> NDArray[np.bool_]:
    """Say from which moment on a run is decided: the verdict was right once, its probability near the final one."""
    chances = regions(scenario, beliefs)
    region, final = true_region(scenario)
    is_near = np.abs(chances[..., region] - final) < tolerance * final
    return np.asarray(np.logical_or.accumulate(_is_right(scenario, chances) & is_near, axis=-1))


def labels_until_decided(tolerance: float = 0.05) -> Score:
    """Score how many labels a comparison of two accuracies has needed until it was decided, as the papers count them.

    It is decided when the likeliest verdict is the true one and its probability is the final one, that of all labels,
    but for a part of `tolerance`. A run that is not decided yet counts with the labels that it has spent, so that the
    mean at the last moment is the mean number of labels needed, those above the budget cut to it.

    Parameters
    ----------
    tolerance : part of the final probability that may be missing or too much.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), section 5, table 7.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 90 + ["dog"] * 90, labels=["cat"] * 180)
    >>> scenario = lw.Scenario(lw.by_prediction(pool), lw.Compare("cat", "dog"), lw.Thompson())
    >>> found = lw.simulate(scenario, [labels_until_decided(), verdict_right], n_runs=50, at=range(1, 31))
    >>> {name: float(values[-1].round(1)) for name, values in found.mean.items()}
    {'labels': 5.5, 'right': 1.0}
    """
    check_positive(tolerance, "tolerance")

    def of(scenario: Scenario, beliefs: Any) -> _Floats:
        is_decided = _decided(scenario, beliefs, tolerance)
        spent = np.asarray(beliefs.labels.sum(axis=-1), float)  # (n_runs, n_at)
        first = np.take_along_axis(spent, is_decided.argmax(axis=-1)[..., None], axis=-1)
        return np.where(is_decided, first, spent)

    return Score("labels", of)


def decided(tolerance: float = 0.05) -> Score:
    """Score whether a comparison of two accuracies has been decided by now: see `labels_until_decided`.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 90 + ["dog"] * 90, labels=["cat"] * 180)
    >>> scenario = lw.Scenario(lw.by_prediction(pool), lw.Compare("cat", "dog"), lw.RandomItem())
    >>> lw.simulate(scenario, [decided()], n_runs=50, at=[3, 20]).mean["decided"]
    array([0., 1.])
    """
    check_positive(tolerance, "tolerance")
    return Score("decided", lambda s, beliefs: _decided(s, beliefs, tolerance).astype(float), is_better_high=True)


def scores_for(question: Question, level: float = 0.95) -> list[Score]:
    """Give the scores that suit a question, the one that sums it up first.

    Examples
    --------
    >>> import labelwise as lw
    >>> [score.name for score in scores_for(lw.Worst(lw.accuracy, m=3))]
    ['mrr', 'success']
    >>> [score.name for score in scores_for(lw.Estimate(lw.accuracy))]
    ['rmse', 'coverage-0.95', 'width-0.95']
    """
    if isinstance(question, Compare):
        return [labels_until_decided(), decided(), verdict_right]
    if not isinstance(question, Estimate):
        return [reciprocal_rank(question.plays), success(question.plays)]
    if isinstance(question.metric, ConfusionMetric):
        return [confusion_error]
    if isinstance(question.metric, (Accuracy, CalibrationBias)):
        return [rmse, coverage(level), width(level)]
    return [rmse]
