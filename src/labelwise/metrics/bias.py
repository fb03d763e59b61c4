"""Calibration bias: how much surer the classifier is than it is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Kind, Prior, Target
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.beliefs.learned.accuracy import start_accuracies
from labelwise.beliefs.trail import Trail
from labelwise.errors import UnanswerableError
from labelwise.groups import Grouping
from labelwise.metrics.description import Worse
from labelwise.metrics.evidence import HitEvidence, evidence_of_counts, evidence_of_hits
from labelwise.metrics.metric import Metric
from labelwise.metrics.tally import Tally
from labelwise.pool import Pool

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CalibrationBias(Metric):
    """Mean confidence less accuracy, s_g - theta_g; above zero is over-confident. Exact mean and interval.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (2019).

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.8, 0.6], labels=[0, 1, 1])
    >>> belief = lw.belief_from_labels(lw.calibration_bias, lw.by_prediction(pool))
    >>> lw.calibration_bias.estimate(belief, rng=np.random.default_rng(1)).mean.round(3)
    array([ 0.35 , -0.067])
    """

    name: ClassVar[str] = "bias"
    label: ClassVar[str] = "calibration bias"
    title: ClassVar[str] = "Calibration bias (mean confidence less accuracy)"
    worse: ClassVar[Worse] = "high"
    is_mean_of_groups: ClassVar[bool] = True
    takes_stacks: ClassVar[bool] = True

    def start(self, groups: Grouping, prior: Prior | None = None) -> AccuracyBelief:
        """Return one Beta per group, or groups that share what is learned of the scores."""
        groups.pool.known_confidence("calibration bias")
        return start_accuracies(groups, prior)

    def draw(self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw biases."""
        return _confidence(belief) - AccuracyBelief.of(belief).draw(n_draws, target=target, rng=rng)

    def tally(self, pool: Pool) -> Tally:
        """Code misses 0 and hits 1; the mean confidence is known without labels."""
        mean = float(pool.known_confidence("calibration bias").mean())
        return Tally(pool.hits.astype(np.int64), 2, lambda weights: mean - weights[..., 1] / weights.sum(axis=-1))

    def mean(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return the exact mean."""
        return _confidence(belief) - AccuracyBelief.of(belief).mean(target=target)

    def is_provable(self, groups: Grouping) -> bool:
        """Return that they can: hits of a group are drawn at random."""
        return True

    def evidence_of_counts(self, belief: Belief, *, target: Target = "population") -> HitEvidence:
        """Return what hits prove."""
        offset, slope = _confidence(belief), -np.ones(belief.outer.n_groups)
        return evidence_of_counts(AccuracyBelief.of(belief), offset, slope, target)

    def evidence(self, trail: Trail, *, target: Target = "population") -> HitEvidence:
        """Return what hits prove: the mean confidence is known."""
        return evidence_of_hits(trail, _confidence(trail.start), -np.ones(trail.groups.n_groups), target)

    def interval(self, belief: Belief, level: float, *, kind: Kind, target: Target) -> tuple[_Floats, _Floats] | None:
        """Return the exact interval, that of a mirrored and shifted Beta; None where groups share a map."""
        known = AccuracyBelief.of(belief)
        if known.is_learned:
            return None
        low, high = known.interval(level, kind=kind, target=target)
        return _confidence(belief) - high, _confidence(belief) - low


def _confidence(belief: Belief) -> _Floats:
    if belief.groups is None:
        raise UnanswerableError("Calibration bias needs a belief that knows its pool, not one made from counts.")
    return belief.groups.mean_confidence


calibration_bias = CalibrationBias()
