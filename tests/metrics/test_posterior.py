"""Intervals from draws."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.beliefs.interval import draws_interval


def test_the_shortest_interval_of_skewed_draws_starts_at_their_peak():
    draws = np.random.default_rng(1).exponential(size=(100_000, 1))
    low, high = draws_interval(draws, 0.9, "highest-density")
    assert low[0] == pytest.approx(0, abs=0.02)
    assert high[0] == pytest.approx(-np.log(0.1), abs=0.06)


@pytest.mark.parametrize("kind", ["equal-tailed", "highest-density"])
def test_draws_that_do_not_exist_are_left_out(kind):
    draws = np.stack([np.arange(101.0), np.full(101, np.nan)], axis=1)
    draws[:50, 0] = np.nan
    low, high = draws_interval(draws, 0.9, kind)
    assert 50 <= low[0] < high[0] <= 100
    assert np.isnan(low[1])
    assert np.isnan(high[1])


def test_the_frame_has_a_row_a_group():
    belief = lw.beliefs.BetaBelief.from_counts([1, 2], [2, 2], names=["cat", "dog"])
    frame = lw.accuracy.estimate(belief, rng=np.random.default_rng(1)).frame()
    assert frame.rows()[1]["group"] == "dog"
    assert list(frame) == ["group", "metric", "mean", "low", "high", "labels"]
