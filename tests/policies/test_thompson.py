"""Thompson sampling and its relatives: how often each group is chosen."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.metrics import beta_difference_below


def shares(policy, question, belief, n=20_000, seed=1):
    rng = np.random.default_rng(seed)
    n_open = np.full(belief.n_groups, 5)
    picks = [g for _ in range(n) for g in policy.choose(belief, question, n_open, rng=rng)]
    return np.bincount(picks, minlength=belief.n_groups) / n


def test_thompson_asks_a_group_as_often_as_it_is_believed_to_be_the_worst():
    belief = lw.beliefs.BetaBelief.from_counts([66, 60], [100, 100])
    exact = beta_difference_below(67, 35, 61, 41, 0.0)
    found = shares(lw.Thompson(), lw.Worst(), belief)
    assert found[0] == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 20_000))


def test_top_two_spends_half_on_the_challenger():
    """With two groups: the leader is asked if the coin says so, else the other one."""
    belief = lw.beliefs.BetaBelief.from_counts([66, 60], [100, 100])
    found = shares(lw.TopTwo(), lw.Worst(), belief, n=4_000)
    assert found == pytest.approx([0.5, 0.5], abs=5 * np.sqrt(0.25 / 4_000))


def test_top_two_gives_up_redrawing_when_the_leader_is_certain():
    belief = lw.beliefs.BetaBelief.from_counts([10_000, 0, 5_000], [10_000, 10_000, 10_000])
    found = shares(lw.TopTwo(), lw.Worst(), belief, n=200)
    assert found[1] + found[2] == 1  # the runner-up is the second worst, never the best


def test_multiple_play_asks_different_groups_at_once():
    belief = lw.beliefs.BetaBelief.from_counts([5, 5, 5, 5], [10] * 4)
    chosen = lw.policies.MultiplePlay().choose(
        belief, lw.Worst(m=3), np.array([1, 1, 0, 1]), rng=np.random.default_rng(2)
    )
    assert sorted(chosen) == [0, 1, 3]
