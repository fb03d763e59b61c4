"""Estimate: the value of a metric in every group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Kind, Target
from labelwise.groups import Grouping
from labelwise.metrics import Metric, accuracy
from labelwise.metrics.metric import N_DRAWS
from labelwise.questions.answer import Answer
from labelwise.questions.question import Question, QuestionOptions

_Floats = NDArray[np.float64]
_UPPER_DRAWS = 200


@dataclass(frozen=True)
class Estimate(Question):
    """What is the metric of every group?

    The gain of a label is the expected drop of its group's variance, weighed by the group's share; where groups share a
    map, the drop in all groups.

    Parameters
    ----------
    metric : what to estimate.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), section 4.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10)
    >>> question = lw.Estimate(lw.accuracy)
    >>> question.gains(question.start(lw.by_prediction(pool)), rng=np.random.default_rng(1)).round(4)
    array([0.0208, 0.0069])
    """

    kind: ClassVar[str] = "estimate"
    is_estimate: ClassVar[bool] = True
    metric: Metric = accuracy

    @classmethod
    def from_options(cls, metric: Metric, options: QuestionOptions) -> Self:
        """Return the question about this metric."""
        return cls(metric)

    def __str__(self) -> str:
        return f"What is the {self.metric.name} of every group?"

    def gains(self, belief: Belief, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Return share times expected drop of the variance, if one draw were true."""
        return self._gains_at(belief, belief.draw(1, rng=rng)[0], target)

    def mean_gains(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return share times expected drop of the variance; affine in the draw, so exact at the mean."""
        return self._gains_at(belief, belief.mean(), target)

    def upper_gains(self, belief: Belief, level: float, *, target: Target = "population") -> _Floats:
        """Return a quantile of the gain over draws from a generator of its own, so that it repeats."""
        draws = belief.draw(_UPPER_DRAWS, rng=np.random.default_rng(0))
        return np.asarray(np.quantile(self._gains_at(belief, draws, target), level, axis=0))

    def is_provable(self, groups: Grouping) -> bool:
        """Return whether labels alone prove something about each group."""
        return self.metric.is_provable(groups)

    def _gains_at(self, belief: Belief, draw: NDArray[Any], target: Target) -> _Floats:
        """Return the drop by one label of each group: in its own variance, or in that of all which it tells of."""
        groups = belief.outer
        return belief.total_drop(np.where(groups.candidates, groups.share, 0.0), draw, target=target)

    def answer(
        self,
        belief: Belief,
        *,
        level: float = 0.95,
        kind: Kind = "equal-tailed",
        target: Target = "population",
        n_draws: int = N_DRAWS,
        rng: np.random.Generator,
    ) -> Answer:
        """Return every group's value, and say how wide the widest interval is."""
        found = self.metric.estimate(belief, level=level, kind=kind, target=target, n_draws=n_draws, rng=rng)
        counts = self.metric.candidates(belief)
        width = np.where(counts, np.nan_to_num(found.high - found.low), 0.0)
        widest = int(np.argmax(width))
        sentence = (
            f"{self.metric.name} of {int(counts.sum())} groups is known within {width[widest]:.3f} "
            f"(the widest {level:.0%} interval, that of '{found.names[widest]}')"
        )
        overall = self.metric.overall(belief, level=level, kind=kind, target=target, n_draws=n_draws, rng=rng)
        left_out = self.metric.left_out(belief)
        return Answer(sentence, (), None, (), found, overall=overall, counts=counts, left_out=left_out)
