"""Estimate: the gain is the expected drop of the variance, checked by learning every possible label."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing.worlds import small_pool


def test_the_gain_of_accuracy_is_share_times_the_drop_found_by_trying_both_labels():
    belief = lw.beliefs.BetaBelief.start(lw.by_prediction(small_pool())).add([3, 1, 0], [5, 4, 0])
    theta = np.array([0.7, 0.2, 0.5])
    for g in range(3):
        one = np.eye(3, dtype=int)[g]
        n_items = belief.n_items.copy()
        free = lw.beliefs.BetaBelief.from_counts(belief.hits, belief.labels, n_items=n_items + 10)
        after = theta[g] * free.add(one, one).variance()[g] + (1 - theta[g]) * free.add(0 * one, one).variance()[g]
        assert belief.variance_drop(theta)[g] == pytest.approx(belief.variance()[g] - after)


def test_the_gain_of_confusion_is_the_drop_found_by_trying_every_label():
    pool = small_pool()
    belief = lw.beliefs.DirichletBelief.start(lw.by_prediction(pool)).update([0, 1, 2, 3], [0, 1, 2, 2])
    theta = belief.draw(1, rng=np.random.default_rng(1))[0]
    found = belief.variance_drop(theta)
    for k in range(2):
        item = int(np.argmax(pool.prediction == k))
        after = sum(theta[k, j] * belief.update([item], [j]).variance()[k].sum() for j in range(3))
        assert found[k] == pytest.approx(belief.variance()[k].sum() - after)


def test_about_the_pool_the_gain_is_the_drop_of_what_is_still_open():
    pool = small_pool()
    groups = lw.by_prediction(pool)
    question = lw.Estimate(lw.accuracy)
    beta = lw.beliefs.BetaBelief.start(groups)
    for g in range(3):
        for item in np.flatnonzero(groups.of_item == g)[:-1]:  # until one is left
            beta = beta.update([item], [pool.prediction[item]])
    last = np.array([int(np.flatnonzero(groups.of_item == g)[-1]) for g in range(3) if (groups.of_item == g).any()])
    there = groups.n_items > 0
    gains = question.mean_gains(beta, target="pool")
    # the last label of a group leaves no doubt at all
    assert np.allclose(gains[there], (groups.share * beta.variance(target="pool"))[there])
    done = beta.update(last, pool.prediction[last])
    assert np.allclose(question.mean_gains(done, target="pool"), 0)


def test_about_the_pool_the_gain_of_confusion_is_found_by_trying_every_label():
    pool = small_pool()
    belief = lw.beliefs.DirichletBelief.start(lw.by_prediction(pool)).update([0, 1, 2, 3], [0, 1, 2, 2])
    theta = belief.draw(1, rng=np.random.default_rng(1))[0]
    found = belief.variance_drop(theta, target="pool")
    for k in range(2):
        item = next(int(i) for i in np.flatnonzero(pool.prediction == k) if i > 3)
        after = sum(theta[k, j] * belief.update([item], [j]).variance(target="pool")[k].sum() for j in range(3))
        assert found[k] == pytest.approx(belief.variance(target="pool")[k].sum() - after)


def test_the_gain_of_cells_weighs_a_label_by_where_it_may_fall():
    pool = small_pool()
    belief = lw.beliefs.CellBelief.start(lw.by_prediction(pool), bins=4)
    theta = belief.draw(1, rng=np.random.default_rng(1))[0]
    cells = belief.beta.variance_drop(theta.ravel()).reshape(3, 4)
    assert np.allclose(belief.variance_drop(theta), (belief.weight**2 * cells).sum(axis=1))


def test_large_groups_of_which_little_is_known_gain_most():
    pool = lw.pool_from_arrays(predicted=[0] * 60 + [1] * 60 + [2] * 6, classes=[0, 1, 2])
    question = lw.Estimate(lw.accuracy)
    belief = question.start(lw.by_prediction(pool)).add([20, 2, 0], [30, 3, 0])
    assert np.argmax(question.mean_gains(belief)) == 1
    assert np.all(question.upper_gains(belief, 0.975) >= question.mean_gains(belief) - 1e-12)


def test_the_answer_names_the_widest_interval():
    belief = lw.beliefs.BetaBelief.from_counts([50, 1], [60, 2], names=["cat", "dog"])
    answer = lw.Estimate(lw.accuracy).answer(belief, rng=np.random.default_rng(1))
    assert "that of 'dog'" in answer.sentence
    assert answer.probability is None
    assert len(answer.frame()["mean"]) == 2
