"""One Beta distribution a group: the belief about accuracies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc

from labelwise.beliefs.belief import AccuracyBelief, Target, checked_labels, is_population
from labelwise.beliefs.beta_binomial import BetaBinomials, pool_factors
from labelwise.beliefs.display import belief_table
from labelwise.beliefs.interval import Kind, beta_interval, check_interval
from labelwise.beliefs.prior import FlatPrior, Prior
from labelwise.checks import check_count, plain
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups import Grouping
from labelwise.pool import Pool

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class BetaBelief(AccuracyBelief):
    """What we believe about each group's accuracy.

    One Beta distribution a group. A belief never changes: `update` gives a new one, so a belief kept from yesterday
    still says what it said yesterday.

    Attributes
    ----------
    names : one name a group.
    prior_a, prior_b : pseudo-hits and pseudo-misses of the prior.
    hits, labels : hits among the labels of each group.
    n_items : size of each group in the pool; None if unknown, and then there is no pool target.
    groups : the grouping; None if the belief came from counts alone.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), section 2.

    Examples
    --------
    >>> belief = BetaBelief.from_counts(hits=[8, 2], labels=[10, 3], n_items=[10, 30], names=["cat", "dog"])
    >>> belief.mean().round(3)
    array([0.75, 0.6 ])
    >>> belief.interval(0.9, target="pool")[0].round(3)  # all ten cats are labelled
    array([0.8  , 0.267])
    """

    names: tuple[str, ...]
    prior_a: _Floats
    prior_b: _Floats
    hits: _Counts
    labels: _Counts
    n_items: _Counts | None = None
    groups: Grouping | None = None

    def __post_init__(self) -> None:
        for array in (self.prior_a, self.prior_b, self.hits, self.labels):
            array.flags.writeable = False
        if self.n_items is not None and (self.labels > self.n_items).any():
            g = int(np.argmax(self.labels > self.n_items))
            raise ArgumentError(
                f"Group '{self.names[g]}' has {int(self.labels[g])} labels, but only {int(self.n_items[g])} items."
            )

    @classmethod
    def start(cls, groups: Grouping, prior: Prior | None = None) -> BetaBelief:
        """Believe the prior (flat unless given), before any label."""
        a, b = (prior or FlatPrior()).beta(groups)
        zero = np.zeros(groups.n_groups, np.int64)
        return cls(groups.names, a, b, zero, zero.copy(), groups.n_items, groups)

    @classmethod
    def from_counts(
        cls,
        hits: ArrayLike,
        labels: ArrayLike,
        *,
        prior_a: ArrayLike = 1.0,
        prior_b: ArrayLike = 1.0,
        n_items: ArrayLike | None = None,
        names: Sequence[str] | None = None,
    ) -> BetaBelief:
        """Make a belief from hits and labels per group, without a pool."""
        hit_counts, label_counts = _counts(hits, "hits"), _counts(labels, "labels")
        n_groups = len(label_counts)
        if ((hit_counts < 0) | (hit_counts > label_counts)).any():
            g = int(np.argmax((hit_counts < 0) | (hit_counts > label_counts)))
            raise ArgumentError(f"{int(hit_counts[g])} hits among {int(label_counts[g])} labels cannot be.")
        return cls(
            names=tuple(names) if names is not None else tuple(str(g) for g in range(n_groups)),
            prior_a=np.broadcast_to(np.asarray(prior_a, float), n_groups).copy(),
            prior_b=np.broadcast_to(np.asarray(prior_b, float), n_groups).copy(),
            hits=hit_counts,
            labels=label_counts,
            n_items=None if n_items is None else _counts(n_items, "n_items"),
        )

    @cached_property
    def a(self) -> _Floats:
        """Pseudo-hits and hits together."""
        return self.prior_a + self.hits

    @cached_property
    def b(self) -> _Floats:
        """Pseudo-misses and misses together."""
        return self.prior_b + (self.labels - self.hits)

    @property
    def betas(self) -> tuple[_Floats, _Floats]:
        """Both parameters of each group."""
        return self.a, self.b

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """The counts of labels by name."""
        return {"hits": self.hits, "labels": self.labels}

    def with_state(self, state: Mapping[str, NDArray[Any]]) -> BetaBelief:
        """Return the belief that starts as this one did and has counted just these labels."""
        return replace(self, hits=state["hits"], labels=state["labels"])

    def update(self, items: ArrayLike, labels: ArrayLike) -> BetaBelief:
        """Learn the labels (positions of classes) of items (positions in the pool)."""
        return self.add(*self._tallied(items, labels))

    def forget(self, items: ArrayLike, labels: ArrayLike) -> BetaBelief:
        """Take labels back that were learned before: exactly the belief without them."""
        hits, told = self._tallied(items, labels)
        return self.add(-hits, -told)

    def _tallied(self, items: ArrayLike, labels: ArrayLike) -> tuple[_Counts, _Counts]:
        if self.groups is None:
            raise UnanswerableError("A belief made from counts does not know its items; use `add`.")
        item, label = checked_labels(items, labels, self.groups.pool)
        group = self.groups.of_item[item]
        hit = self.groups.pool.prediction[item] == label
        return np.bincount(group[hit], minlength=self.n_groups), np.bincount(group, minlength=self.n_groups)

    def add(self, hits: ArrayLike, labels: ArrayLike) -> BetaBelief:
        """Update with counts: further labels of each group, and how many of them were hits."""
        return replace(self, hits=self.hits + _counts(hits, "hits"), labels=self.labels + _counts(labels, "labels"))

    def merge(self, other: BetaBelief) -> BetaBelief:
        """Join what two beliefs that started from one prior have learned from different items."""
        same = self.names == other.names
        if not (same and np.array_equal(self.prior_a, other.prior_a) and np.array_equal(self.prior_b, other.prior_b)):
            raise ArgumentError("Only beliefs with the same groups and the same prior can be merged.")
        return self.add(other.hits, other.labels)

    @cached_property
    def n_left(self) -> _Counts:
        """How many items of each group have no label yet."""
        if self.n_items is None:
            raise UnanswerableError("The pool target needs the size of each group; give `n_items`.")
        return self.n_items - self.labels

    @cached_property
    def remainder(self) -> BetaBinomials:
        """The distribution of the hits among the items without a label."""
        return BetaBinomials.of(self.n_left, self.a, self.b)

    def mean(self, *, target: Target = "population") -> _Floats:
        """Return the posterior mean of each group's accuracy."""
        mean = self.a / (self.a + self.b)
        return mean if is_population(target) else self._in_pool(self.n_left * mean)

    def variance(self, *, target: Target = "population") -> _Floats:
        """Return the posterior variance of each group's accuracy."""
        total = self.a + self.b
        per_item = self.a * self.b / (total**2 * (total + 1))
        if is_population(target):
            return per_item
        n_items = np.maximum(self.n_items_checked, 1)
        return np.where(self.n_items_checked > 0, self.n_left * (total + self.n_left) * per_item / n_items**2, per_item)

    def variance_of(self, weights: _Floats, *, target: Target = "population") -> float:
        """Return the posterior variance of a weighted sum of the groups' accuracies."""
        return float(self.variance(target=target) @ weights**2)

    @property
    def outer(self) -> Grouping:
        """The grouping that items are asked from."""
        if self.groups is None:
            raise UnanswerableError("A belief made from counts does not know its items; start it from groups.")
        return self.groups

    def variance_drop(self, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return the expected drop of each group's variance by one label that is a hit with probability `draw`.

        Var(theta | L) - E_z Var(theta | L, z), z ~ Bernoulli(draw); affine in the draw.
        """
        total = self.a + self.b
        after = (total + 1) ** 2 * (total + 2)
        expected = (draw * (self.a + 1) * self.b + (1 - draw) * self.a * (self.b + 1)) / after
        if is_population(target):
            return np.asarray(self.variance() - expected)
        now, later = pool_factors(total, self.n_left, self.n_items_checked)
        return np.asarray(now * self.variance() - later * expected)

    def covariance_with(self, weights: _Floats, *, target: Target = "population") -> _Floats:
        """Return the covariance of one more label of each group with a weighted sum of the groups' accuracies."""
        variance = self.variance()
        if is_population(target):
            return np.asarray(weights * variance)
        mean, an_item = self.mean(), weights / np.maximum(self.n_items_checked, 1)
        return np.asarray(an_item * ((self.n_left - 1) * variance + mean * (1 - mean)))

    def draw(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw accuracies, shape (n_draws, n_groups)."""
        check_count(n_draws, "n_draws")
        accuracy = rng.beta(self.a, self.b, size=(n_draws, self.n_groups))
        return accuracy if is_population(target) else self._in_pool(rng.binomial(self.n_left, accuracy), accuracy)

    def imagine(self, draw: NDArray[Any], items: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw labels of items if `draw` were true: the prediction or, for a miss, any other class alike."""
        if self.groups is None:
            raise UnanswerableError("A belief made from counts does not know its items, and cannot imagine labels.")
        return imagined(self.groups.pool, items, draw[self.groups.of_item[items]], rng=rng)

    def interval(
        self, level: float = 0.95, *, kind: Kind = "equal-tailed", target: Target = "population"
    ) -> tuple[_Floats, _Floats]:
        """Return the ends of each group's credible interval, exactly."""
        check_interval(level, kind)
        if is_population(target):
            return beta_interval(self.a, self.b, level, kind)
        ends = self.remainder.interval(level, kind)
        low, high = beta_interval(self.a, self.b, level, kind)
        return self._in_pool(ends[0], low), self._in_pool(ends[1], high)

    def mean_gap(self, values: _Floats, *, target: Target = "population") -> _Floats:
        """Return how far each group's accuracy is expected to lie from a value, exactly."""
        if is_population(target):
            return beta_mean_gap(self.a, self.b, values)
        rest = self.remainder
        entries = rest.n + 1
        accuracy = (np.repeat(self.hits, entries) + rest.hits) / np.repeat(np.maximum(self.n_items_checked, 1), entries)
        return rest.mean_of(np.abs(accuracy - np.repeat(values, entries)))

    def values_in_pool(self, g: int) -> tuple[_Floats, _Floats]:
        """Return the accuracies that a group can have in the pool, rising, and their probabilities."""
        rest = self.remainder
        entries = slice(rest.first[g], rest.first[g] + rest.n[g] + 1)
        size = max(int(self.n_items_checked[g]), 1)
        return (self.hits[g] + rest.hits[entries]) / size, rest.mass[entries]

    def prior_claim(self) -> tuple[float, float] | None:
        """Return the hits that the prior expected among the labels, and their spread; None if it is flat."""
        if self.groups is None or np.array_equal(self.prior_a, self.prior_b):
            return None
        total = self.prior_a + self.prior_b
        mean, n = self.prior_a / total, self.labels
        # a Beta-binomial number in each group
        spread = np.sqrt((n * mean * (1 - mean) * (total + n) / (total + 1)).sum())
        return float((n * mean).sum()), float(spread)

    @property
    def n_items_checked(self) -> _Counts:
        """The size of each group, or the refusal that it is not known."""
        assert self.n_left is not None  # n_left refuses
        return self.n_items  # type: ignore[return-value]

    def _in_pool(self, hits_left: NDArray[Any], empty: _Floats | None = None) -> _Floats:
        """Turn the hits among the items left into the accuracy on the pool; an empty group keeps its belief."""
        sizes = self.n_items_checked
        value = (self.hits + hits_left) / np.maximum(sizes, 1)
        return np.where(sizes > 0, value, self.mean() if empty is None else empty)

    def _repr_html_(self) -> str:
        return belief_table(self)

    def __repr__(self) -> str:
        return f"<BetaBelief about {self.n_groups} groups after {int(self.labels.sum()):,} labels>"


def beta_mean_gap(a: _Floats, b: _Floats, values: _Floats) -> _Floats:
    """Return E|X - s| of a Beta: m - s + 2 s F(s; a, b) - 2 m F(s; a + 1, b), m its mean."""
    m = a / (a + b)
    return np.asarray(m - values + 2 * values * betainc(a, b, values) - 2 * m * betainc(a + 1, b, values))


def imagined(
    pool: Pool, items: NDArray[np.int64], chance: NDArray[Any], *, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw labels of items that are hits with these chances; a miss is any other class alike."""
    prediction = pool.prediction[items].astype(np.int64)
    hit = rng.uniform(size=len(items)) < chance
    other = (prediction + rng.integers(1, pool.n_classes, len(items))) % pool.n_classes
    return np.where(hit, prediction, other)


def _counts(values: ArrayLike, name: str) -> _Counts:
    array = np.atleast_1d(np.asarray(values))
    if array.dtype.kind not in "iubf" or (array != np.floor(array)).any():
        raise ArgumentError(f"`{name}` must be whole numbers, but has {plain(array.ravel()[0])!r}.")
    return array.astype(np.int64)
