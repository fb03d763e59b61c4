"""Upper quantiles from draws of which only the largest are kept: the same number as a sort of all would give."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import inlined

_Floats = NDArray[np.float64]

RANK_DRAWS, ESTIMATE_DRAWS = 500, 200
"""Draws of a quantile: as many as `questions/extreme.py` and `questions/estimate.py` take."""


@inlined
def n_kept(n_draws: int, level: float) -> int:
    """Give how many of the largest draws the quantile is read from."""
    return n_draws - math.floor((n_draws - 1) * level)


@inlined
def kept(value: float, top: _Floats, n_top: int, most: int) -> int:
    """Put a draw among the largest so far, falling, if it belongs there; give how many there are, at most `most`."""
    if n_top == most and not value > top[most - 1]:
        return n_top
    place = n_top if n_top < most else most - 1
    while place > 0 and value > top[place - 1]:
        top[place] = top[place - 1]
        place -= 1
    top[place] = value
    return min(n_top + 1, most)


@inlined
def upper_of(top: _Floats, n_draws: int, level: float) -> float:
    """Give the quantile of so many draws from the largest of them, between two of them by a straight line."""
    place = (n_draws - 1) * level
    below = math.floor(place)
    low, high = top[n_draws - 1 - below], top[n_draws - 2 - below]
    return low + (place - below) * (high - low)
