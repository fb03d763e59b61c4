"""The prior that learns what the classifier's scores are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs.learned.calibration_map import CalibrationMap, LabelCounts, weighed_maps
from labelwise.beliefs.learned.constants import SHIFT_SCALE, SLOPE_CENTRE, SLOPE_SCALE, SPREADS, STEEPNESS
from labelwise.beliefs.prior import LEAST_PSEUDO_COUNT, FlatPrior, InformedPrior
from labelwise.checks import check_positive
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups import Grouping

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LearnedPrior:
    """The classifier's scores, mended by what the labels of all groups say of them.

    Accuracies follow the scores through a logistic map whose shift and slope are unknown, and groups differ from it by
    an unknown spread. All three are learned from all labels together, and each label counts by the confidence of its
    item. Without scores the groups share a mean.

    Parameters
    ----------
    shift : scale, before any label, of how far the logit of the scores is off.
    slope : scale of the slope about 0.8: more classifiers are over- than under-confident.
    spreads : how far the logits of groups may lie from the map, as standard deviations; alike probable.
    steepness : how many times as steeply as the items within them groups follow the scores.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 50 + ["dog"] * 50, confidence=[0.9] * 50 + [0.6] * 50)
    >>> lw.accuracy.start(lw.by_prediction(pool), LearnedPrior()).mean().round(2)
    array([0.78, 0.56])
    """

    name: ClassVar[str] = "learned"
    shift: float = SHIFT_SCALE
    slope: float = SLOPE_SCALE
    spreads: tuple[float, ...] = SPREADS
    steepness: float = STEEPNESS

    def __post_init__(self) -> None:
        check_positive(self.shift, "shift")
        check_positive(self.slope, "slope")
        check_positive(self.steepness, "steepness")
        object.__setattr__(self, "spreads", tuple(float(spread) for spread in self.spreads))
        if not self.spreads:
            raise ArgumentError("`spreads` must have at least one number.")
        for spread in self.spreads:
            check_positive(spread, "spreads")

    @property
    def settings(self) -> dict[str, Any]:
        """What `weighed_maps` asks for."""
        return {
            "middle": np.array([0.0, SLOPE_CENTRE]),
            "spread": np.array([self.shift, self.slope]),
            "strengths": np.array(self.spreads) ** -2.0,
            "steepness": self.steepness,
        }

    def beta(self, groups: Grouping) -> tuple[_Floats, _Floats]:
        """Return one Beta per group with the mean and variance of the whole mixture, for beliefs that share nothing."""
        scores = CalibrationMap.of(groups)
        return weighed_maps(scores, LabelCounts.nothing(scores), **self.settings).mean_prior

    def dirichlet(self, groups: Grouping) -> _Floats:
        """Return one Dirichlet per row for beliefs that share nothing: `beta`, its misses spread as the scores say."""
        a, b = self.beta(groups)
        flat = InformedPrior() if groups.pool.scores is not None else FlatPrior()
        alpha = flat.dirichlet(groups)
        rows, predicted = np.arange(groups.n_groups), groups.prediction_of_group
        if predicted is None:
            raise UnanswerableError("A learned prior for confusion needs a grouping by prediction.")
        alpha[rows, predicted] = 0.0
        alpha *= (b / np.maximum(alpha.sum(axis=1), np.finfo(float).tiny))[:, None]
        alpha[rows, predicted] = a
        return np.maximum(alpha, LEAST_PSEUDO_COUNT)
