"""Pseudo-counts of a group, compiled, against the belief; gains are in `simulation/test_same_posterior.py`."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.mixture_gain import counts_under


@compiled
def _counts(strength, accuracy, summed, odds, explained, hits, labels, size, in_pool):
    return counts_under(strength, accuracy, summed, odds, explained, hits, labels, size, in_pool)


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
