"""Always-valid intervals: against definitions on a grid, 30-digit roots, and simulated runs watched at every label."""

import mpmath
import numpy as np
import pytest
from scipy.special import betaincinv, betaln, gammaln

import labelwise as lw
from labelwise.beliefs.confidence_sequence import always_valid, always_valid_of
from strength import sized

LEVEL = 0.95
LIMIT = np.log(1 / (1 - LEVEL))
RUNS = sized(full=20_000, quick=4_000)
WATCHED = 1_000


def evidence(t, x, n, a=0.5, b=0.5):
    return betaln(a + x, b + n - x) - betaln(a, b) - x * np.log(t) - (n - x) * np.log1p(-t)


def test_all_accuracies_of_a_grid_are_inside_exactly_when_the_definition_says_so():
    grid = (np.arange(20_000) + 0.5) / 20_000
    for n in (1, 2, 7, 40):
        x = np.arange(n + 1)
        low, high = always_valid(x, n)
        inside = (grid[:, None] > low) & (grid[:, None] < high)
        assert np.array_equal(inside, evidence(grid[:, None], x, n) < LIMIT)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1, 1), (9, 1)])
def test_all_numbers_of_hits_in_the_pool_are_inside_exactly_when_the_definition_says_so(a, b):
    """Prior over posterior of M, both Beta-binomial, for every M of every count of pools of up to 30 items."""

    def log_mass(k, size, p, q):
        return gammaln(size + 1) - gammaln(k + 1) - gammaln(size - k + 1) + betaln(k + p, size - k + q) - betaln(p, q)

    for size in (1, 2, 9, 30):
        for n in range(size + 1):
            for x in range(n + 1):
                m = np.arange(x, size - (n - x) + 1)
                ratio = log_mass(m, size, a, b) - log_mass(m - x, size - n, a + x, b + n - x)
                kept = m[ratio < LIMIT]
                low, high = always_valid(x, n, size, a=a, b=b)
                assert (low, high) == (kept[0] / size, kept[-1] / size)
                assert len(kept) == kept[-1] - kept[0] + 1


@pytest.mark.parametrize(("x", "n"), [(1, 1), (1, 10**6), (10**6 - 1, 10**6), (5, 7), (499_990, 10**6), (3, 400)])
def test_ends_are_those_of_thirty_digits(x, n):
    """To 1e-10 of the width: a million labels cost the log-probability its last digits."""
    with mpmath.workdps(30):
        low, high = (mpmath.mpf(float(end)) for end in always_valid(x, n))
        ways = mpmath.loggamma(x + 0.5) + mpmath.loggamma(n - x + 0.5) - mpmath.loggamma(n + 1)
        base = ways - mpmath.log(mpmath.pi) - mpmath.log(20)  # B(1/2, 1/2) is pi

        def at(t):
            return base - x * mpmath.log(t) - (n - x) * mpmath.log(1 - t)

        allowed = (high - low) / 10**10
        assert at(low - allowed) > 0 > at(low + allowed)
        if high < 1:
            assert at(high + allowed) > 0 > at(high - allowed)


def test_ends_at_the_edges():
    low, high = always_valid([0, 0, 10], [0, 10, 10])
    assert (low[0], high[0]) == (0, 1)
    assert (low[1], high[2]) == (0, 1)
    assert low[2] == pytest.approx(1 - high[1], abs=1e-15)
    # no hit among n: (1 - t)^n = B(a, b + n) / B(a, b) / 20
    assert high[1] == pytest.approx(1 - np.exp((betaln(0.5, 10.5) - betaln(0.5, 0.5) - LIMIT) / 10), abs=1e-14)
    low, high = always_valid([3, 0, 0], [8, 0, 0], [8, 4, 0])
    assert low.tolist() == [3 / 8, 0, 0]
    assert high.tolist() == [3 / 8, 1, 1]


