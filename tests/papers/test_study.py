"""How curves are read, and tables put together."""

import numpy as np
import pytest

from papers.study import crossing, first_above, stacked


def test_the_crossing_is_the_first_count_above_the_goal_or_above_its_part_of_the_highest():
    assert first_above(np.array([0.5, 0.995, 0.9])) == 1
    assert first_above(np.array([0.5, 0.8, 0.9])) == 2  # the goal is 0.99 of 0.9


def test_the_error_of_a_crossing_comes_from_batches():
    at = np.array([10, 20, 30])
    curves = np.array([[0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    whole, error, spread = crossing(curves, at)
    assert whole == 30  # the mean is 0.5 at 20
    assert spread == pytest.approx(np.sqrt(50))
    assert error == pytest.approx(5.0)


def test_parts_are_stacked_and_single_values_fill_their_part():
    frame = stacked([{"data": "a", "x": np.array([1, 2])}, {"data": "b", "x": np.array([3])}])
    assert frame.rows() == [{"data": "a", "x": 1}, {"data": "a", "x": 2}, {"data": "b", "x": 3}]
