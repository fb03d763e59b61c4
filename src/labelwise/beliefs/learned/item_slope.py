"""What the items of one group tell of the slope: whether its hits are those that the scores were surer of.

Groups may follow the scores more or less steeply than the items within them do. So the slope among items does not fix
the slope of the map between groups: it is a hint, by a spread that the two may differ by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from labelwise.beliefs.learned.constants import (
    APART,
    NEAREST,
    QUIETEST,
    SLOPE_STEP,
    SLOPE_STEPS,
    SLOPE_TOLERANCE,
    TAILS,
)

if TYPE_CHECKING:
    from labelwise.beliefs.learned.calibration_map import CalibrationMap, LabelCounts

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bend:
    """What the items of each group tell of the slope, and of how much their confidences explain.

    The log-chance of which items were hits, as a parabola about the likeliest slope.

    Attributes
    ----------
    shift, slope : the likeliest, with the prior.
    level : how the log-chance rises there.
    precision : how it bends.
    explained : which part of the spread of each group's hits their confidences explain, shape (n_groups,).
    noise : what is left of the spread of the labelled items' hits, as their confidences differ; 1 if they are alike.
    """

    shift: float
    slope: float
    level: float
    precision: float
    explained: _Floats
    noise: float

    def log_chance(self, place: _Floats) -> _Floats:
        """Return the log-chance of which items were hits under maps (shift, slope), up to a constant."""
        if place.shape[1] == 1:
            return np.zeros(len(place))
        away = place[:, 1] - self.slope
        return np.asarray(self.level * away - 0.5 * self.precision * away**2)

    def rise(self, place: _Floats) -> _Floats:
        """Return how the log-chance rises with the slope."""
        return np.asarray(self.level - self.precision * (place[:, 1] - self.slope))


def bend_of(scores: CalibrationMap, told: LabelCounts, middle: _Floats, spread: _Floats, strength: float) -> Bend:
    """Find the likeliest slope among items, where each group has a level of its own about the map.

    Quasi-likelihood, equations 6 to 9 of MODEL.md: a group's level is a normal number that the sum of its residuals
    tells of. A step that turns back is halved.

    Parameters
    ----------
    middle, spread, strength : of the map before any label, as for `weighed_maps`.
    """
    if not scores.has_scores:
        return Bend(0.0, 0.0, 0.0, 0.0, np.zeros(len(told.labels)), 1.0)
    there = told.labels > 0
    share, in_bin = scores.share[there], told.in_bin[there].astype(float)
    hits, x, n_in_bin = told.hits[there], scores.x, in_bin.sum(axis=0)
    unknown = told.labels[there] - in_bin.sum(axis=1)
    place, step = middle.copy(), np.zeros(2)
    for _ in range(SLOPE_STEPS):
        chance = expit(place[0] + place[1] * x)
        steep = chance * (1 - chance)
        mean, spread_out = _moments(share, chance)
        residual = hits - in_bin @ chance - unknown * mean
        known, known_x = in_bin @ steep + unknown * (share @ steep), in_bin @ (steep * x)
        own = spread_out**2 * strength
        kept, lost = own / (known + own), known_x / (known + own)  # of a residual, after the group's own level
        prior = (TAILS + 1) / (TAILS * spread**2 + (place - middle) ** 2)
        pull = (place - middle) * prior
        across, shift_known = float(known_x @ kept), float(known @ kept) + prior[0]
        slope_known = float(n_in_bin @ (steep * x**2) - known_x @ lost)
        by_shift = float(residual @ kept) - pull[0]
        by_slope = float((told.bin_hits - n_in_bin * chance) @ x - lost @ residual) - pull[1]
        information = np.array([[shift_known, across], [across, slope_known + prior[1]]])
        newton = np.clip(np.linalg.solve(information, np.array([by_shift, by_slope])), -SLOPE_STEP, SLOPE_STEP)
        is_back = (newton * step < 0) & (np.abs(newton) > 0.5 * np.abs(step))
        step = np.where(is_back, newton / 2, newton)
        if np.abs(step).max() < SLOPE_TOLERANCE:
            break
        place = place + step
    alone = max(slope_known - across**2 / shift_known, 0.0)  # whatever the shift is
    shared = 1 / (1 + APART**2 * alone)
    explained = 1 - _moments(scores.share, chance)[1]
    asked = (in_bin @ chance + unknown * mean) / told.labels[there]
    alike = float((told.labels[there] * asked * (1 - asked)).sum())  # if all had the mean chance of their group
    left = float((in_bin @ steep + unknown * mean * (1 - mean)).sum())
    noise = min(max(left / alike, QUIETEST), 1.0) if alike > 0 else 1.0
    return Bend(float(place[0]), float(place[1]), float(pull[1]) * shared, alone * shared, explained, noise)


def _moments(share: _Floats, chance: _Floats) -> tuple[_Floats, _Floats]:
    """Return the mean chance of each group, and what its items' chances leave of the spread of its hits."""
    mean = np.clip(share @ chance, NEAREST, 1 - NEAREST)
    return mean, np.clip(share @ (chance * (1 - chance)) / (mean * (1 - mean)), QUIETEST, 1.0)
