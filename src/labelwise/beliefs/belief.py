"""The contracts of beliefs: what every metric, question and policy may rely on, and what some metrics need besides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln

from labelwise.beliefs.interval import Kind
from labelwise.checks import check_one_of, plain
from labelwise.errors import ArgumentError
from labelwise.groups import Grouping
from labelwise.pool import Pool

if TYPE_CHECKING:
    from labelwise.beliefs.dirichlet import DirichletBelief
    from labelwise.beliefs.learned.prior import LearnedPrior

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


class Belief(ABC):
    """What we think of each group, and how surely.

    A belief never changes: `update` gives a new one. Its values are about one of two targets, always named: "pool",
    exactly the items at hand, certain once all are labelled; "population", new items of the same kind.

    Attributes
    ----------
    names : one name per group.
    groups : the grouping the belief is about; None if it came from counts alone.
    """

    if TYPE_CHECKING:  # most beliefs have these as fields, which a property of a base class would hide from `dataclass`

        @property
        def names(self) -> tuple[str, ...]:
            """One name per group."""

        @property
        def groups(self) -> Grouping | None:
            """The grouping the belief is about; None if it came from counts alone."""

    @classmethod
    def of(cls, belief: Belief) -> Self:
        """Return a belief as one of this kind, refusing one of another kind.

        Examples
        --------
        >>> import labelwise as lw
        >>> lw.beliefs.CellBelief.of(lw.beliefs.BetaBelief.from_counts([1], [2]))
        Traceback (most recent call last):
            ...
        labelwise.errors.ArgumentError: It takes a belief of kind CellBelief, not BetaBelief. Use the metric's `start`.
        """
        if not isinstance(belief, cls):
            raise ArgumentError(
                f"It takes a belief of kind {cls.__name__}, not {type(belief).__name__}. Use the metric's `start`."
            )
        return belief

    @property
    @abstractmethod
    def outer(self) -> Grouping:
        """The grouping that items are asked from: the one the user made, without the cells inside it."""

    @property
    @abstractmethod
    def n_labels(self) -> NDArray[np.int64]:
        """How many labels each group has had."""

    @property
    @abstractmethod
    def state(self) -> dict[str, NDArray[Any]]:
        """The counts of labels by name: all that `update` changes."""

    @abstractmethod
    def with_state(self, state: Mapping[str, NDArray[Any]]) -> Self:
        """Return the belief that starts as this one did and has counted just these labels.

        Parameters
        ----------
        state : as `state` gives it, with more leading dimensions where one belief stands for many.
        """

    @abstractmethod
    def update(self, items: ArrayLike, labels: ArrayLike) -> Self:
        """Learn the labels (positions of classes) of items (positions in the pool)."""

    @abstractmethod
    def forget(self, items: ArrayLike, labels: ArrayLike) -> Self:
        """Take labels back that were learned before: exactly the belief without them."""

    @abstractmethod
    def merge(self, other: Self) -> Self:
        """Join what two beliefs that started from one prior have learned from different items."""

    @abstractmethod
    def mean(self, *, target: Target = "population") -> _Floats:
        """Return the posterior mean."""

    @abstractmethod
    def variance(self, *, target: Target = "population") -> _Floats:
        """Return the posterior variance."""

    @abstractmethod
    def variance_drop(self, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return how much one more label of each outer group is expected to lower the variance, if `draw` were true."""

    def total_drop(self, weights: _Floats, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return the expected drop of the weighed variances of all that one label of each outer group tells of."""
        return np.asarray(weights * self.variance_drop(draw, target=target))

    @abstractmethod
    def draw(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> NDArray[Any]:
        """Draw from the posterior; the draws come first in the shape."""

    @abstractmethod
    def imagine(self, draw: NDArray[Any], items: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw labels of items as they would be if `draw`, one draw of this belief, were true."""

    @abstractmethod
    def interval(
        self, level: float = 0.95, *, kind: Kind = "equal-tailed", target: Target = "population"
    ) -> tuple[_Floats, _Floats]:
        """Return the ends of the credible interval."""

    @property
    def accuracies(self) -> AccuracyBelief | None:
        """The belief about accuracies inside this one; None if it has none."""
        return None

    @property
    def taught(self) -> Belief:
        """What labels have taught each group by itself, for a later assessment to carry over."""
        return self

    def with_maps_of(self, former: Self) -> Self:
        """Return this belief with what a former one has fitted, for choosing; itself, where nothing is fitted."""
        return self


class AccuracyBelief(Belief):
    """What we think of the accuracy of each group.

    Attributes
    ----------
    is_learned : whether groups share a map from scores to accuracies, so that the belief is a mixture: labels of one
        group tell of all others, and intervals come from draws.
    hits, labels : hits among the labels of each group.
    n_items : size of each group in the pool; None if unknown.
    """

    is_learned: ClassVar[bool] = False

    if TYPE_CHECKING:  # fields of some, as above

        @property
        def hits(self) -> NDArray[np.int64]:
            """The hits among the labels of each group."""

        @property
        def labels(self) -> NDArray[np.int64]:
            """How many labels each group has had."""

        @property
        def n_items(self) -> NDArray[np.int64] | None:
            """How many items each group has; None if unknown."""

    @property
    def n_labels(self) -> NDArray[np.int64]:
        """How many labels each group has had."""
        return self.labels

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return len(self.names)

    @property
    def accuracies(self) -> Self:
        """This belief itself."""
        return self

    @property
    def map_prior(self) -> LearnedPrior | None:
        """What was believed of the map that groups share, before any label; None if they share none."""
        return None

    @property
    def betas(self) -> tuple[_Floats, _Floats] | None:
        """Both parameters of each group, where the belief is one Beta per group; else None."""
        return None

    @abstractmethod
    def add(self, hits: ArrayLike, labels: ArrayLike) -> Self:
        """Update with counts: further labels of each group, and how many of them were hits."""

    @abstractmethod
    def variance_of(self, weights: _Floats, *, target: Target = "population") -> float:
        """Return the posterior variance of a weighted sum of the groups' accuracies."""

    @abstractmethod
    def covariance_with(self, weights: _Floats, *, target: Target = "population") -> _Floats:
        """Return the covariance of one more label of each group with a weighted sum of the groups' accuracies."""

    @abstractmethod
    def mean_gap(self, values: _Floats, *, target: Target = "population") -> _Floats | None:
        """Return how far each group's accuracy is expected to lie from a value; None if that needs draws."""

    def values_in_pool(self, g: int) -> tuple[_Floats, _Floats] | None:
        """Return the accuracies that a group can have in the pool, rising, and their probabilities; None if unknown."""
        return None

    @property
    def log_marginal(self) -> _Floats:
        """Log-probability of each group's labels, in their order, before any of the group's own were known."""
        return np.asarray(betaln(0.5 + self.hits, 0.5 + self.labels - self.hits) - betaln(0.5, 0.5))

    def prior_claim(self) -> tuple[float, float] | None:
        """Return the hits that the prior expected among the labels, and their standard deviation; None if it did not.

        A flat prior claims nothing, and a learned one has allowed for what the labels say.
        """
        return None


class ConfusionBelief(Belief):
    """What we think of the true classes of the items predicted a class, one row per group and predicted class.

    Attributes
    ----------
    counts : labels, shape (n_rows, n_classes).
    """

    if TYPE_CHECKING:  # fields of some, as above

        @property
        def groups(self) -> Grouping:
            """The grouping of rows: by prediction, alone or crossed with others (the prediction last)."""

        @property
        def counts(self) -> NDArray[np.int64]:
            """Labels, shape (n_rows, n_classes)."""

    @property
    @abstractmethod
    def weight(self) -> _Floats:
        """The part of its outer group's items that each row holds; zero in an empty group."""

    @property
    @abstractmethod
    def taught(self) -> DirichletBelief:
        """What labels have taught each row by itself."""

    @abstractmethod
    def with_shared_strength(self, least: float) -> Self:
        """Return the belief whose prior's strength is that of an outer group, divided among its rows by their weight.

        Parameters
        ----------
        least : no pseudo-count becomes smaller.
        """

    @abstractmethod
    def variance_of(self, weights: _Floats, *, target: Target = "population") -> _Floats:
        """Return the posterior variance of each row's weighted sum; weights have the shape of the rows."""

    @abstractmethod
    def draws(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> Iterator[_Floats]:
        """Draw as `draw` does, in parts that fit in memory."""
