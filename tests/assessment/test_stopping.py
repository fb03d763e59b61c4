"""Stopping rules: met and not met, in words, alone and together."""

import numpy as np
import pytest

import labelwise as lw


def answer(hits=(90, 50), labels=(100, 100)):
    belief = lw.BetaBelief.from_counts(hits, labels, names=["cat", "dog"])
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


def test_an_estimate_is_never_right_or_wrong():
    belief = lw.BetaBelief.from_counts([1], [2])
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
