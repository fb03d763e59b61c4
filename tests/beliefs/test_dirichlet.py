"""The Dirichlet belief: closed forms, tiny pseudo-counts, both targets."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing.worlds import small_pool


def test_it_learns_the_true_class_and_not_the_predicted_one():
    pool = lw.pool_from_arrays(predicted=["cat"] * 4 + ["dog"], classes=["cat", "dog", "emu"])
    belief = lw.beliefs.DirichletBelief.start(lw.by_prediction(pool)).update([0, 1, 2, 4], [0, 2, 2, 1])
    assert belief.counts.tolist() == [[1, 0, 2], [0, 1, 0], [0, 0, 0]]


def test_mean_and_variance_are_those_of_the_textbook():
    pool = lw.pool_from_arrays(predicted=["cat"] * 4, classes=["cat", "dog", "emu"])
    belief = lw.beliefs.DirichletBelief.start(lw.by_prediction(pool), lw.FlatPrior(3)).update([0, 1], [0, 2])
    assert np.allclose(belief.mean()[0], [2 / 5, 1 / 5, 2 / 5])
    assert belief.variance()[0, 0] == pytest.approx(2 * 3 / (25 * 6))


def test_the_total_variance_has_the_closed_form():
    """(A^2 - S)/(A^2 (A + 1)) with A the sum of the pseudo-counts and S that of their squares."""
    belief = lw.beliefs.DirichletBelief.start(lw.by_prediction(small_pool()), lw.InformedPrior()).update(
        [0, 1, 2], [0, 1, 2]
    )
    total, squares = belief.alpha.sum(axis=1), (belief.alpha**2).sum(axis=1)
    assert np.allclose(belief.variance().sum(axis=1), (total**2 - squares) / (total**2 * (total + 1)))


def test_each_entry_by_itself_is_a_beta():
    belief = lw.beliefs.DirichletBelief.start(lw.by_prediction(small_pool())).update([0, 1, 2, 3], [0, 1, 2, 0])
    low, high = belief.interval(0.9)
    total = belief.alpha.sum(axis=1)
    for k in range(2):
        for j in range(3):
            a = belief.alpha[k, j]
            beta_low, beta_high = lw.beliefs.beta_interval(np.array([a]), np.array([total[k] - a]), 0.9)
            assert (low[k, j], high[k, j]) == pytest.approx((beta_low[0], beta_high[0]), abs=1e-12)


def test_pseudo_counts_too_small_for_a_gamma_draw_still_give_shares():
    pool = lw.pool_from_arrays(predicted=[0] * 3, classes=list(range(50)))
    belief = lw.beliefs.DirichletBelief.start(lw.by_prediction(pool), lw.FlatPrior(1e-4))
    draws = belief.draw(2000, rng=np.random.default_rng(1))
    assert np.allclose(draws.sum(axis=-1), 1)
    # almost all of the mass sits on one class, each as often as the others: 2,000 x 1/50 expected, 6 sd allowed
    winners = np.bincount(draws[:, 0].argmax(axis=1), minlength=50)
    assert winners.max() <= 40 + 6 * np.sqrt(40)
    assert draws[:, 0].max(axis=1).mean() > 0.999


def test_a_wholly_labelled_pool_is_known_exactly():
    pool = small_pool()
    labels = np.random.default_rng(1).integers(0, 3, pool.n_items)
    belief = lw.beliefs.DirichletBelief.start(lw.by_prediction(pool)).update(np.arange(pool.n_items), labels)
    low, high = belief.interval(target="pool")
    there = belief.groups.n_items > 0
    assert np.array_equal(low[there], high[there])
    assert np.array_equal(low[0], np.bincount(labels[pool.prediction == 0], minlength=3) / (pool.prediction == 0).sum())


def test_draws_in_parts_are_all_the_draws(monkeypatch):
    monkeypatch.setattr("labelwise.beliefs.dirichlet._CHUNK", 20)
    belief = lw.beliefs.DirichletBelief.start(lw.by_prediction(small_pool()))
    parts = list(belief.draws(7, rng=np.random.default_rng(1)))
    assert [len(part) for part in parts] == [2, 2, 2, 1]


def test_a_grouping_that_mixes_predictions_is_refused():
    with pytest.raises(lw.UnanswerableError) as refusal:
        lw.beliefs.DirichletBelief.start(lw.by_column(small_pool(), "site"))
    assert str(refusal.value) == (
        "Confusion is believed a predicted class, and a grouping by column 'site' mixes predictions. "
        "Group by prediction, or cross with it."
    )


def test_beliefs_with_other_priors_do_not_merge():
    groups = lw.by_prediction(small_pool())
    with pytest.raises(lw.ArgumentError, match="same prior"):
        lw.beliefs.DirichletBelief.start(groups).merge(lw.beliefs.DirichletBelief.start(groups, lw.FlatPrior(2)))
