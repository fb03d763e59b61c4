"""Probabilities that are followed from moment to moment, against integrals anew: the package's and scipy's."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

import labelwise as lw
from labelwise.simulation.kernels.regions import put_regions

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one

HEAVY = [[1.999, 0.001], [1.9, 0.1]]  # too much mass at the end for a grid, until a miss has come
PRIORS = {"flat": [[1, 1], [1, 1]], "informed": [[1.8, 0.2], [1.5, 0.5]], "heavy": HEAVY, "none": [[5e-7, 5e-7]] * 2}


def walked(n_runs, at, accuracy, seed=1):
    """Hits and labels of two groups at some moments of runs that ask either group with a chance of their own."""
    rng = np.random.default_rng(seed)
    hits, labels = np.zeros((2, n_runs, len(at), 2), np.int64)
    for run in range(n_runs):
        group = (rng.uniform(size=at[-1]) < rng.uniform()).astype(int)
        hit = rng.uniform(size=at[-1]) < np.array(accuracy)[group]
        for k, n in enumerate(at):
            labels[run, k] = np.bincount(group[:n], minlength=2)
            hits[run, k] = np.bincount(group[:n][hit[:n]], minlength=2)
    return hits, labels


def found(prior, hits, labels, margin):
    out = np.full((*hits.shape[:2], 3), np.nan)
    put_regions(np.array(prior, float), hits, labels, margin, out)
    return out


def shapes(prior, hits, labels, place):
    (a1, b1), (a2, b2) = np.array(prior, float) + np.stack([hits[place], labels[place] - hits[place]], axis=1)
    return float(a1), float(b1), float(a2), float(b2)


@pytest.mark.parametrize("margin", [0.05, 0.3])
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("at", [[0, 1, 2, 5, 10, 50, 90, 150, 240], [0, 95, 190, 285], [0, 400, 4_000]], ids=str)
def test_they_are_those_of_the_package_to_1e_8(margin, prior, at):
    hits, labels = walked(3, at, [0.9, 0.55])
    chances = found(PRIORS[prior], hits, labels, margin)
    for place in np.ndindex(*hits.shape[:2]):
        now = shapes(PRIORS[prior], hits, labels, place)
        lower, up_to = (lw.metrics.beta_difference_below(*now, d) for d in (-margin, margin))
        assert chances[place] == pytest.approx([lower, up_to - lower, 1 - up_to], abs=1e-8)


def by_scipy(a1, b1, a2, b2, d):
    """The integral over x of the density of X times P(Y >= x - d), cut where it bends."""
    one, other = stats.beta(a1, b1), stats.beta(a2, b2)
    quantiles = [1e-12, 1e-6, 0.01, 0.2, 0.5, 0.8, 0.99, 1 - 1e-6, 1 - 1e-12]
    cuts = np.unique(np.clip(np.concatenate([[0, 1, d, 1 + d], one.ppf(quantiles), other.ppf(quantiles) + d]), 0, 1))
    return sum(
        integrate.quad(lambda x: one.pdf(x) * other.sf(x - d), low, high, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
        for low, high in pairwise(cuts)
    )


def test_they_are_those_of_scipy_to_1e_8():
    prior = [[1.0, 1.0], [2.0, 3.0]]  # scipy's rule wants bounded densities
    hits, labels = walked(4, [3, 30, 200], [0.8, 0.6], seed=2)
    chances = found(prior, hits, labels, 0.05)
    for place in np.ndindex(*hits.shape[:2]):
        now = shapes(prior, hits, labels, place)
        lower, up_to = by_scipy(*now, -0.05), by_scipy(*now, 0.05)
        assert chances[place] == pytest.approx([lower, up_to - lower, 1 - up_to], abs=1e-8)


def test_the_order_in_which_labels_are_taken_in_does_not_matter():
    """All hits between two moments come first, as they never do in a run; nothing may be given up on the way."""
    hits = np.array([[[0, 0], [0, 49], [49, 49]]])
    labels = np.array([[[0, 0], [0, 98], [98, 98]]])
    chances = found([[1, 1], [1, 1]], hits, labels, 0.05)
    for place, shape in ((1, (1.0, 1.0, 50.0, 50.0)), (2, (50.0, 50.0, 50.0, 50.0))):
        lower, up_to = (lw.metrics.beta_difference_below(*shape, d) for d in (-0.05, 0.05))
        assert chances[0, place] == pytest.approx([lower, up_to - lower, 1 - up_to], abs=1e-8)


def test_without_a_margin_nothing_is_equal_and_with_the_widest_everything():
    hits, labels = walked(2, [0, 20], [0.9, 0.55])
    assert found([[1, 1], [1, 1]], hits, labels, 0.0)[..., 1] == pytest.approx(np.zeros((2, 2)), abs=1e-12)
    assert found([[1, 1], [1, 1]], hits, labels, 1.0)[..., 1] == pytest.approx(np.ones((2, 2)), abs=1e-12)
