"""The Beta-binomial against sums of exact fractions."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from labelwise.beliefs.beta_binomial import BetaBinomials


def exact_mass(n: int, a: int, b: int) -> list[Fraction]:
    """BetaBinomial(n, a, b) for whole a and b, with nothing rounded."""

    def rising(x: int, k: int) -> Fraction:
        value = Fraction(1)
        for i in range(k):
            value *= x + i
        return value

    return [comb(n, x) * rising(a, x) * rising(b, n - x) / rising(a + b, n) for x in range(n + 1)]


@pytest.mark.parametrize(("n", "a", "b"), [(0, 3, 2), (1, 1, 1), (7, 2, 5), (40, 9, 1), (150, 31, 4)])
def test_masses_are_those_of_exact_fractions(n, a, b):
    table = BetaBinomials.of(np.array([3, n, 2]), np.array([1.0, a, 1.0]), np.array([1.0, b, 1.0]))
    mine = table.mass[table.first[1] : table.first[1] + n + 1]
    assert np.allclose(mine, [float(m) for m in exact_mass(n, a, b)], rtol=1e-11, atol=0)


@pytest.mark.parametrize("q", [0.025, 0.5, 0.975])
def test_quantiles_are_the_first_count_that_reaches_them(q):
    table = BetaBinomials.of(np.array([40]), np.array([9.0]), np.array([2.0]))
    cumulative = np.cumsum([float(m) for m in exact_mass(40, 9, 2)])
    assert table.quantile(q)[0] == int(np.argmax(cumulative >= q))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_the_shortest_interval_is_the_shortest_by_trying_all(level):
    rng = np.random.default_rng(5)
    n, a, b = rng.integers(0, 30, 40), rng.uniform(0.2, 20, 40), rng.uniform(0.2, 20, 40)
    table = BetaBinomials.of(n, a, b)
    low, high = table.interval(level, "highest-density")
    for g in range(len(n)):
        mass = table.mass[table.first[g] : table.first[g] + n[g] + 1]
        inside = mass[low[g] : high[g] + 1].sum()
        assert inside >= level - 1e-9
        shorter = high[g] - low[g]  # one item fewer never holds the level
        assert all(mass[s : s + shorter].sum() < level for s in range(len(mass) - shorter + 1))


def test_large_groups_keep_their_digits():
    table = BetaBinomials.of(np.array([1_000_000]), np.array([741.0]), np.array([259.0]))
    mean = table.mean_of(table.hits.astype(float))[0]
    assert mean == pytest.approx(741_000, rel=1e-9)
