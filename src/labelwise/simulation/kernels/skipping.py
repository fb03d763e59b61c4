"""Thompson sampling with one Beta a group by exact skip-ahead: the same law as step by step, in far fewer draws.

While a group is not labelled its draws are independent and alike, so the number of steps until its gain next beats a
threshold is geometric. A calendar holds those steps, and at each step only groups that fire can win.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.beta import noted
from labelwise.simulation.kernels.choice import closed, opened
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.event_wheel import N_SLOTS, NEVER, put, put_due, scale_of, take_out
from labelwise.simulation.kernels.gain import N_CONSTANTS, RANK, drawn_gain, set_constants
from labelwise.simulation.kernels.generator import State, below, seeded
from labelwise.simulation.kernels.incomplete import log_beta
from labelwise.simulation.kernels.threshold import (
    CHANCE,
    FEW,
    LOG_BETA,
    MOST,
    SCALE,
    highest_mean,
    losing_gain,
    move_chance,
    retuned,
    set_chance,
    top_constant,
    winning_gain,
)

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
PATIENCE = 32  # plain steps after a search that found no threshold, doubled at each failure
LONGEST = 1024
FEWEST = 24  # with fewer open groups, plain steps are quicker


@inlined
def fits(total: float, target: float, constants: _Floats, top: int, tau: float) -> bool:
    """Return whether a threshold is beaten by a number of groups that is worth the calendar."""
    return total <= MOST * target and (total >= FEW * target or (top >= 0 and constants[top, 6] > tau))


@compiled
def _plain_choice(constants: _Floats, open_groups: _Counts, n_open: int, state: State) -> tuple[int, State]:
    """Draw every open group, and give the one with the largest gain."""
    best, pick = -math.inf, open_groups[0]
    for i in range(n_open):
        gain, state = drawn_gain(constants, open_groups[i], state)
        if gain > best:
            best, pick = gain, open_groups[i]
    return pick, state


@compiled
def _choice_of_losers(
    firing: _Floats, constants: _Floats, a: _Floats, b: _Floats, open_groups: _Counts, n_open: int, state: State
) -> tuple[int, State]:
    """Return the largest gain when no group beats the threshold."""
    best, pick = -math.inf, open_groups[0]
    for i in range(n_open):
        g = open_groups[i]
        gain, state = losing_gain(firing, constants, g, a[g], b[g], state)
        if gain > best:
            best, pick = gain, g
    return pick, state


@compiled
def reset_calendar(
    firing: _Floats,
    slots: _Counts,
    entries: _Counts,
    open_groups: _Counts,
    n_open: int,
    now: int,
    end: int,
    state: State,
) -> State:
    """Start the calendar anew: what was known about the future belonged to another threshold."""
    for slot in range(len(slots)):
        slots[slot] = NEVER
    for g in range(len(entries)):
        entries[g, 0] = NEVER
    for i in range(n_open):
        g = open_groups[i]
        firing[g, SCALE] = scale_of(firing[g, CHANCE])
        state = put(slots, entries, g, firing[g, SCALE], now, end, state)
    return state


@compiled
def simulate_thompson(
    goal: int,
    sizes: _Counts,
    hits: _Counts,
    prior_a: _Floats,
    prior_b: _Floats,
    weight: _Floats,
    offset: _Floats,
    budget: int,
    at: _Counts,
    seeds: NDArray[np.uint64],
    out_hits: NDArray[np.int32],
    out_labels: NDArray[np.int32],
    fewest: int,
) -> None:
    """Do what `simulate_beta` does for THOMPSON with RANK or ESTIMATE, in law; quicker from some 50 groups on.

    Parameters are those of `simulate_beta`; `fewest` is the number of open groups below which it takes plain steps
    (`FEWEST` is a good one).
    """
    n_groups = len(sizes)
    constants, firing = np.empty((n_groups, N_CONSTANTS)), np.zeros((n_groups, 5))
    left, hits_left = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64)
    got_hits, got = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64)
    open_groups, fired = np.empty(n_groups, np.int64), np.empty(n_groups + 1, np.int64)
    slots, entries = np.empty(N_SLOTS, np.int64), np.empty((n_groups, 3), np.int64)
    a, b = np.empty(n_groups), np.empty(n_groups)
    for run in range(len(seeds)):
        state = seeded(seeds[run])
        n_left = 0
        for g in range(n_groups):
            left[g], hits_left[g], got_hits[g], got[g] = sizes[g], hits[g], 0, 0
            a[g], b[g] = prior_a[g], prior_b[g]
            n_left += left[g]
            set_constants(constants, g, goal, a[g], b[g], weight[g], offset[g])
            firing[g, LOG_BETA] = log_beta(a[g], b[g])
        n_open = opened(left, open_groups)
        now, end = 0, min(budget, n_left)
        seen = noted(0, 0, at, run, got_hits, got, out_hits, out_labels)
        tau = highest_mean(constants, a, b, open_groups, n_open)
        total, patience, plain_until, tuned, pace = 0.0, PATIENCE, 0, False, 1.0
        top = top_constant(constants, open_groups, n_open)
        while now < end:
            if n_open < fewest:
                tuned, plain_until = False, end
            # about this many should fire: fewer cost draws of all groups, more cost truncated draws
            target = math.log(0.3 * n_open + 2)
            if now >= plain_until and not (tuned and fits(total, target, constants, top, tau)):
                tau, total, pace = retuned(
                    firing, constants, a, b, open_groups, n_open, tau, target, top, total if tuned else 0.0, pace
                )
                tuned = fits(total, target, constants, top, tau)
                if tuned:
                    patience = PATIENCE
                    state = reset_calendar(firing, slots, entries, open_groups, n_open, now, end, state)
                else:
                    plain_until = now + patience
                    patience = min(2 * patience, LONGEST)
            now += 1
            if tuned:
                n_fired = put_due(slots, entries, now, fired)
                if top >= 0 and constants[top, 6] > tau:
                    fired[n_fired] = top
                    n_fired += 1
                if n_fired == 0:
                    pick, state = _choice_of_losers(firing, constants, a, b, open_groups, n_open, state)
                elif n_fired == 1:
                    pick = fired[0]
                else:
                    best, pick = -math.inf, fired[0]
                    for i in range(n_fired):
                        g = fired[i]
                        gain, state = winning_gain(firing, constants, g, a[g], b[g], state)
                        if gain > best or (gain == best and g < pick):
                            best, pick = gain, g
                    for i in range(n_fired):
                        g = fired[i]
                        if g != pick and g != top:
                            take_out(slots, entries, g)
                            state = put(slots, entries, g, firing[g, SCALE], now, end, state)
                take_out(slots, entries, pick)
            else:
                pick, state = _plain_choice(constants, open_groups, n_open, state)
            g = pick
            place, state = below(left[g], state)
            hit = place < hits_left[g]
            old_a, old_b = a[g], b[g]
            if hit:
                hits_left[g] -= 1
                got_hits[g] += 1
                a[g] = prior_a[g] + got_hits[g]
            left[g] -= 1
            got[g] += 1
            b[g] = prior_b[g] + (got[g] - got_hits[g])
            set_constants(constants, g, goal, a[g], b[g], weight[g], offset[g])
            firing[g, LOG_BETA] += math.log((old_a if hit else old_b) / (old_a + old_b))
            if left[g] == 0:
                n_open = closed(g, open_groups, n_open)
            if g == top or constants[g, 7] == 0:
                top = top_constant(constants, open_groups, n_open)
            if tuned:
                total -= firing[g, CHANCE]
                if left[g] > 0:
                    if goal == RANK:
                        move_chance(firing, constants, g, old_a, old_b, hit, tau)
                    else:
                        set_chance(firing, constants, g, a[g], b[g], tau)
                    total += firing[g, CHANCE]
                    firing[g, SCALE] = scale_of(firing[g, CHANCE])
                    state = put(slots, entries, g, firing[g, SCALE], now, end, state)
            seen = noted(now, seen, at, run, got_hits, got, out_hits, out_labels)
        while seen < len(at):
            seen = noted(at[seen], seen, at, run, got_hits, got, out_hits, out_labels)
