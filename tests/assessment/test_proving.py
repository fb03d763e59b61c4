"""What an answer gets from a trail of labels: a claim, intervals of groups, and one of the whole where there is one."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.assessment.proving import proven
from labelwise.beliefs.trail import Trail

POOL = lw.pool_from_arrays(predicted=["cat"] * 60 + ["dog"] * 60, classes=["cat", "dog"])
ITEMS = np.r_[np.arange(40), np.arange(60, 100)]
LABELS = np.r_[np.zeros(40, int), np.zeros(40, int)]  # every label is a cat: all dogs are misses


def added(question, groups):
    """Return the answer after these labels, with what they prove."""
    start = question.start(groups)
    belief, trail = start.update(ITEMS, LABELS), Trail.of(start).extended(ITEMS, LABELS)
    answer = question.answer(belief, target="pool", n_draws=200, rng=np.random.default_rng(1))
    return proven(answer, question, trail, level=0.95, target="pool"), trail


def test_a_claim_and_the_intervals_of_groups_are_added():
    answer, trail = added(lw.Worst(), lw.by_prediction(POOL))
    assert answer.proof.claim == "dog is the worst in accuracy"
    assert answer.proof.error < 0.001
    low, high = lw.accuracy.evidence(trail, target="pool").always(0.95)
    assert np.array(answer.always) == pytest.approx(np.array([low, high]), abs=1e-12)
    assert answer.overall_always is None  # two groups make no interval of the whole


def test_a_comparison_gets_the_intervals_of_its_two_groups_in_its_order():
    answer, _ = added(lw.Compare("dog", "cat"), lw.by_prediction(POOL))
    low, high = answer.always
    assert high[0] < low[1]
    assert answer.proof.claim == "accuracy of 'dog' is lower than that of 'cat'"


def test_an_estimate_claims_nothing_and_has_intervals():
    answer, _ = added(lw.Estimate(), lw.by_prediction(POOL))
    assert answer.proof is None
    assert answer.always is not None


def test_one_group_that_holds_all_items_is_the_whole():
    answer, _ = added(lw.Overall(), lw.everything(POOL))
    assert answer.overall_always == pytest.approx((answer.always[0][0], answer.always[1][0]), abs=1e-12)


def test_a_metric_without_a_guarantee_leaves_the_answer_as_it_is():
    answer, _ = added(lw.Worst(lw.recall), lw.by_prediction(POOL))
    assert (answer.proof, answer.always, answer.overall_always) == (None, None, None)
