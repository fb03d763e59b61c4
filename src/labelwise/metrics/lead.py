"""Lead: how much more accurate a classifier is than its rival on the same items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, PairedBelief, Prior, Target
from labelwise.beliefs.belief import is_population
from labelwise.beliefs.paired import rival_classes
from labelwise.errors import ArgumentError
from labelwise.groups import Grouping
from labelwise.metrics.description import Worse
from labelwise.metrics.metric import Metric, MetricOptions
from labelwise.metrics.tally import Tally
from labelwise.pool import Pool

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lead(Metric):
    """Accuracy of the pool's classifier less that of its rival, in each group; below zero the rival is better.

    Where the two agree, they are right or wrong together, so only items on which they differ are worth a label. Of a
    group's N items D differ; the lead is D/N (in the population a share near that) times the share of differing items
    that only this classifier gets right, less the share that only the rival does.

    Parameters
    ----------
    rival : the kept column of the pool with the rival's predictions.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 1, 1], labels=[0, 1, 0], columns={"old": [0, 0, 1]})
    >>> lw.metrics.known_value(lw.metrics.Lead("old"), pool)
    0.3333333333333333
    """

    rival: str
    name: ClassVar[str] = "lead"
    title: ClassVar[str] = "Lead in accuracy over the rival"
    worse: ClassVar[Worse] = "low"
    is_mean_of_groups: ClassVar[bool] = True
    needs_rival: ClassVar[bool] = True
    learns_from_scores: ClassVar[bool] = False  # only items on which the classifiers differ count

    @classmethod
    def from_options(cls, options: MetricOptions) -> Self:
        """Return the lead over the classifier of `--rival` or `--against`."""
        if options.rival is None:
            raise ArgumentError("`--metric lead` needs the other classifier: --rival COLUMN, or --against FILE.")
        return cls(options.rival)

    @property
    def columns(self) -> tuple[str, ...]:
        """The rival's column."""
        return (self.rival,)

    def start(self, groups: Grouping, prior: Prior | None = None) -> PairedBelief:
        """Return one Dirichlet per group."""
        return PairedBelief.start(groups, self.rival, prior)

    def items(self, groups: Grouping) -> NDArray[np.bool_]:
        """Only items that differ."""
        return np.asarray(groups.pool.prediction != rival_classes(groups.pool, self.rival))

    def draw(self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw leads."""
        paired = PairedBelief.of(belief)
        outcomes = paired.draw(n_draws, target=target, rng=rng)  # (n_draws, n_groups, 3)
        lead = outcomes[..., 0] - outcomes[..., 1]
        differ, size = paired.n_differ, paired.groups.n_items
        if is_population(target):
            return np.asarray(lead * rng.beta(1.0 + differ, 1.0 + size - differ, lead.shape))
        return np.asarray(lead * differ / np.maximum(size, 1))

    def mean(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return the exact mean: share that differs and outcome are independent."""
        paired = PairedBelief.of(belief)
        outcomes = paired.mean(target=target)
        differ, size = paired.n_differ, paired.groups.n_items
        part = (1.0 + differ) / (2.0 + size) if is_population(target) else differ / np.maximum(size, 1)
        return np.asarray(part * (outcomes[:, 0] - outcomes[:, 1]))

    def tally(self, pool: Pool) -> Tally:
        """Code what an item adds to the lead: nothing, one, or minus one."""
        labels = pool.known_labels(self.name)
        ours, theirs = labels == pool.prediction, labels == rival_classes(pool, self.rival)
        codes = np.where(ours & ~theirs, 1, np.where(theirs & ~ours, 2, 0)).astype(np.int64)
        return Tally(codes, 3, lambda weights: (weights[..., 1] - weights[..., 2]) / weights.sum(axis=-1))
