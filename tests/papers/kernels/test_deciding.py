"""Comparisons played until they are decided, against loops in plain Python."""

import numpy as np
import pytest
from scipy import stats

from labelwise.metrics import beta_difference_below
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.generator import seeded
from papers.kernels.deciding import binomial, play_until_decided

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one

MARGIN = 0.05


@compiled
def _binomials(n, p, seed, out):
    state = seeded(seed)
    for i in range(len(out)):
        out[i], state = binomial(n, p, state)


@pytest.mark.parametrize(("n", "p"), [(20, 0.1), (1_000, 0.002), (10, 0.7), (10_000, 0.3), (10_000, 0.9999)])
def test_binomial_draws_have_their_distribution(n, p):
    drawn = np.empty(20_000, np.int64)
    _binomials(n, p, np.uint64(5), drawn)
    exact = stats.binom(n, p)
    edges = np.unique(exact.ppf(np.linspace(0.05, 0.95, 12)))
    found = np.bincount(np.searchsorted(edges, drawn), minlength=len(edges) + 1)
    expected = np.diff(exact.cdf(np.concatenate([[-1], edges, [n]])))
    there = expected > 0
    assert found[~there].sum() == 0
    assert stats.chisquare(found[there], expected[there] * len(drawn)).pvalue > 1e-4


def test_binomial_draws_at_the_ends_are_certain():
    drawn = np.empty(5, np.int64)
    for p, value in ((0.0, 0), (1.0, 30)):
        _binomials(30, p, np.uint64(1), drawn)
        assert (drawn == value).all()


def _probabilities(a, b):
    lower, up_to = (beta_difference_below(a[0], b[0], a[1], b[1], d) for d in (-MARGIN, MARGIN))
    return np.array([lower, up_to - lower, 1 - up_to])


def _slow(is_active, sizes, hits, region, truth, rng):
    a, b = np.ones(2), np.ones(2)
    items = [rng.permutation(np.arange(sizes[g]) < hits[g]).tolist() for g in range(2)]
    for told in range(1, sum(sizes) + 1):
        if not is_active:
            g = int(rng.uniform() * (len(items[0]) + len(items[1])) >= len(items[0]))
        elif not (items[0] and items[1]):
            g = 0 if items[0] else 1
        else:
            gains = []
            for one in range(2):
                theta, more = rng.beta(a[one], b[one]), np.arange(2) == one
                gains.append(
                    theta * _probabilities(a + more, b).max() + (1 - theta) * _probabilities(a, b + more).max()
                )
            g = int(np.argmax(gains))
        hit = items[g].pop()
        a[g], b[g] = a[g] + hit, b[g] + (not hit)
        now = _probabilities(a, b)
        if now.argmax() == region and abs(now[region] - truth) < 0.05 * truth:
            return told
    return 0


@pytest.mark.parametrize("is_active", [False, True])
def test_exact_comparisons_end_when_a_plain_loop_does(is_active):
    sizes, hits, region = np.array([25, 20]), np.array([10, 18]), 0
    truth = float(_probabilities(hits + 1e-6, sizes - hits + 1e-6)[region])
    out = np.zeros(3_000, np.int64)
    seeds = np.arange(len(out), dtype=np.uint64)
    play_until_decided(
        is_active, sizes, hits, np.ones(2), np.ones(2), MARGIN, region, np.full(len(out), truth), 0.05, 0, seeds, out
    )
    rng = np.random.default_rng(3)
    slow = np.array([_slow(is_active, sizes, hits, region, truth, rng) for _ in range(60)])
    assert len(np.unique(out)) > 10
    assert stats.ks_2samp(out, slow).pvalue > 1e-4


def test_many_draws_are_as_good_as_quadrature_and_few_end_early():
    sizes, hits = np.array([60, 50]), np.array([24, 45])
    truth = float(_probabilities(hits + 1e-6, sizes - hits + 1e-6)[0])
    means = []
    for n_draws in (0, 100_000_000, 50):
        out = np.zeros(2_000, np.int64)
        seeds = np.arange(len(out), dtype=np.uint64)
        ends = np.full(len(out), truth)
        play_until_decided(True, sizes, hits, np.ones(2), np.ones(2), MARGIN, 0, ends, 0.05, n_draws, seeds, out)
        means.append(out[out > 0].mean())
    assert means[1] == pytest.approx(means[0], rel=0.05)
    assert means[2] < 0.95 * means[0]  # a noisy curve is near its goal sooner


def test_what_is_never_decided_is_nought():
    out = np.ones(3, np.int64)
    seeds = np.arange(3, dtype=np.uint64)
    sizes, hits = np.array([5, 5]), np.array([5, 5])
    play_until_decided(False, sizes, hits, np.ones(2), np.ones(2), MARGIN, 0, np.ones(3), 0.05, 0, seeds, out)
    assert (out == 0).all()
