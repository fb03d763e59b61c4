"""A metric that is worse when high, and whose name has "best" in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from labelwise.beliefs.learned.accuracy import start_accuracies
from labelwise.metrics.metric import Metric
from labelwise.metrics.tally import Tally


@dataclass(frozen=True)
class BestMissRate(Metric):
    """The share of misses in each group."""

    name: ClassVar[str] = "best-miss-rate"
    title: ClassVar[str] = "Share of misses"
    worse: ClassVar[str] = "high"
    is_mean_of_groups: ClassVar[bool] = True

    def start(self, groups, prior=None):
        """Return the belief about accuracies."""
        return start_accuracies(groups, prior)

    def draw(self, belief, n_draws, *, target="population", rng):
        """Draw shares of misses."""
        return 1 - belief.draw(n_draws, target=target, rng=rng)

    def tally(self, pool):
        """Code misses 0 and hits 1."""
        return Tally(pool.hits.astype(np.int64), 2, lambda weights: weights[..., 0] / weights.sum(axis=-1))

    def mean(self, belief, *, target="population"):
        """Return the exact mean."""
        return 1 - belief.mean(target=target)
