"""Overall: the value of a metric on the whole pool, whatever its groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Kind, Prior, Target
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.errors import UnanswerableError
from labelwise.groups import Grouping
from labelwise.groups.without_small import check_complete
from labelwise.metrics.metric import N_DRAWS
from labelwise.questions.answer import Answer
from labelwise.questions.estimate import Estimate

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Overall(Estimate):
    """What is the metric of all items together?

    Groups only serve to ask well: best are bins of the score, whose items are alike. The gain of a label is the
    expected drop of the variance of the whole, counting what a label of one group tells of the others.

    Parameters
    ----------
    metric : accuracy or bias.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> question, groups = lw.Overall(lw.accuracy), lw.by_prediction(pool)
    >>> question.gains(question.start(groups), rng=np.random.default_rng(1)).round(4)
    array([0.0156, 0.0017])
    >>> belief = lw.belief_from_labels(lw.accuracy, groups)
    >>> question.answer(belief, target="pool", rng=np.random.default_rng(1)).sentence
    'accuracy of all 40 items is 0.750, 95% interval 0.750 to 0.750'
    """

    kind: ClassVar[str] = "overall"

    def __str__(self) -> str:
        return f"What is the {self.metric.name} of all items together?"

    def start(self, groups: Grouping, prior: Prior | None = None) -> Belief:
        """Return the belief that the question reads, refusing a metric whose values do not follow from hits."""
        check_complete(groups, "A question about all items together")
        belief = self.metric.start(groups, prior)
        if belief.accuracies is not belief:
            raise UnanswerableError(
                f"The {self.metric.name} of all items together cannot be asked for alone. Ask to estimate it, and stop "
                "by the overall interval."
            )
        return belief

    def is_provable(self, groups: Grouping) -> bool:
        """Return whether all items are in one group: evidence about many strata adds up to little about the whole."""
        return bool(np.count_nonzero(groups.n_items) == 1) and super().is_provable(groups)

    def _gains_at(self, belief: Belief, draw: NDArray[Any], target: Target) -> _Floats:
        """Return the mean square of the step that the best linear guess of the whole takes: c/m for a hit, c/(1-m) not.

        c is the covariance of the label with the whole, and m the chance of a hit.
        """
        covariance = AccuracyBelief.of(belief).covariance_with(belief.outer.share, target=target)
        mean = np.clip(belief.mean(), 1e-12, 1 - 1e-12)
        return np.asarray(covariance**2 * (draw / mean**2 + (1 - draw) / (1 - mean) ** 2))

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
        """Return the value of the whole with its interval, and every group's beside it."""
        how: dict[str, Any] = {"level": level, "kind": kind, "target": target, "n_draws": n_draws, "rng": rng}
        overall, found = self.metric.overall(belief, **how), self.metric.estimate(belief, **how)
        assert overall is not None  # hits of groups make a whole
        items = f"all {belief.outer.pool.n_items:,} items" if target == "pool" else "new items"
        sentence = (
            f"{self.metric.name} of {items} is {overall.mean[0]:.3f}, {level:.0%} interval {overall.low[0]:.3f} to "
            f"{overall.high[0]:.3f}"
        )
        return Answer(sentence, (), None, (), found, overall=overall, counts=belief.outer.n_items > 0)
