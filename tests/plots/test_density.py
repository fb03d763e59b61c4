"""Curves drawn from draws."""

import numpy as np
import pytest
from scipy import stats

from labelwise.plots.density import density


def test_a_normal_density_is_found_again():
    """To a tenth of its peak, from 20,000 seeded draws: the curve is meant to be smooth, not sharp."""
    at, height = density(np.random.default_rng(1).normal(2, 0.5, 20_000))
    assert np.abs(height - stats.norm.pdf(at, 2, 0.5)).max() < 0.1 * stats.norm.pdf(2, 2, 0.5)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, np.inf), (-np.inf, np.inf)])
def test_nothing_is_lost_at_the_ends(low, high):
    at, height = density(np.random.default_rng(2).beta(1, 6, 20_000), low=low, high=high)
    assert (at >= low).all()
    assert (at <= high).all()
    assert np.trapezoid(height, at) == pytest.approx(1, abs=0.01)


def test_draws_that_are_all_the_same_make_a_peak_and_no_value_counts_for_nothing():
    at, height = density(np.array([0.5] * 100 + [np.nan]))
    assert at[np.argmax(height)] == pytest.approx(0.5)
    assert np.isfinite(height).all()
