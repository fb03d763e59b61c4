"""Gain of a label in a comparison of two groups: the expected lambda (see `rope.verdict`), updated label by label."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.incomplete import chance_below, front
from labelwise.simulation.kernels.rope import (
    difference_below,
    fill_grid,
    is_smooth,
    likeliest,
    move_one,
    move_other,
    sums,
    window,
)

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


@compiled
def start_pair(
    grids: _Floats, edges: _Counts, tails: _Floats, a1: float, b1: float, a2: float, b2: float, margin: float
) -> None:
    """Fill the grids of d = -margin and d = margin; tails hold P(Y > 1 - d) and the term a label adds to it."""
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
    """Update the grids by a label of one of the groups, whose parameters were a and b."""
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
def _integrated(a1: float, b1: float, a2: float, b2: float, margin: float) -> _Floats:
    """Integrate P(Delta < -margin) and P(Delta <= margin) from scratch: now, and after each label of either group.

    In a loop, because ten inlined copies of the integral would take seconds to compile.
    """
    bounds = np.empty((5, 2))
    for after in range(5):
        more_a1, more_b1, more_a2, more_b2 = after == 1, after == 2, after == 3, after == 4
        for side in range(2):
            bounds[after, side] = difference_below(
                a1 + more_a1, b1 + more_b1, a2 + more_a2, b2 + more_b2, margin if side else -margin
            )
    return bounds


@compiled
def pair_bounds(
    is_followed: bool,
    grids: _Floats,
    edges: _Counts,
    tails: _Floats,
    a1: float,
    b1: float,
    a2: float,
    b2: float,
    margin: float,
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]:
    """Return P(Delta < -margin) and P(Delta <= margin) now, and after a hit or miss of the first or second group.

    The grids are used if they follow the pair; otherwise everything is integrated from scratch.
    """
    if not is_followed:
        anew = _integrated(a1, b1, a2, b2, margin)
        return (
            (anew[0, 0], anew[0, 1]),
            (anew[1, 0], anew[1, 1]),
            (anew[2, 0], anew[2, 1]),
            (anew[3, 0], anew[3, 1]),
            (anew[4, 0], anew[4, 1]),
        )
    low, low_y, low_front = sums(grids[0], edges[0, 0], edges[0, 1])
    top, top_y, top_front = sums(grids[1], edges[1, 0], edges[1, 1])
    tail, ahead = tails[0], tails[1]
    by_a, by_b = (a2 + b2) / a2, (a2 + b2) / b2
    # I_x(a + 1, b) = I_x(a, b) - front / a and I_x(a, b + 1) = I_x(a, b) + front / b, under the integral
    return (
        (low, top + tail),
        (low - low_front / a1, top - top_front / a1 + tail),
        (low + low_front / b1, top + top_front / b1 + tail),
        (low_y * by_a, top_y * by_a + tail + ahead / a2),
        ((low - low_y) * by_b, (top - top_y) * by_b + tail - ahead / b2),
    )


@compiled
def pair_lines(
    grids: _Floats, edges: _Counts, tails: _Floats, a1: float, b1: float, a2: float, b2: float, margin: float
) -> tuple[float, float, float, float]:
    """Return level and slope of the gain of each of the two groups as a function of its draw."""
    _, hit, miss, hit_other, miss_other = pair_bounds(
        is_smooth(a1, b1, a2, b2), grids, edges, tails, a1, b1, a2, b2, margin
    )
    low, low_other = likeliest(miss[0], miss[1]), likeliest(miss_other[0], miss_other[1])
    return low, likeliest(hit[0], hit[1]) - low, low_other, likeliest(hit_other[0], hit_other[1]) - low_other
