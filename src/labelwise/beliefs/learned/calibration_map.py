"""From scores to accuracies: a logistic map, learned from the labels of all groups together.

The chance that an item is a hit is expit(shift + slope logit(confidence)); the classifier's own claim is shift 0 and
slope 1. A group's accuracy has a Beta distribution around the mean m of its items, Beta(t / (1 - m), t / m), whose
logit spreads by about 1 / sqrt(t): groups of high and of low accuracy differ alike on that scale. The spread is learned
too.

The model with its equations, which the code cites by their numbers, is in MODEL.md.

The hits of a group are compared with the items that were labelled: the expected number is the mean of *their*
probabilities. Which of them were hits is evidence on the slope (`item_slope.py`). Groups follow the scores more steeply
than items do (`group_slope.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, expit, gammaln, logit

from labelwise.beliefs.learned.constants import (
    MAP_STEP,
    MAP_STEPS,
    MAP_TOLERANCE,
    MIXED,
    N_BINS,
    N_NODES,
    NEAREST,
    NEAREST_CONFIDENCE,
    NEGLIGIBLE,
    STRETCH,
    TAILS,
)
from labelwise.beliefs.learned.group_slope import LabelledGroups, lifted, odds_of
from labelwise.beliefs.learned.item_slope import Bend, bend_of
from labelwise.groups import Grouping

_Floats = NDArray[np.float64]
_FURTHEST, _HALVINGS = 40.0, 40  # of the search for the level at which a group has a given accuracy


@dataclass(frozen=True, eq=False)
class CalibrationMap:
    """The scores of each group, as far as a map from scores to accuracies needs them.

    Attributes
    ----------
    x : logit of the confidence in each bin, shape (n_bins,); one bin at 0 if there are no scores.
    share : the part of each group's items in each bin, shape (n_groups, n_bins).
    whole : the part of all items in each bin, shape (n_bins,).
    has_scores : whether there is a slope to learn.
    is_mixed : whether the items of one group differ about as much as all items do: then groups follow the scores
        otherwise than items. Groups that are parts of the scores cannot.
    bin_of_item : shape (n_items,); None if there are no scores.
    """

    x: _Floats
    share: _Floats
    whole: _Floats
    has_scores: bool
    is_mixed: bool = False
    bin_of_item: NDArray[np.uint8] | None = None

    @classmethod
    def of(cls, groups: Grouping) -> CalibrationMap:
        """Sum the scores of a grouping up."""
        if groups.pool.confidence is None or groups.pool.n_items == 0:
            return cls(np.zeros(1), np.ones((groups.n_groups, 1)), np.ones(1), has_scores=False)
        logits = logit(np.clip(np.asarray(groups.pool.confidence, float), NEAREST_CONFIDENCE, 1 - NEAREST_CONFIDENCE))
        edges = np.unique(np.quantile(logits, np.linspace(0, 1, N_BINS + 1)[1:-1]))
        place = np.searchsorted(edges, logits)
        n_bins = len(edges) + 1
        count = np.bincount(place, minlength=n_bins)
        x = np.bincount(place, logits, minlength=n_bins) / np.maximum(count, 1)
        cell = groups.of_item.astype(np.int64) * n_bins + place
        size = np.bincount(cell, minlength=groups.n_groups * n_bins).reshape(groups.n_groups, n_bins).astype(float)
        size[groups.n_items == 0] = count  # a group without items is taken for a part of the pool
        share, whole = size / size.sum(axis=1, keepdims=True), count / count.sum()
        within = groups.share @ (share @ x**2 - (share @ x) ** 2)
        is_mixed = groups.n_groups > 1 and bool(within > MIXED * (whole @ x**2 - (whole @ x) ** 2))
        return cls(x, share, whole, True, is_mixed, place.astype(np.uint8))

    def with_share(self, share: _Floats) -> CalibrationMap:
        """Return the same scores in other groups."""
        return replace(self, share=share)

    @cached_property
    def pooled(self) -> CalibrationMap:
        """The same scores in one group."""
        return self.with_share(self.whole[None])

    def chance(self, place: _Floats) -> _Floats:
        """Return the chance of a hit in each bin under maps (shift, slope), shape (n_maps, n_bins): equation 1."""
        slope = place[:, [1]] if self.has_scores else 0.0
        return np.asarray(expit(place[:, [0]] + slope * self.x))

    def accuracy(self, place: _Floats) -> _Floats:
        """Return the mean accuracy of each group under maps, shape (n_maps, n_groups)."""
        return np.clip(self.chance(place) @ self.share.T, NEAREST, 1 - NEAREST)

    def slopes(self, place: _Floats) -> _Floats:
        """Return how the accuracies change with shift and slope, shape (n_maps, n_directions, n_groups)."""
        chance = self.chance(place)
        slope = chance * (1 - chance)
        return np.stack([slope @ self.share.T, (slope * self.x) @ self.share.T][: place.shape[1]], axis=1)

    def chances_for(self, accuracy: _Floats, slope: float) -> _Floats:
        """Return the chance of a hit in each bin of each group, shape (n_groups, n_bins), if its mean is `accuracy`."""
        low, high = np.full(len(accuracy), -_FURTHEST), np.full(len(accuracy), _FURTHEST)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            chance = expit(middle[:, None] + slope * self.x)
            is_below = (chance * self.share).sum(axis=1) < accuracy
            low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
        return np.asarray(chance)


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """What the labels say, as far as a map needs it.

    Attributes
    ----------
    hits, labels : of each group.
    in_bin : how many labels of each group lie in each bin of the confidence, shape (n_groups, n_bins). Labels beyond
        these, whose items are not known, are taken for a fair sample of their group.
    bin_hits : the hits in each bin, of all groups together, shape (n_bins,).
    """

    hits: NDArray[np.int64]
    labels: NDArray[np.int64]
    in_bin: NDArray[np.int32]
    bin_hits: NDArray[np.int32]

    @classmethod
    def nothing(cls, scores: CalibrationMap) -> LabelCounts:
        """Count nothing yet."""
        n_groups, n_bins = scores.share.shape
        counts = np.zeros(n_groups, np.int64)
        return cls(counts, counts, np.zeros((n_groups, n_bins), np.int32), np.zeros(n_bins, np.int32))

    def mixture(self, scores: CalibrationMap) -> _Floats:
        """Return the part of each group's labels in each bin, shape (n_groups, n_bins); of its items if it has none."""
        mixed, told = scores.share.copy(), np.flatnonzero(self.labels)
        labels, in_bin = self.labels[told, None], self.in_bin[told]
        unknown = labels - in_bin.sum(axis=1, keepdims=True)
        mixed[told] = (in_bin + unknown * mixed[told]) / labels
        return mixed


