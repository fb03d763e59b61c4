"""Accuracy over all groups: exact moments against draws."""

import numpy as np
import pytest

import labelwise as lw


@pytest.mark.parametrize("target", ["pool", "population"])
def test_exact_overall_mean_and_variance_agree_with_a_million_draws(target):
    belief = lw.beliefs.BetaBelief.from_counts([8, 2, 0], [10, 3, 0], n_items=[40, 30, 30])
    n = 1_000_000
    draws = belief.draw(n, target=target, rng=np.random.default_rng(1)) @ np.array([0.4, 0.3, 0.3])
    variance = lw.metrics.overall_variance(belief, target=target)
    estimate = lw.metrics.overall_accuracy(belief, target=target, rng=np.random.default_rng(2))
    assert estimate.mean[0] == pytest.approx(draws.mean(), abs=5 * np.sqrt(variance / n))
    # the variance of a variance estimate from n draws is about 2 variance^2 / n
    assert variance == pytest.approx(draws.var(), rel=5 * np.sqrt(2 / n))
    assert estimate.low[0] == pytest.approx(np.quantile(draws, 0.025), abs=0.01)


def test_sizes_of_groups_are_needed_for_the_whole():
    with pytest.raises(lw.UnanswerableError) as refusal:
        lw.metrics.overall_accuracy(lw.beliefs.BetaBelief.from_counts([1], [2]), rng=np.random.default_rng(1))
    assert str(refusal.value) == "A value over all groups needs the size of each group; give `n_items`."


def test_the_overall_value_of_a_metric_is_that_of_its_groups_by_size():
    pool = lw.pool_from_arrays(predicted=[0] * 30 + [1] * 10, confidence=[0.9] * 40)
    belief = lw.accuracy.start(lw.by_prediction(pool)).update(np.arange(5, 35), np.zeros(30, int))
    found = lw.accuracy.overall(belief, n_draws=50_000, rng=np.random.default_rng(1))
    expected = lw.metrics.overall_accuracy(belief, n_draws=50_000, rng=np.random.default_rng(1))
    assert found.mean[0] == pytest.approx(expected.mean[0], abs=0.002)
    assert (found.low[0], found.high[0]) == pytest.approx((expected.low[0], expected.high[0]), abs=1e-12)
    bias = lw.calibration_bias.overall(belief, n_draws=50_000, rng=np.random.default_rng(1))
    assert bias.mean[0] == pytest.approx(0.9 - found.mean[0], abs=1e-9)
    assert lw.recall.overall(lw.recall.start(lw.by_prediction(pool)), rng=np.random.default_rng(1)) is None
