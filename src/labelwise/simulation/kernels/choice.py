"""Compiled policies: how a group is chosen from gains, with the same rules as `labelwise.policies`.

The first `n_open` entries of `open_groups` are the groups with unlabelled items, in increasing order.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.generator import State, Word, below, uniform

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]

RANDOM_ITEM, RANDOM_GROUP, THOMPSON, TOP_TWO, BORDER, MULTIPLE_PLAY, EPSILON_GREEDY, UPPER_BOUND, GREEDY = range(9)
POLICY_CODES = {
    "random-item": RANDOM_ITEM,
    "random-group": RANDOM_GROUP,
    "thompson": THOMPSON,
    "top-two": TOP_TWO,
    "border": BORDER,
    "multiple-play": MULTIPLE_PLAY,
    "epsilon-greedy": EPSILON_GREEDY,
    "upper-bound": UPPER_BOUND,
    "greedy": GREEDY,
}
"""Code of each policy by name."""
BLIND_POLICIES = (RANDOM_ITEM, RANDOM_GROUP)
"""The policies that never use the belief."""
REDRAWS = 100  # as in policies/thompson.py


@inlined
def leader(gains: _Floats, open_groups: _Counts, n_open: int, but: int) -> int:
    """Return the open group with the largest gain other than `but`; ties go to the lowest position."""
    best, pick = -math.inf, -1
    for i in range(n_open):
        g = open_groups[i]
        if g != but and (gains[g] > best or pick < 0):
            pick = g
            # NaN loses against every number
            best = gains[g] if gains[g] == gains[g] else -math.inf
    return pick


@inlined
def put_leaders(gains: _Floats, open_groups: _Counts, n_open: int, m: int, plays: _Counts) -> int:
    """Write the m open groups with the largest gains to `plays`, best first, and return their number."""
    n_plays = 0
    for i in range(n_open):
        g = open_groups[i]
        gain = gains[g] if gains[g] == gains[g] else -math.inf
        if n_plays == m and not gain > gains[plays[m - 1]]:
            continue
        place = n_plays if n_plays < m else m - 1
        n_plays = min(n_plays + 1, m)
        while place > 0 and gain > gains[plays[place - 1]]:
            plays[place] = plays[place - 1]
            place -= 1
        plays[place] = g
    return n_plays


@inlined
def blind(
    policy: int, epsilon: float, left: _Counts, n_left: int, open_groups: _Counts, n_open: int, state: State
) -> tuple[Word, State]:
    """Return a group chosen without gains if the policy explores at this step, otherwise -1."""
    if policy == RANDOM_ITEM:
        place, state = below(n_left, state)
        i = 0
        while place >= left[open_groups[i]]:
            place -= left[open_groups[i]]
            i += 1
        return open_groups[i], state
    if policy == EPSILON_GREEDY:
        u, state = uniform(state)
        if u >= epsilon:
            return np.int64(-1), state
    elif policy != RANDOM_GROUP:
        return np.int64(-1), state
    place, state = below(n_open, state)
    return open_groups[place], state


@inlined
def is_started(policy: int, start: float, n_told: int, n_groups: int) -> bool:
    """Return whether the labels that border chooses at random first are there, `start` per group."""
    return policy != BORDER or n_told >= start * n_groups


@inlined
def judge(
    policy: int, gains: _Floats, open_groups: _Counts, n_open: int, first: Word, redraws: int, state: State
) -> tuple[Word, Word, State]:
    """Choose from the gains of one draw: return the choice, or -1 to request a redraw, and the first draw's leader."""
    pick = leader(gains, open_groups, n_open, -1)
    if policy != TOP_TWO or n_open == 1:
        return pick, first, state
    if redraws == 0:
        u, state = uniform(state)
        return (pick if u < 0.5 else -1), pick, state
    if pick == first:
        pick = leader(gains, open_groups, n_open, first) if redraws == REDRAWS else -1
    return pick, first, state


@inlined
def n_wanted(policy: int, m: int, redraws: int) -> int:
    """Return how many leaders of a draw are needed: top-two needs the runner-up only after its last redraw."""
    if policy == MULTIPLE_PLAY:
        return m
    return 2 if policy == TOP_TWO and redraws == REDRAWS else 1


