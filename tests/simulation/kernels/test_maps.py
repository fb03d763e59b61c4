"""Compiled maps against those of the beliefs."""

import numpy as np
import pytest
from scipy.special import digamma, gammaln

import labelwise as lw
from labelwise.beliefs import score_map
from labelwise.beliefs.score_map import ScoreMap, weighed_maps
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.maps import _digamma_rise, _rising, fit_maps

SETTINGS = lw.LearnedPrior().settings


@compiled
def _both(a, n):
    return _rising(a, n), _digamma_rise(a, n)


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
@pytest.mark.parametrize("many", [0, 1, 4, 50])
def test_nodes_and_weights_are_those_of_the_belief(monkeypatch, has_scores, many):
    monkeypatch.setattr(score_map, "_NODES", 3)
    rng = np.random.default_rng(many)
    groups = _groups(has_scores)
    labels = rng.integers(0, many + 1, 12)
    hits = rng.binomial(labels, 0.7)
    maps = weighed_maps(ScoreMap.of(groups), hits, labels, **SETTINGS)
    scores, n_directions = ScoreMap.of(groups), 1 + has_scores
    middle, spread = SETTINGS["middle"][:n_directions], SETTINGS["spread"][:n_directions]
    n_strengths = len(SETTINGS["strengths"])
    n_nodes = n_strengths * 3**n_directions
    weight, accuracy = np.empty(n_nodes), np.empty((n_nodes, 12))
    modes = np.tile(middle, (n_strengths, 1))
    fit_maps(
        scores.x,
        np.ascontiguousarray(scores.share.T),
        hits,
        labels,
        middle,
        spread,
        SETTINGS["strengths"],
        modes,
        30,
        weight,
        accuracy,
    )
    strength = np.repeat(SETTINGS["strengths"], 3**n_directions)[:, None]
    a, b = strength / (1 - accuracy) + hits, strength / accuracy + labels - hits
    expected = maps.weight @ ((maps.prior_a + hits) / (maps.prior_a + maps.prior_b + labels))
    assert weight.sum() == pytest.approx(1.0)
    # searches end within 1e-3 of the mode, the belief's within 1e-6
    assert np.allclose(weight @ (a / (a + b)), expected, atol=2e-4)
