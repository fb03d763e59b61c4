"""Compare: gains by quadrature, the verdict, refusals."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.metrics import beta_difference_below


def groups():
    pool = lw.pool_from_arrays(predicted=["cat"] * 50 + ["dog"] * 40 + ["emu"] * 9, confidence=[0.8] * 99)
    return lw.by_prediction(pool)


def verdict(one, other, margin=0.05):
    lower = beta_difference_below(*one, *other, -margin)
    higher = 1 - beta_difference_below(*one, *other, margin)
    return max(lower, higher, 1 - lower - higher)


def test_the_gain_is_the_expected_probability_of_the_verdict_after_one_label():
    question = lw.Compare("cat", "dog")
    belief = question.start(groups()).add([10, 5, 0], [15, 12, 0])
    found = question.mean_gains(belief)
    cat, dog = (11.0, 6.0), (6.0, 8.0)
    chance = 11 / 17
    by_hand = chance * verdict((12, 6), dog) + (1 - chance) * verdict((11, 7), dog)
    assert found[0] == pytest.approx(by_hand, abs=1e-8)  # gains are rounded, so that rounding decides nothing
    chance = 6 / 14
    by_hand = chance * verdict(cat, (7, 8)) + (1 - chance) * verdict(cat, (6, 9))
    assert found[1] == pytest.approx(by_hand, abs=1e-8)
    assert found[2] == -np.inf


def test_a_label_never_lowers_the_expected_probability_of_the_verdict():
    question = lw.Compare("cat", "dog")
    belief = question.start(groups()).add([10, 5, 0], [15, 12, 0])
    now = verdict((11, 6), (6, 8))
    assert (question.mean_gains(belief)[:2] >= now - 1e-12).all()


def test_the_answer_speaks_of_the_two_groups_only():
    question = lw.Compare("cat", "dog")
    belief = question.start(groups()).add([40, 5, 0], [45, 12, 0])
    answer = question.answer(belief, rng=np.random.default_rng(1))
    assert answer.posterior.names == ("cat", "dog")
    assert answer.named == ("dog",)
    assert answer.probability == pytest.approx(verdict((41, 6), (6, 8)), abs=1e-9)
    assert "more than 0.05 higher" in answer.sentence


def test_other_metrics_are_compared_too():
    question = lw.Compare("cat", "dog", metric=lw.ece)
    belief = question.start(groups())
    gains = question.gains(belief, rng=np.random.default_rng(1))
    assert np.isfinite(gains[:2]).all()
    assert gains[2] == -np.inf
    assert question.answer(belief, rng=np.random.default_rng(2)).difference.method == "draws"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: lw.Compare("cat", "cat"), "A group cannot be compared with itself ('cat'); name two groups."),
        (lambda: lw.Compare("cat", "dgo").start(groups()), "Group 'dgo' does not exist. Did you mean 'dog'?"),
        (lambda: lw.Compare("a", "b", margin=2), "`margin` must lie between 0 and 1 inclusive, but is 2."),
    ],
)
def test_what_cannot_be_compared_is_refused(make, sentence):
    with pytest.raises(lw.LabelwiseError) as refusal:
        make()
    assert str(refusal.value) == sentence


def test_a_group_without_items_is_refused(refusal):
    pool = lw.pool_from_arrays(predicted=["cat", "dog"], classes=["cat", "dog", "emu"])
    assert refusal(lw.UnanswerableError, lw.Compare("cat", "emu").start, lw.by_prediction(pool)) == (
        "Group 'emu' has no items, so no label can tell anything of it. Compare others."
    )


def test_chance_and_not_the_last_digit_decides_between_groups_that_gain_the_same():
    """While no label can turn the verdict both groups gain the same, up to rounding that depends on the processor."""
    question = lw.Compare("0", "1")
    pool = lw.pool_from_arrays(predicted=[0, 1] * 50)
    belief = question.start(lw.by_prediction(pool))
    rng = np.random.default_rng(1)
    gains = np.array([question.gains(belief, rng=rng) for _ in range(200)])
    assert np.ptp(gains) < 1e-8
    assert 70 < np.sum(gains[:, 0] > gains[:, 1]) < 130  # four standard errors about 100
    first, second = question.mean_gains(belief)
    assert first == second  # exactly: gains are rounded, so that equal groups tie on every machine
