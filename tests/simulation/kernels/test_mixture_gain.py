"""What a label is expected to tell, compiled, against the belief."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.mixture_gain import counts_under, drop_line, put_others, put_overall_drops


@compiled
def _counts(strength, accuracy, summed, odds, explained, hits, labels, size, in_pool):
    return counts_under(strength, accuracy, summed, odds, explained, hits, labels, size, in_pool)


@compiled
def _line(weight, strength, accuracy, summed, odds, explained, g, hits, labels, size, part, others, in_pool):
    return drop_line(weight, strength, accuracy, summed, odds, explained, g, hits, labels, size, part, others, in_pool)


@pytest.fixture(scope="module")
def belief():
    rng = np.random.default_rng(3)
    predicted = np.repeat(np.arange(5), [40, 30, 20, 15, 10])
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=predicted, confidence=rng.beta(6, 2, 115)))
    labels = np.where(rng.uniform(size=115) < 0.7, predicted, (predicted + 1) % 5)
    items = rng.permutation(115)[:45]
    return lw.beliefs.LearnedAccuracy.start(groups).update(items, labels[items])


def _state(belief):
    maps = belief.maps
    return maps.weight, maps.strength, maps.accuracy, maps.chance @ belief.in_bin.T, maps.odds, maps.explained


@pytest.mark.parametrize(("in_pool", "target"), [(False, "population"), (True, "pool")])
def test_counts_are_those_of_the_belief(belief, in_pool, target):
    _, strength, accuracy, summed, odds, explained = _state(belief)
    for f in (0, len(strength) // 2, len(strength) - 1):
        for g in range(5):
            found = _counts(
                strength[f], accuracy[f, g], summed[f, g], odds[g], explained[g], int(belief.hits[g]),
                int(belief.labels[g]), int(belief.n_items[g]), in_pool,
            )  # fmt: skip
            assert found == pytest.approx([part[f, g] for part in belief._of(target)])


@pytest.mark.parametrize(("in_pool", "target"), [(False, "population"), (True, "pool")])
def test_drops_are_those_of_the_belief(belief, in_pool, target):
    state, part = _state(belief), belief.groups.share.copy()
    counts = belief.hits, belief.labels, belief.n_items.astype(np.int64), part, in_pool
    others = np.empty(5)
    put_others(*state, *counts, others)
    draw = np.linspace(0.1, 0.9, 5)
    expected = belief.total_drop(part, draw, target=target)
    for g in range(5):
        level, slope = _line(
            *state, g, int(belief.hits[g]), int(belief.labels[g]), int(belief.n_items[g]), part[g], others[g], in_pool
        )
        # nodes that weigh less than 1e-5 tell nothing of other groups
        assert level + slope * draw[g] == pytest.approx(expected[g], rel=1e-3)
    lines = np.empty((5, 2))
    put_overall_drops(*state, *counts, lines)
    covariance, mean = (
        belief.covariance_with(part, target=target),
        belief.maps.weight @ np.divide(belief._of(target)[0], sum(belief._of(target))),
    )
    assert np.allclose(lines[:, 0], (covariance / (1 - mean)) ** 2)
    assert np.allclose(lines.sum(axis=1), (covariance / mean) ** 2)
