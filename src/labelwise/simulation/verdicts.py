"""Scores of a comparison: the verdict, whether it is correct, and how many labels it took."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, BetaBelief
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.checks import check_positive
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.metrics import beta_difference_below
from labelwise.questions import Compare
from labelwise.simulation.scenario import Scenario
from labelwise.simulation.score import Score

_Floats = NDArray[np.float64]
_GUARD = 1e-6  # times the group size, added to hits and misses so that both parameters are positive (papers' code)
_SLACK = 1e-12  # accuracies are ratios of integers: equal ones may differ in the last digit


def _compared(scenario: Scenario) -> Compare:
    question = scenario.question
    if not (isinstance(question, Compare) and question.metric.is_share_of_hits):
        raise UnanswerableError(
            f"Verdicts are scored only for comparisons of accuracy; this question is {str(question)!r}. "
            "Compare accuracies instead."
        )
    return question


def regions(scenario: Scenario, beliefs: Belief) -> _Floats:
    """Return the probabilities that the first accuracy is lower, equal or higher, shape (n_runs, n_at, 3).

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
    question, start, now = _compared(scenario), BetaBelief.of(scenario.start), BetaBelief.of(beliefs)
    try:
        from labelwise.simulation.kernels.regions import put_regions
    except ImportError as error:
        raise ArgumentError(
            f"Scoring a comparison requires numba ({error}). Install it with `pip install 'labelwise[simulate]'`."
        ) from None
    pair = [scenario.groups.index(name) for name in (question.one, question.other)]
    prior = np.stack([start.prior_a[pair], start.prior_b[pair]], axis=1)
    hits, labels = (counts[..., pair].astype(np.int64) for counts in (now.hits, now.labels))
    probabilities = np.empty((*labels.shape[:-1], 3))
    put_regions(prior, hits, labels, float(question.margin), probabilities)
    return probabilities


def true_region(scenario: Scenario) -> tuple[int, float]:
    """Return the true region of the difference (0 lower, 1 equal, 2 higher) and its probability given all labels.

    The probability is that of Beta(hits, misses) of the fully labelled groups, that is, about new items.

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
        n_items, hits = float(scenario.groups.n_items[g]), float(AccuracyBelief.of(scenario.known).hits[g])
        shapes.append((hits + _GUARD * n_items, n_items - hits + _GUARD * n_items, hits / n_items))
    (a1, b1, one), (a2, b2, other) = shapes
    lower = beta_difference_below(a1, b1, a2, b2, -question.margin)
    up_to = beta_difference_below(a1, b1, a2, b2, question.margin)
    gap = one - other
    region = 0 if gap < -question.margin - _SLACK else 2 if gap > question.margin + _SLACK else 1
    return region, (lower, up_to - lower, 1 - up_to)[region]


def _is_right(scenario: Scenario, probabilities: _Floats) -> NDArray[np.bool_]:
    # identical beliefs make lower and higher equally probable: rounding must not break the tie
    return np.asarray(probabilities.round(10).argmax(axis=-1) == true_region(scenario)[0])


def _right(scenario: Scenario, beliefs: Belief) -> _Floats:
    return _is_right(scenario, regions(scenario, beliefs)).astype(float)


verdict_right = Score("right", _right, is_better_high=True)
"""Whether the most probable of lower, equal and higher is the true one."""


def _decided(scenario: Scenario, beliefs: Belief, tolerance: float) -> NDArray[np.bool_]:
    """Return whether, by each snapshot, the verdict was ever correct with a probability close to the final one."""
    probabilities = regions(scenario, beliefs)
    region, final = true_region(scenario)
    is_near = np.abs(probabilities[..., region] - final) < tolerance * final
    return np.asarray(np.logical_or.accumulate(_is_right(scenario, probabilities) & is_near, axis=-1))


def labels_until_decided(tolerance: float = 0.05) -> Score:
    """Score the number of labels until a comparison of two accuracies is decided, as the papers count them.

    A run is decided when the most probable verdict is the true one and its probability p satisfies
    |p - p_all| < tolerance * p_all, where p_all is the probability given all labels. An undecided run counts with the
    labels it has used, so the mean at the last snapshot is the mean number of labels, censored at the budget.

    Parameters
    ----------
    tolerance : relative difference from the final probability.

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

    def of(scenario: Scenario, beliefs: Belief) -> _Floats:
        is_decided = _decided(scenario, beliefs, tolerance)
        spent = np.asarray(AccuracyBelief.of(beliefs).labels.sum(axis=-1), float)  # (n_runs, n_at)
        first = np.take_along_axis(spent, is_decided.argmax(axis=-1)[..., None], axis=-1)
        return np.where(is_decided, first, spent)

    return Score("labels", of)


def decided(tolerance: float = 0.05) -> Score:
    """Score whether a comparison of two accuracies has been decided (see `labels_until_decided`).

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
