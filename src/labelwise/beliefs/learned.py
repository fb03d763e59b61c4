"""The prior that learns what the classifier's scores are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs.prior import FlatPrior, InformedPrior
from labelwise.beliefs.score_map import ScoreMap, weighed_maps
from labelwise.checks import check_positive
from labelwise.errors import ArgumentError
from labelwise.groups import Grouping

_Floats = NDArray[np.float64]
_STRENGTHS = tuple(2.0**k for k in range(2, 11))


@dataclass(frozen=True)
class LearnedPrior:
    """The classifier's scores, mended by what the labels of all groups say of them.

    Accuracies follow the scores through a logistic map whose shift and slope are unknown, and groups differ from it by
    a Beta of unknown strength. All three are learned from all labels together. Without scores the groups share a mean.

    Parameters
    ----------
    shift : standard deviation, before any label, of how far the logit of the scores is off.
    slope : standard deviation of the slope about 1.
    strengths : what the mended scores may be worth in labels a group, all alike probable.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 50 + ["dog"] * 50, confidence=[0.9] * 50 + [0.6] * 50)
    >>> lw.accuracy.start(lw.by_prediction(pool), LearnedPrior()).mean().round(2)
    array([0.83, 0.58])
    """

    shift: float = 1.0
    slope: float = 0.5
    strengths: tuple[float, ...] = _STRENGTHS

    def __post_init__(self) -> None:
        check_positive(self.shift, "shift")
        check_positive(self.slope, "slope")
        object.__setattr__(self, "strengths", tuple(float(strength) for strength in self.strengths))
        if not self.strengths:
            raise ArgumentError("`strengths` must have at least one strength.")
        for strength in self.strengths:
            check_positive(strength, "strengths")

    @property
    def settings(self) -> dict[str, Any]:
        """What `weighed_maps` asks for."""
        return {
            "middle": np.array([0.0, 1.0]),
            "spread": np.array([self.shift, self.slope]),
            "strengths": np.array(self.strengths),
        }

    def beta(self, groups: Grouping) -> tuple[_Floats, _Floats]:
        """Give one Beta a group with the mean and variance of the whole mixture, for beliefs that share nothing."""
        zero = np.zeros(groups.n_groups, np.int64)
        maps = weighed_maps(ScoreMap.of(groups), zero, zero, **self.settings)
        mean = maps.accuracy
        middle = maps.weight @ mean
        variance = maps.weight @ (mean * (1 - mean) / (maps.strength[:, None] + 1) + (mean - middle) ** 2)
        total = middle * (1 - middle) / variance - 1
        return middle * total, (1 - middle) * total

    def dirichlet(self, groups: Grouping) -> _Floats:
        """Give the scores' own pseudo-counts: confusion shares nothing yet."""
        prior = InformedPrior() if groups.pool.scores is not None else FlatPrior()
        return prior.dirichlet(groups)
