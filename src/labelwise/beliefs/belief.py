"""The contract of a belief: what every metric, question and policy may rely on."""

from __future__ import annotations

from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.beliefs.interval import Kind
from labelwise.checks import check_one_of, plain
from labelwise.errors import ArgumentError
from labelwise.groups import Grouping
from labelwise.pool import Pool

Target = Literal["pool", "population"]
TARGETS: tuple[Target, ...] = ("pool", "population")
_Floats = NDArray[np.float64]


def is_population(target: Target) -> bool:
    """Return whether the target is the population, refusing anything but the two targets."""
    check_one_of(target, "target", TARGETS)
    return target == "population"


def checked_labels(items: ArrayLike, labels: ArrayLike, pool: Pool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return items and labels as positions, refusing what is out of range or comes twice."""
    item, label = np.atleast_1d(np.asarray(items)), np.atleast_1d(np.asarray(labels))
    if item.shape != label.shape:
        raise ArgumentError(f"There are {len(item)} items and {len(label)} labels; give one label per item.")
    for values, name, end in ((item, "items", pool.n_items), (label, "labels", pool.n_classes)):
        if len(values) and (values.dtype.kind not in "iu" or values.min() < 0 or values.max() >= end):
            odd = plain(_odd(values, end))
            raise ArgumentError(f"`{name}` must be positions from 0 to {end - 1}, but has {odd!r}.")
    # a set for a few labels, a mask of the pool for many: a sort would cost more than all else
    n_different = len(set(item.tolist())) if len(item) < 1_000 else _n_marked(item, pool.n_items)
    if n_different < len(item):
        raise ArgumentError("An item comes twice; every item has one label.")
    return item.astype(np.int64), label.astype(np.int64)


def _n_marked(item: NDArray[Any], n_items: int) -> int:
    marked = np.zeros(n_items, bool)
    marked[item] = True
    return int(marked.sum())


def _odd(values: NDArray[Any], end: int) -> Any:
    if values.dtype.kind not in "iu":
        return values[0]
    return values[(values < 0) | (values >= end)][0]


class Belief(Protocol):
    """What we think of each group, and how surely.

    A belief never changes: `update` gives a new one. Its values are about one of two targets, always named: "pool",
    exactly the items at hand, certain once all are labelled; "population", new items of the same kind.
    """

    @property
    def groups(self) -> Grouping | None:
        """The grouping the belief is about; None if it came from counts alone."""

    @property
    def outer(self) -> Grouping | None:
        """The grouping that items are asked from: the one the user made, without the cells inside it."""

    @property
    def n_labels(self) -> NDArray[np.int64]:
        """How many labels each group has had."""

    def update(self, items: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the labels (positions of classes) of items (positions in the pool)."""

    def forget(self, items: ArrayLike, labels: ArrayLike) -> Self:
        """Take labels back that were learned before: exactly the belief without them."""

    def merge(self, other: Self) -> Self:
        """Join what two beliefs that started from one prior have learned from different items."""

    def mean(self, *, target: Target = "population") -> _Floats:
        """Return the posterior mean."""

    def variance(self, *, target: Target = "population") -> _Floats:
        """Return the posterior variance."""

    def variance_drop(self, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return how much one more label of each outer group is expected to lower the variance, if `draw` were true."""

    def draw(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> NDArray[Any]:
        """Draw from the posterior; the draws come first in the shape."""

    def imagine(self, draw: NDArray[Any], items: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw labels of items as they would be if `draw`, one draw of this belief, were true."""

    def interval(
        self, level: float = 0.95, *, kind: Kind = "equal-tailed", target: Target = "population"
    ) -> tuple[_Floats, _Floats]:
        """Return the ends of the credible interval."""
