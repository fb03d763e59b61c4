"""What a label is worth if a Beta belief's draw were true: always an affine function of the draw."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import inlined
from labelwise.simulation.kernels.generator import State, beta_of, gamma_constants
from labelwise.simulation.kernels.incomplete import quantile

_Floats = NDArray[np.float64]

RANK, ESTIMATE, COMPARE, OVERALL = range(4)
"""Goals: gain = weight * theta + offset; weight * expected drop of the variance; expected lambda of two groups; or
expected drop of the variance of the whole (groups that share a map only)."""
N_CONSTANTS = 8  # of a group: six for its draws, level and slope of its gain; one line of the cache


@inlined
def gain_line(goal: int, a: float, b: float, weight: float, offset: float) -> tuple[float, float]:
    """Return level and slope of the gain as a function of the draw; for COMPARE see `compare.py`."""
    if goal == RANK:
        return offset, weight
    # Var(theta | L) - E_z Var(theta | L, z), as in BetaBelief.variance_drop
    total = a + b
    after = (total + 1) * (total + 1) * (total + 2)
    variance = a * b / (total * total * (total + 1))
    return weight * (variance - a * (b + 1) / after), weight * (a - b) / after


@inlined
def set_constants(constants: _Floats, g: int, goal: int, a: float, b: float, weight: float, offset: float) -> None:
    """Work out what the draws and the gain of group g need after its belief has changed."""
    constants[g, 0], constants[g, 1], constants[g, 2] = gamma_constants(a)
    constants[g, 3], constants[g, 4], constants[g, 5] = gamma_constants(b)
    constants[g, 6], constants[g, 7] = gain_line(goal, a, b, weight, offset)


@inlined
def drawn_gain(constants: _Floats, g: int, state: State) -> tuple[float, State]:
    """Return the gain of group g for one draw of its belief."""
    x, state = beta_of(
        constants[g, 0], constants[g, 1], constants[g, 2], constants[g, 3], constants[g, 4], constants[g, 5], state
    )
    return constants[g, 6] + constants[g, 7] * x, state


@inlined
def mean_gain(level: float, slope: float, a: float, b: float) -> float:
    """Return the gain at the mean."""
    return level + slope * (a / (a + b))


@inlined
def upper_gain(level: float, slope: float, a: float, b: float, at: float) -> float:
    """Return the exact `at` quantile of the gain."""
    if slope == 0:
        return level
    x = quantile(a, b, at, 1 - at) if slope > 0 else quantile(a, b, 1 - at, at)
    return level + slope * x