@dataclass(frozen=True, eq=False)
class Maps:
    """Maps and strengths that stand for everything that could be, each with its weight.

    Attributes
    ----------
    place : shift and slope of each, shape (n_nodes, 1 or 2).
    strength, weight : t and weight of each; weights add up to one.
    accuracy : the mean accuracy of each group under each, shape (n_nodes, n_groups).
    chance : the chance of a hit in each bin under each, shape (n_nodes, n_bins).
    odds : how many times larger the odds of each group are than those of its items alone, shape (n_groups,).
    explained : which part of the spread of each group's hits their confidences explain, shape (n_groups,).
    """

    place: _Floats
    strength: _Floats
    weight: _Floats
    accuracy: _Floats
    chance: _Floats
    odds: _Floats
    explained: _Floats

    @cached_property
    def _cumulative(self) -> _Floats:
        summed = np.cumsum(self.weight)
        return summed / summed[-1]  # so that it ends at exactly one

    @cached_property
    def worth(self) -> _Floats:
        """What a label of each group counts if its item is known: more, the more its confidence explains."""
        return np.asarray(1 / (1 - self.explained))

    def draw(self, n_draws: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw maps by their weights."""
        return self._cumulative.searchsorted(rng.random(n_draws), side="right")

    @cached_property
    def prior_a(self) -> _Floats:
        """Pseudo-hits of each group, shape (n_nodes, n_groups)."""
        return self.strength[:, None] / (1 - self.accuracy)

    @cached_property
    def prior_b(self) -> _Floats:
        """Pseudo-misses of each group, shape (n_nodes, n_groups)."""
        return self.strength[:, None] / self.accuracy

    @cached_property
    def mean_prior(self) -> tuple[_Floats, _Floats]:
        """Both parameters of one Beta per group with the mean and variance of the whole mixture, before its labels."""
        mean, total = self.accuracy, self.prior_a + self.prior_b
        middle = self.weight @ mean
        variance = self.weight @ (mean * (1 - mean) / (total + 1) + (mean - middle) ** 2)
        whole = middle * (1 - middle) / variance - 1
        return middle * whole, (1 - middle) * whole


def weighed_maps(
    scores: CalibrationMap,
    told: LabelCounts,
    *,
    middle: _Floats,
    spread: _Floats,
    strengths: _Floats,
    steepness: float,
) -> Maps:
    """Integrate over maps and strengths: give nodes with their posterior weights.

    At each strength the posterior of (shift, slope) is nearly normal around its mode. A Gauss-Hermite rule is laid
    there, a little wider, and each node is weighed by the exact posterior: equation 11.

    Parameters
    ----------
    middle, spread : middle and scale of shift and slope before any label, of a Student's t distribution.
    strengths : all t that are possible, alike probable.
    steepness : how many times as steeply as items groups follow the scores, where that can be.
    """
    n_directions = 2 if scores.has_scores else 1
    middle, spread = middle[:n_directions], spread[:n_directions]
    bend = bend_of(scores, told, middle, spread, float(strengths.min()))
    odds = odds_of(scores, np.array([bend.shift, bend.slope]), steepness)
    asked = LabelledGroups.of(scores, told, odds)
    mode, information = _modes(asked, bend, middle, spread, strengths)
    covariance = np.linalg.inv(information)
    root = STRETCH * np.linalg.cholesky(covariance)
    z, z_weight = _rule(n_directions)
    place = (mode[:, None, :] + np.einsum("tij,nj->tni", root, z)).reshape(-1, n_directions)
    strength = np.repeat(strengths, len(z))
    # the rule's weight, times the posterior, over the normal density that the rule is made for
    log_normal = -0.5 * (z**2).sum(axis=1) - np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)[:, None]
    log_weight = (np.log(z_weight) - log_normal).ravel()
    log_weight += _log_prior(place, middle, spread) + bend.log_chance(place)
    log_weight += _evidence(asked.expected(place), strength[:, None], bend.noise, asked)
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    kept = weight > NEGLIGIBLE
    place, strength, weight = place[kept], strength[kept], weight[kept] / weight[kept].sum()
    accuracy = lifted(scores.accuracy(place), odds)
    return Maps(place, strength, weight, accuracy, scores.chance(place), odds, bend.explained)


def _modes(
    asked: LabelledGroups, bend: Bend, middle: _Floats, spread: _Floats, strengths: _Floats
) -> tuple[_Floats, _Floats]:
    """Find the likeliest map at each strength by Fisher scoring, and the information there.

    A step that makes the labels less likely is halved: far from the mode the expected information says little.
    """
    n = asked.labels
    place, s = np.tile(middle, (len(strengths), 1)), bend.noise * strengths[:, None]
    best, best_value = place, np.full(len(strengths), -np.inf)
    best_information, step = np.zeros((*place.shape, len(middle))), np.zeros(place.shape)
    for _ in range(MAP_STEPS):
        mean, slopes = asked.expected(place), asked.slopes(place)
        a, b = s / (1 - mean), s / mean
        by_a, by_b, by_all = _raised(digamma, a, b, asked)
        by_mean = s / (1 - mean) ** 2 * (by_a - by_all) - s / mean**2 * (by_b - by_all)
        known = n / (bend.noise * mean * (1 - mean) * (1 + (n - 1) / (a + b + 1)))
        precision = (TAILS + 1) / (TAILS * spread**2 + (place - middle) ** 2)
        information = np.einsum("tig,tg,tjg->tij", slopes, known, slopes) + precision[:, :, None] * np.eye(len(middle))
        gradient = np.einsum("tig,tg->ti", slopes, by_mean / bend.noise) - (place - middle) * precision
        if asked.scores.has_scores:
            information[:, 1, 1] += bend.precision
            gradient[:, 1] += bend.rise(place)
        value = _log_prior(place, middle, spread) + bend.log_chance(place)
        value += _evidence(mean, strengths[:, None], bend.noise, asked)
        is_better = value >= best_value
        newton = np.clip(np.linalg.solve(information, gradient[..., None])[..., 0], -MAP_STEP, MAP_STEP)
        step = np.where(is_better[:, None], newton, step / 2)
        best, best_value = np.where(is_better[:, None], place, best), np.maximum(value, best_value)
        best_information = np.where(is_better[:, None, None], information, best_information)
        place = best + step
        if np.abs(step).max() < MAP_TOLERANCE:
            break
    return best, best_information


def _rule(n_directions: int) -> tuple[_Floats, _Floats]:
    """Return nodes and weights of the Gauss-Hermite rule for the standard normal distribution."""
    node, weight = np.polynomial.hermite_e.hermegauss(N_NODES)
    weight = weight / weight.sum()
    if n_directions == 1:
        return node[:, None], weight
    grid = np.stack(np.meshgrid(node, node, indexing="ij"), axis=-1).reshape(-1, 2)
    return grid, np.outer(weight, weight).ravel()


def _log_prior(place: _Floats, middle: _Floats, spread: _Floats) -> _Floats:
    """Return the log-density of Student's t in each direction, up to a constant: equation 5."""
    return np.asarray(-0.5 * (TAILS + 1) * np.log1p(((place - middle) / spread) ** 2 / TAILS).sum(axis=1))


def _evidence(mean: _Floats, strength: _Floats, noise: float, asked: LabelledGroups) -> _Floats:
    """Return the log-probability of the hits among the labels of all groups together, under each node: Beta-binomial.

    Hits among items whose chances differ spread less than among items that are alike, by the factor `noise`. As in
    quasi-likelihood the logarithm is divided by it; the second term keeps what groups' own levels take from it.
    Equation 10 of MODEL.md.
    """
    a, b = noise * strength / (1 - mean), noise * strength / mean
    of_hits, of_misses, of_all = _raised(gammaln, a, b, asked)
    alike = (of_hits + of_misses - of_all) / noise
    return np.asarray((alike + 0.5 * (1 / noise - 1) * np.log1p(asked.labels / (a + b))).sum(axis=1))


def _raised(of: Callable[[_Floats], _Floats], a: _Floats, b: _Floats, asked: LabelledGroups) -> list[_Floats]:
    """Return f(prior count + count) - f(prior count) of hits, of misses, and of both together."""
    r, n = asked.hits, asked.labels
    return [of(start + count) - of(start) for start, count in ((a, r), (b, n - r), (a + b, n))]
