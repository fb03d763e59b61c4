"""One Dirichlet distribution a predicted class: the belief about confusion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.beliefs.belief import ConfusionBelief, Target, checked_labels, is_population
from labelwise.beliefs.beta_binomial import BetaBinomials, pool_factors
from labelwise.beliefs.display import belief_table
from labelwise.beliefs.interval import Kind, beta_interval, check_interval
from labelwise.beliefs.prior import FlatPrior, Prior
from labelwise.checks import check_count
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups import Grouping, crossed

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_SMALL = 0.1  # pseudo-counts below this underflow as gamma draws and are drawn as logarithms
_CHUNK = 4_000_000  # entries; a thousand draws of a 1,000 x 1,000 matrix would not fit in memory at once


@dataclass(frozen=True, eq=False, repr=False)
class DirichletBelief(ConfusionBelief):
    """What we believe about the true class of items that were predicted a certain class.

    One Dirichlet distribution a group, whose items all have one predicted class: row k, column j is
    P(true class is j | predicted class is k). It learns the true label, not only whether the prediction was right.

    Attributes
    ----------
    groups : a grouping by prediction, alone or crossed with others (the prediction last).
    prior_alpha : pseudo-counts, shape (n_groups, n_classes).
    counts : labels, same shape.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), section 2 and supplement.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "cat", "dog"], labels=["cat", "dog", "dog"])
    >>> belief = DirichletBelief.start(lw.by_prediction(pool)).update([0, 1, 2], pool.labels)
    >>> belief.mean().round(2)
    array([[0.5 , 0.5 ],
           [0.25, 0.75]])
    """

    groups: Grouping
    prior_alpha: _Floats
    counts: _Counts

    def __post_init__(self) -> None:
        for array in (self.prior_alpha, self.counts):
            array.flags.writeable = False

    @classmethod
    def start(cls, groups: Grouping, prior: Prior | None = None) -> DirichletBelief:
        """Believe the prior (flat unless given), before any label."""
        if groups.prediction_of_group is None:
            raise UnanswerableError(
                f"Confusion is believed a predicted class, and a grouping by {groups.rule} mixes predictions. "
                "Group by prediction, or cross with it."
            )
        alpha = (prior or FlatPrior()).dirichlet(groups)
        return cls(groups, alpha, np.zeros(alpha.shape, np.int64))

    @property
    def names(self) -> tuple[str, ...]:
        """One name a group."""
        return self.groups.names

    @cached_property
    def alpha(self) -> _Floats:
        """Pseudo-counts and counts together."""
        return self.prior_alpha + self.counts

    @cached_property
    def n_labels(self) -> _Counts:
        """How many labels each group has had."""
        return self.counts.sum(axis=-1)

    @cached_property
    def n_left(self) -> _Counts:
        """How many items of each group have no label yet."""
        return self.groups.n_items - self.n_labels

    @property
    def taught(self) -> DirichletBelief:
        """This belief itself: rows share nothing."""
        return self

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """The counts of labels by name."""
        return {"counts": self.counts}

    def with_state(self, state: Mapping[str, NDArray[Any]]) -> DirichletBelief:
        """Return the belief that starts as this one did and has counted just these labels."""
        return replace(self, counts=state["counts"])

    def with_shared_strength(self, least: float) -> DirichletBelief:
        """Return the belief whose prior's strength is that of an outer group, divided among its rows."""
        return replace(self, prior_alpha=np.maximum(self.prior_alpha * self.weight[:, None], least))

    def update(self, items: ArrayLike, labels: ArrayLike) -> DirichletBelief:
        """Learn the labels (positions of classes) of items (positions in the pool)."""
        return replace(self, counts=self.counts + self._tallied(items, labels))

    def forget(self, items: ArrayLike, labels: ArrayLike) -> DirichletBelief:
        """Take labels back that were learned before: exactly the belief without them."""
        return replace(self, counts=self.counts - self._tallied(items, labels))

    def _tallied(self, items: ArrayLike, labels: ArrayLike) -> _Counts:
        item, label = checked_labels(items, labels, self.groups.pool)
        n_groups, n_classes = self.counts.shape
        cell = self.groups.of_item[item].astype(np.int64) * n_classes + label
        return np.bincount(cell, minlength=n_groups * n_classes).reshape(n_groups, n_classes)

    def merge(self, other: DirichletBelief) -> DirichletBelief:
        """Join what two beliefs that started from one prior have learned from different items."""
        if self.names != other.names or not np.array_equal(self.prior_alpha, other.prior_alpha):
            raise ArgumentError("Only beliefs with the same groups and the same prior can be merged.")
        return replace(self, counts=self.counts + other.counts)

    def mean(self, *, target: Target = "population") -> _Floats:
        """Return the posterior mean, shape (n_groups, n_classes)."""
        mean = self.alpha / self.alpha.sum(axis=-1, keepdims=True)
        return mean if is_population(target) else self.in_pool(self.n_left[:, None] * mean, mean)

    def variance(self, *, target: Target = "population") -> _Floats:
        """Return the posterior variance of each entry, shape (n_groups, n_classes)."""
        total = self.alpha.sum(axis=1, keepdims=True)
        per_item = self.alpha * (total - self.alpha) / (total**2 * (total + 1))
        if is_population(target):
            return per_item
        size, left = self.groups.n_items[:, None], self.n_left[:, None]
        return np.where(size > 0, left * (total + left) * per_item / np.maximum(size, 1) ** 2, per_item)

    def variance_of(self, weights: _Floats, *, target: Target = "population") -> _Floats:
        """Return the posterior variance of each row's weighted sum, exactly; weights have the shape of the rows."""
        total = self.alpha.sum(axis=1)
        mean = self.alpha / total[:, None]
        per_item = ((weights**2 * mean).sum(axis=1) - (weights * mean).sum(axis=1) ** 2) / (total + 1)
        if is_population(target):
            return np.asarray(per_item)
        size, left = self.groups.n_items, self.n_left
        return np.where(size > 0, left * (total + left) * per_item / np.maximum(size, 1) ** 2, per_item)

    @cached_property
    def outer(self) -> Grouping:
        """The grouping that items are asked from: without the prediction, unless that is all there is."""
        factors = self.groups.factors
        if not factors:
            return self.groups
        return factors[0] if len(factors) == 2 else crossed(*factors[:-1])

    @cached_property
    def weight(self) -> _Floats:
        """The part of its outer group's items that each row holds; zero in an empty group."""
        size = self.groups.n_items.reshape(self.outer.n_groups, -1)
        weight: _Floats = size / np.maximum(size.sum(axis=1, keepdims=True), 1)
        return weight.ravel()

    def variance_drop(self, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return the expected drop of each group's variance, summed over true classes, by one label drawn from `draw`.

        With A the sum of the pseudo-counts and S that of their squares, the total variance is (A^2 - S)/(A^2 (A + 1));
        after a label drawn from p it is ((A + 1)^2 - 1 - S - 2 p.alpha)/((A + 1)^2 (A + 2)) on average.
        """
        total, squares = self.alpha.sum(axis=1), (self.alpha**2).sum(axis=1)
        before = (total**2 - squares) / (total**2 * (total + 1))
        more = total + 1
        after = (more**2 - 1 - squares - 2 * (draw * self.alpha).sum(axis=-1)) / (more**2 * (total + 2))
        if not is_population(target):
            now, later = pool_factors(total, self.n_left, self.groups.n_items)
            before, after = now * before, later * after
        drop = before - after
        if self.outer is self.groups:
            return np.asarray(drop)
        return np.asarray((self.weight**2 * drop).reshape(*drop.shape[:-1], self.outer.n_groups, -1).sum(axis=-1))

    def draw(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw confusion rows, shape (n_draws, n_groups, n_classes)."""
        check_count(n_draws, "n_draws")
        rows = draw_shares(np.broadcast_to(self.alpha, (n_draws, *self.alpha.shape)), rng=rng)
        if is_population(target):
            return rows
        return self.in_pool(rng.multinomial(self.n_left, rows), rows)

    def draws(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> Iterator[_Floats]:
        """Draw as `draw` does, in parts that fit in memory."""
        for size in parts_of(n_draws, self.alpha.size):
            yield self.draw(size, target=target, rng=rng)

    def imagine(self, draw: NDArray[Any], items: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw labels of items if `draw` were true."""
        edges = draw[self.groups.of_item[items]].cumsum(axis=1)
        # rounding may leave the last edge below 1
        return np.minimum((rng.uniform(size=(len(items), 1)) > edges).sum(axis=1), draw.shape[-1] - 1)

    def interval(
        self, level: float = 0.95, *, kind: Kind = "equal-tailed", target: Target = "population"
    ) -> tuple[_Floats, _Floats]:
        """Return the ends of each entry's credible interval, exactly: every entry by itself is a Beta."""
        check_interval(level, kind)
        rest = self.alpha.sum(axis=1, keepdims=True) - self.alpha
        low, high = beta_interval(self.alpha, rest, level, kind)
        if is_population(target):
            return low, high
        left = np.repeat(self.n_left, self.alpha.shape[1])
        ends = BetaBinomials.of(left, self.alpha.ravel(), rest.ravel()).interval(level, kind)
        shape = self.alpha.shape
        return self.in_pool(ends[0].reshape(shape), low), self.in_pool(ends[1].reshape(shape), high)

    def in_pool(self, more: NDArray[Any], empty: _Floats, part: slice = slice(None)) -> _Floats:
        """Turn how often each class is true among the items left into shares of the pool; an empty row keeps its own.

        Parameters
        ----------
        part : the rows that are meant.
        """
        size = self.groups.n_items[part, None]
        return np.where(size > 0, (self.counts[..., part, :] + more) / np.maximum(size, 1), empty)

    def _repr_html_(self) -> str:
        return belief_table(self)

    def __repr__(self) -> str:
        n_groups, n_classes = self.alpha.shape
        return f"<DirichletBelief about {n_groups} x {n_classes} after {int(self.counts.sum()):,} labels>"


def draw_shares(alpha: _Floats, *, rng: np.random.Generator) -> _Floats:
    """Draw from one Dirichlet a place, the last axis its classes."""
    if alpha.min(initial=np.inf) >= _SMALL:
        shares = rng.standard_gamma(alpha)
    else:
        # Gamma(a) = Gamma(a + 1) U^(1/a); for tiny a only its logarithm can be told from 0
        logs = np.log(rng.standard_gamma(alpha + 1)) - rng.standard_exponential(alpha.shape) / alpha
        shares = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def parts_of(n: int, n_entries: int) -> Iterator[int]:
    """Split a number of things with so many entries each into parts that fit in memory."""
    size = max(1, _CHUNK // max(1, n_entries))
    for start in range(0, n, size):
        yield min(size, n - start)
