"""The threshold that gains are held against, and each group's chance to beat it.

Any threshold gives the same law, if it is chosen from the past; a good one is beaten by a few groups a step.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.gain import mean_gain
from labelwise.simulation.kernels.generator import State, beta_of
from labelwise.simulation.kernels.incomplete import chance_of
from labelwise.simulation.kernels.truncated import draw_above, draw_below

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
AT, CHANCE, FRONT, SCALE, LOG_BETA = range(5)
"""Columns of `firing`: the draw at which the gain meets the threshold, the chance to beat it, the term by which a label
moves that chance, the scale of the waiting time, log B(a, b)."""
_CERTAIN = 1 - 1e-13
_IMPOSSIBLE = 1e-18
_DOUBTFUL = 1e-7  # a chance below this has lost too many digits to be moved from label to label
_ROUNDS = 12
FEW, MOST = 0.5, 2.6  # the band around the target in which a threshold may stay
_LEAST, _AIM, _GREATEST = 0.9, 1.7, 2.5  # of the target, for a new one: high, for the sum falls from label to label


@inlined
def set_chance(firing: _Floats, constants: _Floats, g: int, a: float, b: float, tau: float) -> None:
    """Work out the chance that the gain of group g beats tau; none if it is constant (see `top_constant`)."""
    level, slope = constants[g, 6], constants[g, 7]
    firing[g, FRONT], firing[g, CHANCE] = 0.0, 0.0
    if slope == 0:
        return
    at = (tau - level) / slope
    firing[g, AT] = at
    if at <= 0 or at >= 1:
        # the gain beats tau for every draw or for none
        firing[g, CHANCE] = 1.0 if (slope > 0) == (at <= 0) else 0.0
        return
    ahead = math.exp(a * math.log(at) + b * math.log(1 - at) - firing[g, LOG_BETA])
    chance = chance_of(a, b, at, 1 - at, ahead) if slope < 0 else chance_of(b, a, 1 - at, at, ahead)
    firing[g, FRONT], firing[g, CHANCE] = ahead, rounded(chance)


@inlined
def top_constant(constants: _Floats, open_groups: _Counts, n_open: int) -> int:
    """Give the best open group whose gain does not depend on the draw (a = b, to estimate), or -1.

    Only the best of them can win, and it needs no calendar: it beats a threshold below its gain at every step.
    """
    best, top = -math.inf, -1
    for i in range(n_open):
        g = open_groups[i]
        if constants[g, 7] == 0 and (constants[g, 6] > best or top < 0):
            best, top = constants[g, 6], g
    return top


@inlined
def rounded(chance: float) -> float:
    """Let what is as good as certain or impossible be so."""
    return 1.0 if chance > _CERTAIN else (0.0 if chance < _IMPOSSIBLE else chance)


@inlined
def move_chance(firing: _Floats, constants: _Floats, g: int, a: float, b: float, hit: bool, tau: float) -> None:
    """Take a label into the chance of a group whose line stays; a and b are those before the label."""
    at, ahead = firing[g, AT], firing[g, FRONT]
    if ahead <= 0:
        if 0 < at < 1:
            set_chance(firing, constants, g, a + 1 if hit else a, b if hit else b + 1, tau)
        return
    # P(X < x) loses front / a by a hit and wins front / b by a miss
    change = -ahead / a if hit else ahead / b
    chance = firing[g, CHANCE] + (change if constants[g, 7] < 0 else -change)
    firing[g, FRONT] = ahead * (a + b) * (at / a if hit else (1 - at) / b)
    firing[g, CHANCE] = rounded(chance)
    if chance < _DOUBTFUL or chance > _CERTAIN:
        set_chance(firing, constants, g, a + 1 if hit else a, b if hit else b + 1, tau)


@compiled
def _set_chances(
    firing: _Floats, constants: _Floats, a: _Floats, b: _Floats, open_groups: _Counts, n_open: int, tau: float
) -> tuple[float, float]:
    """Give the sum of the chances at tau, and how fast it falls."""
    total, fall = 0.0, 0.0
    for i in range(n_open):
        g = open_groups[i]
        set_chance(firing, constants, g, a[g], b[g], tau)
        total += firing[g, CHANCE]
        if firing[g, FRONT] > 0:
            at = firing[g, AT]
            fall += firing[g, FRONT] / (at * (1 - at) * abs(constants[g, 7]))
    return total, fall


@compiled
def _fall(firing: _Floats, constants: _Floats, open_groups: _Counts, n_open: int) -> float:
    """Give how fast the sum of the chances falls at the threshold that they were last worked out for."""
    fall = 0.0
    for i in range(n_open):
        g = open_groups[i]
        if firing[g, FRONT] > 0:
            fall += firing[g, FRONT] / (firing[g, AT] * (1 - firing[g, AT]) * abs(constants[g, 7]))
    return fall


@compiled
def highest_mean(constants: _Floats, a: _Floats, b: _Floats, open_groups: _Counts, n_open: int) -> float:
    """Give the largest gain at the mean: where the search for a threshold begins."""
    best = -math.inf
    for i in range(n_open):
        g = open_groups[i]
        best = max(best, mean_gain(constants[g, 6], constants[g, 7], a[g], b[g]))
    return best


@compiled
def retuned(
    firing: _Floats,
    constants: _Floats,
    a: _Floats,
    b: _Floats,
    open_groups: _Counts,
    n_open: int,
    tau: float,
    target: float,
    top: int,
    total: float,
    pace: float,
) -> tuple[float, float, float]:
    """Search a threshold that about `target` groups beat in a step, by Newton's rule; give it, the sum there, the pace.

    `total` is the sum at tau if the chances are up to date, else 0. `pace` is the part of Newton's first step that went
    right in former searches: groups that could not win before come in as the threshold falls, so all of it is too much.
    """
    low, high = -math.inf, math.inf
    if top >= 0:
        # nothing below the best constant gain can win; just under it, if not too many others are above
        edge = constants[top, 6] - 1e-12 * abs(constants[top, 6])
        at_edge, fall = _set_chances(firing, constants, a, b, open_groups, n_open, edge)
        if at_edge <= MOST * target:
            return edge, at_edge, pace
        low, tau, total = edge, max(tau, edge), 0.0
    is_first = total > 0
    if is_first:
        fall = _fall(firing, constants, open_groups, n_open)
    else:
        total, fall = _set_chances(firing, constants, a, b, open_groups, n_open, tau)
    for _ in range(_ROUNDS):
        if not is_first and _LEAST * target <= total <= _GREATEST * target:
            break
        if total > _AIM * target:
            low = tau
        else:
            high = tau
        ratio = min(5.0, max(-5.0, math.log(max(total, 1e-9) / (_AIM * target))))
        to = tau + (pace if is_first else 1.0) * ratio * total / fall if fall > 0 else math.nan
        if not low < to < high:
            best = highest_mean(constants, a, b, open_groups, n_open)
            if low > -math.inf and high < math.inf:
                to = 0.5 * (low + high)
            elif low < best < high:
                to = best
            else:
                to = low + 0.1 * abs(low) + 1e-9 if high == math.inf else high - 0.1 * abs(high) - 1e-9
        if to == tau and not is_first:
            break
        before, tau = total, to
        total, fall = _set_chances(firing, constants, a, b, open_groups, n_open, tau)
        if is_first and ratio < 0 and total > before:
            pace = min(1.5, max(0.1, pace * math.sqrt(-ratio / math.log(total / before))))
        is_first = False
    return tau, total, pace


@inlined
def winning_gain(firing: _Floats, constants: _Floats, g: int, a: float, b: float, state: State) -> tuple[float, State]:
    """Draw the gain of a group that beats the threshold."""
    level, slope, at, chance = constants[g, 6], constants[g, 7], firing[g, AT], firing[g, CHANCE]
    if slope == 0:
        return level, state
    if chance >= 1:  # a certain event must not reach the truncated sampler
        x, state = beta_of(
            constants[g, 0], constants[g, 1], constants[g, 2], constants[g, 3], constants[g, 4], constants[g, 5], state
        )
    elif slope < 0:
        x, state = draw_below(a, b, at, 1 - at, chance, state)
    else:
        x, state = draw_above(a, b, at, 1 - at, chance, state)
    return level + slope * x, state


@inlined
def losing_gain(firing: _Floats, constants: _Floats, g: int, a: float, b: float, state: State) -> tuple[float, State]:
    """Draw the gain of a group that does not beat the threshold."""
    level, slope, at, chance = constants[g, 6], constants[g, 7], firing[g, AT], 1 - firing[g, CHANCE]
    if slope == 0:
        return level, state
    if chance > 0.3:
        while True:
            x, state = beta_of(
                constants[g, 0], constants[g, 1], constants[g, 2], constants[g, 3], constants[g, 4], constants[g, 5],
                state,
            )  # fmt: skip
            if chance >= 1 or (x >= at) == (slope < 0):
                return level + slope * x, state
    x, state = draw_above(a, b, at, 1 - at, chance, state) if slope < 0 else draw_below(a, b, at, 1 - at, chance, state)
    return level + slope * x, state
