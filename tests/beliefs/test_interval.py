"""Intervals of Beta distributions against 40-digit references and brute force."""

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.special import betainc, betaincinv

from labelwise import ArgumentError
from labelwise.beliefs import beta_interval
from labelwise.beliefs.interval import _shortest_by_bisection
from strength import sized

REFERENCES = Path(__file__).parents[1] / "references" / "beta_quantiles.csv"


def test_quantiles_are_within_1e9_standard_deviations_of_forty_digit_references():
    with REFERENCES.open() as file:
        rows = [[float(row[key]) for key in ("a", "b", "q", "x")] for row in csv.DictReader(file)]
    assert len(rows) == 1000
    a, b, q, x = np.array(rows).T
    sd = np.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))
    for i in range(len(a)):
        # the level whose lower (or upper) end is this quantile
        level = 1 - 2 * q[i] if q[i] < 0.5 else 2 * q[i] - 1
        if level == 0:
            continue
        low, high = beta_interval(a[i : i + 1], b[i : i + 1], level)
        ours = low[0] if q[i] < 0.5 else high[0]
        assert abs(ours - x[i]) <= 1e-9 * sd[i], (a[i], b[i], q[i])


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_the_equal_tailed_interval_leaves_as_much_on_either_side(level):
    rng = np.random.default_rng(1)
    a, b = np.exp(rng.uniform(np.log(0.3), np.log(1e4), (2, 500)))
    low, high = beta_interval(a, b, level)
    assert np.allclose(betainc(a, b, low), (1 - level) / 2, atol=1e-10)
    assert np.allclose(betainc(b, a, 1 - high), (1 - level) / 2, atol=1e-7)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_the_highest_density_interval_is_the_shortest_of_many(level):
    rng = np.random.default_rng(2)
    a, b = np.exp(rng.uniform(np.log(0.3), np.log(500), (2, 12)))
    low, high = beta_interval(a, b, level, "highest-density")
    assert np.allclose(betainc(a, b, high) - betainc(a, b, low), level, atol=1e-9)
    tails = np.linspace(0, 1 - level, sized(full=100_001, quick=10_001))
    for i in range(len(a)):
        widths = betaincinv(a[i], b[i], np.minimum(tails + level, 1)) - betaincinv(a[i], b[i], tails)
        assert high[i] - low[i] <= widths.min() + 1e-9


def test_newton_and_bisection_find_the_same_shortest_interval():
    rng = np.random.default_rng(3)
    a, b = 1 + np.exp(rng.uniform(np.log(1e-4), np.log(1e6), (2, 3000)))
    low, high = beta_interval(a, b, 0.95, "highest-density")
    slow_low, slow_high = _shortest_by_bisection(a, b, 0.95)
    sd = np.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))
    # the width is flat at its minimum, so the ends are known to half the digits of the width only where it is flattest
    assert np.all(np.abs((high - low) - (slow_high - slow_low)) <= 1e-9 * sd)
    assert np.all(np.abs(low - slow_low) <= 1e-6 * sd)


@pytest.mark.parametrize(
    ("a", "b", "low", "high"),
    [
        (1.0, 1.0, 0.025, 0.975),  # flat: the middle
        (1.0, 3.0, 0.0, 1 - 0.05 ** (1 / 3)),  # falling: from zero
        (3.0, 1.0, 0.05 ** (1 / 3), 1.0),  # rising: up to one
        (0.5, 0.2, None, 1.0),  # two peaks: the steeper one
    ],
)
def test_densities_without_an_inner_peak_have_their_interval_at_the_end(a, b, low, high):
    found_low, found_high = beta_interval(np.array([a]), np.array([b]), 0.95, "highest-density")
    assert found_high[0] == pytest.approx(high, abs=1e-12)
    if low is not None:
        assert found_low[0] == pytest.approx(low, abs=1e-12)


def test_a_level_outside_zero_to_one_is_refused():
    with pytest.raises(ArgumentError, match=r"^`level` must lie between 0 and 1, but is 1.0\.$"):
        beta_interval(np.ones(1), np.ones(1), 1.0)


def test_an_unknown_kind_is_refused():
    with pytest.raises(
        ArgumentError, match=r"^`kind` must be one of 'equal-tailed', 'highest-density', but is 'short'\.$"
    ):
        beta_interval(np.ones(1), np.ones(1), 0.9, "short")
