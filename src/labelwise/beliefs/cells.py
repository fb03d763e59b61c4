"""One Beta distribution a cell (group and score bin): the belief about calibration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.beliefs.belief import AccuracyBelief, Belief, Target
from labelwise.beliefs.display import belief_table
from labelwise.beliefs.interval import Kind
from labelwise.beliefs.learned.accuracy import start_accuracies
from labelwise.beliefs.prior import InformedPrior, Prior
from labelwise.errors import ArgumentError
from labelwise.groups import BinRule, Grouping, by_score, crossed
from labelwise.groups.by_score import BINS

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class CellBelief(Belief):
    """What we believe about the accuracy in each bin of the score inside each group.

    The bins are those of the whole pool, the same for every group. All results have the shape (n_groups, n_bins).

    Attributes
    ----------
    groups : the grouping without bins.
    beta : the belief about every cell, one after the other.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (2020), equation 4; (AAAI 2021), supplement, equation 1.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.4, 0.8], labels=[0, 1, 1])
    >>> belief = CellBelief.start(lw.everything(pool), bins=2).update([0, 1, 2], pool.labels)
    >>> belief.mean().round(3)
    array([[0.267, 0.925]])
    """

    groups: Grouping
    beta: AccuracyBelief

    @classmethod
    def start(
        cls, groups: Grouping, prior: Prior | None = None, *, bins: int = BINS, equal: BinRule = "width"
    ) -> CellBelief:
        """Believe the prior (informed unless given), before any label."""
        cells = crossed(groups, by_score(groups.pool, bins, equal=equal))
        return cls(groups, start_accuracies(cells, prior or InformedPrior()))

    @property
    def cells(self) -> Grouping:
        """The grouping into cells."""
        assert self.beta.groups is not None  # start made it
        return self.beta.groups

    @property
    def n_bins(self) -> int:
        """How many bins each group has."""
        return self.cells.factors[-1].n_groups

    @property
    def names(self) -> tuple[str, ...]:
        """One name a group."""
        return self.groups.names

    @cached_property
    def n_labels(self) -> NDArray[np.int64]:
        """How many labels each group has had."""
        return self._shaped(self.beta.labels).sum(axis=1)

    @cached_property
    def weight(self) -> _Floats:
        """The part of its group's items that each cell holds; zero in an empty group."""
        size = self._shaped(self.cells.n_items)
        weight: _Floats = size / np.maximum(size.sum(axis=1, keepdims=True), 1)
        return weight

    @cached_property
    def confidence(self) -> _Floats:
        """Mean confidence of each cell; 0 in an empty one, whose weight is zero."""
        return self._shaped(np.nan_to_num(self.cells.mean_confidence))

    @property
    def accuracies(self) -> AccuracyBelief:
        """The belief about every cell."""
        return self.beta

    @property
    def taught(self) -> Belief:
        """What labels have taught each cell by itself."""
        return self.beta.taught

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """The counts of labels by name."""
        return self.beta.state

    def with_state(self, state: Mapping[str, NDArray[Any]]) -> CellBelief:
        """Return the belief that starts as this one did and has counted just these labels."""
        return replace(self, beta=self.beta.with_state(state))

    def update(self, items: ArrayLike, labels: ArrayLike) -> CellBelief:
        """Learn the labels (positions of classes) of items (positions in the pool)."""
        return replace(self, beta=self.beta.update(items, labels))

    def forget(self, items: ArrayLike, labels: ArrayLike) -> CellBelief:
        """Take labels back that were learned before: exactly the belief without them."""
        return replace(self, beta=self.beta.forget(items, labels))

    def merge(self, other: CellBelief) -> CellBelief:
        """Join what two beliefs that started from one prior have learned from different items."""
        if self.beta.is_learned != other.beta.is_learned:
            raise ArgumentError("Only beliefs with the same groups and the same prior can be merged.")
        return replace(self, beta=self.beta.merge(other.beta))

    def mean(self, *, target: Target = "population") -> _Floats:
        """Return the posterior mean accuracy of each cell."""
        return self._shaped(self.beta.mean(target=target))

    def variance(self, *, target: Target = "population") -> _Floats:
        """Return the posterior variance of each cell's accuracy."""
        return self._shaped(self.beta.variance(target=target))

    @property
    def outer(self) -> Grouping:
        """The grouping that items are asked from."""
        return self.groups

    def variance_drop(self, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return the expected drop of each group's variance; each cell by its weight, twice: chance and share."""
        drop = self._shaped(self.beta.variance_drop(draw.reshape(*draw.shape[:-2], -1), target=target))
        return np.asarray((self.weight**2 * drop).sum(axis=-1))

    def draw(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw accuracies, shape (n_draws, n_groups, n_bins)."""
        return self._shaped(self.beta.draw(n_draws, target=target, rng=rng))

    def imagine(self, draw: NDArray[Any], items: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw labels of items if `draw` were true."""
        return self.beta.imagine(draw.ravel(), items, rng=rng)

    def interval(
        self, level: float = 0.95, *, kind: Kind = "equal-tailed", target: Target = "population"
    ) -> tuple[_Floats, _Floats]:
        """Return the ends of each cell's credible interval."""
        low, high = self.beta.interval(level, kind=kind, target=target)
        return self._shaped(low), self._shaped(high)

    def _shaped(self, values: NDArray[Any]) -> NDArray[Any]:
        return values.reshape(*values.shape[:-1], self.groups.n_groups, self.n_bins)

    def _repr_html_(self) -> str:
        return belief_table(self)

    def __repr__(self) -> str:
        return (
            f"<CellBelief about {self.groups.n_groups} x {self.n_bins} cells after {int(self.n_labels.sum()):,} labels>"
        )