def test_a_large_pool_is_like_the_population_and_misses_mirror_hits():
    x, n = np.array([0, 3, 50, 90]), np.array([20, 20, 100, 100])
    population, pool = always_valid(x, n), always_valid(x, n, 10**8)
    for one, other in zip(population, pool, strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    for size in (None, 130):
        low, high = always_valid(x, n, size)
        mirrored = always_valid(n - x, n, size)
        assert low == pytest.approx(1 - mirrored[1], abs=1e-12)
        assert high == pytest.approx(1 - mirrored[0], abs=1e-12)


def test_impossible_counts_are_refused():
    for wrong, message in (
        (([3], [2]), "3 hits among 2 labels cannot be"),
        (([2], [3], [2]), "3 labels of 2 items cannot be"),
        (([0.5], [2]), "whole numbers"),
    ):
        with pytest.raises(lw.ArgumentError, match=message):
            always_valid(*wrong)
    with pytest.raises(lw.ArgumentError, match="level"):
        always_valid([1], [2], level=1.0)


def test_the_interval_of_a_belief_ignores_its_prior():
    pool = lw.pool_from_arrays(predicted=[0] * 30 + [1] * 20, confidence=[0.99] * 50)
    groups = lw.by_prediction(pool)
    for prior in (lw.FlatPrior(), lw.InformedPrior(strength=50), lw.LearnedPrior()):
        belief = lw.accuracy.start(groups, prior).add([6, 9], [10, 10])
        np.testing.assert_allclose(always_valid_of(belief), always_valid([6, 9], [10, 10]), rtol=0, atol=1e-12)
        np.testing.assert_allclose(
            always_valid_of(belief, target="pool"), always_valid([6, 9], [10, 10], [30, 20]), rtol=0, atol=1e-12
        )
    with pytest.raises(lw.UnanswerableError):
        always_valid_of(lw.beliefs.BetaBelief.from_counts([1], [2]), target="pool")


def upper_bound(k, n):
    """Clopper-Pearson, 99 %, one-sided."""
    return betaincinv(k + 1, n - k, 0.99) if k < n else 1.0


def ever_misses(hits, truth, ends):
    """Count the runs in which an interval ever misses; `ends` gives low and high for 0 to n hits of n."""
    missed = np.zeros(hits.shape[0], bool)
    for n in range(1, hits.shape[1] + 1):
        low, high = ends(np.arange(n + 1), n)
        x = hits[:, n - 1]
        missed |= (truth < low[x] - 1e-12) | (truth > high[x] + 1e-12)
    return int(missed.sum())


@pytest.mark.parametrize("accuracy", [0.5, 0.9, 0.99])
def test_watched_at_every_label_it_misses_in_less_than_one_run_in_twenty(accuracy):
    """New items, 20,000 runs: the 99 % upper bound of the share that ever misses is below 0.05.

    The credible interval misses in half of the runs and more, which shows that this test can fail.
    """
    rng = np.random.default_rng(20)
    hits = np.cumsum(rng.random((RUNS, WATCHED), np.float32) < accuracy, axis=1, dtype=np.int32)
    assert upper_bound(ever_misses(hits, accuracy, lambda x, n: always_valid(x, n)), RUNS) < 1 - LEVEL
    credible = ever_misses(hits, accuracy, lambda x, n: lw.beliefs.beta_interval(x + 1.0, n - x + 1.0, LEVEL))
    assert credible / RUNS > 0.4


@pytest.mark.parametrize("accuracy", [0.5, 0.9, 0.99])
def test_a_pool_labelled_to_its_end_is_missed_in_less_than_one_run_in_twenty(accuracy):
    """20,000 runs through 400 items without replacement, watched at every label until all are known."""
    rng = np.random.default_rng(21)
    size = 400
    in_pool = round(accuracy * size)
    items = np.tile(np.arange(size) < in_pool, (RUNS, 1))
    hits = np.cumsum(rng.permuted(items, axis=1), axis=1, dtype=np.int32)

    def ends(x, n):
        possible = np.clip(x, n - (size - in_pool), in_pool)
        return always_valid(possible, n, size)

    assert upper_bound(ever_misses(hits, in_pool / size, ends), RUNS) < 1 - LEVEL

    def credible(x, n):
        belief = lw.beliefs.BetaBelief.from_counts(x, np.full(n + 1, n), n_items=np.full(n + 1, size))
        return belief.interval(LEVEL, target="pool")

    few = hits[:500]
    assert ever_misses(few, in_pool / size, credible) / len(few) > 0.2


def test_it_costs_less_than_twice_the_width_of_a_credible_interval():
    """Mean width at 20 to 1,000 labels, over that of the flat prior's credible interval: 1.42 to 1.86."""
    rng = np.random.default_rng(22)
    for n in (20, 100, 1_000):
        for accuracy in (0.5, 0.8, 0.9, 0.99):
            x = rng.binomial(n, accuracy, 20_000)
            low, high = always_valid(x, n)
            credible = lw.beliefs.beta_interval(x + 1.0, n - x + 1.0, LEVEL)
            assert 1.4 < (high - low).mean() / (credible[1] - credible[0]).mean() < 1.9
