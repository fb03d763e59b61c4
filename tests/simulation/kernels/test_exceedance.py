"""Short cuts that leave the law of what goes beyond as it is."""

import numpy as np
import pytest
from scipy import stats

from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.exceedance import distance, hits_beyond, hits_far_off, hits_up_to
from labelwise.simulation.kernels.generator import seeded

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one

RUNS = 200_000


@pytest.mark.parametrize(("left", "a", "b"), [(30, 4.0, 2.0), (100, 60.0, 20.0), (5, 0.2, 0.3), (90, 9e3, 10.0)])
def test_hits_follow_the_beta_binomial_by_its_quantiles(left, a, b):
    law = stats.betabinom(left, a, b)
    for u in np.random.default_rng(1).uniform(size=200) * law.cdf(left // 2):
        expected = law.ppf(u)
        assert hits_up_to(left, a, b, u, left) == expected
        assert hits_up_to(left, a, b, u, expected) == expected
        assert hits_up_to(left, a, b, u, expected - 0.5) == -1


def test_chances_that_underflow_are_walked_over():
    law = stats.betabinom(90, 1e6, 1e2)  # no hit at all has a chance of exp(-900)
    u = 0.3
    assert law.logpmf(0) < -600
    assert hits_up_to(90, 1e6, 1e2, u, 90) == law.ppf(u)


def test_the_bound_lies_above_the_chance_of_going_beyond():
    """On 5,000 seeded laws; of new hits among those left, as if fewer labels had been seen."""
    rng = np.random.default_rng(0)
    for _ in range(5_000):
        a, b = np.maximum(10 ** rng.uniform(-0.5, 3.5) * rng.dirichlet([0.7, 0.7]), 1e-3)
        left, mean = int(10 ** rng.uniform(0, 4)), a / (a + b)
        wanted = rng.uniform(0, mean)
        known = (a + b) * left / (a + b + left)
        most = np.exp(-known * distance(mean, wanted, True))
        assert stats.betabinom.cdf(np.floor(wanted * left), left, a, b) <= most * (1 + 1e-9)
        assert stats.beta.cdf(wanted, a, b) <= np.exp(-(a + b) * distance(mean, wanted, True)) * (1 + 1e-9)


def test_distance_is_nothing_on_the_wanted_side_and_alike_from_both():
    assert distance(0.4, 0.5, True) == 0
    assert distance(0.6, 0.4, True) == pytest.approx(distance(0.4, 0.6, False))
    assert 0 < distance(0.9, 0.8, True) < 0.9 * np.log(0.9 / 0.8) + 0.1 * np.log(0.1 / 0.2)


@compiled
def _many(left, a, b, far, most, looks_low, seed, out):
    state = seeded(seed)
    for i in range(len(out)):
        more, is_beyond, state = hits_far_off(left, a, b, far, most, looks_low, state)
        out[i] = more if is_beyond else -1


@compiled
def _many_given(left, theta, wanted, looks_low, seed, out):
    state = seeded(seed)
    for i in range(len(out)):
        more, is_beyond, state = hits_beyond(left, theta, wanted, looks_low, state)
        out[i] = more if is_beyond else -1


@pytest.mark.parametrize("looks_low", [True, False])
def test_what_goes_beyond_comes_as_often_as_it_should(looks_low):
    """To four standard errors of 200,000 draws, at every number of hits."""
    left, a, b = (40, 12.0, 6.0) if looks_low else (40, 6.0, 12.0)
    mean, wanted = a / (a + b), 0.45 if looks_low else 0.55
    far = (a + b) * left / (a + b + left) * distance(mean, wanted, looks_low)
    assert far > 1
    out = np.empty(RUNS, np.int64)
    _many(left, a, b, far, left * 0.45, looks_low, np.uint64(7), out)
    _compare(out, stats.betabinom(left, a, b), range(19) if looks_low else range(22, 41))
    theta = 0.66 if looks_low else 0.34
    _many_given(left, theta, wanted, looks_low, np.uint64(7), out)
    _compare(out, stats.binom(left, theta), range(18) if looks_low else range(23, 41))


def _compare(out, law, hits):
    for k in hits:
        chance = law.pmf(k)
        assert np.mean(out == k) == pytest.approx(chance, abs=4 * np.sqrt(chance / RUNS) + 4 / RUNS)
