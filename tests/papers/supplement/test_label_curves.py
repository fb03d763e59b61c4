"""Curves over labels: where they pass a line, and what chance does to that."""

import math

import numpy as np

from papers.supplement.label_curves import SHOWN, Curve, first_of_each, no_more, with_error


def _curve(batches):
    batches = np.asarray(batches)
    return Curve("SVHN", "thompson", 1_000, np.arange(1, batches.shape[1] + 1), batches)


def test_a_curve_that_never_passes_has_no_place_and_an_error_of_its_last_labels():
    curve = _curve([[0.5, 0.6], [0.5, 0.7]])
    assert curve.needed() == (math.inf, 0.0)
    assert with_error(curve.needed()) == "never"


def test_the_mean_may_pass_later_than_the_batches_on_average():
    batches = np.array([[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]])
    curve = _curve(batches)
    assert curve.needed(0.9)[0] == 0.4
    assert first_of_each(batches, curve.at, 0.9)[0] == 2.5


def test_a_long_curve_is_thinned_and_keeps_its_end():
    part = _curve(np.linspace(0, 1, 1_000) * np.ones((2, 1))).part()
    assert len(part["labels"]) == SHOWN
    assert part["labels"][-1] == 1_000
    assert part["mean"][-1] == 1
    assert (part["error"] == 0).all()


def test_chance_is_three_standard_errors_of_the_difference():
    assert no_more((10.0, 0.3), (8.6, 0.4))
    assert not no_more((10.0, 0.3), (8.4, 0.4))
