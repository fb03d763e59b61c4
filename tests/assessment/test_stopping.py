"""Stopping rules: met and not met, in words, alone and together."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.assessment import stopping


def answer(hits=(90, 50), labels=(100, 100)):
    belief = lw.beliefs.BetaBelief.from_counts(hits, labels, names=["cat", "dog"])
    return lw.Worst().answer(belief, rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    ("rule", "is_met", "words"),
    [
        (lw.Budget(30), True, "40 of 30 labels spent"),
        (lw.Budget(50), False, "40 of 50 labels spent"),
        (lw.Sure(0.95), True, "P(dog is the worst in accuracy) = 1.000 >= 0.95"),
        (lw.Width(0.25), True, "the widest interval is 0.19"),
        (lw.Width(0.05), False, "wide, > 0.05"),
        (lw.Width(0.16, "mean"), True, "intervals are on average 0.15"),
        (lw.Price(0.1), True, "the best further label gains 0.01, < 0.1"),
        (lw.Price(0.001), False, ">= 0.001"),
        (lw.AnyOf((lw.Budget(50), lw.Sure())), True, "= 1.000 >= 0.95"),
        (lw.AnyOf((lw.Budget(50), lw.Width(0.05))), False, "40 of 50 labels spent; the widest"),
        (lw.AllOf((lw.Budget(50), lw.Sure())), False, "40 of 50 labels spent"),
        (lw.AllOf((lw.Budget(30), lw.Sure())), True, "40 of 30 labels spent; P(dog"),
    ],
)
def test_rules_say_whether_they_are_met_and_how_they_stand(rule, is_met, words):
    verdict = rule.judge(answer(), 40, 0.01)
    assert verdict.is_met is is_met
    assert words in verdict.sentence


def test_a_prior_alone_does_not_end_an_assessment():
    verdict = lw.Sure(0.95).judge(answer(), 0, None)
    assert not verdict.is_met
    assert verdict.sentence == (
        "P(dog is the worst in accuracy) = 1.000, but by the prior alone: no label has been told"
    )


def test_an_estimate_is_never_right_or_wrong():
    belief = lw.beliefs.BetaBelief.from_counts([1], [2])
    estimate = lw.Estimate().answer(belief, rng=np.random.default_rng(1))
    with pytest.raises(lw.UnanswerableError) as refusal:
        lw.Sure().judge(estimate, 2, 0.0)
    assert str(refusal.value) == "An estimate is not right or wrong; stop it by width or budget."


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: lw.Budget(0), "`n_labels` must be a whole number of at least 1, but is 0."),
        (lambda: lw.Sure(1.0), "`probability` must lie between 0 and 1, but is 1.0."),
        (lambda: lw.Width(0), "`width` must be a number above 0, but is 0."),
        (lambda: lw.Width(0.1, "some"), "`which` must be one of 'every', 'mean', 'overall', but is 'some'."),
    ],
)
def test_rules_that_make_no_sense_are_refused(make, sentence):
    with pytest.raises(lw.ArgumentError) as refusal:
        make()
    assert str(refusal.value) == sentence


def test_the_overall_interval_can_be_what_stops():
    pool = lw.pool_from_arrays(predicted=[0, 1] * 50)
    question = lw.Estimate()
    belief = question.start(lw.by_prediction(pool)).update(np.arange(80), np.zeros(80, int))
    answer = question.answer(belief, rng=np.random.default_rng(1))
    width = float(answer.overall.high[0] - answer.overall.low[0])
    assert lw.Width(width + 1e-9, "overall").judge(answer, 80, 0.0).is_met
    assert not lw.Width(width - 1e-9, "overall").judge(answer, 80, 0.0).is_met
    assert lw.Width(0.5, "overall").judge(answer, 80, 0.0).sentence.startswith("the overall interval is 0.")


def test_a_question_without_an_overall_value_cannot_stop_by_it(refusal):
    pool = lw.pool_from_arrays(predicted=[0, 1] * 50)
    question = lw.Worst()
    answer = question.answer(question.start(lw.by_prediction(pool)), rng=np.random.default_rng(1))
    assert refusal(lw.UnanswerableError, lw.Width(0.1, "overall").judge, answer, 0, 0.0) == (
        "This question has no accuracy of the whole pool. Estimate accuracy, bias, ECE or cost, or stop by another "
        "rule."
    )


def test_rules_say_what_they_wait_for():
    rule = lw.AnyOf((lw.Sure(0.9), lw.AllOf((lw.Width(0.1, "overall"), lw.Budget(1_000))), lw.Price(0.5)))
    assert str(rule) == (
        "the answer is believed with probability 0.9 or the overall interval is at most 0.1 wide and 1,000 labels are "
        "spent or the best further label gains less than 0.5"
    )


def test_groups_without_items_hold_nothing_up():
    pool = lw.pool_from_arrays(predicted=[0, 1] * 50, classes=["cat", "dog", "emu"])
    question = lw.Estimate()
    belief = question.start(lw.by_prediction(pool)).update(np.arange(100), np.zeros(100, int))
    answer = question.answer(belief, target="pool", rng=np.random.default_rng(1))
    assert lw.Width(1e-9).judge(answer, 100, 0.0).is_met
    assert lw.Width(1e-9, "mean").judge(answer, 100, 0.0).is_met
    assert "accuracy of 2 groups" in answer.sentence


def test_a_price_is_held_against_what_a_label_is_worth():
    pool = lw.pool_from_arrays(predicted=[0, 1] * 50)
    groups = lw.by_prediction(pool)
    question = lw.Compare("0", "1")
    start = question.start(groups)
    worth = stopping.best_gain(question, start, groups.n_items, "population")
    assert 0 < worth < 0.2  # how much surer the verdict is expected to be, not how sure it is
    late = start.update(np.arange(100), np.zeros(100, int))
    assert stopping.best_gain(question, late, groups.n_items, "population") < 1e-6
    assert stopping.best_gain(question, start, np.zeros(2, int), "population") == 0.0


def test_a_price_about_the_pool_knows_what_little_is_left_to_gain():
    pool = lw.pool_from_arrays(predicted=[0] * 100, classes=[0, 1])
    groups, question = lw.by_prediction(pool), lw.Estimate()
    belief = question.start(groups).update(np.arange(99), np.arange(99) % 2)
    new, left = (stopping.best_gain(question, belief, groups.n_items, target) for target in ("population", "pool"))
    assert new == pytest.approx(0.25 / 102**2, rel=0.05)  # the variance falls from 1/4 / 102 to 1/4 / 103
    assert left == pytest.approx(0.25 / 100**2, rel=0.05)  # the one item that is left is all the variance


def test_the_worst_group_has_no_price(refusal):
    pool = lw.pool_from_arrays(predicted=[0, 1] * 50)
    sentence = refusal(
        lw.UnanswerableError,
        lw.Assessment,
        pool,
        lw.by_prediction(pool),
        question=lw.Worst(),
        seed=1,
        stop=lw.Price(0.1),
    )
    assert sentence.startswith("Which groups are the worst or best has no price a label")


@pytest.mark.parametrize(
    ("rule", "gauge", "budget"),
    [
        (lw.Budget(50), ("labels", 40, 50), 50),
        (lw.Sure(0.9), ("probability", 1.0, 0.9), None),
        (lw.Width(0.25), ("width", 0.19, 0.25), None),
        (lw.Price(0.1), None, None),
        (lw.AnyOf((lw.Price(0.1), lw.Budget(50), lw.AnyOf((lw.Sure(0.9), lw.Budget(30))))), ("labels", 40, 50), 30),
        (lw.AllOf((lw.Sure(0.9), lw.Budget(50))), ("probability", 1.0, 0.9), None),
    ],
    ids=str,
)
def test_rules_name_the_number_that_they_look_at_and_their_budget(rule, gauge, budget):
    found = rule.gauge(answer(), 40)
    if gauge is None:
        assert found is None
    else:
        assert (found.name, found.goal) == (gauge[0], gauge[2])
        assert found.value == pytest.approx(gauge[1], abs=0.01)
    assert rule.budget == budget


def test_joined_rules_list_their_parts():
    first, second, third = lw.Sure(), lw.Budget(9), lw.Width(0.1)
    assert lw.AnyOf((first, lw.AllOf((second, third)))).parts == (first, second, third)
    assert first.parts == (first,)
