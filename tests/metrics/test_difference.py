"""Differences: quadrature against closed forms, an independent rule and ten million draws; the published figures."""

from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betainc, betaln

import labelwise as lw
from labelwise.metrics.difference import beta_difference_below


@pytest.mark.parametrize(
    ("one", "other", "published", "exact"),
    [((280, 203), (351, 162), 0.96, 0.963), ((61, 50), (53, 27), 0.82, 0.814)],
)
def test_the_two_published_comparisons(one, other, published, exact):
    found = beta_difference_below(*one, *other, -0.05)
    assert found == pytest.approx(exact, abs=0.0005)
    assert found == pytest.approx(published, abs=0.01)


@pytest.mark.parametrize("d", [-0.7, -0.05, 0.0, 0.3])
def test_flat_beliefs_have_the_closed_form(d):
    exact = (1 + d) ** 2 / 2 if d < 0 else 1 - (1 - d) ** 2 / 2
    assert beta_difference_below(1, 1, 1, 1, d) == pytest.approx(exact, abs=1e-12)


def by_adaptive_rule(a1, b1, a2, b2, d):
    """The same integral over y, by scipy's adaptive rule, split where the integrand moves."""

    def integrand(y):
        log_density = (a2 - 1) * np.log(y) + (b2 - 1) * np.log1p(-y) - betaln(a2, b2)
        return np.exp(log_density) * betainc(a1, b1, min(max(y + d, 0.0), 1.0))

    middles = [a2 / (a2 + b2), a1 / (a1 + b1) - d]
    spreads = [np.sqrt(m * (1 - m) / (a + b)) for m, a, b in ((middles[0], a2, b2), (a1 / (a1 + b1), a1, b1))]
    points = {0.0, 1.0, -d, 1 - d}
    points |= {m + z * s for m, s in zip(middles, spreads, strict=True) for z in range(-12, 13, 2)}
    cuts = sorted(p for p in points if 0 <= p <= 1)
    return sum(quad(integrand, lo, hi, epsabs=1e-14, epsrel=1e-13, limit=200)[0] for lo, hi in pairwise(cuts))


def test_quadrature_is_right_to_1e10_over_a_hundred_drawn_pairs():
    # beyond a thousand counts the reference's own density is no longer known to 1e-10
    rng = np.random.default_rng(1)
    for _ in range(100):
        a1, b1, a2, b2 = 1 + np.exp(rng.uniform(-2, np.log(1e3), 4))
        d = rng.choice([-0.05, 0.0, 0.05, rng.uniform(-0.5, 0.5)])
        assert beta_difference_below(a1, b1, a2, b2, d) == pytest.approx(by_adaptive_rule(a1, b1, a2, b2, d), abs=1e-10)


@pytest.mark.parametrize(("x", "y"), [((3, 9), (5, 7)), ((61, 50), (53, 27)), ((900, 101), (870, 131))])
def test_whole_counts_have_an_exact_sum(x, y):
    """P(X > Y) = sum over i < a1 of B(a2 + i, b1 + b2) / ((b1 + i) B(1 + i, b1) B(a2, b2)), in 40 digits."""
    mp.mp.dps = 40
    (a1, b1), (a2, b2) = x, y
    terms = (mp.beta(a2 + i, b1 + b2) / ((b1 + i) * mp.beta(1 + i, b1) * mp.beta(a2, b2)) for i in range(a1))
    assert 1 - beta_difference_below(a1, b1, a2, b2, 0.0) == pytest.approx(float(mp.fsum(terms)), abs=1e-12)


@pytest.mark.parametrize(
    "parameters", [(0.3, 0.4, 0.2, 0.7), (0.5, 3, 20, 0.6), (1e6, 2e5, 0.4, 0.4), (8e5, 9e5, 7e5, 8e5)]
)
@pytest.mark.parametrize("d", [-0.05, 0.05])
def test_both_orders_agree_even_for_beliefs_with_peaks_at_the_ends(parameters, d):
    """P(X - Y <= d) + P(Y - X < -d) = 1: two different integrals."""
    a1, b1, a2, b2 = parameters
    total = beta_difference_below(a1, b1, a2, b2, d) + beta_difference_below(a2, b2, a1, b1, -d)
    assert total == pytest.approx(1, abs=1e-10)


def test_quadrature_agrees_with_ten_million_draws():
    rng = np.random.default_rng(2)
    n = 10_000_000
    draws = rng.beta(30.5, 12.2, n) - rng.beta(18.1, 15.7, n)
    for d in (-0.05, 0.0, 0.05, 0.2):
        exact = beta_difference_below(30.5, 12.2, 18.1, 15.7, d)
        assert (draws <= d).mean() == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / n))


