"""Groups follow the scores more steeply than the items within them do.

A confidence is a rough measure of one item; the mean over a group is a fair one of the group. So groups lie further
apart than their items' chances say: the logit of a group's mean chance has `steepness` times its distance from that of
the whole pool. What that does to the odds of a group, it does to those of all its items. How far the groups lie apart
is read off the likeliest map of the items, once for all maps that could be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from labelwise.beliefs.learned.constants import NEAREST

if TYPE_CHECKING:
    from labelwise.beliefs.learned.calibration_map import CalibrationMap, LabelCounts

_Floats = NDArray[np.float64]


def lifted(chance: _Floats, odds: _Floats) -> _Floats:
    """Return chances whose odds are so many times larger."""
    more = odds * chance
    return np.clip(more / (1 - chance + more), NEAREST, 1 - NEAREST)


def steepness_in(scores: CalibrationMap, steepness: float) -> float:
    """Return the steepness of groups: none of their own if they are parts of the scores."""
    return steepness if scores.is_mixed else 1.0


def odds_of(scores: CalibrationMap, place: _Floats, steepness: float) -> _Floats:
    """Return the ratio of each group's odds to those of its items alone under a map, shape (n_groups,): equation 3."""
    apart = logit(scores.accuracy(place[None])[0]) - logit(scores.pooled.accuracy(place[None])[0])
    return np.asarray(np.exp((steepness_in(scores, steepness) - 1) * apart))


@dataclass(frozen=True, eq=False)
class LabelledGroups:
    """The groups that have labels.

    Attributes
    ----------
    scores : of their labelled items.
    odds : as `odds_of` gives them.
    hits, labels : of each group.
    """

    scores: CalibrationMap
    odds: _Floats
    hits: NDArray[np.int64]
    labels: NDArray[np.int64]

    @classmethod
    def of(cls, scores: CalibrationMap, told: LabelCounts, odds: _Floats) -> LabelledGroups:
        """Leave groups without labels out."""
        there = told.labels > 0
        labelled = scores.with_share(told.mixture(scores)[there])
        return cls(labelled, odds[there], told.hits[there], told.labels[there])

    def expected(self, place: _Floats) -> _Floats:
        """Return the mean chance of each group's labelled items under maps, shape (n_maps, n_groups): equation 2."""
        return lifted(self.scores.accuracy(place), self.odds)

    def slopes(self, place: _Floats) -> _Floats:
        """Return how that changes with shift and slope, shape (n_maps, n_directions, n_groups)."""
        chance = self.scores.accuracy(place)
        by_chance = self.odds / (1 - chance + self.odds * chance) ** 2
        return self.scores.slopes(place) * by_chance[:, None, :]
