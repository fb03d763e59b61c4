"""The published search for the worst calibrated groups: weights and confidences of bins from labelled items alone.

The belief of `cells.py` knows from the start how many items a bin has, and their confidence. The published one learns
both with the labels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.choice import closed, opened, put_leaders
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.generator import State, below, beta_of, gamma_constants, seeded

A, B, COUNT, CONFIDENCE = range(4)
"""Rows of a bin: the parameters of its accuracy, its labels, and their mean score."""


@inlined
def _error(bins: NDArray[np.float64], is_draw: bool, state: State) -> tuple[float, State]:
    """Return the error of a group: one draw, or at the means; all bins weigh alike before the first label."""
    total, n_labels = 0.0, 0.0
    for b in range(bins.shape[1]):
        n_labels += bins[COUNT, b]
    for b in range(bins.shape[1]):
        if n_labels > 0 and bins[COUNT, b] == 0:
            continue
        accuracy = bins[A, b] / (bins[A, b] + bins[B, b])
        if is_draw:
            d1, c1, e1 = gamma_constants(bins[A, b])
            d2, c2, e2 = gamma_constants(bins[B, b])
            accuracy, state = beta_of(d1, c1, e1, d2, c2, e2, state)
        weight = bins[COUNT, b] / n_labels if n_labels > 0 else 1 / bins.shape[1]
        total += weight * abs(accuracy - bins[CONFIDENCE, b])
    return total, state


@compiled
def search_online(
    is_active: bool,
    first: NDArray[np.int64],
    bin_of: NDArray[np.int64],
    score: NDArray[np.float64],
    hit: NDArray[np.bool_],
    n_bins: int,
    strength: float,
    m: int,
    at: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    out: NDArray[np.float64],
) -> None:
    """Play one run a seed over all items, and write the error of each group at the means after `at` labels.

    Parameters
    ----------
    is_active : whether Thompson sampling chooses; else groups at random.
    first : where the items of each group begin, and after the last group where they end.
    bin_of, score, hit : of each item, in the order of groups.
    n_bins, strength : of the prior, whose mean is the middle of the bin.
    m : groups that are asked at once.
    out : what is written, shape (n_runs, n_at, n_groups).
    """
    n_groups, n_items = len(first) - 1, len(score)
    bins = np.empty((n_groups, 4, n_bins))
    order, left = np.empty(n_items, np.int64), np.empty(n_groups, np.int64)
    open_groups, plays, gains = np.empty(n_groups, np.int64), np.empty(max(m, 1), np.int64), np.empty(n_groups)
    for run in range(len(seeds)):
        state = seeded(seeds[run])
        for g in range(n_groups):
            left[g] = first[g + 1] - first[g]
            for b in range(n_bins):
                middle = (b + 0.5) / n_bins
                bins[g, A, b], bins[g, B, b] = strength * middle, strength * (1 - middle)
                bins[g, COUNT, b], bins[g, CONFIDENCE, b] = 0.0, middle
            for i in range(first[g], first[g + 1]):
                place, state = below(i - first[g] + 1, state)
                order[i] = order[first[g] + place]
                order[first[g] + place] = i
        n_open, n_told, seen = opened(left, open_groups), 0, 0
        while n_told < n_items:
            wanted = m if n_open >= m else 1
            for i in range(n_open):
                g = open_groups[i]
                if is_active:
                    gains[g], state = _error(bins[g], True, state)
                else:
                    rank, state = below(1 << 30, state)
                    gains[g] = rank
            n_plays = put_leaders(gains, open_groups, n_open, wanted, plays)
            for play in range(n_plays):
                g = plays[play]
                left[g] -= 1
                i = order[first[g] + left[g]]
                b = bin_of[i]
                bins[g, A if hit[i] else B, b] += 1
                bins[g, COUNT, b] += 1
                bins[g, CONFIDENCE, b] += (score[i] - bins[g, CONFIDENCE, b]) / bins[g, COUNT, b]
                n_told += 1
                if left[g] == 0:
                    n_open = closed(g, open_groups, n_open)
                while seen < len(at) and at[seen] == n_told:
                    for h in range(n_groups):
                        out[run, seen, h], state = _error(bins[h], False, state)
                    seen += 1
