"""What metrics are called, and which direction is worse."""

import numpy as np
import pytest

import labelwise as lw


@pytest.mark.parametrize("metric", [lw.accuracy, lw.calibration_bias, lw.ece, lw.recall, lw.precision, lw.f1], ids=str)
def test_axes_say_what_is_measured(metric):
    assert len(metric.description.title) > len(metric.name)
    assert metric.description.worse == metric.worse


def test_names_fit_into_sentences():
    bias = lw.calibration_bias.description
    assert (bias.heading, bias.label, lw.ece.description.label) == ("Calibration bias", "calibration bias", "ECE")


def test_a_metric_that_says_nothing_else_is_called_by_its_name():
    own = lw.metrics.ConfusionFunction(function=np.trace, high_is_worse=True).description
    assert (own.label, own.heading, own.title, own.worse, own.sign) == ("trace", "Trace", "Trace", "high", -1.0)


def test_posteriors_and_differences_carry_the_direction():
    belief = lw.beliefs.BetaBelief.from_counts([8, 2], [10, 3], names=["cat", "dog"])
    rng = np.random.default_rng(1)
    assert lw.accuracy.estimate(belief, rng=rng).description == lw.accuracy.description
    assert lw.difference(lw.accuracy, belief, "cat", "dog", rng=rng).description.worse == "low"
