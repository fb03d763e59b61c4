"""Posterior means of groups that share a calibration map, for many snapshots of many runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.calibration_map import fit_maps, n_nodes_of
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.mixture_gain import counts_under

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


@compiled
def put_means(
    x: _Floats,
    share: _Floats,
    whole: _Floats,
    hits: _Counts,
    labels: _Counts,
    in_bin: _Counts,
    bin_hits: _Counts,
    sizes: _Counts,
    middle: _Floats,
    spread: _Floats,
    strengths: _Floats,
    steepness: float,
    in_pool: bool,
    out: _Floats,
) -> None:
    """Write the mean accuracy of each group given its hits and labels, shape (n_runs, n_at, n_groups), to `out`.

    `in_bin` and `bin_hits` are those of `LabelCounts` with leading dimensions (n_runs, n_at).
    Computed as `LearnedAccuracy.mean`.
    """
    n_runs, n_at, n_groups = hits.shape
    n_nodes = n_nodes_of(len(strengths), len(middle))
    weight, accuracy, summed = np.empty(n_nodes), np.empty((n_nodes, n_groups)), np.empty((n_nodes, n_groups))
    chance, explained, asked = np.empty((n_nodes, len(x))), np.empty(n_groups), np.empty((len(x), n_groups))
    odds = np.empty(n_groups)
    strength = np.repeat(strengths, n_nodes // len(strengths))
    for run in range(n_runs):
        for moment in range(n_at):
            got_hits, got = hits[run, moment], labels[run, moment]
            for h in range(len(x)):
                for g in range(n_groups):
                    asked[h, g] = in_bin[run, moment, g, h]
            if len(middle) == 1:
                asked[0] = got
            fit_maps(
                x, share, whole, got_hits, got, asked, bin_hits[run, moment], middle, spread, strengths, steepness,
                weight, accuracy, summed, chance, odds, explained,
            )  # fmt: skip
            for g in range(n_groups):
                mean = 0.0
                for f in range(n_nodes):
                    if weight[f] == 0:
                        continue
                    a, b = counts_under(
                        strength[f], accuracy[f, g], summed[f, g], odds[g], explained[g], got_hits[g], got[g],
                        sizes[g], in_pool,
                    )  # fmt: skip
                    mean += weight[f] * a / (a + b)
                if in_pool and sizes[g] > 0:
                    mean = (got_hits[g] + (sizes[g] - got[g]) * mean) / sizes[g]
                out[run, moment, g] = mean
