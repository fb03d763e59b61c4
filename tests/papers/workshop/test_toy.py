"""The toy problem: exact values against another quadrature and a large sample."""

import numpy as np
import pytest
from scipy.special import logit
from scipy.stats import gamma, norm

import labelwise as lw
from papers.workshop import toy

BINS = [(-10.0, 1.0), (2.0, 3.0), (3.0, 4.0), (6.5, 7.5), (9.0, 100.0)]


@pytest.mark.parametrize(("low", "high"), [(-10.0, 100.0), *BINS])
def test_exact_values_are_those_of_a_fine_grid(low, high):
    x = np.linspace(low, high, 2_000_001)
    one, two = norm.pdf(x, 5), gamma.pdf(x, 2, scale=2)
    accuracy = np.trapezoid(np.maximum(one, two), x) / np.trapezoid(one + two, x)
    assert toy.exact_accuracy(low, high) == pytest.approx(accuracy, abs=1e-8)
    square = np.maximum(one, two) ** 2 / (one**2 + two**2)  # doubled log-odds are squared odds
    confidence = np.trapezoid(square * (one + two), x) / np.trapezoid(one + two, x)
    assert toy.exact_confidence(low, high) == pytest.approx(confidence, abs=1e-8)


def test_exact_values_are_those_of_a_large_sample():
    pool = toy.toy_pool(200_000, seed=1)
    x = pool.column("x")
    for low, high in BINS:
        inside = (low <= x) & (x < high)
        exact = toy.exact_accuracy(low, high)
        error = 4 * np.sqrt(exact * (1 - exact) / inside.sum())  # false alarm once in 3,000 such tests
        assert pool.hits[inside].mean() == pytest.approx(exact, abs=error)


def test_the_score_is_the_local_accuracy_with_doubled_log_odds():
    pool = toy.toy_pool(1_000, seed=2)
    x = pool.column("x")
    assert np.allclose(pool.confidence, toy.confidence(x))
    assert np.array_equal(pool.prediction == 0, toy.p_normal(x) >= 0.5)
    some = [2.5, 4.0, 5.0, 7.5]
    assert np.allclose(logit(toy.confidence(some)), 2 * logit(toy.local_accuracy(some)))


def test_at_sharpness_one_the_score_is_calibrated():
    assert toy.exact_confidence(sharpness=1.0) == pytest.approx(toy.exact_accuracy(), abs=1e-10)
    assert lw.metrics.known_value(lw.calibration_bias, toy.toy_pool(50_000, sharpness=1.0, seed=3)) == pytest.approx(
        0, abs=0.01
    )
