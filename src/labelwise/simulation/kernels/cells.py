"""Whole assessments of the expected calibration error by group: one Beta a cell of group and score bin.

A group is an urn over its bins, and each bin over hits and misses. Cells of a group are drawn heaviest first, and no
further once the group can no longer lead: what is not drawn is independent of what was.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.choice import (
    BORDER,
    EPSILON_GREEDY,
    GREEDY,
    MULTIPLE_PLAY,
    RANDOM_GROUP,
    RANDOM_ITEM,
    THOMPSON,
    TOP_TWO,
    UPPER_BOUND,
    blind,
    closed,
    is_started,
    judge_leaders,
    judge_sets,
    leader,
    n_wanted,
    offer,
    opened,
    put_order,
)
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.generator import State, Word, below, beta_of, gamma_constants, seeded
from labelwise.simulation.kernels.incomplete import incomplete
from labelwise.simulation.kernels.upper import RANK_DRAWS, kept, n_kept, upper_of

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]

CELL_POLICIES = (
    RANDOM_ITEM,
    RANDOM_GROUP,
    THOMPSON,
    TOP_TWO,
    BORDER,
    MULTIPLE_PLAY,
    EPSILON_GREEDY,
    UPPER_BOUND,
    GREEDY,
)
"""The policies that `simulate_cells` has."""
WEIGHT, CONFIDENCE, REST = 6, 7, 8
"""Columns of `cells` after the six constants of a draw: share of the group, mean confidence, most that the cells from
here on can add."""
_ABOVE = 1 + 1e-12  # rounding must not stop a group that ties with the leader: the lowest position wins


@inlined
def set_cell(cells: _Floats, g: int, k: int, a: float, b: float) -> None:
    """Work out what the draws of a cell need after its belief has changed."""
    cells[g, k, 0], cells[g, k, 1], cells[g, k, 2] = gamma_constants(a)
    cells[g, k, 3], cells[g, k, 4], cells[g, k, 5] = gamma_constants(b)


@compiled
def put_cells(sizes: _Counts, confidence: _Floats, cells: _Floats, order: _Counts, n_cells: _Counts) -> None:
    """Put the cells of each group in the order of the most that they can add, leaving empty ones out."""
    n_bins = sizes.shape[1]
    most = np.empty(n_bins)
    for g in range(len(sizes)):
        total, n_cells[g] = 0, 0
        for b in range(n_bins):
            total += sizes[g, b]
            n_cells[g] += sizes[g, b] > 0
            most[b] = sizes[g, b] * max(confidence[g, b], 1 - confidence[g, b])
        put_order(most, order[g])
        rest = 0.0
        for k in range(n_cells[g] - 1, -1, -1):
            b = order[g, k]
            rest += most[b] / total
            cells[g, k, WEIGHT], cells[g, k, CONFIDENCE] = sizes[g, b] / total, confidence[g, b]
            cells[g, k, REST] = _ABOVE * rest


@inlined
def drawn_error(cells: _Floats, n_cells: int, g: int, sign: float, floor: float, state: State) -> tuple[float, State]:
    """Return sign times one draw of the error of group g; minus infinity as soon as it must stay below `floor`."""
    total = 0.0
    for k in range(n_cells):
        if (total + cells[g, k, REST] if sign > 0 else -total) < floor:
            return -math.inf, state
        x, state = beta_of(
            cells[g, k, 0], cells[g, k, 1], cells[g, k, 2], cells[g, k, 3], cells[g, k, 4], cells[g, k, 5], state
        )
        total += cells[g, k, WEIGHT] * abs(x - cells[g, k, CONFIDENCE])
    return sign * total, state


@compiled
def mean_gap(a: float, b: float, s: float) -> float:
    """Return E|X - s| of a Beta, exactly: m - s + 2 s F(s; a, b) - 2 m F(s; a + 1, b), m its mean."""
    m = a / (a + b)
    return m - s + 2 * s * incomplete(a, b, s) - 2 * m * incomplete(a + 1, b, s)


@inlined
def _mean_gain(cells: _Floats, gaps: _Floats, n_cells: int, g: int, sign: float) -> float:
    total = 0.0
    for k in range(n_cells):
        total += cells[g, k, WEIGHT] * gaps[g, k]
    return sign * total


@compiled
def _upper_gain(
    cells: _Floats, n_cells: int, g: int, sign: float, level: float, n_draws: int, top: _Floats, state: State
) -> tuple[float, State]:
    """Return the quantile of the gain of group g over draws, each given up once it must stay below those kept."""
    n_top, most = 0, n_kept(n_draws, level)
    for _ in range(n_draws):
        floor = top[most - 1] if n_top == most else -math.inf
        gain, state = drawn_error(cells, n_cells, g, sign, floor, state)
        n_top = kept(gain, top, n_top, most)
    return upper_of(top, n_draws, level), state


@compiled
def noted_cells(
    n_told: int,
    seen: int,
    at: _Counts,
    run: int,
    hits: _Counts,
    labels: _Counts,
    out_hits: NDArray[np.int32],
    out_labels: NDArray[np.int32],
) -> int:
    """Write the counts down if this many labels were asked for, and give how many snapshots there are."""
    while seen < len(at) and at[seen] <= n_told:
        for g in range(hits.shape[0]):
            for b in range(hits.shape[1]):
                out_hits[run, seen, g, b], out_labels[run, seen, g, b] = hits[g, b], labels[g, b]
        seen += 1
    return seen


@compiled
def start_cells(
    cells: _Floats,
    order: _Counts,
    n_cells: _Counts,
    sizes: _Counts,
    prior_a: _Floats,
    prior_b: _Floats,
    left: _Counts,
    got_hits: _Counts,
    got: _Counts,
) -> int:
    """Set every cell to its prior and every group to its items at the start of a run, and give how many there are."""
    n_left = 0
    for g in range(len(sizes)):
        left[g] = 0
        for b in range(sizes.shape[1]):
            left[g] += sizes[g, b]
            got_hits[g, b], got[g, b] = 0, 0
        n_left += left[g]
        for k in range(n_cells[g]):
            set_cell(cells, g, k, prior_a[g, order[g, k]], prior_b[g, order[g, k]])
    return n_left


@inlined
def label_item(
    g: int, order: _Counts, sizes: _Counts, hits: _Counts, left: _Counts, got_hits: _Counts, got: _Counts, state: State
) -> tuple[int, bool, State]:
    """Label one item of group g; give the place of its cell in the order of the group, and whether it is a hit."""
    place, state = below(left[g], state)
    k = 0
    while place >= sizes[g, order[g, k]] - got[g, order[g, k]]:
        place -= sizes[g, order[g, k]] - got[g, order[g, k]]
        k += 1
    b = order[g, k]
    # what is left of the place is uniform over the items left in the cell
    hit = place < hits[g, b] - got_hits[g, b]
    if hit:
        got_hits[g, b] += 1
    got[g, b] += 1
    left[g] -= 1
    return k, hit, state


@compiled
def simulate_cells(
    policy: int,
    sign: float,
    sizes: _Counts,
    hits: _Counts,
    prior_a: _Floats,
    prior_b: _Floats,
    confidence: _Floats,
    m: int,
    parameter: float,
    budget: int,
    at: _Counts,
    seeds: NDArray[np.uint64],
    out_hits: NDArray[np.int32],
    out_labels: NDArray[np.int32],
    n_draws: int = RANK_DRAWS,
) -> None:
    """Run one assessment a seed, and write hits and labels of each cell after `at` labels.

    The gain of a group is sign * sum_b w_gb |theta_gb - s_gb|; greedy policies take its exact mean. The quantile of
    upper-bound has no closed form and comes from draws, as in the package. Here they are drawn anew for the group that
    got a label; the package draws for all groups, from a seed that is always the same. Both choose alike but for the
    Monte Carlo noise of the quantiles, which decides between groups that are nearly tied.

    Parameters
    ----------
    policy : one of `CELL_POLICIES`.
    sign : 1 to find the worst calibrated groups, -1 the best.
    sizes, hits, prior_a, prior_b, confidence : of each cell, shape (n_groups, n_bins).
    m, parameter, budget, at, seeds : as for `simulate_beta`.
    out_hits, out_labels : what is written, shape (n_runs, n_snapshots, n_groups, n_bins).
    n_draws : of each quantile of upper-bound.
    """
    n_groups, n_bins = sizes.shape
    cells, order = np.empty((n_groups, n_bins, 9)), np.empty((n_groups, n_bins), np.int64)
    n_cells, gains, gaps = np.empty(n_groups, np.int64), np.empty(n_groups), np.empty((n_groups, n_bins))
    put_cells(sizes, confidence, cells, order, n_cells)
    left, open_groups = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64)
    got_hits, got = np.zeros((n_groups, n_bins), np.int64), np.zeros((n_groups, n_bins), np.int64)
    plays, top = np.empty(max(m, 2), np.int64), np.empty(n_draws)
    all_groups, side = np.empty(n_groups, np.int64), np.zeros(n_groups, np.int64)
    draws, takes_mean = policy <= MULTIPLE_PLAY, policy in (EPSILON_GREEDY, GREEDY)
    for run in range(len(seeds)):
        state = seeded(seeds[run])
        n_left = start_cells(cells, order, n_cells, sizes, prior_a, prior_b, left, got_hits, got)
        for g in range(n_groups):
            if takes_mean:
                for k in range(n_cells[g]):
                    b = order[g, k]
                    gaps[g, k] = mean_gap(prior_a[g, b], prior_b[g, b], confidence[g, b])
                gains[g] = _mean_gain(cells, gaps, n_cells[g], g, sign)
            elif policy == UPPER_BOUND:
                gains[g], state = _upper_gain(cells, n_cells[g], g, sign, parameter, n_draws, top, state)
        n_open, n_all = opened(left, open_groups), opened(left, all_groups)
        n_told, end, seen, last = 0, min(budget, n_left), 0, -1
        seen = noted_cells(0, seen, at, run, got_hits, got, out_hits, out_labels)
        while n_told < end:
            n_plays = 1
            explorer = policy if is_started(policy, parameter, n_told, n_all) else RANDOM_ITEM
            pick, state = blind(explorer, parameter, left, n_left, open_groups, n_open, state)
            if pick < 0 and not draws:
                pick = leader(gains, open_groups, n_open, -1)
            first: Word = np.int64(-1)
            redraws = 0
            while pick < 0:
                if policy == BORDER:  # groups without open items count as members of a set
                    for i in range(n_all):
                        g = all_groups[i]
                        gains[g], state = drawn_error(cells, n_cells[g], g, sign, -math.inf, state)
                    pick, state = judge_sets(gains, all_groups, n_all, m, left, plays, side, redraws, state)
                    redraws += 1
                    continue
                wanted, n_plays = n_wanted(policy, m, redraws), 0
                for i in range(-1, n_open):
                    # the last winner first: what leads early spares draws of the others
                    g = last if i < 0 else open_groups[i]
                    if g < 0 or left[g] == 0 or (i >= 0 and g == last):
                        continue
                    floor = gains[plays[wanted - 1]] if n_plays == wanted else -math.inf
                    gain, state = drawn_error(cells, n_cells[g], g, sign, floor, state)
                    n_plays = offer(g, gain, gains, plays, n_plays, wanted)
                last = plays[0]
                if policy == MULTIPLE_PLAY:
                    break
                n_plays = 1
                pick, first, state = judge_leaders(policy, plays, n_open, first, redraws, state)
                redraws += 1
            for play in range(min(n_plays, end - n_told)):
                g = plays[play] if policy == MULTIPLE_PLAY else pick
                k, _, state = label_item(g, order, sizes, hits, left, got_hits, got, state)
                b = order[g, k]
                n_left -= 1
                n_told += 1
                if left[g] == 0:
                    n_open = closed(g, open_groups, n_open)
                alpha, beta = prior_a[g, b] + got_hits[g, b], prior_b[g, b] + (got[g, b] - got_hits[g, b])
                set_cell(cells, g, k, alpha, beta)
                if takes_mean:
                    gaps[g, k] = mean_gap(alpha, beta, confidence[g, b])
                    gains[g] = _mean_gain(cells, gaps, n_cells[g], g, sign)
                elif policy == UPPER_BOUND:
                    gains[g], state = _upper_gain(cells, n_cells[g], g, sign, parameter, n_draws, top, state)
                seen = noted_cells(n_told, seen, at, run, got_hits, got, out_hits, out_labels)
        while seen < len(at):
            seen = noted_cells(at[seen], seen, at, run, got_hits, got, out_hits, out_labels)
