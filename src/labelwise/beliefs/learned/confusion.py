"""Rows of confusion that share what is learned of the scores: the belief when labels of one row tell of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.beliefs.belief import ConfusionBelief, Target, is_population
from labelwise.beliefs.dirichlet import DirichletBelief, parts_of
from labelwise.beliefs.display import belief_table
from labelwise.beliefs.interval import Kind, check_interval, draws_for, draws_interval
from labelwise.beliefs.learned.accuracy import LearnedAccuracy
from labelwise.beliefs.learned.miss_classes import Misses, score_shares
from labelwise.beliefs.learned.prior import LearnedPrior
from labelwise.beliefs.prior import Prior
from labelwise.checks import check_count
from labelwise.errors import ArgumentError
from labelwise.groups import Grouping

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_ALL = slice(None)


@dataclass(frozen=True, eq=False, repr=False)
class LearnedConfusion(ConfusionBelief):
    """What we believe about the true class of items that were predicted a certain class, where rows share two things.

    Whether an item is a hit follows the calibration map that `LearnedAccuracy` learns; the true class of a miss
    follows the scores, as far as the misses of all rows agree with them. The two are independent given the labels, so
    that means and variances have closed forms.

    Attributes
    ----------
    told : the labels counted; its own prior is not read.
    known : the items that were labelled, as far as the belief about accuracies reads them.
    shares : of the other classes by the scores, shape (n_groups, n_classes - 1); None without full scores.

    Examples
    --------
    >>> import labelwise as lw
    >>> scores = [[0.7, 0.25, 0.05]] * 60 + [[0.05, 0.15, 0.8]] * 40
    >>> pool = lw.pool_from_arrays(scores=scores, classes=["cat", "dog", "emu"])
    >>> belief = LearnedConfusion.start(lw.by_prediction(pool))
    >>> belief.mean()[[0, 2]].round(2)
    array([[0.63, 0.26, 0.11],
           [0.1 , 0.2 , 0.7 ]])
    >>> belief.update(range(20), [0] * 5 + [1] * 15).mean()[[0, 2]].round(2)  # so many cats are dogs: emus are doubted
    array([[0.29, 0.7 , 0.02],
           [0.17, 0.4 , 0.43]])
    """

    told: DirichletBelief
    known: LearnedAccuracy
    shares: _Floats | None

    @classmethod
    def start(cls, groups: Grouping, prior: Prior | None = None) -> LearnedConfusion:
        """Believe the prior, before any label."""
        told = DirichletBelief.start(groups)
        return cls(told, LearnedAccuracy.start(groups, prior), score_shares(groups, _others(groups)))

    @property
    def groups(self) -> Grouping:
        """The grouping: by prediction, alone or crossed with others."""
        return self.told.groups

    @property
    def names(self) -> tuple[str, ...]:
        """One name a group."""
        return self.told.names

    @property
    def prior(self) -> LearnedPrior:
        """What is believed of the map before any label."""
        return self.known.prior

    @property
    def counts(self) -> _Counts:
        """Labels, shape (n_groups, n_classes)."""
        return self.told.counts

    @property
    def n_labels(self) -> _Counts:
        """How many labels each group has had."""
        return self.told.n_labels

    @property
    def n_left(self) -> _Counts:
        """How many items of each group have no label yet."""
        return self.told.n_left

    @property
    def outer(self) -> Grouping:
        """The grouping that items are asked from: without the prediction, unless that is all there is."""
        return self.told.outer

    @property
    def weight(self) -> _Floats:
        """The part of its outer group's items that each row holds; zero in an empty group."""
        return self.told.weight

    @cached_property
    def _predicted(self) -> NDArray[np.int64]:
        assert self.groups.prediction_of_group is not None  # start looked
        return self.groups.prediction_of_group.astype(np.int64)[:, None]

    @cached_property
    def _off(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the other classes stand in an array of rows."""
        return np.arange(self.groups.n_groups)[:, None], _others(self.groups)

    @cached_property
    def accuracies(self) -> LearnedAccuracy:
        """The belief about whether the prediction is right."""
        hits = np.take_along_axis(self.counts, self._predicted, axis=1)[:, 0]
        return replace(self.known, counts=replace(self.known.counts, hits=hits, labels=self.n_labels))

    @cached_property
    def misses(self) -> Misses:
        """The belief about the true classes of misses."""
        return Misses(self.shares, self.counts[self._off])

    def update(self, items: ArrayLike, labels: ArrayLike) -> LearnedConfusion:
        """Learn the labels (positions of classes) of items (positions in the pool)."""
        return replace(self, told=self.told.update(items, labels), known=self.known.update(items, labels))

    def forget(self, items: ArrayLike, labels: ArrayLike) -> LearnedConfusion:
        """Take labels back that were learned before: exactly the belief without them."""
        return replace(self, told=self.told.forget(items, labels), known=self.known.forget(items, labels))

    def merge(self, other: LearnedConfusion) -> LearnedConfusion:
        """Join what two beliefs that started from one prior have learned from different items."""
        if self.prior != other.prior:
            raise ArgumentError("Only beliefs with the same groups and the same prior can be merged.")
        return replace(self, told=self.told.merge(other.told), known=self.known.merge(other.known))

    @property
    def taught(self) -> DirichletBelief:
        """What labels have taught each row by itself: nothing of what rows share."""
        return self.told

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """The counts of labels by name."""
        return self.told.state

    def with_state(self, state: Mapping[str, NDArray[Any]]) -> LearnedConfusion:
        """Return the belief that starts as this one did and has counted just these labels, of items not known."""
        return replace(self, told=self.told.with_state(state))

    def with_shared_strength(self, least: float) -> LearnedConfusion:
        """Return this belief itself: its strength is learned."""
        return self

    def mean(self, *, target: Target = "population") -> _Floats:
        """Return the posterior mean, shape (n_groups, n_classes)."""
        if self.counts.ndim > 2:  # many moments of a simulation at once
            each = [self.with_state({"counts": c}) for c in self.counts.reshape(-1, *self.counts.shape[-2:])]
            return np.stack([one.mean(target=target) for one in each]).reshape(self.counts.shape)
        share = self.misses.mean()
        mean = self._rows(self.accuracies.mean(), share)
        if is_population(target):
            return mean
        return self.told.in_pool(self.n_left[:, None] * self._rows(self._hit_left, share), mean)

    def variance(self, *, target: Target = "population") -> _Floats:
        """Return the posterior variance of each entry, shape (n_groups, n_classes)."""
        share = self.misses.mean()
        other = self._spread(share, self.misses.mean_square(), share, target)
        return self._joined(self.accuracies.variance(target=target), other)

    def variance_of(self, weights: _Floats, *, target: Target = "population") -> _Floats:
        """Return the posterior variance of each row's weighted sum, exactly; weights have the shape of the rows."""
        # a sum of weights is that of a hit, and for a miss so much more
        more = weights[self._off] - np.take_along_axis(weights, self._predicted, axis=1)
        return self._spread(*self.misses.moments_of(more), target)

    def _spread(self, first: _Floats, square: _Floats, second: _Floats, target: Target) -> _Floats:
        """Return the variance of what misses add up to.

        Of one miss drawn from the shares: `first` is the mean of the expected value, `square` that of its square, and
        `second` the mean of the expected squared value.
        """
        wide = (slice(None), *[None] * (first.ndim - 1))
        miss = 1 - self.accuracies.mean()
        miss_left = 1 - self._hit_left
        per_item = (self.accuracies.variance() + miss**2)[wide] * square - (miss[wide] * first) ** 2
        if is_population(target):
            return np.asarray(per_item)
        size, left = self.groups.n_items, self.n_left
        n_misses = left * miss_left  # expected among the items left
        n_squared = self.accuracies.variance(target="pool") * size**2 + n_misses**2
        total = n_misses[wide] * (second - square) + n_squared[wide] * square - (n_misses[wide] * first) ** 2
        there = (size > 0)[wide]
        return np.where(there, np.maximum(total, 0.0) / np.maximum(size, 1)[wide] ** 2, per_item)

    def variance_drop(self, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return the expected drop of each group's variance, summed over true classes, by one label drawn from `draw`.

        The drop is that within maps; what a label tells of the map and of the trust in the scores is left out. It
        counts by the part of the items that is still open, if the pool is the target.
        """
        a, b, weight = self.accuracies.a, self.accuracies.b, self.accuracies.maps.weight
        total = a + b
        miss = draw[..., *self._off]
        square, squared, square_after, squared_after = self.misses.expected_sums(miss)

        def moments(b: _Floats, total: _Floats) -> tuple[_Floats, _Floats]:
            """Return the mean square, and the mean within maps squared, of the chance of a miss."""
            return weight @ (b * (b + 1) / (total * (total + 1))), weight @ (b / total) ** 2

        second, first = moments(b, total)
        before = second * (1 + square) - first * (1 + squared)
        hit = np.take_along_axis(draw, np.broadcast_to(self._predicted, (*draw.shape[:-1], 1)), axis=-1)[..., 0]
        second, first = moments(b, total + 1)
        after = hit * (second * (1 + square) - first * (1 + squared))
        second, first = moments(b + 1, total + 1)
        after = after + miss.sum(axis=-1) * (second - first) + second * square_after - first * squared_after
        drop = before - after
        if not is_population(target):
            drop = drop * (self.n_left / np.maximum(self.groups.n_items, 1)) ** 2
        if self.outer is self.groups:
            return np.asarray(drop)
        return np.asarray((self.weight**2 * drop).reshape(*drop.shape[:-1], self.outer.n_groups, -1).sum(axis=-1))

    def draw(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw confusion rows, shape (n_draws, n_groups, n_classes): one map and one trust a draw, for all rows."""
        check_count(n_draws, "n_draws")
        hit = self.accuracies.draw(n_draws, target=target, rng=rng)
        share = self.misses.draw(self.misses.draw_nodes(n_draws, rng=rng), rng=rng)
        return self._rows(hit, share) if is_population(target) else self._pool_rows(hit, share, _ALL, rng=rng)

    def draws(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> Iterator[_Floats]:
        """Draw as `draw` does, in parts that fit in memory."""
        for size in parts_of(n_draws, self.counts.size):
            yield self.draw(size, target=target, rng=rng)

    def imagine(self, draw: NDArray[Any], items: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw labels of items if `draw` were true; items that the scores are surer of are hits more often."""
        rows, column = np.arange(self.groups.n_groups), self._predicted[:, 0]
        hits = self.known.imagine(draw[rows, column], items, rng=rng)
        wrong = draw.copy()
        wrong[rows, column] = 0.0
        wrong += np.where(wrong.sum(axis=1, keepdims=True) > 0, 0.0, draw)  # a row without misses
        missed = self.told.imagine(wrong / wrong.sum(axis=1, keepdims=True), items, rng=rng)
        return np.where(hits == self.groups.pool.prediction[items], hits, missed)

    def interval(
        self, level: float = 0.95, *, kind: Kind = "equal-tailed", target: Target = "population"
    ) -> tuple[_Floats, _Floats]:
        """Return each entry's credible interval, from draws of a generator of its own, so that it repeats."""
        check_interval(level, kind)
        rng = np.random.default_rng(0)
        n_groups, n_classes = self.counts.shape
        n_draws = draws_for(self.counts.size)
        hit = self.accuracies.draw(n_draws, target=target, rng=rng)
        node = self.misses.draw_nodes(n_draws, rng=rng)
        low, high = np.empty(self.counts.shape), np.empty(self.counts.shape)
        start = 0
        for size in parts_of(n_groups, n_draws * n_classes):
            part = slice(start, start + size)
            share = self.misses.draw(node, part, rng=rng)
            if is_population(target):
                rows = self._rows(hit[:, part], share, part)
            else:
                rows = self._pool_rows(hit[:, part], share, part, rng=rng)
            ends = draws_interval(rows.reshape(n_draws, -1), level, kind)
            low[part], high[part] = (end.reshape(-1, n_classes) for end in ends)
            start += size
        return low, high

    @property
    def _hit_left(self) -> _Floats:
        """The expected accuracy of the items without a label."""
        pool, left = self.accuracies.mean(target="pool"), self.n_left
        return np.where(left > 0, (pool * self.groups.n_items - self.accuracies.hits) / np.maximum(left, 1), pool)

    def _pool_rows(self, hit: _Floats, share: _Floats, part: slice, *, rng: np.random.Generator) -> _Floats:
        """Draw the rows of the pool whose accuracies are `hit`: where the misses among the items left go."""
        left = self.n_left[part]
        hits_left = np.rint(hit * self.groups.n_items[part] - self.accuracies.hits[part]).astype(np.int64)
        hits_left = np.where(self.groups.n_items[part] > 0, hits_left, 0)
        counts = self._joined(hits_left, rng.multinomial(left - hits_left, share), part)
        return self.told.in_pool(counts, self._rows(hit, share, part), part)

    def _rows(self, hit: _Floats, share: _Floats, part: slice = _ALL) -> _Floats:
        return self._joined(hit, (1 - hit)[..., None] * share, part)

    def _joined(self, hit: NDArray[Any], other: NDArray[Any], part: slice = _ALL) -> _Floats:
        """Put what belongs to the predicted class and to the others into rows, shape (..., n_rows, n_classes)."""
        rows = np.empty((*hit.shape, self.groups.pool.n_classes))
        place = np.arange(hit.shape[-1])
        rows[..., place, self._predicted[part, 0]] = hit
        rows[..., place[:, None], self._off[1][part]] = other
        return rows

    def _repr_html_(self) -> str:
        return belief_table(self)

    def __repr__(self) -> str:
        n_groups, n_classes = self.counts.shape
        return f"<LearnedConfusion about {n_groups} x {n_classes} after {int(self.counts.sum()):,} labels>"


def _others(groups: Grouping) -> NDArray[np.int64]:
    """Return the classes that each row did not predict, shape (n_groups, n_classes - 1)."""
    assert groups.prediction_of_group is not None  # DirichletBelief.start has refused it
    other = np.arange(groups.pool.n_classes - 1)
    return np.asarray(other + (other >= groups.prediction_of_group[:, None]))


def start_confusion(groups: Grouping, prior: Prior | None = None) -> ConfusionBelief:
    """Return the belief about confusion that a prior asks for: rows that share a map, or one Dirichlet each.

    Examples
    --------
    >>> import labelwise as lw
    >>> groups = lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"]))
    >>> start_confusion(groups), start_confusion(groups, lw.LearnedPrior())
    (<DirichletBelief about 2 x 2 after 0 labels>, <LearnedConfusion about 2 x 2 after 0 labels>)
    """
    return (
        LearnedConfusion.start(groups, prior)
        if isinstance(prior, LearnedPrior)
        else DirichletBelief.start(groups, prior)
    )
