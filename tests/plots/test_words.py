"""How metrics are called in charts."""

import pytest

import labelwise as lw
from labelwise.plots.words import axis_title, inside, interval_text, many, spoken, usual_worse


@pytest.mark.parametrize("metric", [lw.accuracy, lw.calibration_bias, lw.ece, lw.recall, lw.precision, lw.f1], ids=str)
def test_axes_say_what_is_measured_and_metrics_are_worse_the_way_they_say(metric):
    assert len(axis_title(metric.name)) > len(metric.name)
    assert usual_worse(metric.name) == metric.worse


def test_names_fit_into_sentences():
    assert (spoken("bias"), inside("bias"), inside("ece")) == ("Calibration bias", "calibration bias", "ECE")
    assert spoken("my-own") == "My-own"


def test_numbers_have_their_noun_and_their_interval():
    assert (many(1), many(0), many(2_500, "label")) == ("1 group", "0 groups", "2,500 labels")
    assert interval_text(0.1234, 0, 1) == "0.123 [0.000, 1.000]"
