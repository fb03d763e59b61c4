"""Draws against theory. Seeds are fixed; a right generator fails a test once in 10,000 seeds."""

import math

import numpy as np
import pytest
from scipy import stats

from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.generator import (
    below,
    beta,
    bits,
    exponential,
    gamma,
    gamma_constants,
    log_gamma_draw,
    normal,
    seeded,
    uniform,
)

N = 100_000
CHANCE = 1e-4


@compiled
def _draws(kind, a, b, n, seed):
    out, state = np.empty(n), seeded(seed)
    d, c, _ = gamma_constants(max(a, 1.0))
    for i in range(n):
        if kind == 0:
            out[i], state = uniform(state)
        elif kind == 1:
            out[i], state = exponential(state)
        elif kind == 2:
            out[i], state = normal(state)
        elif kind == 3:
            out[i], state = gamma(d, c, state)
        elif kind == 4:
            out[i], state = log_gamma_draw(a, state)
        elif kind == 5:
            out[i], state = beta(a, b, state)
        else:
            out[i], state = below(int(a), state)
    return out


def draws(kind, a=1.0, b=1.0, n=N, seed=7):
    return _draws(kind, a, b, n, np.uint64(seed))


def test_words_are_those_of_the_published_algorithm():
    # splitmix64 of 0 begins with 0xe220a8397b1dcdaf; the first word of xoshiro256++ is rotl(s0 + s3, 23) + s0
    state = tuple(np.uint64(word) for word in seeded(np.uint64(0)))
    assert [hex(int(s)) for s in state] == [
        "0xe220a8397b1dcdaf", "0x6e789e6aa1b965f4", "0x6c45d188009454f", "0xf88bb8a8724c81ec",
    ]  # fmt: skip
    mask = 2**64 - 1
    total = (int(state[0]) + int(state[3])) & mask
    first = (((total << 23) | (total >> 41)) + int(state[0])) & mask
    assert int(bits(state)[0]) == first


@pytest.mark.parametrize(
    ("kind", "law"),
    [(0, stats.uniform()), (1, stats.expon()), (2, stats.norm())],
    ids=["uniform", "exponential", "normal"],
)
def test_plain_draws_follow_their_law(kind, law):
    x = draws(kind)
    assert stats.kstest(x, law.cdf).pvalue > CHANCE
    assert abs(x.mean() - law.mean()) < 4 * law.std() / math.sqrt(N)
    assert np.isfinite(x).all()


def test_the_tail_of_the_normal_is_there():
    x = draws(2, n=2_000_000)
    n_beyond = int((abs(x) > 3.6541528853610088).sum())
    assert stats.binomtest(n_beyond, len(x), 2 * stats.norm.sf(3.6541528853610088)).pvalue > CHANCE
    tail = abs(x[abs(x) > 3.6541528853610088])
    assert stats.kstest(tail, stats.truncnorm(3.6541528853610088, np.inf).cdf).pvalue > CHANCE


@pytest.mark.parametrize("shape", [1.0, 1.5, 7.0, 300.0])
def test_gammas_follow_their_law(shape):
    assert stats.kstest(draws(3, shape), stats.gamma(shape).cdf).pvalue > CHANCE


@pytest.mark.parametrize("shape", [0.7, 0.05, 1e-3])
def test_logarithms_of_gammas_follow_their_law(shape):
    x = draws(4, shape)
    assert np.isfinite(x).all()
    assert stats.kstest(x, stats.loggamma(shape).cdf).pvalue > CHANCE


@pytest.mark.parametrize(
    ("a", "b"), [(1.0, 1.0), (2.5, 4.0), (300.0, 20.0), (0.3, 5.0), (6.0, 0.2), (0.4, 0.5), (1e-2, 1e-2)]
)
def test_betas_follow_their_law(a, b):
    x = draws(5, a, b)
    # draws nearer to 1 than the last digit are 1: look at them through bins instead
    edges = np.concatenate([[0, 1e-200, 1e-50, 1e-10], np.linspace(0.02, 0.98, 25), [1 - 1e-9, 1]])
    chance = np.diff(stats.beta(a, b).cdf(edges))
    seen = np.histogram(x, edges)[0]
    kept = chance * N > 5
    other = max(N - seen[kept].sum(), 0), max(N * (1 - chance[kept].sum()), 1e-9)
    observed, expected = np.append(seen[kept], other[0]), np.append(N * chance[kept], other[1])
    if other[1] < 1:
        observed, expected = observed[:-1], expected[:-1] * observed[:-1].sum() / expected[:-1].sum()
    assert stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue > CHANCE


def test_a_beta_with_almost_no_pseudo_counts_is_zero_or_one():
    x = draws(5, 5e-7, 5e-7, n=20_000)
    assert not np.isnan(x).any()
    assert ((x < 1e-9) | (x > 1 - 1e-9)).mean() > 0.999
    assert stats.binomtest(int((x > 0.5).sum()), len(x)).pvalue > CHANCE


@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_whole_numbers_are_all_alike(n):
    seen = np.bincount(draws(6, float(n)).astype(int), minlength=n)
    assert len(seen) == n
    assert n == 1 or stats.chisquare(seen).pvalue > CHANCE


def test_streams_of_different_seeds_do_not_go_together():
    x, y = draws(0, seed=1), draws(0, seed=2)
    assert abs(np.corrcoef(x, y)[0, 1]) < 4 / math.sqrt(N)
    assert (draws(0, seed=1) == x).all()
