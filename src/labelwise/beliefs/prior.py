"""What is believed before the first label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.checks import check_positive, check_within
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups import Grouping

if TYPE_CHECKING:
    from labelwise.beliefs.belief import Belief

_Floats = NDArray[np.float64]
B = TypeVar("B", bound="Belief")

BETA_STRENGTH = 2.0
DIRICHLET_STRENGTH = 1.0
LEAST_PSEUDO_COUNT = 1e-3
"""No pseudo-count is smaller: a classifier that is always sure (confidence 1.0) must not make the prior improper."""


class Prior(Protocol):
    """Pseudo-counts that a belief starts from."""

    @property
    def name(self) -> str:
        """Name on the command line and in reports."""

    def beta(self, groups: Grouping) -> tuple[_Floats, _Floats]:
        """Return pseudo-hits and pseudo-misses of each group."""

    def dirichlet(self, groups: Grouping) -> _Floats:
        """Return pseudo-counts of each group's true classes, shape (n_groups, n_classes)."""


@dataclass(frozen=True)
class FlatPrior:
    """Every accuracy is equally likely at strength 2; the papers' UPrior.

    Parameters
    ----------
    strength : how many labels the prior is worth in each group; 2 for accuracies, 1 for confusion unless given.

    Examples
    --------
    >>> import labelwise as lw
    >>> groups = lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"]))
    >>> FlatPrior().beta(groups)
    (array([1., 1.]), array([1., 1.]))
    """

    name: ClassVar[str] = "flat"
    strength: float | None = None

    def __post_init__(self) -> None:
        if self.strength is not None:
            check_positive(self.strength, "strength")

    def beta(self, groups: Grouping) -> tuple[_Floats, _Floats]:
        """Beta(N0/2, N0/2) for every group."""
        half = np.full(groups.n_groups, (self.strength or BETA_STRENGTH) / 2)
        return half, half.copy()

    def dirichlet(self, groups: Grouping) -> _Floats:
        """N0/K for every class."""
        n_classes = groups.pool.n_classes
        return np.full((groups.n_groups, n_classes), (self.strength or DIRICHLET_STRENGTH) / n_classes)


@dataclass(frozen=True)
class InformedPrior:
    """The classifier's own scores, worth a few labels; the papers' IPrior.

    An empty group has no scores of its own and takes the flat prior. No pseudo-count is below 0.001.

    Parameters
    ----------
    strength : how many labels the scores are worth in each group; 2 for accuracies, 1 for confusion unless given.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"], confidence=[0.9, 0.5])
    >>> InformedPrior().beta(lw.by_prediction(pool))
    (array([1.8, 1. ]), array([0.2, 1. ]))
    """

    name: ClassVar[str] = "informed"
    strength: float | None = None

    def __post_init__(self) -> None:
        if self.strength is not None:
            check_positive(self.strength, "strength")

    def beta(self, groups: Grouping) -> tuple[_Floats, _Floats]:
        """Beta(N0 s, N0 (1 - s)), s the group's mean confidence."""
        strength = self.strength or BETA_STRENGTH
        confidence = np.where(groups.n_items > 0, groups.mean_confidence, 0.5)
        return (
            np.maximum(strength * confidence, LEAST_PSEUDO_COUNT),
            np.maximum(strength * (1 - confidence), LEAST_PSEUDO_COUNT),
        )

    def dirichlet(self, groups: Grouping) -> _Floats:
        """N0 times the group's mean score vector."""
        strength = self.strength or DIRICHLET_STRENGTH
        flat = 1 / groups.pool.n_classes
        scores = np.where(groups.n_items[:, None] > 0, groups.mean_scores, flat)
        return np.maximum(strength * scores, LEAST_PSEUDO_COUNT)


