"""Expected cost: exact moments, groups, refusals."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing.worlds import small_pool

COST = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]


def belief_of(groups, n_labels=25):
    labels = np.random.default_rng(1).integers(0, 3, groups.pool.n_items)
    return lw.ExpectedCost(COST).start(groups).update(np.arange(n_labels), labels[:n_labels])


@pytest.mark.parametrize("target", ["pool", "population"])
@pytest.mark.parametrize("by", ["prediction", "site"])
def test_exact_mean_and_variance_agree_with_draws(by, target):
    pool = small_pool()
    groups = lw.by_prediction(pool) if by == "prediction" else lw.by_column(pool, "site")
    metric, belief = lw.ExpectedCost(COST), belief_of(groups)
    n = 200_000
    draws = metric.draw(belief, n, target=target, rng=np.random.default_rng(2))
    mean, variance = metric.mean(belief, target=target), metric.variance(belief, target=target)
    assert np.all(np.abs(draws.mean(axis=0) - mean) <= 5 * np.sqrt(variance / n) + 1e-12)
    # heavy tails: four times the normal error of a variance is allowed
    assert np.allclose(draws.var(axis=0), variance, rtol=4 * 5 * np.sqrt(2 / n))


def test_cost_one_for_every_mistake_is_the_error_rate():
    pool = small_pool()
    metric = lw.ExpectedCost(1 - np.eye(3))
    labels = np.random.default_rng(1).integers(0, 3, 60)
    labelled = lw.pool_from_arrays(scores=pool.scores, labels=labels)
    assert lw.metrics.known_value(metric, labelled) == pytest.approx(1 - lw.metrics.known_value(lw.accuracy, labelled))


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (np.eye(2), "The cost matrix is 2 x 2; the pool has 3 classes, so it must be 3 x 3."),
        (
            [[0, np.nan, 1], [1, 0, 1], [1, 1, 0]],
            "The cost of predicting 1 when 0 is true is nan; it must be a finite number.",
        ),
    ],
)
def test_a_matrix_that_does_not_fit_is_refused(matrix, sentence):
    with pytest.raises(lw.DataError) as refusal:
        lw.ExpectedCost(matrix).start(lw.by_prediction(small_pool()))
    assert str(refusal.value) == sentence
