"""Compiled maps against those of the beliefs."""

import numpy as np
import pytest
from scipy.special import digamma, gammaln

import labelwise as lw
from labelwise.beliefs.learned import calibration_map
from labelwise.simulation.kernels.calibration_map import _digamma_rise, _rising, fit_maps
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.mixture_gain import counts_under

SETTINGS = lw.LearnedPrior().settings


@compiled
def _both(a, n):
    return _rising(a, n), _digamma_rise(a, n)


@compiled
def _counts(strength, accuracy, summed, odds, explained, hits, labels, size, in_pool):
    return counts_under(strength, accuracy, summed, odds, explained, hits, labels, size, in_pool)


@pytest.mark.parametrize("n", [0, 1, 5, 16, 17, 64, 65, 400])
@pytest.mark.parametrize("a", [0.001, 0.3, 4.0, 900.0])
def test_rising_factorials_and_their_slopes_are_those_of_the_gamma_function(a, n):
    rising, slope = _both(a, n)
    assert rising == pytest.approx(gammaln(a + n) - gammaln(a), abs=1e-9, rel=1e-12)
    assert slope == pytest.approx(digamma(a + n) - digamma(a), abs=1e-6, rel=1e-9)


def _groups(has_scores):
    rng = np.random.default_rng(3)
    predicted = np.repeat(np.arange(12), 50)
    confidence = rng.beta(6, 2, len(predicted)) if has_scores else None
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, confidence=confidence))


@pytest.mark.parametrize("has_scores", [True, False])
@pytest.mark.parametrize("many", [0, 5, 60, 500])
def test_nodes_and_weights_are_those_of_the_belief(monkeypatch, has_scores, many):
    monkeypatch.setattr(calibration_map, "_NODES", 3)
    rng = np.random.default_rng(many)
    groups = _groups(has_scores)
    items = rng.permutation(groups.pool.n_items)[:many]
    hit = rng.uniform(size=many) < 0.7
    labels = np.where(hit, groups.pool.prediction[items], (groups.pool.prediction[items] + 1) % 12)
    belief = lw.beliefs.LearnedAccuracy.start(groups).update(items, labels)
    scores, n_directions = belief.scores, 1 + has_scores
    middle, spread = SETTINGS["middle"][:n_directions], SETTINGS["spread"][:n_directions]
    strengths, steepness = SETTINGS["strengths"], SETTINGS["steepness"] if has_scores else 1.0
    assert scores.is_mixed == has_scores
    n_nodes = len(strengths) * 3**n_directions
    weight, accuracy, summed = np.empty(n_nodes), np.empty((n_nodes, 12)), np.empty((n_nodes, 12))
    chance, odds, explained = np.empty((n_nodes, len(scores.x))), np.empty(12), np.empty(12)
    in_bin = np.ascontiguousarray(belief.in_bin.T, float) if has_scores else belief.labels[None].astype(float)
    fit_maps(
        scores.x, np.ascontiguousarray(scores.share.T), scores.whole[:, None], belief.hits, belief.labels, in_bin,
        belief.bin_hits.astype(np.int64), middle, spread, strengths, steepness,
        np.tile(middle, (len(strengths), 1)), SETTINGS["middle"].copy(), 30, weight, accuracy, summed, chance, odds,
        explained,
    )  # fmt: skip
    assert weight.sum() == pytest.approx(1.0)
    # searches end within 1e-3 of the mode, the belief's within 1e-4
    assert np.allclose(explained, belief.maps.explained, atol=2e-3)
    assert np.allclose(odds, belief.maps.odds, atol=2e-3)
    for in_pool, target in ((False, "population"), (True, "pool")):
        strength = np.repeat(strengths, 3**n_directions)
        mean = np.empty(12)
        for g in range(12):
            a, b = np.transpose(
                [
                    _counts(
                        strength[f], accuracy[f, g], summed[f, g], odds[g], explained[g],
                        int(belief.hits[g]), int(belief.labels[g]), int(belief.n_items[g]), in_pool,
                    )
                    for f in range(n_nodes)
                ]
            )  # fmt: skip
            mean[g] = weight @ (a / (a + b))
        if in_pool:
            mean = (belief.hits + belief.n_left * mean) / belief.n_items
        assert np.allclose(mean, belief.mean(target=target), atol=5e-4)
