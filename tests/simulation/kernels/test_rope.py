"""Quadrature against scipy's, and a grid that follows labels against quadrature anew."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from labelwise.simulation.kernels.rope import (
    difference_below,
    fill_grid,
    is_smooth,
    likeliest,
    move_one,
    move_other,
    n_nodes,
    sums,
    verdict,
    window,
)


def by_scipy(a1, b1, a2, b2, d):
    """The integral over x of the density of X times P(Y >= x - d), cut where it bends."""
    one, other = stats.beta(a1, b1), stats.beta(a2, b2)
    quantiles = [1e-12, 1e-6, 0.01, 0.2, 0.5, 0.8, 0.99, 1 - 1e-6, 1 - 1e-12]
    cuts = np.concatenate([[0, 1, d, 1 + d], one.ppf(quantiles), other.ppf(quantiles) + d])
    cuts = np.unique(np.clip(cuts, 0, 1))
    parts = [
        integrate.quad(lambda x: one.pdf(x) * other.sf(x - d), low, high, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
        for low, high in pairwise(cuts)
    ]
    return sum(parts)


@pytest.mark.parametrize("case", range(25))
def test_difference_agrees_with_scipy_to_1e_8(case):
    rng = np.random.default_rng(case)
    a1, b1, a2, b2 = 10 ** rng.uniform(0, 3.3, 4)  # scipy's rule wants bounded densities
    d = float(rng.choice([-0.05, 0.05, 0.0, rng.uniform(-0.5, 0.5)]))
    assert difference_below(a1, b1, a2, b2, d) == pytest.approx(by_scipy(a1, b1, a2, b2, d), abs=1e-8)


@pytest.mark.parametrize(
    ("a1", "b1", "a2", "b2"),
    [
        (0.3, 0.4, 0.2, 0.9),
        (1e-3, 2.0, 3.0, 0.01),
        (20.9, 27.4, 1.03, 0.256),
        (5e-7, 5e-7, 3.0, 2.0),
        (0.06, 40.0, 70.0, 0.06),
    ],
)
def test_poles_at_the_ends_do_no_harm(a1, b1, a2, b2):
    rng = np.random.default_rng(1)
    x, y = rng.beta(a1, b1, 400_000), rng.beta(a2, b2, 400_000)
    for d in (-0.05, 0.05):
        # four standard errors: fails once in 15,000 seeds
        assert difference_below(a1, b1, a2, b2, d) == pytest.approx((x - y <= d).mean(), abs=4 * 0.5 / 400_000**0.5)


def test_published_comparisons_come_out():
    assert difference_below(280.0, 203.0, 351.0, 162.0, -0.05) == pytest.approx(0.963248, abs=1e-6)
    assert verdict(61.0, 50.0, 53.0, 27.0, 0.05) == pytest.approx(0.814, abs=1e-3)


def test_the_whole_range_holds_every_difference():
    assert difference_below(2.0, 3.0, 4.0, 5.0, 1.0) == 1.0
    assert difference_below(2.0, 3.0, 4.0, 5.0, -1.5) == 0.0
    assert difference_below(2.0, 3.0, 4.0, 5.0, -1.0) == pytest.approx(0.0, abs=1e-12)
    assert verdict(2.0, 3.0, 4.0, 5.0, 1.0) == 1.0
    assert likeliest(0.2, 0.5) == 0.5


def test_a_grid_follows_labels():
    rng = np.random.default_rng(1)
    a1, b1, a2, b2, d = 1.4, 0.6, 0.9, 1.1, 0.05
    assert is_smooth(a1, b1, a2, b2)
    grid = np.empty((7, n_nodes(400.0)))
    fill_grid(grid, a1, b1, a2, b2, d)
    first, last = 0, grid.shape[1]
    for step in range(600):
        hit = bool(rng.uniform() < 0.7)
        if step % 2:
            move_one(grid, a1, b1, hit, first, last)
            a1, b1 = a1 + hit, b1 + (not hit)
        else:
            move_other(grid, a2, b2, hit, first, last)
            first, last = window(grid, first, last)
            a2, b2 = a2 + hit, b2 + (not hit)
    inside, _, _ = sums(grid, first, last)
    assert inside + stats.beta(a2, b2).sf(1 - d) == pytest.approx(difference_below(a1, b1, a2, b2, d), abs=1e-10)
    assert last - first < grid.shape[1] / 2
