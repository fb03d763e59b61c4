"""Posterior means of groups that share a map, for many moments of many runs at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.maps import NODES, fit_maps

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_FIRST_STEPS, _STEPS = 30, 6  # of the search for the likeliest maps; later moments start where the last one ended


@compiled
def put_means(
    x: _Floats,
    share: _Floats,
    hits: _Counts,
    labels: _Counts,
    sizes: _Counts,
    middle: _Floats,
    spread: _Floats,
    strengths: _Floats,
    in_pool: bool,
    out: _Floats,
) -> None:
    """Put the mean accuracy of each group after its hits and labels, shapes (n_runs, n_at, n_groups), into `out`.

    As `MixtureBelief.mean`, with three nodes in each direction where that has five.
    """
    n_runs, n_at, n_groups = hits.shape
    n_directions = len(middle)
    n_nodes = len(strengths) * (NODES if n_directions == 1 else NODES * NODES)
    weight, accuracy = np.empty(n_nodes), np.empty((n_nodes, n_groups))
    strength = np.repeat(strengths, n_nodes // len(strengths))
    modes = np.empty((len(strengths), n_directions))
    for run in range(n_runs):
        for t in range(len(strengths)):
            modes[t] = middle
        for moment in range(n_at):
            got_hits, got = hits[run, moment], labels[run, moment]
            steps = _FIRST_STEPS if moment == 0 else _STEPS
            fit_maps(x, share, got_hits, got, middle, spread, strengths, modes, steps, weight, accuracy)
            for g in range(n_groups):
                mean = 0.0
                for f in range(n_nodes):
                    a = strength[f] / (1 - accuracy[f, g]) + got_hits[g]
                    mean += weight[f] * a / (a + strength[f] / accuracy[f, g] + got[g] - got_hits[g])
                if in_pool and sizes[g] > 0:
                    mean = (got_hits[g] + (sizes[g] - got[g]) * mean) / sizes[g]
                out[run, moment, g] = mean
