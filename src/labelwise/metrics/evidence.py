"""What labels prove about groups, whatever the truth, the prior and the moment at which one looks.

For every value that a group could have there is evidence against it: the log of a martingale that starts at 1 if that
is the true value. Values with evidence below log(1/alpha) form an interval that holds at all times together with
probability 1 - alpha; and evidence against several groups' values adds up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import log, log1p
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from labelwise.beliefs import Target
from labelwise.beliefs.belief import AccuracyBelief, is_population
from labelwise.beliefs.betting import log_wealth
from labelwise.beliefs.confidence_sequence import confidence_set
from labelwise.beliefs.trail import Trail

_Floats = NDArray[np.float64]
_STEPS = 400  # between values at which evidence of bets is worked out
_CONVEX_STEPS = 1_000  # the same for evidence that is convex in the value


class LabelRatio(NamedTuple):
    """A group's value as a sum over its items divided by another: what each item adds to either, by its classes.

    Attributes
    ----------
    part, whole : arrays of shape (true class, predicted class).
    """

    part: _Floats
    whole: _Floats


class Evidence(ABC):
    """What the labels prove about the value of each group.

    Attributes
    ----------
    is_one_sided : whether evidence that a value is too low, and evidence that it is too high, are two martingales.
    """

    is_one_sided: ClassVar[bool] = False

    @abstractmethod
    def bounds(self, threshold: float) -> tuple[_Floats, _Floats]:
        """Return the ends of the values of each group against which evidence is below the threshold."""

    @abstractmethod
    def in_wrong_order(self, one: int, others: NDArray[np.int64], *, low: bool, tolerance: float) -> _Floats:
        """Return the evidence against one group lying on the wrong side of each of some others.

        Parameters
        ----------
        low : whether the one should be lower than the others; else higher.
        tolerance : wrong is only what is further than this on the wrong side.
        """

    def in_pairs(self, trail: Trail, one: int, other: int, c: float, *, at_most: bool, target: Target) -> float | None:
        """Return evidence like that of `in_wrong_order` from labels of two groups in pairs; None if it is not known.

        Parameters
        ----------
        c, at_most : refuted is that the one's value less the other's is at most, or at least, c.
        """
        return None

    def always(self, level: float) -> tuple[_Floats, _Floats]:
        """Return intervals that hold for each group at all times together with this probability."""
        return self.bounds(log(2 if self.is_one_sided else 1) - log1p(-level))


@dataclass(frozen=True, eq=False)
class HitEvidence(Evidence):
    """Evidence about values that are an offset plus a slope times the accuracy of a group.

    The probability that a prediction of the labels gave them, over that under a fixed number of hits in the pool
    (drawn without replacement), or under a fixed accuracy of new items.

    Attributes
    ----------
    hits, labels, log_probability : of each group.
    sizes : items of each group; None for new items.
    offset, slope : of each group.
    """

    hits: NDArray[np.int64]
    labels: NDArray[np.int64]
    log_probability: _Floats
    sizes: NDArray[np.int64] | None
    offset: _Floats
    slope: _Floats

    def bounds(self, threshold: float) -> tuple[_Floats, _Floats]:
        """Return the confidence sequence of each group."""
        low, high = confidence_set(self.hits, self.labels, self.log_probability - threshold, self.sizes)
        ends = self.offset + self.slope * low, self.offset + self.slope * high
        return np.minimum(*ends), np.maximum(*ends)

    def in_wrong_order(self, one: int, others: NDArray[np.int64], *, low: bool, tolerance: float) -> _Floats:
        """Return the least sum of both groups' evidence over all values that the two could share."""
        shift = -tolerance if low else tolerance
        ends = np.stack([self.offset, self.offset + self.slope])
        grid = np.linspace(float(ends.min()), float(ends.max()), _CONVEX_STEPS + 1)
        mine = self._against(np.array([one]), grid, above=low)
        return _least(mine + self._against(others, grid + shift, above=not low))

    def _against(self, groups: NDArray[np.int64], values: _Floats, *, above: bool) -> _Floats:
        """Return the evidence against each value and all above it, or below it; shape (n_groups, n_values), convex."""
        slope = self.slope[groups, None]
        accuracy = (values - self.offset[groups, None]) / np.where(slope == 0, 1.0, slope)
        up = above == (self.slope[groups, None] > 0)  # whether accuracies from there up are meant
        x, n = self.hits[groups, None].astype(float), self.labels[groups, None].astype(float)
        base = self.log_probability[groups, None]
        seen = x / np.maximum(n, 1)
        # evidence against all values on one side is the least over them: where that side begins, or at the labels' own
        accuracy = np.where(up, np.maximum(accuracy, seen), np.minimum(accuracy, seen))
        if self.sizes is None:
            inside = np.clip(accuracy, 0.0, 1.0)
            found = base - xlogy(x, inside) - xlogy(n - x, 1 - inside)
        else:
            size = self.sizes[groups, None].astype(float)
            low, high = x, size - (n - x)
            total = accuracy * size
            inside = np.clip(total, low, high)
            ways = gammaln(inside + 1) - gammaln(inside - x + 1)
            ways += gammaln(size - inside + 1) - gammaln(size - inside - (n - x) + 1)
            found = base + gammaln(size + 1) - gammaln(size - n + 1) - ways
            # impossible sides are refuted for certain
            slack = 1e-9 * np.maximum(size, 1)
            found = np.where(np.where(up, total > high + slack, total < low - slack), np.inf, found)
        if self.sizes is None:
            found = np.where(np.where(up, accuracy > 1, accuracy < 0), np.inf, found)
        return np.asarray(found)

    def in_pairs(self, trail: Trail, one: int, other: int, c: float, *, at_most: bool, target: Target) -> float | None:
        """Bet on the difference of the i-th labels of both groups."""
        slope = self.slope[one]
        if slope != self.slope[other] or slope == 0:
            return None
        c = (c - self.offset[one] + self.offset[other]) / slope
        if at_most != (slope > 0):  # the other way round: bet on the second group
            one, other, c = other, one, -c
        hit = [trail.is_hit(g) for g in (one, other)]
        n = min(map(len, hit))
        if n == 0:
            return 0.0
        first, second = hit[0][:n].astype(float), hit[1][:n].astype(float)
        if self.sizes is None:
            means = np.full(n, c)
        else:
            means = _highest_mean(first, second, int(self.sizes[one]), int(self.sizes[other]), c)
        return float(log_wealth(first - second, means, -1.0 - 1e-12))


