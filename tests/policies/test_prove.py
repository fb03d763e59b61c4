"""Prove: it searches until the answer is believed, and then asks what the proof lacks."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.policies import Border, Prove
from labelwise.policies.prove import search_of

RNG = np.random.default_rng(2)
POOL = lw.pool_from_arrays(predicted=np.repeat([0, 1, 2, 3], 100), classes=[0, 1, 2, 3])
GROUPS = lw.by_prediction(POOL)


def shares(belief, question, n_open, n=300, policy=None):
    """Return how often each group is picked."""
    rng = np.random.default_rng(1)
    picks = [(policy or Prove()).choose(belief, question, n_open, target="pool", rng=rng)[0] for _ in range(n)]
    return np.bincount(picks, minlength=4) / n


def believed(hits, labels):
    return lw.accuracy.start(GROUPS).add(hits, labels)


def test_while_two_groups_may_be_the_worst_both_are_asked_alike():
    found = shares(believed([10, 10, 38, 38], [40] * 4), lw.Worst(), np.full(4, 60))
    assert found[:2].sum() > 0.95
    assert abs(found[0] - found[1]) < 0.15


def test_once_the_worst_is_believed_the_group_that_is_least_refuted_is_asked():
    """Group 1 has no label at all: nobody believes it to be the worst, with this prior, and nothing refutes it."""
    belief = lw.accuracy.start(GROUPS, lw.CustomPrior([1, 90, 90, 90], [1, 10, 10, 10])).add(
        [5, 0, 50, 55], [90, 0, 60, 60]
    )
    found = shares(belief, lw.Worst(), np.array([10, 100, 40, 40]))
    assert found[1] > 0.9
    assert shares(belief, lw.Worst(), np.array([10, 100, 40, 40]), policy=lw.TopTwo())[1] < 0.7


def test_the_bound_on_the_worst_is_narrowed_where_it_is_what_lacks():
    belief = believed([1, 57, 58, 58], [4, 60, 60, 60])
    assert shares(belief, lw.Worst(), np.array([96, 40, 40, 40]))[0] > 0.9


def test_a_group_that_is_wholly_labelled_still_leads():
    belief = believed([10, 20, 85, 85], [100, 40, 90, 90])
    found = shares(belief, lw.Worst(), np.array([0, 60, 10, 10]))
    assert found[0] == 0
    assert found[1] > 0.9


@pytest.mark.parametrize("question", [lw.Worst(m=2), lw.Best(m=2)])
def test_of_a_set_the_border_is_asked(question):
    belief = believed([5, 30, 33, 59], [60] * 4)
    found = shares(belief, question, np.full(4, 40))
    assert found[1:3].sum() > 0.95


def test_the_first_labels_are_chosen_at_random():
    sizes = np.array([100, 100, 100, 100])
    found = shares(lw.accuracy.start(GROUPS), lw.Worst(), sizes)
    assert found == pytest.approx([0.25] * 4, abs=0.1)


def test_a_metric_without_a_guarantee_is_searched_only():
    pool = lw.pool_from_arrays(predicted=[0, 1] * 30, labels=[0, 1, 1, 1] * 15)
    belief = lw.belief_from_labels(lw.recall, lw.by_prediction(pool))
    choice = Prove().choose(belief, lw.Worst(lw.recall), np.array([5, 5]), rng=np.random.default_rng(1))
    assert choice in [(0,), (1,)]


def test_nothing_is_asked_where_nothing_is_open():
    assert Prove().choose(believed([1] * 4, [2] * 4), lw.Worst(), np.zeros(4, int), rng=RNG) == ()
    assert Prove().choose(believed([1] * 4, [2] * 4), lw.Worst(), np.array([0, 3, 0, 0]), rng=RNG) == (1,)


def test_simulations_play_its_search():
    assert search_of(Prove(), lw.Best(m=2)) == Border()
    assert search_of(lw.RandomItem(), lw.Worst()) == lw.RandomItem()
