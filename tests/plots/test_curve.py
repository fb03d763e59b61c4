"""The calibration curve: the metric's own numbers, and where scores are surely off."""

import numpy as np

import labelwise as lw
from labelwise.plots import curve_chart


def test_the_frame_is_the_calibration_curve(case):
    belief = lw.belief_from_labels(lw.metrics.ECE(40, "mass"), lw.everything(case("hundred").pool))
    frame = curve_chart(belief, level=0.9).frame()
    found = lw.metrics.calibration_curve(belief, points=40, level=0.9)
    for name in ("confidence", "accuracy", "low", "high", "below"):
        assert np.array_equal(frame[name], found[name])
    over = found["high"] < found["confidence"]
    assert np.array_equal(frame["status"] == "clearly over-confident", over)
    assert over.any()


def test_the_words_count_the_points_that_are_surely_off(case):
    chart = curve_chart(lw.belief_from_labels(lw.metrics.ECE(40, "mass"), lw.everything(case("hundred").pool)))
    n_over = int((chart.frame()["status"] == "clearly over-confident").sum())
    assert f"clearly over-confident at {n_over} of 40 points" in chart.alt


def test_groups_have_panels_and_empty_ones_none(case):
    chart = curve_chart(case("empty").learned(lw.metrics.ECE(10)))
    assert [part["title"]["text"] for part in chart.spec()["concat"]] == [f"class {k}" for k in range(5)]
