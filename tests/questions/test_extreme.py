"""Worst and Best: direction, probability, ties, refusals."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.metrics import beta_difference_below
from labelwise.testing.worlds import small_pool


def test_low_accuracy_and_high_error_are_both_bad():
    belief = lw.beliefs.BetaBelief.from_counts([90, 10], [100, 100])
    assert np.argmax(lw.Worst(lw.accuracy).mean_gains(belief)) == 1
    assert np.argmax(lw.Best(lw.accuracy).mean_gains(belief)) == 0


@pytest.mark.parametrize(("question", "name"), [(lw.Worst(), "b"), (lw.Best(), "a")])
def test_the_probability_is_that_of_the_quadrature_for_two_groups(question, name):
    belief = lw.beliefs.BetaBelief.from_counts([66, 60], [100, 100], names=["a", "b"])
    answer = question.answer(belief, n_draws=100_000, rng=np.random.default_rng(1))
    exact = 1 - beta_difference_below(67, 35, 61, 41, 0.0)
    assert answer.named == (name,)
    assert answer.probability == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 100_000))
    assert answer.tied == tuple({"a", "b"} - {name})


def test_several_groups_are_named_together_and_the_boundary_decides_the_tie():
    belief = lw.beliefs.BetaBelief.from_counts([20, 50, 52, 95], [100] * 4, names=list("abcd"))
    answer = lw.Worst(m=2).answer(belief, rng=np.random.default_rng(2))
    assert answer.named == ("a", "b")
    assert answer.tied == ("c",)
    assert answer.sentence.startswith("P(a, b are the worst 2 in accuracy) = 0.6")


def test_a_wholly_labelled_pool_is_certain():
    belief = lw.beliefs.BetaBelief.from_counts([5, 6], [10, 10], n_items=[10, 10], names=["a", "b"])
    answer = lw.Worst().answer(belief, target="pool", rng=np.random.default_rng(3))
    assert answer.probability == 1.0
    assert answer.tied == ()


def test_the_upper_end_of_a_bad_accuracy_is_its_low_end():
    belief = lw.beliefs.BetaBelief.from_counts([5, 50], [10, 100])
    upper = lw.Worst().upper_gains(belief, 0.975)
    assert np.allclose(-upper, belief.interval(0.95)[0])


def test_all_groups_may_be_looked_for():
    belief = lw.beliefs.BetaBelief.from_counts([5, 50], [10, 100])
    assert lw.Worst(m=2).answer(belief, rng=np.random.default_rng(4)).probability == 1.0


def test_more_groups_than_there_are_is_refused():
    with pytest.raises(lw.ArgumentError) as refusal:
        lw.Worst(m=3).start(lw.by_prediction(small_pool()))  # one of the three is empty
    assert str(refusal.value) == "`m` must be a whole number from 1 to 2, but is 3."


def test_doubt_about_a_class_is_sought_where_it_is_predicted():
    """Recall of a true class hangs on the predicted classes that may hide it."""
    pool = lw.pool_from_arrays(predicted=[0] * 90 + [1] * 10, classes=[0, 1])
    question = lw.Worst(lw.recall)
    gains = question.gains(question.start(lw.by_prediction(pool)), rng=np.random.default_rng(5))
    assert gains[0] > gains[1]


def test_a_pool_without_confidences_cannot_be_asked_about_calibration():
    with pytest.raises(lw.UnanswerableError):
        lw.Worst(lw.ece).start(lw.by_prediction(lw.pool_from_arrays(predicted=[0, 1])))
