"""The threshold of skip-ahead sampling, and each group's probability of exceeding it.

Any threshold chosen from the past gives the same law; with a good one, a few groups per step exceed it.
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
"""Columns of `firing`: the draw x at which the gain equals the threshold, the probability of exceeding it,
x^a (1 - x)^b / B(a, b) (by which a label changes that probability), the scale of the waiting time, log B(a, b)."""
_CERTAIN = 1 - 1e-13
_IMPOSSIBLE = 1e-18
_DOUBTFUL = 1e-7  # a probability below this has lost too many digits to be updated label by label
_ROUNDS = 12
FEW, MOST = 0.5, 2.6  # times the target: the expected number of exceedances at which a threshold is kept
_LEAST, _AIM, _GREATEST = 0.9, 1.7, 2.5  # for a new threshold; high, because the number falls from label to label


@inlined
def set_chance(firing: _Floats, constants: _Floats, g: int, a: float, b: float, tau: float) -> None:
    """Compute P(gain of group g > tau); 0 if the gain is constant (see `top_constant`)."""
    level, slope = constants[g, 6], constants[g, 7]
    firing[g, FRONT], firing[g, CHANCE] = 0.0, 0.0
    if slope == 0:
        return
    at = (tau - level) / slope
    firing[g, AT] = at
    if at <= 0 or at >= 1:
        # the gain exceeds tau for every draw or for none
        firing[g, CHANCE] = 1.0 if (slope > 0) == (at <= 0) else 0.0
        return
    ahead = math.exp(a * math.log(at) + b * math.log(1 - at) - firing[g, LOG_BETA])
    chance = chance_of(a, b, at, 1 - at, ahead) if slope < 0 else chance_of(b, a, 1 - at, at, ahead)
    firing[g, FRONT], firing[g, CHANCE] = ahead, rounded(chance)


@inlined
def top_constant(constants: _Floats, open_groups: _Counts, n_open: int) -> int:
    """Return the best open group whose gain does not depend on the draw (a = b, for ESTIMATE), or -1.

    Only the best of them can win, and it needs no event: it exceeds any threshold below its gain at every step.
    """
    best, top = -math.inf, -1
    for i in range(n_open):
        g = open_groups[i]
        if constants[g, 7] == 0 and (constants[g, 6] > best or top < 0):
            best, top = constants[g, 6], g
    return top


@inlined
def rounded(chance: float) -> float:
    """Round probabilities within rounding error of 0 or 1."""
    return 1.0 if chance > _CERTAIN else (0.0 if chance < _IMPOSSIBLE else chance)


@inlined
def move_chance(firing: _Floats, constants: _Floats, g: int, a: float, b: float, hit: bool, tau: float) -> None:
    """Update the probability of a group with an unchanged gain line by a label; a and b are those before the label."""
    at, ahead = firing[g, AT], firing[g, FRONT]
    if ahead <= 0:
        if 0 < at < 1:
            set_chance(firing, constants, g, a + 1 if hit else a, b if hit else b + 1, tau)
        return
    # P(X < x) changes by -front / a after a hit and by front / b after a miss
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
    """Return the sum of the probabilities at tau, and minus its derivative in tau."""
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
    """Return minus the derivative of the sum of the probabilities, at the threshold they were computed for."""
    fall = 0.0
    for i in range(n_open):
        g = open_groups[i]
        if firing[g, FRONT] > 0:
            fall += firing[g, FRONT] / (firing[g, AT] * (1 - firing[g, AT]) * abs(constants[g, 7]))
    return fall


@compiled
def highest_mean(constants: _Floats, a: _Floats, b: _Floats, open_groups: _Counts, n_open: int) -> float:
    """Return the largest gain at the mean, where the search for a threshold starts."""
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
    """Search by Newton's method the threshold that about `target` groups exceed per step.

    `total` is the expected number of exceedances at tau if the probabilities are up to date, otherwise 0. `pace` damps
    Newton's first step, by experience from previous searches: a full step is too long, because groups that could not
    win before enter as the threshold falls. Return the threshold, the expected number there, and the new pace.
    """
    low, high = -math.inf, math.inf
    if top >= 0:
        # no gain below the best constant one can win: use a threshold just under it unless too many groups exceed it
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
    """Draw the gain of a group given that it exceeds the threshold."""
    level, slope, at, chance = constants[g, 6], constants[g, 7], firing[g, AT], firing[g, CHANCE]
    if slope == 0:
        return level, state
    if chance >= 1:  # the truncated sampler needs a probability below 1
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
    """Draw the gain of a group given that it does not exceed the threshold."""
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