@inlined
def offer(g: int, gain: float, gains: _Floats, plays: _Counts, n_plays: int, m: int) -> int:
    """Insert group g into the m leaders so far if it belongs there, and return their number; any order will do."""
    gains[g] = gain
    place = n_plays
    while place > 0:
        rival = plays[place - 1]
        if gain < gains[rival] or (gain == gains[rival] and g > rival):
            break
        if place < m:
            plays[place] = rival
        place -= 1
    if place < m:
        plays[place] = g
        return min(n_plays + 1, m)
    return n_plays


@inlined
def judge_leaders(
    policy: int, plays: _Counts, n_open: int, first: Word, redraws: int, state: State
) -> tuple[Word, Word, State]:
    """Choose as `judge` does, from the leaders instead of all gains."""
    pick = plays[0]
    if policy != TOP_TWO or n_open == 1:
        return pick, first, state
    if redraws == 0:
        u, state = uniform(state)
        return (pick if u < 0.5 else np.int64(-1)), pick, state
    if pick == first:
        pick = plays[1] if redraws == REDRAWS else np.int64(-1)
    return pick, first, state


@inlined
def judge_sets(
    gains: _Floats,
    drawn_groups: _Counts,
    n_drawn: int,
    m: int,
    left: _Counts,
    plays: _Counts,
    side: _Counts,
    redraws: int,
    state: State,
) -> tuple[Word, State]:
    """Choose as `policies/border.py` does: return an open group of which two draws disagree, or -1 for a redraw.

    Parameters
    ----------
    gains : of all groups with items, those without open items too; their positions are in `drawn_groups`.
    m : size of the set.
    plays : filled with the leaders of this draw.
    side : per group 1 if it is in the set of the first draw, which this writes if `redraws` is 0; otherwise 0.
    """
    n_plays = put_leaders(gains, drawn_groups, n_drawn, m, plays)
    pick = np.int64(-1)
    if redraws == 0:
        side[:] = 0
        if n_drawn > m:
            for k in range(n_plays):
                side[plays[k]] = 1
            return pick, state
    # if all groups are looked for, there is no border, and none of them is on its first side
    for k in range(n_plays):  # 2 in both sets, 3 in this one alone
        side[plays[k]] = 2 if side[plays[k]] == 1 else 3
    n_contested = 0
    for i in range(n_drawn):
        g = drawn_groups[i]
        n_contested += left[g] > 0 and side[g] % 2 == 1
    if n_contested > 0:
        place, state = below(n_contested, state)
        for i in range(n_drawn):
            g = drawn_groups[i]
            if left[g] > 0 and side[g] % 2 == 1:
                if place == 0:
                    pick = g
                place -= 1
    elif redraws == REDRAWS:  # sure of the set: an open group next to its border, of either side
        u, state = uniform(state)
        member, other = np.int64(-1), np.int64(-1)
        for i in range(n_drawn):
            g = drawn_groups[i]
            if left[g] == 0:
                continue
            if side[g] >= 2 and (member < 0 or gains[g] <= gains[member]):
                member = g
            if side[g] < 2 and (other < 0 or gains[g] > gains[other]):
                other = g
        pick = (member if u < 0.5 else other) if member >= 0 and other >= 0 else max(member, other)
    for i in range(n_drawn):  # the first draw's set again
        g = drawn_groups[i]
        side[g] = 1 if side[g] in (1, 2) else 0
    return pick, state


@compiled
def put_order(keys: _Floats, order: _Counts) -> None:
    """Write the positions sorted by decreasing key to `order`; ties go to the lowest position."""
    for i in range(len(keys)):
        place = i
        while place > 0 and keys[order[place - 1]] < keys[i]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = i


@inlined
def opened(left: _Counts, open_groups: _Counts) -> int:
    """Write the groups with unlabelled items to `open_groups`, and return their number."""
    n_open = 0
    for g in range(len(left)):
        if left[g] > 0:
            open_groups[n_open] = g
            n_open += 1
    return n_open


@inlined
def closed(group: int, open_groups: _Counts, n_open: int) -> int:
    """Remove a group from the open ones, and return how many remain."""
    i = 0
    while open_groups[i] != group:
        i += 1
    for k in range(i, n_open - 1):
        open_groups[k] = open_groups[k + 1]
    return n_open - 1
