"""Probabilities that one accuracy is lower than, equal to or higher than another, at many snapshots of many runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compare import copy_pair, start_pair
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.incomplete import chance_below
from labelwise.simulation.kernels.rope import (
    difference_below,
    is_smooth,
    move_one,
    move_other,
    n_nodes,
    sums,
    window,
)

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_MANY = 100  # labels between snapshots from which new integrals are as fast, and free of accumulated rounding


@compiled
def _follow(grid: _Floats, edges: _Counts, a: float, b: float, n_hits: int, n_misses: int, is_one: bool) -> None:
    """Update a grid by labels of one of the groups, whose parameters were a and b."""
    for k in range(n_hits + n_misses):
        hit = k < n_hits
        if is_one:
            move_one(grid, a, b, hit, edges[0], edges[1])
        else:
            move_other(grid, a, b, hit, edges[0], edges[1])
        if hit:
            a += 1
        else:
            b += 1


@compiled
def put_regions(prior: _Floats, hits: _Counts, labels: _Counts, margin: float, out: _Floats) -> None:
    """Write P(lower), P(equal) and P(higher) of the difference of two accuracies at each snapshot.

    A run's integrals are updated from one snapshot to the next, which is a hundred times faster than new ones.

    Parameters
    ----------
    prior : pseudo-hits and pseudo-misses of each group, shape (2, 2).
    hits, labels : cumulative counts of the two groups at each snapshot, shape (n_runs, n_at, 2).
    margin : differences up to this count as equal.
    out : output, shape (n_runs, n_at, 3).
    """
    n_runs, n_at = labels.shape[:2]
    most = 0.0
    for run in range(n_runs):
        most = max(most, max(labels[run, n_at - 1, 0], labels[run, n_at - 1, 1]))
    total = max(prior[0, 0] + prior[0, 1], prior[1, 0] + prior[1, 1]) + most
    grids = np.empty((2, 7, n_nodes(total)))
    edges, tails = np.zeros((2, 2), np.int64), np.zeros(2)
    a1, b1, a2, b2 = prior[0, 0], prior[0, 1], prior[1, 0], prior[1, 1]
    starts_smooth = is_smooth(a1, b1, a2, b2)
    if starts_smooth:  # every run starts from the same integrals
        start_pair(grids, edges, tails, a1, b1, a2, b2, margin)
    first_grids, first_edges, first_tails = grids.copy(), edges.copy(), tails.copy()
    for run in range(n_runs):
        followed = starts_smooth
        copy_pair(first_grids, first_edges, first_tails, grids, edges, tails)
        a1, b1, a2, b2 = prior[0, 0], prior[0, 1], prior[1, 0], prior[1, 1]
        for k in range(n_at):
            to_a1, to_b1 = prior[0, 0] + hits[run, k, 0], prior[0, 1] + (labels[run, k, 0] - hits[run, k, 0])
            to_a2, to_b2 = prior[1, 0] + hits[run, k, 1], prior[1, 1] + (labels[run, k, 1] - hits[run, k, 1])
            if followed and to_a1 + to_b1 + to_a2 + to_b2 - (a1 + b1 + a2 + b2) < _MANY:
                for side in range(2):
                    _follow(grids[side], edges[side], a1, b1, round(to_a1 - a1), round(to_b1 - b1), True)
                    _follow(grids[side], edges[side], a2, b2, round(to_a2 - a2), round(to_b2 - b2), False)
                    # not inside _follow: its order of labels is artificial and may empty nodes that are needed again
                    edges[side, 0], edges[side, 1] = window(grids[side], edges[side, 0], edges[side, 1])
            elif is_smooth(to_a1, to_b1, to_a2, to_b2):
                followed = True
                start_pair(grids, edges, tails, to_a1, to_b1, to_a2, to_b2, margin)
            a1, b1, a2, b2 = to_a1, to_b1, to_a2, to_b2
            if followed:
                lower, _, _ = sums(grids[0], edges[0, 0], edges[0, 1])
                up_to, _, _ = sums(grids[1], edges[1, 0], edges[1, 1])
                up_to += chance_below(b2, a2, margin, 1 - margin)  # y + margin > 1: X is certainly below
            else:
                lower = difference_below(a1, b1, a2, b2, -margin)
                up_to = difference_below(a1, b1, a2, b2, margin)
            lower, up_to = min(1.0, lower), min(1.0, up_to)
            out[run, k, 0], out[run, k, 1], out[run, k, 2] = lower, max(0.0, up_to - lower), 1 - up_to