def evidence_of_hits(trail: Trail, offset: _Floats, slope: _Floats, target: Target) -> HitEvidence:
    """Return the evidence about values that are an offset plus a slope times the accuracy of a group.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0] * 100, classes=[0, 1])
    >>> start = lw.accuracy.start(lw.by_prediction(pool))
    >>> trail = Trail.of(start).extended(range(80), [0] * 70 + [1] * 10)
    >>> low, high = lw.accuracy.evidence(trail, target="pool").always(0.95)
    >>> float(low[0]), float(high[0])
    (0.81, 0.9)
    """
    sizes = None if is_population(target) else trail.groups.n_items
    return HitEvidence(trail.hits, trail.n_labels, trail.log_probability, sizes, offset, slope)


def evidence_of_counts(belief: AccuracyBelief, offset: _Floats, slope: _Floats, target: Target) -> HitEvidence:
    """Return approximate evidence from counts of hits, ignoring the order of labels: for choosing what to ask next."""
    sizes = None if is_population(target) else belief.n_items
    return HitEvidence(belief.hits, belief.labels, belief.log_marginal, sizes, offset, slope)


@dataclass(frozen=True, eq=False)
class RatioEvidence(Evidence):
    """Evidence about ratios of sums over items, such as costs, recalls of a class and F1, by betting.

    A ratio is at most v if part - v * whole is at most 0 on average; the values of unlabelled items are bounded.

    Attributes
    ----------
    values : at which evidence is known; between two of them that of the one nearer to the labels' own ratio holds.
    too_low, too_high : evidence that the value of each group is above, and below, each value; shape (group, value).
    """

    is_one_sided: ClassVar[bool] = True
    values: _Floats
    too_low: _Floats
    too_high: _Floats

    @classmethod
    def of(cls, trail: Trail, ratio: LabelRatio, target: Target) -> RatioEvidence:
        """Bet on the labels of each group in their order."""
        there = ratio.whole > 0
        values = ratio.part[there] / ratio.whole[there]
        grid = np.linspace(float(values.min()), float(values.max()), _STEPS + 1)
        groups = trail.groups
        prediction = groups.pool.prediction
        up, down = np.zeros((2, groups.n_groups, len(grid)))
        for g in np.flatnonzero(trail.n_labels):
            items, labels = trail.in_group(int(g))
            predicted = prediction[items]
            found = _excess(ratio.part[labels, predicted], ratio.whole[labels, predicted], grid)
            classes = np.unique(prediction[groups.of_item == g])
            pairs = np.unique(np.stack([ratio.part[:, classes].ravel(), ratio.whole[:, classes].ravel()]), axis=1)
            possible = _excess(pairs[0], pairs[1], grid)
            size = None if is_population(target) else int(groups.n_items[g])
            up[g], down[g] = _evidence(found, possible, size), _evidence(-found, -possible, size)
        # evidence against v is evidence against everything beyond v
        up = np.minimum.accumulate(up, axis=1)
        down = np.minimum.accumulate(down[:, ::-1], axis=1)[:, ::-1]
        return cls(grid, up, down)

    def bounds(self, threshold: float) -> tuple[_Floats, _Floats]:
        """Return the ends of each group, on the grid."""
        n_low = (self.too_low >= threshold).sum(axis=1)
        n_high = (self.too_high >= threshold).sum(axis=1)
        last = len(self.values) - 1
        low = np.where(n_low > 0, self.values[np.clip(n_low - 1, 0, last)], self.values[0])
        high = np.where(n_high > 0, self.values[np.clip(last - n_high + 1, 0, last)], self.values[-1])
        return low, np.maximum(low, high)

    def in_wrong_order(self, one: int, others: NDArray[np.int64], *, low: bool, tolerance: float) -> _Floats:
        """Return the least sum of both groups' evidence: between two values of the grid, that at their worse ends."""
        left, right = self.values[:-1], self.values[1:]
        if low:
            mine, theirs = self.too_high[one, :-1], self._at_most(others, right - tolerance)
        else:
            mine, theirs = self.too_low[one, 1:], self._at_least(others, left + tolerance)
        return np.asarray(np.nan_to_num(mine + theirs, nan=np.inf, posinf=np.inf, neginf=-np.inf).min(axis=-1))

    def _at_most(self, groups: NDArray[np.int64], values: _Floats) -> _Floats:
        """Return the evidence against each value and all below it, at the next value of the grid above."""
        place = np.searchsorted(self.values, values - 1e-12, side="left")
        inside = np.minimum(place, len(self.values) - 1)
        return np.where(place == inside, self.too_low[groups][:, inside], -np.inf)

    def _at_least(self, groups: NDArray[np.int64], values: _Floats) -> _Floats:
        """Return the evidence against each value and all above it, at the next value of the grid below."""
        place = np.searchsorted(self.values, values + 1e-12, side="right") - 1
        inside = np.maximum(place, 0)
        return np.where(place == inside, self.too_high[groups][:, inside], -np.inf)