@dataclass(frozen=True)
class CustomPrior:
    """Pseudo-hits and pseudo-misses of the user's own, one number for all groups or one a group.

    Examples
    --------
    >>> import labelwise as lw
    >>> groups = lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"]))
    >>> CustomPrior(9, 1).beta(groups)
    (array([9., 9.]), array([1., 1.]))
    """

    name: ClassVar[str] = "custom"
    a: float | Sequence[float] | ArrayLike
    b: float | Sequence[float] | ArrayLike

    def beta(self, groups: Grouping) -> tuple[_Floats, _Floats]:
        """Beta(a, b)."""
        return _a_group(self.a, "a", groups.n_groups), _a_group(self.b, "b", groups.n_groups)

    def dirichlet(self, groups: Grouping) -> _Floats:
        """Spread the pseudo-misses evenly over the classes that were not predicted."""
        a, b = self.beta(groups)
        if groups.prediction_of_group is None:
            raise UnanswerableError("A custom prior for confusion needs a grouping by prediction.")
        n_classes = groups.pool.n_classes
        alpha = np.repeat(b[:, None] / (n_classes - 1), n_classes, axis=1)
        alpha[np.arange(groups.n_groups), groups.prediction_of_group] = a
        return alpha


@dataclass(frozen=True)
class CarriedPrior:
    """What a former assessment ended with, discounted.

    Parameters
    ----------
    belief : the former belief; groups are matched by name, new ones start flat.
    discount : what one former label is worth now, between 0 (nothing) and 1 (as much as a new one).

    Examples
    --------
    >>> import labelwise as lw
    >>> groups = lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"]))
    >>> former = lw.beliefs.BetaBelief.from_counts(hits=[8, 4], labels=[10, 4], names=["cat", "dog"])
    >>> CarriedPrior(former, discount=0.5).beta(groups)
    (array([5., 3.]), array([2., 1.]))
    """

    name: ClassVar[str] = "carried"
    belief: Belief
    discount: float = 1.0

    def __post_init__(self) -> None:
        check_within(self.discount, "discount", 0, 1)

    def beta(self, groups: Grouping) -> tuple[_Floats, _Floats]:
        """Former prior plus discounted counts."""
        from labelwise.beliefs.beta import BetaBelief  # which imports this module

        belief = self._former(BetaBelief)
        a, b = FlatPrior().beta(groups)
        for new, old in self._matched(groups):
            a[new] = belief.prior_a[old] + self.discount * belief.hits[old]
            b[new] = belief.prior_b[old] + self.discount * (belief.labels[old] - belief.hits[old])
        return a, b

    def dirichlet(self, groups: Grouping) -> _Floats:
        """Former prior plus discounted counts."""
        from labelwise.beliefs.dirichlet import DirichletBelief  # which imports this module

        belief = self._former(DirichletBelief)
        alpha = FlatPrior().dirichlet(groups)
        for new, old in self._matched(groups):
            alpha[new] = belief.prior_alpha[old] + self.discount * belief.counts[old]
        return alpha

    def _former(self, kind: type[B]) -> B:
        if not isinstance(self.belief, kind):
            raise ArgumentError(
                f"A {type(self.belief).__name__} cannot be carried over here; carry over a belief of the same kind."
            )
        return self.belief

    def _matched(self, groups: Grouping) -> list[tuple[int, int]]:
        former = {name: i for i, name in enumerate(self.belief.names)}
        matched = [(i, former[name]) for i, name in enumerate(groups.names) if name in former]
        if not matched:
            raise ArgumentError(
                f"No group of the former belief has the name of one of these, such as {groups.names[0]!r}. "
                "Group both in the same way."
            )
        return matched


def _a_group(value: ArrayLike, name: str, n_groups: int) -> _Floats:
    array = np.asarray(value, float)
    if array.ndim > 1 or (array.ndim == 1 and len(array) != n_groups):
        raise ArgumentError(f"`{name}` must be one number, or one for each of the {n_groups} groups.")
    if not (np.isfinite(array) & (array > 0)).all():
        bad = array.ravel()[~(np.isfinite(array) & (array > 0)).ravel()][0].item()
        raise ArgumentError(f"`{name}` must be above 0, but is {bad!r}; a prior without pseudo-counts is improper.")
    return np.broadcast_to(array, (n_groups,)).copy()
