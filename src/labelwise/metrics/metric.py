"""The contract of a metric: from a belief to one value per group."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.beliefs import Belief, FlatPrior, Kind, Prior, Target
from labelwise.beliefs.interval import check_interval, draws_interval
from labelwise.beliefs.trail import Trail
from labelwise.groups import BinRule, Grouping
from labelwise.groups.by_score import BINS
from labelwise.metrics.evidence import Evidence, LabelRatio, RatioEvidence
from labelwise.metrics.posterior import Method, Posterior
from labelwise.metrics.tally import Tallied, labelled_items
from labelwise.pool import ClassName, Pool

_Floats = NDArray[np.float64]
N_DRAWS = 10_000


@dataclass(frozen=True)
class MetricOptions:
    """Options of the command line from which a metric is made; each metric takes those that concern it."""

    positive: ClassName | None = None
    bins: int = BINS
    equal: BinRule = "width"
    cost: ArrayLike | None = None
    rival: str | None = None


class Metric(Tallied):
    """What is measured of every group.

    A metric knows which belief it reads (`start`), how to draw its values from it, and which direction is worse. Where
    its mean or interval has a closed form it gives that, else it counts draws.
    """

    is_mean_of_groups: ClassVar[bool] = False
    """Whether the value of the whole pool is the mean of the groups' values, weighed by their sizes."""

    own_prior: ClassVar[Prior] = FlatPrior()
    """The prior that `start` takes where none is given."""
    learns_from_scores: ClassVar[bool] = True
    """Whether the learned prior can be its prior: whether scores say anything about it."""

    needs_rival: ClassVar[bool] = False
    """Whether it compares the classifier with another one."""

    narrow: ClassVar[float] = 0.1
    """Width of an interval that is narrow enough to stop at, unless another one is named."""

    takes_stacks: ClassVar[bool] = False
    """Whether `mean` (or `plug_in`) takes a belief whose counts have more leading dimensions, as simulations stack."""

    @classmethod
    def from_options(cls, options: MetricOptions) -> Self:
        """Return the metric that the options of the command line describe."""
        return cls()

    @property
    def columns(self) -> tuple[str, ...]:
        """Kept columns of the pool that the metric reads."""
        return ()

    @property
    def cost_matrix(self) -> _Floats | None:
        """Cost of predicting class k (column) when class j (row) is true; None if it knows no costs."""
        return None

    @abstractmethod
    def start(self, groups: Grouping, prior: Prior | None = None) -> Belief:
        """Return the belief that this metric reads, before any label."""

    @abstractmethod
    def draw(self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw values of the metric, shape (n_draws, n_groups)."""

    def items(self, groups: Grouping) -> NDArray[np.bool_] | None:
        """Return which items' labels can change the metric; None if all can."""
        return None

    def names(self, belief: Belief) -> tuple[str, ...]:
        """Return the names of the groups that the values belong to."""
        return belief.names

    def n_labels(self, belief: Belief) -> NDArray[np.int64]:
        """Return the labels that each group's value rests on."""
        return np.asarray(belief.n_labels)

    def n_items(self, belief: Belief) -> NDArray[np.int64] | None:
        """Return the size of each group; None if unknown."""
        return None if belief.groups is None else np.asarray(belief.groups.n_items)

    def candidates(self, belief: Belief) -> NDArray[np.bool_]:
        """Return which values can be ranked and named: those of groups that hold items and are not left out."""
        sizes = self.n_items(belief)
        if sizes is None:
            return np.ones(len(self.names(belief)), bool)
        kept = None if belief.groups is None else belief.outer.candidates
        return np.asarray(sizes > 0 if kept is None or len(kept) != len(sizes) else (sizes > 0) & kept)

    def left_out(self, belief: Belief) -> NDArray[np.bool_]:
        """Return which values belong to groups that hold items, but too few to take part."""
        sizes = self.n_items(belief)
        there = self.candidates(belief)
        return np.zeros(len(there), bool) if sizes is None else np.asarray((sizes > 0) & ~there)

    def to_groups(self, belief: Belief, urgency: _Floats) -> _Floats:
        """Turn how urgent each value is into how urgent a label of each group is; the same, where values are groups."""
        return urgency

    def mean(self, belief: Belief, *, target: Target = "population") -> _Floats | None:
        """Return the exact posterior mean; None if there is no closed form."""
        return None

    def plug_in(self, belief: Belief, *, target: Target = "population") -> _Floats | None:
        """Return the metric of the posterior means, where that is another number of interest; else None."""
        return None

    def interval(self, belief: Belief, level: float, *, kind: Kind, target: Target) -> tuple[_Floats, _Floats] | None:
        """Return the exact interval; None if there is no closed form."""
        return None

    def betas(self, belief: Belief) -> tuple[_Floats, _Floats] | None:
        """Return both parameters of each group's value, where it is known as a Beta distribution a group; else None."""
        return None

    def values_in_pool(self, belief: Belief, g: int) -> tuple[_Floats, _Floats] | None:
        """Return all values that a group can have in the pool, rising, and their probabilities; None if unknown."""
        return None

    def evidence(self, trail: Trail, *, target: Target = "population") -> Evidence | None:
        """Return what labels prove about each group without any prior; None where no guarantee is known."""
        ratio = self.label_ratio(trail.groups.pool)
        if ratio is None or not self.is_provable(trail.groups):
            return None
        return RatioEvidence.of(trail, ratio, target)

    def evidence_of_counts(self, belief: Belief, *, target: Target = "population") -> Evidence | None:
        """Return what the counts of labels prove, whatever their order; for choosing, where nothing must be proven."""
        return None

    def is_provable(self, groups: Grouping) -> bool:
        """Return whether labels alone can prove something about each group, whatever the truth."""
        return self.label_ratio(groups.pool) is not None

    def label_ratio(self, pool: Pool) -> LabelRatio | None:
        """Return what an item adds to its group's value by its classes; None if the value is no such ratio."""
        return None

    def estimate(
        self,
        belief: Belief,
        *,
        level: float = 0.95,
        kind: Kind = "equal-tailed",
        target: Target = "population",
        n_draws: int = N_DRAWS,
        draws: _Floats | None = None,
        rng: np.random.Generator,
    ) -> Posterior:
        """Return mean and interval of every group, exactly where that can be had, else by draws, made unless given."""
        check_interval(level, kind)
        mean = self.mean(belief, target=target)
        ends = self.interval(belief, level, kind=kind, target=target)
        method: Method = "exact"
        if mean is None or ends is None:
            draws = self.draw(belief, n_draws, target=target, rng=rng) if draws is None else draws
            method = "draws"
            mean = _mean_of_draws(draws) if mean is None else mean
            ends = draws_interval(draws, level, kind) if ends is None else ends
        drawn = n_draws if method == "draws" else None
        names, n_labels = self.names(belief), self.n_labels(belief)
        return Posterior(self.description, names, mean, *ends, n_labels, level, kind, target, method, drawn)

    def draw_overall(
        self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator
    ) -> _Floats | None:
        """Draw values of the whole pool, shape (n_draws,); None if the groups' values do not make one.

        Groups that are left out are never asked, so they leave the whole without a value too.
        """
        if not self.is_mean_of_groups or belief.groups is None or belief.outer.n_left_out:
            return None
        share = belief.outer.share
        draws = self.draw(belief, n_draws, target=target, rng=rng)
        return np.asarray(draws[:, share > 0] @ share[share > 0])  # an empty group may have no value at all

    def overall(
        self,
        belief: Belief,
        *,
        level: float = 0.95,
        kind: Kind = "equal-tailed",
        target: Target = "population",
        n_draws: int = N_DRAWS,
        rng: np.random.Generator,
    ) -> Posterior | None:
        """Return mean and interval of the whole pool; None if the groups' values do not make one.

        Beware of many groups with few labels each: their priors' pseudo-counts add up.
        """
        check_interval(level, kind)
        draws = self.draw_overall(belief, n_draws, target=target, rng=rng)
        if draws is None:
            return None
        ends = draws_interval(draws[:, None], level, kind)
        n_labels = np.array([int(np.sum(belief.n_labels))])
        mean = np.array([draws.mean()])
        return Posterior(self.description, ("all items",), mean, *ends, n_labels, level, kind, target, "draws", n_draws)


def _mean_of_draws(draws: _Floats) -> _Floats:
    there = ~np.isnan(draws)
    count = there.sum(axis=0)
    total = np.where(there, draws, 0.0).sum(axis=0)
    return np.divide(total, count, out=np.full(draws.shape[1], np.nan), where=count > 0)


B_co = TypeVar("B_co", bound=Belief, covariant=True)
B = TypeVar("B", bound=Belief)


class Starts(Protocol[B_co]):
    """A metric, as far as it says which belief it reads."""

    @property
    def name(self) -> str:
        """How it is called."""

    def start(self, groups: Grouping, prior: Prior | None = None) -> B_co:
        """Return the belief that it reads, before any label."""


def belief_from_labels(metric: Starts[B], groups: Grouping, prior: Prior | None = None) -> B:
    """Return the posterior belief that a metric reads, given all labels that came with the pool.

    Labels of only a part of the pool are taken as drawn at random within each group.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog", "cat"], labels=["cat", "cat", "cat"])
    >>> belief_from_labels(lw.accuracy, lw.by_prediction(pool)).mean()
    array([0.75      , 0.33333333])
    """
    items = labelled_items(groups.pool, f"measuring {metric.name}")
    return metric.start(groups, prior).update(items, groups.pool.known_labels(metric.name)[items])