def _highest_mean(first: _Floats, second: _Floats, n_first: int, n_second: int, c: float) -> _Floats:
    """Return the highest mean of each next difference of labels if the accuracies of two finite groups differ by c.

    With accuracies t + c and t, the means of the items left are linear in t, so that one end of the values that t can
    have is the highest.
    """
    n = np.arange(len(first))
    hits = [np.cumsum(x) - x for x in (first, second)]
    left = n_first - n, n_second - n
    least = hits[0] / n_first, hits[1] / n_second
    most = 1 - (n - hits[0]) / n_first, 1 - (n - hits[1]) / n_second
    low, high = np.maximum(least[1], least[0] - c), np.minimum(most[1], most[0] - c)
    ends = [(n_first * (t + c) - hits[0]) / left[0] - (n_second * t - hits[1]) / left[1] for t in (low, high)]
    mean = np.maximum(*ends)
    mean = np.where(most[0] - least[1] < c, 1.0, mean)  # the difference is below c whatever the labels to come
    return np.where(least[0] - most[1] > c + 1e-12, -2.0, mean)  # or above it


def _least(total: _Floats) -> _Floats:
    """Return the least of a convex function, known at a grid, also between its values; along the last axis."""
    total = np.nan_to_num(total, nan=np.inf, posinf=np.inf, neginf=-np.inf)
    padded = np.pad(total, [*[(0, 0)] * (total.ndim - 1), (2, 2)], constant_values=np.inf)
    k = total.argmin(axis=-1)[..., None] + 2
    at = [np.take_along_axis(padded, k + step, axis=-1)[..., 0] for step in (-2, -1, 0, 1, 2)]
    return np.minimum(_meeting(*at[1:]), _meeting(*at[3::-1]))


def _meeting(before: _Floats, left: _Floats, right: _Floats, after: _Floats) -> _Floats:
    """Return a lower bound on a convex function between its least value, left, and right: where its secants meet."""
    with np.errstate(invalid="ignore", divide="ignore"):
        falls, rises = left - before, after - right
        place = np.clip((right - rises - left) / (falls - rises), 0.0, 1.0)
        found = np.where((falls >= 0) | ~np.isfinite(before), left, np.where(rises <= 0, right, left + falls * place))
        # the function may end between the two: then the line from the left bounds it all the way
        found = np.where(
            np.isfinite(after) & np.isfinite(right),
            found,
            left + np.where(np.isfinite(before), np.minimum(falls, 0), 0),
        )
    return np.where(np.isfinite(left), np.minimum(found, left), np.inf)


def _excess(part: _Floats, whole: _Floats, grid: _Floats) -> _Floats:
    """Return by how much each item lifts the ratio above each value, shape (n_values, n_items)."""
    return np.asarray(part - grid[:, None] * whole)


def _evidence(found: _Floats, possible: _Floats, size: int | None) -> _Floats:
    """Return the evidence that the mean excess is above zero, for each value.

    Parameters
    ----------
    found : the labelled items' excess in order, shape (n_values, n_labels).
    possible : what an item's excess can be, shape (n_values, n_pairs).
    size : items in the group; None for new items.
    """
    scale = np.maximum(np.abs(possible).max(axis=1, keepdims=True), 1e-300)
    least = possible.min(axis=1, keepdims=True) / scale - 1e-12
    found = found / scale
    means = np.zeros_like(found)
    if size is None:
        return log_wealth(found, means, least)
    total, left = found.cumsum(axis=1), size - np.arange(found.shape[1])
    means = (found - total) / left
    # once even the lowest excess of all items left cannot bring the mean to zero, it is above zero for certain
    is_certain = total[:, -1] + (size - found.shape[1]) * least[:, 0] > 1e-9 * size
    return np.where(is_certain, np.inf, log_wealth(found, means, least))
