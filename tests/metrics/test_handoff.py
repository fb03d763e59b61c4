"""Hand-off to a person: exact mean, and what is refused."""

import numpy as np
import pytest

import labelwise as lw


def belief():
    return lw.beliefs.BetaBelief.from_counts(
        [90, 5, 0], [100, 10, 0], n_items=[900, 100, 0], names=["cat", "dog", "emu"]
    )


def test_the_worst_groups_go_to_the_person_and_empty_ones_do_not():
    found = lw.metrics.hand_off(belief(), 1, person_accuracy=0.98, rng=np.random.default_rng(1))
    assert found.groups == ("dog",)
    assert found.share == 0.1
    assert found.after == pytest.approx(0.9 * 91 / 102 + 0.1 * 0.98)
    assert found.low < found.after < found.high


def test_a_person_who_does_everything_decides_the_accuracy():
    found = lw.metrics.hand_off(belief(), 2, person_accuracy=0.97, rng=np.random.default_rng(1))
    assert found.low == found.high == pytest.approx(0.97)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"m": 3}, "`m` must be a whole number from 1 to 2, but is 3."),
        ({"m": 1, "person_accuracy": 1.2}, "`person_accuracy` must lie between 0 and 1 inclusive, but is 1.2."),
    ],
)
def test_impossible_hand_offs_are_refused(arguments, sentence):
    with pytest.raises(lw.ArgumentError) as refusal:
        lw.metrics.hand_off(belief(), rng=np.random.default_rng(1), **arguments)
    assert str(refusal.value) == sentence
