"""Whole assessments of confusion: one Dirichlet a predicted class, to estimate it or to rank by cost.

The gain is affine in a weighted sum of one draw of a Dirichlet. Classes are drawn one after the other, the likeliest
first, each a Beta part of what the former ones have left (stick-breaking), and no further once the group can no longer
lead: the rest is bounded by its largest weight.
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
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.gain import ESTIMATE
from labelwise.simulation.kernels.generator import State, Word, below, beta, seeded
from labelwise.simulation.kernels.upper import RANK_DRAWS, kept, n_kept, upper_of

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]

DIRICHLET_POLICIES = (
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
"""The policies that `simulate_dirichlet` has."""
ALPHA, VALUE, TAIL, HIGHEST, LOWEST = range(5)
"""Of the class in a place of its group's order: pseudo-counts, weight in the sum, pseudo-counts of all later places,
largest and smallest weight from this place on."""
_NOTHING = 1e-16  # a part of the whole that no sum can tell from zero


@compiled
def _set_row(
    row: _Floats, place_of: _Counts, class_at: _Counts, goal: int, alpha: _Floats, cost: _Floats, weight: float
) -> tuple[float, float]:
    """Bring the row of a group up to date after its pseudo-counts have changed; give level and slope of its gain."""
    n_classes = len(alpha)
    total, squares, tail, highest, lowest = 0.0, 0.0, 0.0, -math.inf, math.inf
    for i in range(n_classes - 1, -1, -1):
        j = class_at[i]
        value = alpha[j] if goal == ESTIMATE else cost[j]
        highest, lowest = max(highest, value), min(lowest, value)
        row[i, ALPHA], row[i, VALUE], row[i, TAIL] = alpha[j], value, tail
        row[i, HIGHEST], row[i, LOWEST] = highest, lowest
        place_of[j] = i
        tail += alpha[j]
        total, squares = total + alpha[j], squares + alpha[j] * alpha[j]
    if goal != ESTIMATE:
        return 0.0, weight
    # DirichletBelief.variance_drop
    more = (total + 1) * (total + 1)
    before = (total * total - squares) / (total * total * (total + 1))
    return weight * (before - (more - 1 - squares) / (more * (total + 2))), weight * 2 / (more * (total + 2))


@compiled
def _raise(class_at: _Counts, place: int, alpha: _Floats) -> None:
    """Move the class in a place forward to where its pseudo-counts, just raised, belong."""
    j = class_at[place]
    while place > 0 and alpha[class_at[place - 1]] < alpha[j]:
        class_at[place] = class_at[place - 1]
        place -= 1
    class_at[place] = j


@compiled
def _drawn_gain(row: _Floats, level: float, slope: float, floor: float, state: State) -> tuple[float, State]:
    """Return the gain for one draw of a group; minus infinity as soon as it must stay below `floor`."""
    value, rest = 0.0, 1.0
    for i in range(len(row)):
        highest, lowest = row[i, HIGHEST], row[i, LOWEST]
        if highest == lowest or rest < _NOTHING:
            value += rest * highest
            break
        if level + slope * (value + rest * (highest if slope > 0 else lowest)) < floor:
            return -math.inf, state
        x, state = beta(row[i, ALPHA], row[i, TAIL], state)
        value += rest * x * row[i, VALUE]
        rest *= 1 - x
    return level + slope * value, state


@compiled
def _mean_gain(row: _Floats, level: float, slope: float) -> float:
    """Return the gain at the mean."""
    total, value = 0.0, 0.0
    for i in range(len(row)):
        total, value = total + row[i, ALPHA], value + row[i, ALPHA] * row[i, VALUE]
    return level + slope * (value / total)


@compiled
def _still_gain(
    policy: int, row: _Floats, level: float, slope: float, at: float, n_draws: int, top: _Floats, state: State
) -> tuple[float, State]:
    """Return the gain that a policy without draws looks at: at the mean, or its quantile over draws."""
    if policy != UPPER_BOUND:
        return _mean_gain(row, level, slope), state
    n_top, most = 0, n_kept(n_draws, at)
    for _ in range(n_draws):
        floor = top[most - 1] if n_top == most else -math.inf
        gain, state = _drawn_gain(row, level, slope, floor, state)
        n_top = kept(gain, top, n_top, most)
    return upper_of(top, n_draws, at), state


@compiled
def _noted(n_told: int, seen: int, at: _Counts, run: int, counts: _Counts, out_counts: NDArray[np.int32]) -> int:
    """Write the counts down if this many labels were asked for, and give how many snapshots there are."""
    while seen < len(at) and at[seen] <= n_told:
        for g in range(counts.shape[0]):
            for j in range(counts.shape[1]):
                out_counts[run, seen, g, j] = counts[g, j]
        seen += 1
    return seen


@compiled
def simulate_dirichlet(
    policy: int,
    goal: int,
    classes: _Counts,
    prior_alpha: _Floats,
    weight: _Floats,
    cost: _Floats,
    m: int,
    parameter: float,
    budget: int,
    at: _Counts,
    seeds: NDArray[np.uint64],
    out_counts: NDArray[np.int32],
    n_draws: int = RANK_DRAWS,
) -> None:
    """Run one assessment a seed, and write how many labels of each true class each group has after `at` labels.

    The quantile of upper-bound comes from draws, anew for the group that got a label: see `simulate_cells`.

    Parameters
    ----------
    policy : one of `DIRICHLET_POLICIES`.
    goal : ESTIMATE (gain = weight * expected drop of the total variance) or RANK (weight * sum_j cost_gj theta_gj).
    classes : items of each group by true class, shape (n_groups, n_classes).
    prior_alpha : the prior, same shape, above zero.
    weight : share of each group to estimate; 1 to find the costliest, -1 the cheapest.
    cost : of an item of group g if its true class is j, same shape as `classes`; not read to estimate.
    m, parameter, budget, at, seeds : as for `simulate_beta`.
    out_counts : what is written, shape (n_runs, n_snapshots, n_groups, n_classes).
    n_draws : of each quantile of upper-bound.
    """
    n_groups, n_classes = classes.shape
    alpha, rows, lines = np.empty((n_groups, n_classes)), np.empty((n_groups, n_classes, 5)), np.empty((n_groups, 2))
    class_at, place_of = np.empty((n_groups, n_classes), np.int64), np.empty((n_groups, n_classes), np.int64)
    left, open_groups, gains = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64), np.empty(n_groups)
    got, plays = np.zeros((n_groups, n_classes), np.int64), np.empty(max(m, 2), np.int64)
    all_groups, side = np.empty(n_groups, np.int64), np.zeros(n_groups, np.int64)
    draws, top = policy <= MULTIPLE_PLAY, np.empty(n_draws)
    for run in range(len(seeds)):
        state = seeded(seeds[run])
        n_left = 0
        for g in range(n_groups):
            left[g] = 0
            for j in range(n_classes):
                left[g] += classes[g, j]
                got[g, j], alpha[g, j] = 0, prior_alpha[g, j]
            n_left += left[g]
            put_order(alpha[g], class_at[g])
            lines[g, 0], lines[g, 1] = _set_row(rows[g], place_of[g], class_at[g], goal, alpha[g], cost[g], weight[g])
            if not draws:
                gains[g], state = _still_gain(policy, rows[g], lines[g, 0], lines[g, 1], parameter, n_draws, top, state)
        n_open, n_all = opened(left, open_groups), opened(left, all_groups)
        n_told, end, seen, last = 0, min(budget, n_left), 0, -1
        seen = _noted(0, seen, at, run, got, out_counts)
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
                        gains[g], state = _drawn_gain(rows[g], lines[g, 0], lines[g, 1], -math.inf, state)
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
                    gain, state = _drawn_gain(rows[g], lines[g, 0], lines[g, 1], floor, state)
                    n_plays = offer(g, gain, gains, plays, n_plays, wanted)
                last = plays[0]
                if policy == MULTIPLE_PLAY:
                    break
                n_plays = 1
                pick, first, state = judge_leaders(policy, plays, n_open, first, redraws, state)
                redraws += 1
            for play in range(min(n_plays, end - n_told)):
                g = plays[play] if policy == MULTIPLE_PLAY else pick
                place, state = below(left[g], state)
                j = 0
                while place >= classes[g, j] - got[g, j]:
                    place -= classes[g, j] - got[g, j]
                    j += 1
                got[g, j] += 1
                left[g] -= 1
                n_left -= 1
                n_told += 1
                if left[g] == 0:
                    n_open = closed(g, open_groups, n_open)
                alpha[g, j] = prior_alpha[g, j] + got[g, j]
                if policy > RANDOM_GROUP:
                    _raise(class_at[g], place_of[g, j], alpha[g])
                    lines[g, 0], lines[g, 1] = _set_row(
                        rows[g], place_of[g], class_at[g], goal, alpha[g], cost[g], weight[g]
                    )
                    if not draws:
                        gains[g], state = _still_gain(
                            policy, rows[g], lines[g, 0], lines[g, 1], parameter, n_draws, top, state
                        )
                seen = _noted(n_told, seen, at, run, got, out_counts)
        while seen < len(at):
            seen = _noted(at[seen], seen, at, run, got, out_counts)
