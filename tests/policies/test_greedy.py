"""Greedy policies: certain choices, and how often chance steps in."""

import numpy as np
import pytest

import labelwise as lw


def test_greedy_always_asks_the_group_that_looks_worst():
    belief = lw.beliefs.BetaBelief.from_counts([9, 3, 5], [10, 10, 10])
    assert lw.policies.Greedy().choose(belief, lw.Worst(), np.ones(3, int), rng=np.random.default_rng(1)) == (1,)


def test_epsilon_is_how_often_a_random_group_is_asked():
    belief = lw.beliefs.BetaBelief.from_counts([9, 3, 5], [10, 10, 10])
    rng = np.random.default_rng(2)
    picks = [
        lw.policies.EpsilonGreedy(0.3).choose(belief, lw.Worst(), np.ones(3, int), rng=rng)[0] for _ in range(10_000)
    ]
    assert np.mean(np.array(picks) != 1) == pytest.approx(0.2, abs=5 * np.sqrt(0.2 * 0.8 / 10_000))


def test_the_upper_bound_prefers_what_it_does_not_know():
    belief = lw.beliefs.BetaBelief.from_counts([50, 1], [100, 2])
    assert lw.policies.BayesianUpperBound().choose(
        belief, lw.Worst(), np.ones(2, int), rng=np.random.default_rng(3)
    ) == (1,)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: lw.policies.EpsilonGreedy(1.5), "`epsilon` must lie between 0 and 1 inclusive, but is 1.5."),
        (lambda: lw.policies.BayesianUpperBound(0.4), "`level` must lie between 0.5 and 1, but is 0.4."),
    ],
)
def test_parameters_out_of_range_are_refused(make, sentence):
    with pytest.raises(lw.ArgumentError) as refusal:
        make()
    assert str(refusal.value) == sentence
