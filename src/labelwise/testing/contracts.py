"""Contract tests of beliefs, metrics and policies; each raises AssertionError naming the violated requirement."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from labelwise.beliefs import Belief
from labelwise.beliefs.belief import TARGETS
from labelwise.beliefs.interval import KINDS
from labelwise.groups import Grouping
from labelwise.metrics import Metric, belief_from_labels, known_value
from labelwise.policies import Policy
from labelwise.pool import Pool
from labelwise.questions import Question


def check_belief(start: Belief, labels: ArrayLike, *, seed: int = 0) -> None:
    """Check that a belief fulfils its contract.

    Parameters
    ----------
    start : the belief before any label; its pool may have empty groups.
    labels : the true class of every item of the pool.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], labels=[0, 1, 1], classes=["cat", "dog", "emu"])
    >>> check_belief(lw.beliefs.BetaBelief.start(lw.by_prediction(pool)), pool.labels)
    """
    rng = np.random.default_rng(seed)
    truth = np.asarray(labels)
    items = rng.permutation(len(truth))
    half = len(items) // 2
    before = start.mean().copy()
    whole = start.update(items, truth[items])
    _expect(np.array_equal(start.mean(), before), "update must not modify the belief it is called on")
    backwards = start.update(items[::-1], truth[items[::-1]])
    _expect(np.array_equal(whole.mean(), backwards.mean()), "the order of labels must not affect the result")
    first, second = (start.update(part, truth[part]) for part in (items[:half], items[half:]))
    _expect(np.array_equal(first.merge(second).mean(), whole.mean()), "merging halves must equal one update with all")
    in_turn = first.update(items[half:], truth[items[half:]])
    _expect(np.array_equal(in_turn.mean(), whole.mean()), "two successive updates must equal one update with all")
    _expect(
        np.array_equal(whole.forget(items[half:], truth[items[half:]]).mean(), first.mean()),
        "forgetting labels must restore the belief without them",
    )
    _expect(int(whole.n_labels.sum()) == len(truth), "every label must be counted once")
    for belief in (start, first, whole):
        _check_moments(belief, rng)
    low, high = whole.interval(target="pool")
    finest = (start.accuracies or start).groups  # cells, if there are some
    assert finest is not None  # it has learned labels of items
    nonempty = finest.n_items > 0
    nonempty = nonempty.reshape(low.shape) if nonempty.size == low.size else nonempty
    _expect(np.array_equal(low[nonempty], high[nonempty]), "a fully labelled pool must have intervals of width zero")


def _check_moments(belief: Belief, rng: np.random.Generator) -> None:
    n_draws = 4_000
    for target in TARGETS:
        mean, variance = belief.mean(target=target), belief.variance(target=target)
        draws = belief.draw(n_draws, target=target, rng=rng)
        _expect(draws.shape == (n_draws, *mean.shape), "draws must be the first dimension of the array")
        # six standard errors: a correct belief fails in one of 10^8 entries
        error = 6 * np.sqrt(variance / n_draws) + 1e-9
        _expect(bool((np.abs(draws.mean(axis=0) - mean) <= error).all()), f"the mean must agree with draws ({target})")
        for kind in KINDS:
            low, high = belief.interval(0.95, kind=kind, target=target)
            _expect(bool((low <= high).all()), f"lower bounds must not exceed upper bounds ({target}, {kind})")
            _expect(bool(((low >= 0) & (high <= 1)).all()), f"intervals must lie between 0 and 1 ({target}, {kind})")
            slack = 1e-12
            inside = ((draws >= low - slack) & (draws <= high + slack)).mean(axis=0)
            _expect(bool((inside >= 0.95 - 0.025).all()), f"intervals must reach their level ({target}, {kind})")


def check_metric(metric: Metric, groups: Grouping, *, seed: int = 0) -> None:
    """Check that a metric fulfils its contract on a grouping of a fully labelled pool.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], labels=[0, 1, 1])
    >>> check_metric(lw.accuracy, lw.by_prediction(pool))
    """
    rng = np.random.default_rng(seed)
    belief = belief_from_labels(metric, groups)
    names = metric.names(belief)
    n_draws = 2_000
    draws = metric.draw(belief, n_draws, rng=rng)
    _expect(draws.shape == (n_draws, len(names)), "there must be one value per group")
    _expect(metric.worse in ("low", "high"), "`worse` must be 'low' or 'high'")
    _expect(bool(metric.name), "a metric must have a name")
    sizes = metric.n_items(belief)
    nonempty = slice(None) if sizes is None else np.flatnonzero(sizes)  # an empty group keeps its prior
    mean = metric.mean(belief)
    if mean is not None:
        gap = np.abs(draws.mean(axis=0) - mean)[nonempty]
        error = 6 * draws.std(axis=0)[nonempty] / np.sqrt(n_draws) + 1e-9
        _expect(bool((gap <= error).all()), "the exact mean must agree with draws")
    estimate = metric.estimate(belief, n_draws=n_draws, rng=rng)
    _expect(estimate.names == names, "an estimate must have the names of the metric's groups")
    _expect(len(metric.n_labels(belief)) == len(names), "there must be one label count per group")
    again = metric.draw(belief, 5, rng=np.random.default_rng(1))
    same = metric.draw(belief, 5, rng=np.random.default_rng(1))
    _expect(np.array_equal(again, same, equal_nan=True), "the same seed must give the same draws")
    known = metric.draw(belief, 3, target="pool", rng=rng)[:, nonempty]
    _expect(np.allclose(known[0], known[2], equal_nan=True), "draws for a fully labelled pool must be equal")


def check_whole_pool(metric: Metric, whole: Grouping, pool: Pool, *, seed: int = 0) -> None:
    """Check that a metric's value on a fully labelled pool is the same through its belief and by counting.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], labels=[0, 1, 1])
    >>> check_whole_pool(lw.accuracy, lw.everything(pool), pool)
    """
    belief = belief_from_labels(metric, whole)
    value = metric.draw(belief, 1, target="pool", rng=np.random.default_rng(seed))[0, 0]
    _expect(np.isclose(value, known_value(metric, pool)), "belief and count must agree on a fully labelled pool")


def _expect(is_met: bool | np.bool_, requirement: str) -> None:
    if not is_met:
        raise AssertionError(requirement)


def check_policy(policy: Policy, question: Question, belief: Belief, *, seed: int = 0) -> None:
    """Check that a policy fulfils its contract for a question.

    Examples
    --------
    >>> import labelwise as lw
    >>> question = lw.Worst()
    >>> check_policy(lw.Thompson(), question, question.start(lw.by_prediction(lw.pool_from_arrays(predicted=[0, 1]))))
    """
    sizes = np.where(question.asked(belief.outer), belief.outer.n_items, 0)
    for n_open in (sizes, np.where(np.arange(len(sizes)) == int(np.argmax(sizes > 0)), sizes, 0)):
        first, again = (policy.choose(belief, question, n_open, rng=np.random.default_rng(seed)) for _ in range(2))
        _expect(first == again, "the same seed must give the same choice")
        _expect(0 < len(first) <= question.plays, "a policy must choose between one group and `question.plays`")
        _expect(len(set(first)) == len(first), "a group must not be chosen twice")
        _expect(all(n_open[g] > 0 for g in first), "a group without open items must not be chosen")
        _expect(all(isinstance(g, int) for g in first), "chosen groups must be of type int")
    nothing = policy.choose(belief, question, np.zeros_like(sizes), rng=np.random.default_rng(seed))
    _expect(nothing == (), "without open items the choice must be empty")
    _expect(bool(policy.name), "a policy must have a name")