def test_the_three_probabilities_add_up_and_the_interval_holds_its_level():
    belief = lw.beliefs.BetaBelief.from_counts([30, 18], [42, 33], names=["one", "other"])
    found = lw.difference(lw.accuracy, belief, "one", "other", level=0.9, rng=np.random.default_rng(3))
    assert found.p_lower + found.p_equal + found.p_higher == pytest.approx(1, abs=1e-12)
    for end, q in ((found.low, 0.05), (found.high, 0.95)):
        assert beta_difference_below(31, 13, 19, 16, end) == pytest.approx(q, abs=1e-9)
    assert found.verdict == "higher"
    assert found.method == "exact"


def test_the_pool_target_is_an_exact_sum():
    belief = lw.beliefs.BetaBelief.from_counts([3, 2], [5, 6], n_items=[9, 10], names=["one", "other"])
    n = 400_000
    draws = belief.draw(n, target="pool", rng=np.random.default_rng(4))
    delta = draws[:, 0] - draws[:, 1]
    found = lw.difference(lw.accuracy, belief, "one", "other", margin=0.1, target="pool", rng=np.random.default_rng(5))
    for exact, share in (
        (found.p_lower, (delta < -0.1 - 1e-9).mean()),
        (found.p_equal, (np.abs(delta) <= 0.1 + 1e-9).mean()),
        (found.p_higher, (delta > 0.1 + 1e-9).mean()),
    ):
        assert share == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / n))


def test_a_difference_exactly_at_the_margin_counts_as_equal():
    belief = lw.beliefs.BetaBelief.from_counts([6, 5], [10, 10], n_items=[10, 10], names=["one", "other"])
    found = lw.difference(lw.accuracy, belief, "one", "other", margin=0.1, target="pool", rng=np.random.default_rng(6))
    assert (found.p_lower, found.p_equal, found.p_higher) == (0, 1, 0)


def test_metrics_without_a_closed_form_are_compared_by_draws():
    pool = lw.pool_from_arrays(predicted=[0, 0, 1, 1] * 20, confidence=[0.9, 0.6] * 40, labels=[0, 1, 1, 1] * 20)
    found = lw.difference(
        lw.ece, lw.belief_from_labels(lw.ece, lw.by_prediction(pool)), "0", "1", rng=np.random.default_rng(7)
    )
    assert found.method == "draws"
    assert found.p_lower + found.p_equal + found.p_higher == pytest.approx(1)


def test_an_unknown_group_is_named_with_what_was_probably_meant():
    belief = lw.beliefs.BetaBelief.from_counts([1, 1], [2, 2], names=["lizard", "seal"])
    with pytest.raises(lw.NotFoundError) as refusal:
        lw.difference(lw.accuracy, belief, "lizzard", "seal", rng=np.random.default_rng(8))
    assert str(refusal.value) == "Group 'lizzard' does not exist. Did you mean 'lizard'?"


def test_a_group_is_not_compared_with_itself():
    belief = lw.beliefs.BetaBelief.from_counts([1, 1], [2, 2], names=["cat", "dog"])
    with pytest.raises(lw.ArgumentError) as refusal:
        lw.difference(lw.accuracy, belief, "cat", "cat", rng=np.random.default_rng(9))
    assert str(refusal.value) == "A group cannot be compared with itself ('cat'); name two groups."


def test_values_that_never_exist_cannot_be_compared():
    pool = lw.pool_from_arrays(predicted=[0, 1, 0], labels=[0, 1, 1], classes=["a", "b", "c"])
    belief = lw.belief_from_labels(lw.recall, lw.by_prediction(pool))
    with pytest.raises(lw.UnanswerableError, match="There is no recall of 'a' or of 'c' to compare"):
        lw.difference(lw.recall, belief, "a", "c", target="pool", rng=np.random.default_rng(10))


@pytest.mark.parametrize(
    ("betas", "d", "expected"),
    [
        # a tail that scipy's quantile has no number for; reference: adaptive quadrature
        ((20.89626666878148, 27.39887334503515, 1.0338336144617613, 0.25617181682093193), 0.05, 0.888371),
        # nearly all mass closer to 1 than numbers are; reference: 4 * 10^6 draws of logarithms of 1 - x
        ((2.105, 0.0297, 64.13, 0.0879), 0.0, 0.3270),
    ],
)
def test_betas_with_a_heavy_end_are_compared_rightly(betas, d, expected):
    a1, b1, a2, b2 = betas
    assert lw.metrics.beta_difference_below(*betas, d) == pytest.approx(expected, abs=6e-4)
    # P(X - Y <= d) = 1 - P(Y - X <= -d) for continuous X and Y
    assert lw.metrics.beta_difference_below(a2, b2, a1, b1, -d) == pytest.approx(1 - expected, abs=6e-4)
