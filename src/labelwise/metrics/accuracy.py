"""Accuracy: the share of hits, a group at a time and over all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Kind, Prior, Target
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.beliefs.interval import draws_interval
from labelwise.beliefs.learned.accuracy import start_accuracies
from labelwise.beliefs.trail import Trail
from labelwise.errors import UnanswerableError
from labelwise.groups import Grouping
from labelwise.metrics.description import Worse
from labelwise.metrics.evidence import HitEvidence, evidence_of_counts, evidence_of_hits
from labelwise.metrics.metric import N_DRAWS, Metric
from labelwise.metrics.posterior import Posterior
from labelwise.metrics.tally import Tally
from labelwise.pool import Pool

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Accuracy(Metric):
    """The share of hits in each group, theta_g. Exact mean and interval.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> belief = lw.beliefs.BetaBelief.from_counts(hits=[8, 2], labels=[10, 3])
    >>> lw.accuracy.estimate(belief, rng=np.random.default_rng(1)).mean.round(3)
    array([0.75, 0.6 ])
    """

    name: ClassVar[str] = "accuracy"
    title: ClassVar[str] = "Accuracy (share of right predictions)"
    worse: ClassVar[Worse] = "low"
    is_mean_of_groups: ClassVar[bool] = True
    is_share_of_hits: ClassVar[bool] = True
    takes_stacks: ClassVar[bool] = True

    def start(self, groups: Grouping, prior: Prior | None = None) -> AccuracyBelief:
        """Return one Beta per group, or groups that share what is learned of the scores."""
        return start_accuracies(groups, prior)

    def draw(self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw accuracies."""
        return AccuracyBelief.of(belief).draw(n_draws, target=target, rng=rng)

    def tally(self, pool: Pool) -> Tally:
        """Code misses 0 and hits 1."""
        return Tally(pool.hits.astype(np.int64), 2, lambda weights: weights[..., 1] / weights.sum(axis=-1))

    def mean(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return the exact mean."""
        return AccuracyBelief.of(belief).mean(target=target)

    def interval(self, belief: Belief, level: float, *, kind: Kind, target: Target) -> tuple[_Floats, _Floats] | None:
        """Return the exact interval; None where groups share a map, for that needs draws."""
        known = AccuracyBelief.of(belief)
        return None if known.is_learned else known.interval(level, kind=kind, target=target)

    def is_provable(self, groups: Grouping) -> bool:
        """Return that they can: hits of a group are drawn at random."""
        return True

    def evidence_of_counts(self, belief: Belief, *, target: Target = "population") -> HitEvidence:
        """Return what hits prove."""
        offset, slope = np.zeros(belief.outer.n_groups), np.ones(belief.outer.n_groups)
        return evidence_of_counts(AccuracyBelief.of(belief), offset, slope, target)

    def evidence(self, trail: Trail, *, target: Target = "population") -> HitEvidence:
        """Return what hits prove."""
        return evidence_of_hits(trail, np.zeros(trail.groups.n_groups), np.ones(trail.groups.n_groups), target)

    def betas(self, belief: Belief) -> tuple[_Floats, _Floats] | None:
        """Return both parameters of each group, unless groups share a map."""
        return AccuracyBelief.of(belief).betas

    def values_in_pool(self, belief: Belief, g: int) -> tuple[_Floats, _Floats] | None:
        """Return the accuracies that a group can have, unless groups share a map."""
        return AccuracyBelief.of(belief).values_in_pool(g)


accuracy = Accuracy()


def group_weights(belief: AccuracyBelief) -> _Floats:
    """Return the share of the pool that each group is, refusing a belief that does not know it."""
    if belief.n_items is None:
        raise UnanswerableError("A value over all groups needs the size of each group; give `n_items`.")
    weights: _Floats = belief.n_items / belief.n_items.sum()
    return weights


def overall_accuracy(
    belief: AccuracyBelief,
    *,
    level: float = 0.95,
    kind: Kind = "equal-tailed",
    target: Target = "population",
    n_draws: int = N_DRAWS,
    rng: np.random.Generator,
) -> Posterior:
    """Return the accuracy of the whole pool, sum_g p_g theta_g: exact mean, interval from draws.

    This is the estimate to take when groups were labelled at different rates. Beware of many groups with few labels
    each: their priors' pseudo-counts add up.

    Examples
    --------
    >>> import numpy as np
    >>> from labelwise.beliefs import BetaBelief
    >>> belief = BetaBelief.from_counts(hits=[8, 2], labels=[10, 3], n_items=[100, 300])
    >>> overall_accuracy(belief, rng=np.random.default_rng(1)).mean.round(4)
    array([0.6375])
    """
    weights = group_weights(belief)
    draws = belief.draw(n_draws, target=target, rng=rng) @ weights
    low, high = draws_interval(draws[:, None], level, kind)
    mean = np.array([belief.mean(target=target) @ weights])
    n_labels = np.array([belief.n_labels.sum()])
    return Posterior(accuracy.description, ("all items",), mean, low, high, n_labels, level, kind, target, "draws")


def overall_variance(belief: AccuracyBelief, *, target: Target = "population") -> float:
    """Return the exact posterior variance of the accuracy of the whole pool."""
    return belief.variance_of(group_weights(belief), target=target)
