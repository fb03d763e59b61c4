"""Betting against a mean: over all orders of a finite group, wealth is 1 on average and seldom large."""

from itertools import permutations

import numpy as np
import pytest

from labelwise.beliefs.betting import log_wealth

VALUES = (1, -1, -1, 0, 1, -1)


def wealth_of(order, mean_of_all):
    """Return the wealth after each value if the mean of all of them were the one given."""
    values = np.array(order, float)
    n = np.arange(len(values))
    means = (mean_of_all * len(values) - (np.cumsum(values) - values)) / (len(values) - n)
    return [float(np.exp(log_wealth(values[:k], means[:k], -1.0 - 1e-12))) for k in range(1, len(values))]


def test_at_the_true_mean_wealth_is_one_on_average_at_every_moment():
    paths = np.array([wealth_of(order, np.mean(VALUES)) for order in permutations(VALUES)])
    assert paths.mean(axis=0) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("alpha", [0.7, 0.5, 0.3])
def test_it_seldom_exceeds_one_over_alpha_at_any_time(alpha):
    highest = np.array([max(wealth_of(order, np.mean(VALUES))) for order in permutations(VALUES)])
    assert (highest >= 1 / alpha).mean() <= alpha


def test_under_a_higher_mean_wealth_falls():
    paths = np.array([wealth_of(order, np.mean(VALUES) + 0.3) for order in permutations(VALUES)])
    finite = np.where(np.isfinite(paths), paths, 0.0)
    assert (finite.mean(axis=0) < 1).all()


def test_wealth_grows_on_values_above_the_mean():
    few, many = (log_wealth(np.ones(n), np.zeros(n), -1.0) for n in (10, 100))
    assert 0 < few < many
    assert log_wealth(np.array([]), np.array([]), -1.0) == pytest.approx(0.0)


def test_a_mean_below_the_least_value_is_refuted_for_certain():
    assert log_wealth(np.array([0.0]), np.array([-1.5]), -1.0) == np.inf
    assert np.isfinite(log_wealth(np.array([0.0]), np.array([-1.0]), -1.0))
