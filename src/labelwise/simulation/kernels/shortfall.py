"""The chance that the error of a group of cells may reach a threshold, and draws given that it may.

What a cell falls short of the most that it can add is rounded down to whole levels, so the levels of a group add up to
no more than its own shortfall: a group can reach a threshold only if they leave room for it. The law of their sum is a
convolution, exact for any threshold. A cell is turned round if it must, so that its confidence s is at least one half:
level d holds the draws from d to d + 1 steps above 0, and their mirror images at s that are below 1.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.cells import CONFIDENCE, REST, WEIGHT
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.generator import State, uniform
from labelwise.simulation.kernels.incomplete import chance_below, log_beta
from labelwise.simulation.kernels.threshold import rounded
from labelwise.simulation.kernels.truncated import draw_between

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]

LEVELS = 128.0  # in an error of one
LAST, MIRRORED, KNOTS, MASSES, SUMS, SPAN = range(6)
"""Columns of `plan`: the last level of a cell, the first one that ends in a mirrored knot, where its knots, the masses
of its levels and the law of the sum from this cell on begin, the last level of that sum."""
LOG_X, LOG_REST, CHANCE = range(3)
"""Columns of `knots`: log x, log(1 - x), the chance of a draw further from s on its side; level d begins at knot d."""
_SLACK = 1e-9  # of a level, in the place of a knot
_ROOM = 1e-6  # of a level: rounding must not shut out a group that reaches the threshold
_NOTHING = -60.0  # the logarithm of what moves no chance


@compiled
def planned(cells: _Floats, n_cells: _Counts) -> tuple[_Counts, int, int, int]:
    """Lay out the levels of every cell; give the plan and how many knots, masses and sums there are."""
    plan = np.zeros((*cells.shape[:2], 6), np.int64)
    n_knots, n_masses, n_sums = 0, 0, 0
    for g in range(len(cells)):
        span = 0
        for k in range(n_cells[g] - 1, -1, -1):
            weight, s = cells[g, k, WEIGHT], _long_side(cells[g, k, CONFIDENCE])
            last = max(0, int(weight * s * LEVELS - _SLACK))
            first = min(last, max(0, int((2 * s - 1) * weight * LEVELS + _SLACK)))
            span += last
            plan[g, k, LAST], plan[g, k, MIRRORED], plan[g, k, SPAN] = last, first, span
            plan[g, k, KNOTS], plan[g, k, MASSES], plan[g, k, SUMS] = n_knots, n_masses, n_sums
            n_knots, n_masses, n_sums = n_knots + 2 * last - first, n_masses + last + 1, n_sums + span + 1
    return plan, n_knots, n_masses, n_sums


@inlined
def _long_side(confidence: float) -> float:
    return max(confidence, 1 - confidence)


@inlined
def _knot(s: float, step: float, d: int, is_mirrored: bool) -> float:
    """Return where level d - 1 ends and level d begins: on the long side, or its mirror image at s."""
    return min(1.0, 2 * s - d * step) if is_mirrored else d * step


@compiled
def start_cell(
    cells: _Floats, plan: _Counts, knots: _Floats, masses: _Floats, g: int, k: int, a: float, b: float
) -> None:
    """Work out the masses of the levels of a cell that believes Beta(a, b)."""
    s, step = _long_side(cells[g, k, CONFIDENCE]), 1 / (LEVELS * cells[g, k, WEIGHT])
    if cells[g, k, CONFIDENCE] < s:
        a, b = b, a
    last, first, at = plan[g, k, LAST], plan[g, k, MIRRORED], plan[g, k, KNOTS]
    for i in range(2 * last - first):
        is_mirrored = i >= last
        x = _knot(s, step, first + i - last + 1 if is_mirrored else i + 1, is_mirrored)
        knots[at + i, LOG_X], knots[at + i, LOG_REST] = math.log(x), math.log(1 - x)
        knots[at + i, CHANCE] = chance_below(b, a, 1 - x, x) if is_mirrored else chance_below(a, b, x, 1 - x)
    _set_masses(plan, knots, masses, g, k)


@compiled
def move_cell(
    cells: _Floats, plan: _Counts, knots: _Floats, masses: _Floats, g: int, k: int, a: float, b: float, hit: bool
) -> None:
    """Take a label into the masses of the levels of a cell; a and b are those before the label."""
    if cells[g, k, CONFIDENCE] < 0.5:
        a, b, hit = b, a, not hit
    last, at, n_knots = plan[g, k, LAST], plan[g, k, KNOTS], 2 * plan[g, k, LAST] - plan[g, k, MIRRORED]
    if n_knots == 0:
        return
    log_scale = log_beta(a, b)
    # P(X < x) loses front / a by a hit and wins front / b by a miss, as in `move_chance`
    change = -1 / a if hit else 1 / b
    for i in range(n_knots):
        log_front = a * knots[at + i, LOG_X] + b * knots[at + i, LOG_REST] - log_scale
        if log_front > _NOTHING:
            moved = math.exp(log_front) * (change if i < last else -change)
            knots[at + i, CHANCE] = min(1.0, max(0.0, knots[at + i, CHANCE] + moved))
    _set_masses(plan, knots, masses, g, k)


@inlined
def _outside(knots: _Floats, at: int, last: int, first: int, d: int) -> tuple[float, float]:
    """Return the chances of levels below d, on the long side and on the mirrored one."""
    return (knots[at + d - 1, CHANCE] if d > 0 else 0.0), (
        knots[at + last + d - 1 - first, CHANCE] if d > first else 0.0
    )


@inlined
def _set_masses(plan: _Counts, knots: _Floats, masses: _Floats, g: int, k: int) -> None:
    last, first, at, to = plan[g, k, LAST], plan[g, k, MIRRORED], plan[g, k, KNOTS], plan[g, k, MASSES]
    before = 0.0
    for d in range(1, last + 1):
        long, mirrored = _outside(knots, at, last, first, d)
        masses[to + d - 1] = max(0.0, long + mirrored - before)
        before = long + mirrored
    masses[to + last] = max(0.0, 1 - before)


@compiled
def set_sums(plan: _Counts, masses: _Floats, sums: _Floats, n_cells: int, g: int, k: int) -> None:
    """Work out the chances that the levels from each cell on add up to at most so many, after a change of cell k."""
    for i in range(k, -1, -1):
        last, span, mass, to = plan[g, i, LAST], plan[g, i, SPAN], plan[g, i, MASSES], plan[g, i, SUMS]
        rest, after = span - last, plan[g, i + 1, SUMS] if i + 1 < n_cells else -1
        for t in range(span + 1):
            sums[to + t] = 0.0
        if after >= 0:
            for d in range(last + 1):
                p = masses[mass + d]
                for t in range(rest + 1):
                    sums[to + d + t] += p * sums[after + t]
        total = 0.0
        for d in range(last if after >= 0 else last + 1):
            # beyond their span, the cells after this one are sure to leave room
            total += masses[mass + d]
            sums[to + d + (rest + 1 if after >= 0 else 0)] += total


@inlined
def room(cells: _Floats, g: int, tau: float) -> int:
    """Return how many levels group g may lose if it is to reach tau; none is minus one."""
    levels = (cells[g, 0, REST] - tau) * LEVELS + _ROOM
    return int(levels) if levels >= 0 else -1


@inlined
def reach_chance(cells: _Floats, plan: _Counts, sums: _Floats, g: int, tau: float) -> float:
    """Return the chance that the levels of group g leave room for tau."""
    most = room(cells, g, tau)
    if most < 0:
        return 0.0
    return 1.0 if most >= plan[g, 0, SPAN] else rounded(sums[plan[g, 0, SUMS] + most])


@inlined
def _drawn_level(
    plan: _Counts, masses: _Floats, sums: _Floats, n_cells: int, g: int, k: int, most: int, state: State
) -> tuple[int, State]:
    """Draw the level of cell k given that the cells from it on lose at most so many."""
    mass, is_last = plan[g, k, MASSES], k + 1 == n_cells
    after, rest = (0, 0) if is_last else (plan[g, k + 1, SUMS], plan[g, k + 1, SPAN])
    u, state = uniform(state)
    up_to = u * sums[plan[g, k, SUMS] + min(most, plan[g, k, SPAN])]
    total, level = 0.0, 0
    for d in range(min(most, plan[g, k, LAST]) + 1):
        chance = masses[mass + d] * (1.0 if is_last else sums[after + min(most - d, rest)])
        if chance > 0:
            total += chance
            level = d
            if total >= up_to:
                break
    return level, state


@inlined
def _drawn_gap(
    cells: _Floats, plan: _Counts, knots: _Floats, g: int, k: int, d: int, a: float, b: float, state: State
) -> tuple[float, State]:
    """Draw |theta - s| of a cell given its level."""
    s, step = _long_side(cells[g, k, CONFIDENCE]), 1 / (LEVELS * cells[g, k, WEIGHT])
    is_turned = cells[g, k, CONFIDENCE] < s
    if is_turned:
        a, b = b, a
    last, first, at = plan[g, k, LAST], plan[g, k, MIRRORED], plan[g, k, KNOTS]
    long, mirrored = _outside(knots, at, last, first, d)
    low, high = d * step, 1.0 if d <= first else _knot(s, step, d, True)
    chance = 1 - long - mirrored
    if d < last:
        long_end, mirrored_end = _outside(knots, at, last, first, d + 1)
        long, mirrored = max(0.0, long_end - long), max(0.0, mirrored_end - mirrored)
        u, state = uniform(state)
        if u * (long + mirrored) < long:
            high, chance = low + step, long
        else:
            low, chance = _knot(s, step, d + 1, True), mirrored
    x, state = draw_between(a, b, low, high, chance, state)
    # turned back, for draws of tiny shapes are ties that rounding must not decide
    return abs((1 - x if is_turned else x) - cells[g, k, CONFIDENCE]), state


@compiled
def reaching_gain(
    cells: _Floats,
    plan: _Counts,
    knots: _Floats,
    masses: _Floats,
    sums: _Floats,
    n_cells: int,
    g: int,
    a: _Floats,
    b: _Floats,
    tau: float,
    floor: float,
    state: State,
) -> tuple[float, State]:
    """Draw the error of group g given that its levels leave room for tau; minus infinity if it stays below `floor`.

    a and b are the beliefs about its cells, in their order.
    """
    most, total = room(cells, g, tau), 0.0
    for k in range(n_cells):
        if total + cells[g, k, REST] < floor:
            return -math.inf, state
        d, state = _drawn_level(plan, masses, sums, n_cells, g, k, most, state)
        gap, state = _drawn_gap(cells, plan, knots, g, k, d, a[k], b[k], state)
        total += cells[g, k, WEIGHT] * gap
        most -= d
    return total, state
