"""The gain of a label when two groups are compared: the expected lambda, kept up to date from label to label."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.incomplete import chance_below, front
from labelwise.simulation.kernels.rope import (
    fill_grid,
    is_smooth,
    likeliest,
    move_one,
    move_other,
    sums,
    verdict,
    window,
)

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


@compiled
def start_pair(
    grids: _Floats, edges: _Counts, tails: _Floats, a1: float, b1: float, a2: float, b2: float, margin: float
) -> None:
    """Fill the grids of -margin and margin; tails hold P(Y > 1 - d) and the term by which a label moves it."""
    tails[0], tails[1] = 0.0, 0.0
    fill_grid(grids[0], a1, b1, a2, b2, -margin)
    fill_grid(grids[1], a1, b1, a2, b2, margin)
    for side in range(2):
        edges[side, 0], edges[side, 1] = 0, grids.shape[2]
    if margin > 0:
        tails[0], tails[1] = chance_below(b2, a2, margin, 1 - margin), front(b2, a2, margin, 1 - margin)


@compiled
def copy_pair(
    grids: _Floats, edges: _Counts, tails: _Floats, to_grids: _Floats, to_edges: _Counts, to_tails: _Floats
) -> None:
    """Copy the grids of a pair."""
    for side in range(2):
        to_edges[side, 0], to_edges[side, 1], to_tails[side] = edges[side, 0], edges[side, 1], tails[side]
        for row in range(grids.shape[1]):
            for i in range(grids.shape[2]):
                to_grids[side, row, i] = grids[side, row, i]


@compiled
def move_pair(
    grids: _Floats,
    edges: _Counts,
    tails: _Floats,
    is_one: bool,
    hit: bool,
    a: float,
    b: float,
    margin: float,
) -> None:
    """Take in a label of one group or the other, whose parameters were a and b."""
    for side in range(2):
        if is_one:
            move_one(grids[side], a, b, hit, edges[side, 0], edges[side, 1])
        else:
            move_other(grids[side], a, b, hit, edges[side, 0], edges[side, 1])
            edges[side, 0], edges[side, 1] = window(grids[side], edges[side, 0], edges[side, 1])
    if not is_one:
        ahead = tails[1]
        tails[0] += ahead / a if hit else -ahead / b
        tails[1] = ahead * (a + b) * ((1 - margin) / a if hit else margin / b)


@compiled
def pair_lines(
    grids: _Floats, edges: _Counts, tails: _Floats, a1: float, b1: float, a2: float, b2: float, margin: float
) -> tuple[float, float, float, float]:
    """Give level and slope of the gain of the one group and of the other, as functions of their draws."""
    if not is_smooth(a1, b1, a2, b2):
        hit, miss = verdict(a1 + 1, b1, a2, b2, margin), verdict(a1, b1 + 1, a2, b2, margin)
        hit_other, miss_other = verdict(a1, b1, a2 + 1, b2, margin), verdict(a1, b1, a2, b2 + 1, margin)
        return miss, hit - miss, miss_other, hit_other - miss_other
    low, low_y, low_front = sums(grids[0], edges[0, 0], edges[0, 1])
    top, top_y, top_front = sums(grids[1], edges[1, 0], edges[1, 1])
    tail, ahead = tails[0], tails[1]
    # I_x(a + 1, b) = I_x(a, b) - front / a and I_x(a, b + 1) = I_x(a, b) + front / b, under the integral
    hit = likeliest(low - low_front / a1, top - top_front / a1 + tail)
    miss = likeliest(low + low_front / b1, top + top_front / b1 + tail)
    by_a, by_b = (a2 + b2) / a2, (a2 + b2) / b2
    hit_other = likeliest(low_y * by_a, top_y * by_a + tail + ahead / a2)
    miss_other = likeliest((low - low_y) * by_b, (top - top_y) * by_b + tail - ahead / b2)
    return miss, hit - miss, miss_other, hit_other - miss_other
