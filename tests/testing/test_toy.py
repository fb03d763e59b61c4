"""The toy problem: exact accuracy against a large sample, and the score that is too sure."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing import toy


def test_the_exact_accuracy_is_that_of_a_large_sample():
    sample = toy(400_000, seed=1)
    error = 5 * np.sqrt(0.25 / 400_000)
    assert lw.known_value(lw.accuracy, sample.pool) == pytest.approx(sample.accuracy, abs=error)
    assert sample.local_accuracy.mean() == pytest.approx(sample.accuracy, abs=error)


def test_at_sharpness_one_the_score_is_the_local_accuracy():
    sample = toy(1_000, sharpness=1.0, seed=2)
    assert np.allclose(sample.pool.confidence, sample.local_accuracy)


def test_a_sharper_score_is_over_confident():
    sample = toy(20_000, sharpness=3.0, seed=3)
    assert lw.known_value(lw.calibration_bias, sample.pool) > 0.05
