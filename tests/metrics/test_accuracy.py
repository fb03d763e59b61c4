"""Accuracy over all groups: exact moments against draws."""

import numpy as np
import pytest

import labelwise as lw


@pytest.mark.parametrize("target", ["pool", "population"])
def test_exact_overall_mean_and_variance_agree_with_a_million_draws(target):
    belief = lw.BetaBelief.from_counts([8, 2, 0], [10, 3, 0], n_items=[40, 30, 30])
    n = 1_000_000
    draws = belief.draw(n, target=target, rng=np.random.default_rng(1)) @ np.array([0.4, 0.3, 0.3])
    variance = lw.overall_variance(belief, target=target)
    estimate = lw.overall_accuracy(belief, target=target, rng=np.random.default_rng(2))
    assert estimate.mean[0] == pytest.approx(draws.mean(), abs=5 * np.sqrt(variance / n))
    # the variance of a variance estimate from n draws is about 2 variance^2 / n
    assert variance == pytest.approx(draws.var(), rel=5 * np.sqrt(2 / n))
    assert estimate.low[0] == pytest.approx(np.quantile(draws, 0.025), abs=0.01)


def test_sizes_of_groups_are_needed_for_the_whole():
    with pytest.raises(lw.UnanswerableError) as refusal:
        lw.overall_accuracy(lw.BetaBelief.from_counts([1], [2]), rng=np.random.default_rng(1))
    assert str(refusal.value) == "A value over all groups needs the size of each group; give `n_items`."
