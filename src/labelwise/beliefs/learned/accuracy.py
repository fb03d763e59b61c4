"""Groups that share what is learned of the scores: the belief about accuracies when labels of one tell of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln

from labelwise.beliefs.belief import AccuracyBelief, Target, is_population
from labelwise.beliefs.beta import BetaBelief, beta_mean_gap, imagined
from labelwise.beliefs.beta_binomial import pool_factors
from labelwise.beliefs.display import belief_table
from labelwise.beliefs.interval import Kind, check_interval, draws_for, draws_interval
from labelwise.beliefs.learned.calibration_map import CalibrationMap, LabelCounts, Maps, weighed_maps
from labelwise.beliefs.learned.constants import LEAST_SPARE, NEAREST
from labelwise.beliefs.learned.group_slope import lifted
from labelwise.beliefs.learned.prior import LearnedPrior
from labelwise.beliefs.prior import Prior
from labelwise.checks import check_count
from labelwise.errors import ArgumentError
from labelwise.groups import Grouping

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_BLOCK = 4_000_000  # entries of one block of draws
_FOLLOWS = 0.8  # probability that a group follows the map, for choosing what a proof lacks
_FEW_DRAWS = 20  # that are drawn from the maps they pick alone, for choosing what to ask


@dataclass(frozen=True, eq=False, repr=False)
class LearnedAccuracy(AccuracyBelief):
    """What we believe about each group's accuracy, where all groups share one map from scores to accuracies.

    How far the scores are off, and how closely groups follow them, is unknown: it is integrated over, with weights that
    the labels of all groups give. Under each possibility the groups are independent Betas, so that the belief is a
    mixture of Beta beliefs. A hit counts the more, and a miss the less, the harder the labelled items of a group are
    than its others, by their confidences.

    Attributes
    ----------
    counts : hits and labels of each group, their names and sizes.
    prior : what is believed of the map before any label.
    scores : the scores of each group.
    in_bin, bin_hits : labels of each group in each bin of the confidence, and hits in each bin, as in `LabelCounts`.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 50 + ["dog"] * 50, confidence=[0.9] * 100)
    >>> belief = LearnedAccuracy.start(lw.by_prediction(pool))
    >>> belief.mean().round(2)
    array([0.78, 0.78])
    >>> belief.add([5, 0], [10, 0]).mean().round(2)  # half of the cats are wrong: dogs are doubted too
    array([0.55, 0.59])
    """

    is_learned: ClassVar[bool] = True
    counts: BetaBelief
    prior: LearnedPrior
    scores: CalibrationMap
    in_bin: NDArray[np.int32]
    bin_hits: NDArray[np.int32]

    @classmethod
    def start(cls, groups: Grouping, prior: Prior | None = None) -> LearnedAccuracy:
        """Believe the prior, before any label."""
        chosen = prior if isinstance(prior, LearnedPrior) else LearnedPrior()
        scores = CalibrationMap.of(groups)
        nothing = LabelCounts.nothing(scores)
        return cls(BetaBelief.start(groups), chosen, scores, nothing.in_bin, nothing.bin_hits)

    @property
    def told(self) -> LabelCounts:
        """What the labels say, as far as a map needs it."""
        return LabelCounts(self.hits, self.labels, self.in_bin, self.bin_hits)

    @cached_property
    def maps(self) -> Maps:
        """The maps that could be, with their weights."""
        return weighed_maps(self.scores, self.told, **self.prior.settings)

    @property
    def names(self) -> tuple[str, ...]:
        """One name a group."""
        return self.counts.names

    @property
    def groups(self) -> Grouping:
        """The grouping."""
        assert self.counts.groups is not None  # start made it
        return self.counts.groups

    @property
    def outer(self) -> Grouping:
        """The grouping that items are asked from."""
        return self.groups

    @property
    def n_items(self) -> _Counts:
        """How many items each group has."""
        return self.groups.n_items

    @property
    def hits(self) -> _Counts:
        """The hits among the labels of each group."""
        return self.counts.hits

    @property
    def labels(self) -> _Counts:
        """How many labels each group has had."""
        return self.counts.labels

    @property
    def taught(self) -> BetaBelief:
        """What labels have taught each group by itself: nothing of the map that groups share."""
        return self.counts

    @property
    def map_prior(self) -> LearnedPrior:
        """What was believed of the map before any label."""
        return self.prior

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """The counts of labels by name."""
        return {"hits": self.hits, "labels": self.labels, "in_bin": self.in_bin, "bin_hits": self.bin_hits}

    @property
    def n_left(self) -> _Counts:
        """How many items of each group have no label yet."""
        return self.counts.n_left

    def update(self, items: ArrayLike, labels: ArrayLike) -> LearnedAccuracy:
        """Learn the labels (positions of classes) of items (positions in the pool)."""
        return self._counted(self.counts.update(items, labels), items, labels, 1)

    def forget(self, items: ArrayLike, labels: ArrayLike) -> LearnedAccuracy:
        """Take labels back that were learned before: exactly the belief without them."""
        return self._counted(self.counts.forget(items, labels), items, labels, -1)

    def _counted(self, counts: BetaBelief, items: ArrayLike, labels: ArrayLike, sign: int) -> LearnedAccuracy:
        if self.scores.bin_of_item is None:
            return replace(self, counts=counts)
        item = np.atleast_1d(np.asarray(items, np.int64))
        place = self.scores.bin_of_item[item]
        hit = self.groups.pool.prediction[item] == np.atleast_1d(np.asarray(labels))
        in_bin = self.in_bin.copy()
        np.add.at(in_bin, (self.groups.of_item[item], place), sign)
        bin_hits = self.bin_hits + sign * np.bincount(place[hit], minlength=len(self.bin_hits))
        return replace(self, counts=counts, in_bin=in_bin, bin_hits=bin_hits.astype(np.int32))

    def add(self, hits: ArrayLike, labels: ArrayLike) -> LearnedAccuracy:
        """Update with counts: further labels of each group, a fair sample of its items, and how many were hits."""
        return replace(self, counts=self.counts.add(hits, labels))

    def merge(self, other: LearnedAccuracy) -> LearnedAccuracy:
        """Join what two beliefs that started from one prior have learned from different items."""
        if self.prior != other.prior:
            raise ArgumentError("Only beliefs with the same groups and the same prior can be merged.")
        in_bin, bin_hits = self.in_bin + other.in_bin, self.bin_hits + other.bin_hits
        return replace(self, counts=self.counts.merge(other.counts), in_bin=in_bin, bin_hits=bin_hits)

    def with_maps_of(self, former: LearnedAccuracy) -> LearnedAccuracy:
        """Return this belief with the maps of a former one: nearly the same, and without the time of a new fit."""
        belief = replace(self)
        belief.__dict__["maps"] = former.maps  # where the cached property keeps it
        return belief

    @cached_property
    def _has_unknown(self) -> bool:
        """Whether some labels are of items that are not known."""
        return int(self.labels.sum()) > int(self.in_bin.sum())

    @cached_property
    def _unknown(self) -> _Counts:
        """How many labels of each group these are."""
        return np.asarray(self.labels - self.in_bin.sum(axis=1)) if self._has_unknown else np.zeros_like(self.labels)

    @cached_property
    def _worth(self) -> _Floats:
        """What a label of each group counts: more than one, as far as its items are known and confidence explains."""
        if not self._has_unknown:
            return self.maps.worth
        known = 1 - self._unknown / np.maximum(self.labels, 1)
        return np.asarray(1 + known * (self.maps.worth - 1))

    @cached_property
    def _all(self) -> tuple[_Floats, _Floats]:
        return self._under(slice(None), "population")

    @cached_property
    def _rest(self) -> tuple[_Floats, _Floats]:
        return self._under(slice(None), "pool")

    def _of(self, target: Target) -> tuple[_Floats, _Floats]:
        """Return pseudo-hits and -misses under each map: of new items, or of those of the pool without a label."""
        return self._all if is_population(target) else self._rest

    def _expected(self, nodes: Any) -> _Floats:
        """Return the mean chance of each group's labelled items under some maps; anything where there are none."""
        chance = self.maps.chance[nodes]
        hits = chance @ self.in_bin.T
        if self._has_unknown:  # a fair sample of their group
            hits += self._unknown * (chance @ self.scores.share.T)
        return lifted(np.clip(hits / np.maximum(self.labels, 1), NEAREST, 1 - NEAREST), self.maps.odds)

    def _under(self, nodes: Any, target: Target) -> tuple[_Floats, _Floats]:
        """Return them under some of the maps, shape (n_nodes, n_groups): equations 12 to 14 of MODEL.md."""
        expected = self._expected(nodes)
        mean, strength = self.maps.accuracy[nodes], self.maps.strength[nodes, None]
        if not is_population(target):
            left = self.n_left
            of_rest = (self.n_items * mean - self.labels * expected) / np.maximum(left, 1)
            mean = np.where(left > 0, np.clip(of_rest, NEAREST, 1 - NEAREST), mean)
        a = (strength + self._worth * self.hits * (1 - expected)) / (1 - mean)
        b = (strength + self._worth * (self.labels - self.hits) * expected) / mean
        total = a + b
        if is_population(target):
            # the pool's confidences are a sample of those of new items; labels of unknown items hold a part of that
            open_part = np.maximum(1 / np.maximum(self.n_items, 1) - self._unknown / total**2, 0.0)
            sampled = np.where(self.n_items > 0, self.maps.explained * open_part, 0.0)
            known = 1 / (1 / (total + 1) + sampled) - 1
        else:
            # hits of the items left spread less than a binomial's: as if more were known
            spare = 1 - self.maps.explained * total / np.maximum(self.n_left - 1, 1)
            known = (total + 1) / np.maximum(spare, LEAST_SPARE) - 1
        return a * (known / total), b * (known / total)

    @property
    def a(self) -> _Floats:
        """Pseudo-hits and hits under each map, shape (n_nodes, n_groups)."""
        return self._all[0]

    @property
    def b(self) -> _Floats:
        """Pseudo-misses and misses under each map, shape (n_nodes, n_groups)."""
        return self._all[1]

    @property
    def log_marginal(self) -> _Floats:
        """Log-probability of each group's labels under the mean map, or if the group follows none."""
        a, b = self.maps.mean_prior
        told = betaln(a + self.hits, b + self.labels - self.hits) - betaln(a, b)
        return np.asarray(np.logaddexp(np.log(_FOLLOWS) + told, np.log1p(-_FOLLOWS) + super().log_marginal))

    def mean(self, *, target: Target = "population") -> _Floats:
        """Return the posterior mean of each group's accuracy."""
        if self.hits.ndim > 1:
            return np.stack([one.mean(target=target) for one in self._each()]).reshape(self.hits.shape)
        a, b = self._of(target)
        mean = self.maps.weight @ (a / (a + b))
        return np.asarray(mean) if is_population(target) else self._in_pool(self.n_left * mean, mean)

    def variance(self, *, target: Target = "population") -> _Floats:
        """Return the posterior variance of each group's accuracy: within maps, and between them."""
        mean, variance = self._moments(target)
        weight = self.maps.weight
        return np.asarray(weight @ (variance + (mean - weight @ mean) ** 2))

    def variance_of(self, weights: _Floats, *, target: Target = "population") -> float:
        """Return the posterior variance of a weighted sum of the groups' accuracies, which the map ties together."""
        mean, variance = self._moments(target)
        weight, total = self.maps.weight, mean @ weights
        return float(weight @ (variance @ weights**2 + (total - weight @ total) ** 2))

    def _moments(self, target: Target) -> tuple[_Floats, _Floats]:
        """Return mean and variance of each group's accuracy under each map, shape (n_nodes, n_groups)."""
        a, b = self._of(target)
        total = a + b
        mean = a / total
        per_item = mean * (1 - mean) / (total + 1)
        if not is_population(target):
            left, size = self.n_left, np.maximum(self.n_items, 1)
            there = self.n_items > 0
            per_item = np.where(there, left * (total + left) * per_item / size**2, per_item)
            mean = np.where(there, (self.hits + left * mean) / size, mean)
        return mean, per_item

    def variance_drop(self, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return the expected drop of each group's variance within maps; what a label tells of the map is left out."""
        a, b = self._of(target)
        total = a + b
        after = (total + 1) ** 2 * (total + 2)
        weight = self.maps.weight
        now, hit, miss = a * b / (total**2 * (total + 1)), (a + 1) * b, a * (b + 1)
        if not is_population(target):
            before, later = pool_factors(total, self.n_left, self.n_items)
            now, hit, miss = before * now, later * hit, later * miss
        return np.asarray(weight @ now - (draw * (weight @ (hit / after)) + (1 - draw) * (weight @ (miss / after))))

    def total_drop(self, weights: _Floats, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return the expected drop of the weighed variances of all groups together, by one label of each group.

        With c_h the covariance of the label with the accuracy of group h, and m the chance of a hit, the best linear
        guess moves by c_h / m for a hit and by c_h / (1 - m) for a miss: equation 16 of MODEL.md.
        """
        a, b = self._of(target)
        total, weight = a + b, self.maps.weight[:, None]
        mean = a / total
        within, middle = (weight * (mean * (1 - mean) / (total + 1))).sum(axis=0), (weight * mean).sum(axis=0)
        apart = np.sqrt(weight) * (mean - middle)  # so that apart[:, g] @ apart[:, h] is the covariance by the map
        between = (apart**2).sum(axis=0)
        open_part, own = np.ones(self.n_groups), within + between
        if not is_population(target):
            size = np.maximum(self.n_items, 1)
            open_part = self.n_left / size
            own = open_part * own + (middle * (1 - middle) - own) / size
        others = weights * open_part**2
        gathered = (others * apart) @ apart.T
        squares = (apart * (gathered @ apart)).sum(axis=0) - others * between**2 + weights * own**2
        middle = np.clip(middle, 1e-12, 1 - 1e-12)
        return np.asarray(squares * (draw / middle**2 + (1 - draw) / (1 - middle) ** 2))

    def covariance_with(self, weights: _Floats, *, target: Target = "population") -> _Floats:
        """Return the covariance of one more label of each group with a weighted sum of the groups' accuracies.

        A label tells of its own group, and through the map of all others.
        """
        a, b = self._of(target)
        total, weight = a + b, self.maps.weight
        mean = a / total
        variance, middle = mean * (1 - mean) / (total + 1), weight @ mean
        whole = is_population(target)
        an_item = weights / np.maximum(self.n_items, 1)
        open_part = weights if whole else an_item * self.n_left
        summed = mean @ open_part
        found = weight @ (open_part * variance + mean * summed[:, None]) - middle * (weight @ summed)
        if whole:
            return np.asarray(found)
        # the label itself, which will be known, instead of one of the chances
        return np.asarray(found + an_item * (middle - weight @ (variance + mean**2)))

    def draw(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw accuracies, shape (n_draws, n_groups): one map a draw, the same for all groups."""
        check_count(n_draws, "n_draws")
        accuracy = np.empty((n_draws, self.n_groups))
        drawn, place = np.unique(self.maps.draw(n_draws, rng), return_inverse=True)
        a, b = self._under(drawn, target) if n_draws < _FEW_DRAWS else (each[drawn] for each in self._of(target))
        size = max(1, _BLOCK // max(1, self.n_groups))
        for start in range(0, n_draws, size):
            part = place[start : start + size]
            accuracy[start : start + size] = rng.beta(a[part], b[part])
        return accuracy if is_population(target) else self._in_pool(rng.binomial(self.n_left, accuracy), accuracy)

    def imagine(self, draw: NDArray[Any], items: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw labels of items if `draw` were true: the prediction or, for a miss, any other class alike.

        Items that the scores are surer of are hits more often, so that each group has its drawn accuracy.
        """
        if self.scores.bin_of_item is None:
            return self.counts.imagine(draw, items, rng=rng)
        slope = float(self.maps.weight @ self.maps.place[:, 1])
        chance = self.scores.chances_for(draw, slope)[self.groups.of_item[items], self.scores.bin_of_item[items]]
        return imagined(self.groups.pool, items, chance, rng=rng)

    def interval(
        self, level: float = 0.95, *, kind: Kind = "equal-tailed", target: Target = "population"
    ) -> tuple[_Floats, _Floats]:
        """Return each group's credible interval, from draws of a generator of its own, so that it repeats."""
        check_interval(level, kind)
        draws = self.draw(draws_for(self.n_groups), target=target, rng=np.random.default_rng(0))
        return draws_interval(draws, level, kind)

    def _in_pool(self, hits_left: NDArray[Any], empty: _Floats) -> _Floats:
        """Turn the hits among the items left into the accuracy on the pool; an empty group keeps its belief."""
        value = (self.hits + hits_left) / np.maximum(self.n_items, 1)
        return np.where(self.n_items > 0, value, empty)

    def _each(self) -> list[LearnedAccuracy]:
        """Return one belief for each place of the leading dimensions of stacked counts."""
        return [
            self.with_state({name: array[k] for name, array in self.state.items()})
            for k in np.ndindex(*self.hits.shape[:-1])
        ]

    def with_state(self, state: Mapping[str, NDArray[Any]]) -> LearnedAccuracy:
        """Return the belief that starts as this one did and has counted just these labels."""
        counts = replace(self.counts, hits=state["hits"], labels=state["labels"])
        return replace(self, counts=counts, in_bin=state["in_bin"], bin_hits=state["bin_hits"])

    def mean_gap(self, values: _Floats, *, target: Target = "population") -> _Floats | None:
        """Return how far each group's accuracy is expected to lie from a value; of the pool that needs draws."""
        if not is_population(target):
            return None
        return np.asarray(self.maps.weight @ beta_mean_gap(self.a, self.b, values))

    def _repr_html_(self) -> str:
        return belief_table(self)

    def __repr__(self) -> str:
        return f"<LearnedAccuracy about {self.n_groups} groups after {int(self.labels.sum()):,} labels>"


def start_accuracies(groups: Grouping, prior: Prior | None = None) -> AccuracyBelief:
    """Return the belief about accuracies that a prior asks for: groups that share a map, or one Beta each.

    Examples
    --------
    >>> import labelwise as lw
    >>> groups = lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"]))
    >>> start_accuracies(groups), start_accuracies(groups, lw.LearnedPrior())
    (<BetaBelief about 2 groups after 0 labels>, <LearnedAccuracy about 2 groups after 0 labels>)
    """
    return LearnedAccuracy.start(groups, prior) if isinstance(prior, LearnedPrior) else BetaBelief.start(groups, prior)
