"""Choosing from gains, against the package's own policies."""

import numpy as np
import pytest

from labelwise.policies.policy import leader as slow_leader
from labelwise.simulation.kernels import choice
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.generator import seeded

GAINS = [
    [0.3, 0.9, 0.9, 0.1, 0.5],
    [np.nan, -np.inf, -np.inf, np.nan, -np.inf],
    [0.3, np.nan, 0.2, np.inf, 0.3],
    [1.0, 1.0, 1.0, 1.0, 1.0],
]
LEFT = [[3, 1, 4, 1, 5], [0, 2, 0, 2, 1], [0, 0, 0, 0, 7]]


def opened(left):
    left, places = np.array(left), np.empty(5, np.int64)
    return places, choice.opened(left, places)


@pytest.mark.parametrize("gains", GAINS)
@pytest.mark.parametrize("left", LEFT)
def test_the_leader_is_that_of_the_policies(gains, left):
    places, n_open = opened(left)
    gains = np.array(gains)
    expected = slow_leader(gains, np.flatnonzero(left))
    assert choice.leader(gains, places, n_open, -1) == expected
    if n_open > 1:
        rest = np.flatnonzero(left)
        assert choice.leader(gains, places, n_open, expected) == slow_leader(gains, rest[rest != expected])


@pytest.mark.parametrize("gains", GAINS)
@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize("m", [1, 2, 4])
def test_leaders_are_in_stable_order(gains, left, m):
    places, n_open = opened(left)
    clean = np.nan_to_num(np.array(gains), nan=-np.inf, posinf=np.inf, neginf=-np.inf)
    order = [int(g) for g in np.argsort(-clean, kind="stable") if left[g] > 0][:m]
    plays = np.full(m, -1)
    assert choice.put_leaders(clean.copy(), places, n_open, m, plays) == len(order)
    assert plays[: len(order)].tolist() == order
    # the same when groups come in another order
    kept, found, n_plays = np.zeros(5), np.full(m, -1), 0
    for g in reversed(places[:n_open].tolist()):
        n_plays = choice.offer(g, clean[g], kept, found, n_plays, m)
    assert found[:n_plays].tolist() == order


def test_a_closed_group_leaves_the_others_in_order():
    places, n_open = opened([3, 1, 4, 1, 5])
    assert choice.closed(2, places, n_open) == 4
    assert places[:4].tolist() == [0, 1, 3, 4]


def test_keys_are_ordered_from_the_largest():
    order = np.empty(4, np.int64)
    choice.put_order(np.array([1.0, 3.0, 3.0, 2.0]), order)
    assert order.tolist() == [1, 2, 3, 0]


def test_codes_are_the_names_of_the_policies():
    import labelwise as lw

    names = {
        policy.name
        for policy in (
            lw.RandomItem,
            lw.policies.RandomGroup,
            lw.Thompson,
            lw.TopTwo,
            lw.policies.Border,
            lw.policies.MultiplePlay,
        )
    }
    names |= {policy.name for policy in (lw.policies.EpsilonGreedy, lw.policies.BayesianUpperBound, lw.policies.Greedy)}
    assert set(choice.POLICY_CODES) == names
    assert sorted(choice.POLICY_CODES.values()) == list(range(9))


@compiled
def _blind_choices(policy, epsilon, left, places, n_open, n):
    out, state = np.empty(n, np.int64), seeded(np.uint64(5))
    for i in range(n):
        out[i], state = choice.blind(policy, epsilon, left, left.sum(), places, n_open, state)
    return out


def test_blind_choices_go_by_items_or_by_groups():
    left = np.array([0, 6, 0, 3, 1])
    places, n_open = opened(left)
    by_item = np.bincount(_blind_choices(choice.RANDOM_ITEM, 0.1, left, places, n_open, 60_000), minlength=5)
    by_group = np.bincount(_blind_choices(choice.RANDOM_GROUP, 0.1, left, places, n_open, 60_000), minlength=5)
    # five standard errors
    assert np.abs(by_item / 60_000 - left / 10).max() < 5 * 0.5 / 60_000**0.5
    assert np.abs(by_group / 60_000 - (left > 0) / 3).max() < 5 * 0.5 / 60_000**0.5
    greedy = _blind_choices(choice.EPSILON_GREEDY, 0.25, left, places, n_open, 60_000)
    assert abs((greedy < 0).mean() - 0.75) < 5 * 0.5 / 60_000**0.5


def test_top_two_takes_the_runner_up_after_the_last_redraw():
    places, n_open = opened([1, 1, 1, 1, 1])
    state = seeded(np.uint64(1))
    gains = np.array([0.1, 0.9, 0.8, 0.0, 0.2])
    assert choice.judge(choice.TOP_TWO, gains, places, n_open, 1, 99, state)[0] == -1
    assert choice.judge(choice.TOP_TWO, gains, places, n_open, 1, 100, state)[0] == 2
    assert choice.judge(choice.TOP_TWO, gains, places, n_open, 2, 1, state)[0] == 1
    assert choice.judge_leaders(choice.TOP_TWO, np.array([1, 2]), n_open, 1, 100, state)[0] == 2
    assert choice.n_wanted(choice.TOP_TWO, 1, 100) == 2
    assert choice.n_wanted(choice.TOP_TWO, 1, 99) == 1
    assert choice.n_wanted(choice.MULTIPLE_PLAY, 5, 0) == 5


@compiled
def _set_choices(draws, redraws, m, left, n):
    """Choose n times from the draws of every group, one per row; the last one decides."""
    n_groups = draws.shape[1]
    groups, plays, side = np.arange(n_groups), np.empty(m, np.int64), np.empty(n_groups, np.int64)
    out, state, pick = np.empty(n, np.int64), seeded(np.uint64(3)), np.int64(-1)
    for i in range(n):
        for k in range(len(draws)):
            pick, state = choice.judge_sets(draws[k], groups, n_groups, m, left, plays, side, redraws[k], state)
        out[i] = pick
    return out


FIRST, SECOND = [0.9, 0.8, 0.7, 0.1, 0.0], [0.9, 0.7, 0.8, 0.1, 0.0]


@pytest.mark.parametrize(
    ("draws", "redraws", "left", "picks"),
    [
        ([FIRST], [0], [1, 1, 1, 1, 1], {-1}),
        ([FIRST, FIRST], [0, 1], [1, 1, 1, 1, 1], {-1}),
        ([FIRST, SECOND], [0, 1], [1, 1, 1, 1, 1], {1, 2}),
        ([FIRST, FIRST, SECOND], [0, 1, 2], [1, 0, 1, 1, 1], {2}),
        ([FIRST, SECOND], [0, 1], [1, 0, 0, 1, 1], {-1}),
        ([FIRST, FIRST], [0, choice.REDRAWS], [1, 1, 1, 1, 1], {1, 2}),
        ([FIRST, FIRST], [0, choice.REDRAWS], [1, 0, 0, 1, 1], {0, 3}),
        ([FIRST, FIRST], [0, choice.REDRAWS], [0, 0, 0, 1, 1], {3}),
    ],
)
def test_a_set_is_asked_at_its_border(draws, redraws, left, picks):
    assert set(_set_choices(np.array(draws), np.array(redraws), 2, np.array(left), 100).tolist()) == picks


def test_any_open_group_is_asked_if_all_are_looked_for():
    assert set(_set_choices(np.array([FIRST]), np.array([0]), 5, np.array([1, 0, 1, 1, 0]), 100).tolist()) == {0, 2, 3}
