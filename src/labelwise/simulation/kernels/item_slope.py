"""Compiled version of `beliefs/learned/item_slope.py`: the within-group slope of the calibration map."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs.learned.constants import (
    APART,
    NEAREST,
    QUIETEST,
    SLOPE_STEP,
    SLOPE_STEPS,
    SLOPE_TOLERANCE,
    TAILS,
)
from labelwise.simulation.kernels.compiler import compiled

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


@compiled
def put_bend(
    x: _Floats,
    share: _Floats,
    hits: _Counts,
    labels: _Counts,
    in_bin: _Floats,
    bin_hits: _Counts,
    middle: _Floats,
    spread: _Floats,
    strength: float,
    place: _Floats,
    bend: _Floats,
    explained: _Floats,
) -> None:
    """Find the posterior mode of the within-group slope; write slope, level, precision and noise of `Bend` to `bend`.

    Parameters
    ----------
    share, in_bin : share of each group's items, and number of its labels, per bin, shape (n_bins, n_groups).
    place : output: shift and slope where the search ends.
    explained : output: the share of the variance of each group's hits that the confidences explain.
    """
    n_bins, n_groups = share.shape
    if len(middle) == 1:
        bend[:], place[:] = 0.0, 0.0
        bend[3] = 1.0
        explained[:] = 0.0
        return
    mean, noise, residual = np.empty(n_groups), np.empty(n_groups), np.empty(n_groups)
    known, known_x = np.empty(n_groups), np.empty(n_groups)
    place[:] = middle
    last0, last1 = 0.0, 0.0
    pull1, alone = 0.0, 0.0
    for _ in range(SLOPE_STEPS):
        mean[:], noise[:], known[:], known_x[:] = 0.0, 0.0, 0.0, 0.0
        slope_known, by_slope = 0.0, 0.0
        for g in range(n_groups):
            residual[g] = hits[g]
        for h in range(n_bins):
            chance = 1 / (1 + math.exp(-(place[0] + place[1] * x[h])))
            steep = chance * (1 - chance)
            n_here = 0.0
            for g in range(n_groups):
                mean[g] += share[h, g] * chance
                noise[g] += share[h, g] * steep
                residual[g] -= in_bin[h, g] * chance
                known[g] += in_bin[h, g] * steep
                known_x[g] += in_bin[h, g] * steep * x[h]
                n_here += in_bin[h, g]
            slope_known += n_here * steep * x[h] * x[h]
            by_slope += (bin_hits[h] - n_here * chance) * x[h]
        across, shift_known, by_shift = 0.0, 0.0, 0.0
        for g in range(n_groups):
            level = min(max(mean[g], NEAREST), 1 - NEAREST)
            noise[g] = min(max(noise[g] / (level * (1 - level)), QUIETEST), 1.0)
            own = noise[g] * noise[g] * strength
            kept = own / (known[g] + own)
            across += known_x[g] * kept
            shift_known += known[g] * kept
            by_shift += residual[g] * kept
            lost = known_x[g] / (known[g] + own)
            slope_known -= known_x[g] * lost
            by_slope -= lost * residual[g]
        prior0 = (TAILS + 1) / (TAILS * spread[0] ** 2 + (place[0] - middle[0]) ** 2)
        prior1 = (TAILS + 1) / (TAILS * spread[1] ** 2 + (place[1] - middle[1]) ** 2)
        pull1 = (place[1] - middle[1]) * prior1
        shift_known += prior0
        by_shift -= (place[0] - middle[0]) * prior0
        by_slope -= pull1
        alone = max(slope_known - across * across / shift_known, 0.0)
        size = shift_known * (slope_known + prior1) - across * across
        step0 = ((slope_known + prior1) * by_shift - across * by_slope) / size
        step1 = (shift_known * by_slope - across * by_shift) / size
        step0, step1 = min(max(step0, -SLOPE_STEP), SLOPE_STEP), min(max(step1, -SLOPE_STEP), SLOPE_STEP)
        if step0 * last0 < 0 and abs(step0) > 0.5 * abs(last0):
            step0 *= 0.5
        if step1 * last1 < 0 and abs(step1) > 0.5 * abs(last1):
            step1 *= 0.5
        last0, last1 = step0, step1
        if max(abs(step0), abs(step1)) < SLOPE_TOLERANCE:
            break
        place[0] += step0
        place[1] += step1
    alike, spread_out = 0.0, 0.0
    for g in range(n_groups):
        explained[g] = 1 - noise[g]
        if labels[g] > 0:
            asked = (hits[g] - residual[g]) / labels[g]
            alike += labels[g] * asked * (1 - asked)
            spread_out += known[g]
    shared = 1 / (1 + APART**2 * alone)
    bend[0], bend[1], bend[2] = place[1], pull1 * shared, alone * shared
    bend[3] = min(max(spread_out / alike, QUIETEST), 1.0) if alike > 0 else 1.0
