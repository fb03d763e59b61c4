"""Upper sample quantiles that keep only the largest draws; equal to the quantile of all draws."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import inlined

_Floats = NDArray[np.float64]

RANK_DRAWS, ESTIMATE_DRAWS = 500, 200
"""Number of draws per quantile, as in `questions/extreme.py` and `questions/estimate.py`."""


@inlined
def n_kept(n_draws: int, level: float) -> int:
    """Return how many of the largest draws determine the quantile."""
    return n_draws - math.floor((n_draws - 1) * level)


@inlined
def kept(value: float, top: _Floats, n_top: int, most: int) -> int:
    """Insert a draw into the `most` largest so far, in decreasing order, if it belongs there; return their number."""
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
    """Return the quantile of `n_draws` draws from the largest of them, by linear interpolation."""
    place = (n_draws - 1) * level
    below = math.floor(place)
    low, high = top[n_draws - 1 - below], top[n_draws - 2 - below]
    return low + (place - below) * (high - low)
