"""The belief about two classifiers: what it passes over, what it refuses, and its moments against theory."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.beliefs.paired import next_class, rival_classes


def pool_of(predicted=("cat", "cat", "dog", "emu"), rival=("cat", "dog", "cat", "dog"), classes=("cat", "dog", "emu")):
    return lw.pool_from_arrays(predicted=list(predicted), columns={"old": list(rival)}, classes=list(classes))


def test_labels_of_items_that_agree_teach_nothing():
    start = lw.beliefs.PairedBelief.start(lw.everything(pool_of()), "old")
    told = start.update([0], [2])
    assert np.array_equal(told.outcomes.counts, start.outcomes.counts)
    assert start.n_differ.tolist() == [3]


def test_each_outcome_is_counted_where_it_belongs():
    belief = lw.beliefs.PairedBelief.start(lw.everything(pool_of()), "old").update([1, 2, 3], [0, 0, 0])
    assert belief.outcomes.counts.tolist() == [[1, 1, 1]]  # ours, the rival's, neither


def test_with_two_classes_one_is_always_right():
    pool = pool_of(["cat", "dog"] * 30, ["dog", "cat"] * 30, ["cat", "dog"])
    belief = lw.beliefs.PairedBelief.start(lw.everything(pool), "old")
    assert belief.mean()[0, 2] < 0.001
    labels = belief.imagine(np.array([[0.5, 0.5, 0.0]]), np.arange(60), rng=np.random.default_rng(1))
    assert set(labels.tolist()) == {0, 1}


def test_the_expected_drop_of_the_leads_variance_is_what_enumeration_gives():
    belief = lw.beliefs.PairedBelief.start(lw.everything(pool_of()), "old").update([1], [0])
    share = np.array([[0.5, 0.2, 0.3]])

    def variance(alpha):
        draws = np.random.default_rng(1).dirichlet(alpha, 400_000)
        return (draws[:, 0] - draws[:, 1]).var()

    alpha = belief.outcomes.alpha[0]
    after = sum(p * variance(alpha + step) for p, step in zip(share[0], np.eye(3), strict=True))
    expected = (3 / 4) ** 2 * (variance(alpha) - after)
    assert belief.variance_drop(share)[0] == pytest.approx(expected, abs=4e-4)  # 5 errors of 400,000 draws


def test_imagined_labels_have_the_outcomes_of_the_draw():
    n = 30_000
    pool = pool_of(["cat"] * n, ["dog"] * n)
    belief = lw.beliefs.PairedBelief.start(lw.everything(pool), "old")
    labels = belief.imagine(np.array([[0.5, 0.3, 0.2]]), np.arange(n), rng=np.random.default_rng(2))
    assert np.bincount(labels, minlength=3) / n == pytest.approx([0.5, 0.3, 0.2], abs=0.015)  # 5 standard errors


def test_the_third_class_is_neither():
    for one in range(3):
        for other in range(3):
            [third] = next_class(np.array([one]), np.array([other]), 4)
            assert third not in (one, other)


@pytest.mark.parametrize(
    ("rival", "sentence"),
    [
        (["cat", None, "cat", "dog"], "Column 'old' is empty for item 1; the rival must predict every item."),
        (
            ["cat", "cow", "cat", "dog"],
            "The rival predicts 'cow' in column 'old', which is not a class of the pool. Name all `classes` when the "
            "pool is read.",
        ),
    ],
)
def test_a_rival_that_cannot_be_read_is_refused(refusal, rival, sentence):
    assert refusal(lw.DataError, rival_classes, pool_of(rival=rival), "old") == sentence
