"""Calibration bias: a mirrored and shifted Beta."""

import numpy as np
import pytest

import labelwise as lw


def test_the_interval_is_that_of_the_accuracy_mirrored():
    pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.8, 0.6], labels=[0, 1, 1])
    belief = lw.belief_from_labels(lw.calibration_bias, lw.by_prediction(pool))
    accuracy = lw.accuracy.estimate(belief, kind="highest-density", rng=np.random.default_rng(1))
    bias = lw.calibration_bias.estimate(belief, kind="highest-density", rng=np.random.default_rng(1))
    assert np.allclose(bias.low, [0.85, 0.6] - accuracy.high)
    assert np.allclose(bias.high, [0.85, 0.6] - accuracy.low)


def test_a_pool_without_confidences_is_refused():
    pool = lw.pool_from_arrays(predicted=[0, 1], labels=[0, 0])
    with pytest.raises(lw.UnanswerableError) as refusal:
        lw.belief_from_labels(lw.calibration_bias, lw.by_prediction(pool))
    assert str(refusal.value) == (
        "This pool has no confidences, but calibration bias needs them. Read it with `scores` or `confidence`."
    )


def test_a_belief_from_counts_has_no_confidence():
    with pytest.raises(lw.UnanswerableError, match="needs a belief that knows its pool"):
        lw.calibration_bias.mean(lw.beliefs.BetaBelief.from_counts([1], [2]))
