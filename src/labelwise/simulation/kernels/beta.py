"""Whole assessments with one Beta per group, step by step: every policy; worst, best, estimate and compare.

Items of a group come in random order, so a group is an urn, described by its remaining hits and items.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.choice import (
    BORDER,
    MULTIPLE_PLAY,
    RANDOM_GROUP,
    RANDOM_ITEM,
    UPPER_BOUND,
    blind,
    closed,
    is_started,
    judge,
    judge_sets,
    leader,
    opened,
    put_leaders,
)
from labelwise.simulation.kernels.compare import copy_pair, move_pair, pair_lines, start_pair
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.gain import COMPARE, N_CONSTANTS, drawn_gain, mean_gain, set_constants, upper_gain
from labelwise.simulation.kernels.generator import below, seeded
from labelwise.simulation.kernels.rope import is_smooth, n_nodes

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_ALIKE = 1e8  # gains by quadrature are rounded to multiples of 1 / _ALIKE, so that equal ones tie


@inlined
def still_gain(constants: _Floats, g: int, policy: int, parameter: float, a: float, b: float) -> float:
    """Return the gain for a policy without draws: its upper quantile, or its value at the mean."""
    if policy == UPPER_BOUND:
        return upper_gain(constants[g, 6], constants[g, 7], a, b, parameter)
    return mean_gain(constants[g, 6], constants[g, 7], a, b)


@compiled
def set_pair(
    constants: _Floats,
    gains: _Floats,
    grids: _Floats,
    edges: _Counts,
    tails: _Floats,
    a: _Floats,
    b: _Floats,
    one: int,
    other: int,
    margin: float,
    policy: int,
    parameter: float,
) -> None:
    """Update the gains of the two compared groups after the belief about either has changed."""
    lines = pair_lines(grids, edges, tails, a[one], b[one], a[other], b[other], margin)
    constants[one, 6], constants[one, 7], constants[other, 6], constants[other, 7] = lines
    if policy > MULTIPLE_PLAY:
        # at the mean both gains are equal unless a label can change the verdict: rounding must not break the tie
        gains[one] = round(still_gain(constants, one, policy, parameter, a[one], b[one]) * _ALIKE) / _ALIKE
        gains[other] = round(still_gain(constants, other, policy, parameter, a[other], b[other]) * _ALIKE) / _ALIKE


@inlined
def noted(
    n_told: int,
    seen: int,
    at: _Counts,
    run: int,
    hits: _Counts,
    labels: _Counts,
    out_hits: NDArray[np.int32],
    out_labels: NDArray[np.int32],
) -> int:
    """Write the counts of all snapshots due after `n_told` labels, and return how many are written so far."""
    while seen < len(at) and at[seen] <= n_told:
        for g in range(len(hits)):
            out_hits[run, seen, g] = hits[g]
            out_labels[run, seen, g] = labels[g]
        seen += 1
    return seen


@compiled
def simulate_beta(
    policy: int,
    goal: int,
    sizes: _Counts,
    hits: _Counts,
    prior_a: _Floats,
    prior_b: _Floats,
    weight: _Floats,
    offset: _Floats,
    m: int,
    parameter: float,
    one: int,
    other: int,
    margin: float,
    budget: int,
    at: _Counts,
    seeds: NDArray[np.uint64],
    out_hits: NDArray[np.int32],
    out_labels: NDArray[np.int32],
) -> None:
    """Simulate one assessment per seed, and write hits and labels of each group after `at` labels.

    A run ends at the budget or when every item is labelled; snapshots beyond its end hold its last counts.

    Parameters
    ----------
    policy : a code of `POLICY_CODES`.
    goal : RANK (gain = weight * theta + offset), ESTIMATE (weight * expected reduction of the variance) or COMPARE
        (expected probability of the most probable verdict; only the two groups are asked).
    sizes, hits : items and hits of each group in the pool; a group of size zero is never asked.
    prior_a, prior_b : the prior of each group.
    weight, offset : of the gain; -1 and 0 to find the least accurate group, -1 and the mean confidence to find the
        largest calibration bias, the share of the pool to estimate.
    m : number of groups that multiple-play asks at once, and that border looks for.
    parameter : epsilon of epsilon-greedy, level of upper-bound, labels per group that border chooses at random first.
    one, other, margin : for COMPARE, the two groups, and the difference up to which they count as equal.
    budget : maximum number of labels.
    at : increasing label counts of the snapshots.
    seeds : one per run.
    out_hits, out_labels : output, shape (n_runs, n_snapshots, n_groups).
    """
    n_groups = len(sizes)
    constants, gains = np.empty((n_groups, N_CONSTANTS)), np.empty(n_groups)
    left, hits_left = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64)
    got_hits, got = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64)
    open_groups, plays = np.empty(n_groups, np.int64), np.empty(max(m, 1), np.int64)
    all_groups, side = np.empty(n_groups, np.int64), np.zeros(n_groups, np.int64)
    n_all = opened(sizes, all_groups)
    draws = policy <= MULTIPLE_PLAY
    compares = goal == COMPARE and policy > RANDOM_GROUP
    a, b = prior_a.copy(), prior_b.copy()
    total = max(a[one] + b[one] + sizes[one], a[other] + b[other] + sizes[other])
    grids = np.empty((2, 7, n_nodes(total) if compares else 1))
    edges, tails = np.zeros((2, 2), np.int64), np.zeros(2)
    starts_smooth = compares and is_smooth(a[one], b[one], a[other], b[other])
    if starts_smooth:  # every run starts from the same integrals
        start_pair(grids, edges, tails, a[one], b[one], a[other], b[other], margin)
    first_grids, first_edges, first_tails = grids.copy(), edges.copy(), tails.copy()
    for run in range(len(seeds)):
        state = seeded(seeds[run])
        n_left = 0
        for g in range(n_groups):
            left[g] = sizes[g] if goal != COMPARE or g in (one, other) else 0
            hits_left[g], got_hits[g], got[g], a[g], b[g] = hits[g], 0, 0, prior_a[g], prior_b[g]
            n_left += left[g]
            set_constants(constants, g, goal, a[g], b[g], weight[g], offset[g])
            if not draws and not compares:
                gains[g] = still_gain(constants, g, policy, parameter, a[g], b[g])
        if compares:
            followed = starts_smooth
            copy_pair(first_grids, first_edges, first_tails, grids, edges, tails)
            set_pair(constants, gains, grids, edges, tails, a, b, one, other, margin, policy, parameter)
        n_open = opened(left, open_groups)
        n_told, end = 0, min(budget, n_left)
        seen = noted(0, 0, at, run, got_hits, got, out_hits, out_labels)
        while n_told < end:
            n_plays = 1
            explorer = policy if is_started(policy, parameter, n_told, n_all) else RANDOM_ITEM
            pick, state = blind(explorer, parameter, left, n_left, open_groups, n_open, state)
            if pick < 0 and not draws:
                pick = leader(gains, open_groups, n_open, -1)
            first, redraws = -1, 0
            while pick < 0:
                if policy == BORDER:  # groups without open items count as members of a set
                    for i in range(n_all):
                        gains[all_groups[i]], state = drawn_gain(constants, all_groups[i], state)
                    pick, state = judge_sets(gains, all_groups, n_all, m, left, plays, side, redraws, state)
                    redraws += 1
                    continue
                for i in range(n_open):
                    g = open_groups[i]
                    gains[g], state = drawn_gain(constants, g, state)
                if policy == MULTIPLE_PLAY:
                    n_plays = put_leaders(gains, open_groups, n_open, m, plays)
                    break
                pick, first, state = judge(policy, gains, open_groups, n_open, first, redraws, state)
                redraws += 1
            for play in range(min(n_plays, end - n_told)):
                g = plays[play] if policy == MULTIPLE_PLAY else pick
                place, state = below(left[g], state)
                hit = place < hits_left[g]
                if compares and followed:
                    move_pair(grids, edges, tails, g == one, hit, a[g], b[g], margin)
                if hit:
                    hits_left[g] -= 1
                    got_hits[g] += 1
                    a[g] = prior_a[g] + got_hits[g]
                left[g] -= 1
                got[g] += 1
                b[g] = prior_b[g] + (got[g] - got_hits[g])
                n_left -= 1
                n_told += 1
                if left[g] == 0:
                    n_open = closed(g, open_groups, n_open)
                set_constants(constants, g, goal, a[g], b[g], weight[g], offset[g])
                if compares:
                    if not followed and is_smooth(a[one], b[one], a[other], b[other]):
                        followed = True
                        start_pair(grids, edges, tails, a[one], b[one], a[other], b[other], margin)
                    set_pair(constants, gains, grids, edges, tails, a, b, one, other, margin, policy, parameter)
                elif not draws:
                    gains[g] = still_gain(constants, g, policy, parameter, a[g], b[g])
                seen = noted(n_told, seen, at, run, got_hits, got, out_hits, out_labels)
        while seen < len(at):
            seen = noted(at[seen], seen, at, run, got_hits, got, out_hits, out_labels)
