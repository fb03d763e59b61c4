"""The calibration curve: accuracy as a smooth function of the score, with a band, learned from few labels.

The logit of the accuracy is a straight line in the logit of the confidence (shift and slope, as in the learned prior)
and a smooth departure from it: a Gaussian process over the rank of the confidence. How large departures are and how
quickly they bend is unknown, and summed over a grid. Each node is fitted by Laplace's method.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtr

from labelwise.beliefs import CellBelief, LearnedPrior
from labelwise.beliefs.interval import check_interval
from labelwise.checks import check_count
from labelwise.errors import ArgumentError
from labelwise.pool import Frame

_Floats = NDArray[np.float64]
CURVE_BINS = 40
"""Bins of equal mass that a curve is best read from."""
_POINTS = 20
_EDGE = 1e-5  # confidences nearer to 0 or 1 count as this near
_AMPLITUDES = (0.1, 0.2, 0.4, 0.8, 1.6)  # of departures, as standard deviations of the logit
_LENGTHS = (0.1, 0.3, 1.0)  # over which they bend, as shares of the items
_STEPS = 50
_WIDEST = 3.0  # a step of a logit
_HALVINGS = 60  # of the search for a quantile
_RULE = np.polynomial.hermite_e.hermegauss(15)


def calibration_curve(
    belief: CellBelief, *, at: ArrayLike | None = None, points: int = _POINTS, level: float = 0.95
) -> Frame:
    """Return the accuracy of new items at each confidence, with a pointwise credible band, one curve per group.

    Unlike a reliability diagram it has no bins: neighbours share their labels, so that the band is about half as wide.
    Where the confidence lies outside the band, the scores are surely off.

    Parameters
    ----------
    belief : the labels by bins of the score; best from `ECE(CURVE_BINS, "mass")`. Only its counts are read, and the
        shift and slope of a learned prior.
    at : confidences to give the accuracy at; unless given, `points` that stand for equally many items each.
    level : of the band.

    Returns
    -------
    Columns group, confidence, below (the share of items with a lower confidence), accuracy, low, high, and scores:
    "over-confident", "under-confident", or nothing where that is open.

    References
    ----------
    Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), sections 2.7 and 3.4.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> rng = np.random.default_rng(1)
    >>> confidence = rng.uniform(0.5, 1, 2_000)
    >>> hit = rng.uniform(size=2_000) < confidence - 0.2  # twenty points over-confident
    >>> pool = lw.pool_from_arrays(predicted=[0] * 2_000, confidence=confidence, labels=np.where(hit, 0, 1))
    >>> start = lw.metrics.ECE(40, "mass").start(lw.everything(pool))
    >>> curve = calibration_curve(start.update(range(300), pool.labels[:300]), at=[0.6, 0.75, 0.95])
    >>> curve["accuracy"].round(2), curve["scores"][2]
    (array([0.42, 0.62, 0.76]), 'over-confident')
    """
    check_interval(level, "equal-tailed")
    check_count(points, "points")
    confidence = belief.groups.pool.known_confidence("a calibration curve")
    asked = None if at is None else _checked(at)
    prior = belief.beta.map_prior or LearnedPrior()
    parts = []
    for group in np.flatnonzero(belief.groups.candidates):
        own = belief.groups.of_item == group
        data = _Data.of(np.asarray(confidence[own], float), belief.cells.of_item[own], belief)
        place = data.quantiles(points) if asked is None else asked
        middle, spread, weight = _posterior(data, place, prior)
        low, high = (expit(_quantile(middle, spread, weight, tail)) for tail in ((1 - level) / 2, (1 + level) / 2))
        accuracy = _mean(middle, spread, weight)
        parts.append((belief.names[group], place, data.below(place), accuracy, low, high))
    columns = ("confidence", "below", "accuracy", "low", "high")
    frame = {name: np.concatenate([part[1 + i] for part in parts]) for i, name in enumerate(columns)}
    over, under = frame["high"] < frame["confidence"], frame["low"] > frame["confidence"]
    said = np.where(over, "over-confident", np.where(under, "under-confident", ""))
    return Frame({"group": [part[0] for part in parts for _ in part[1]], **frame, "scores": said.tolist()})


def _checked(at: ArrayLike) -> _Floats:
    place = np.atleast_1d(np.asarray(at, float))
    odd = place[~((place >= 0) & (place <= 1))]
    if place.ndim != 1 or len(place) == 0 or len(odd):
        has = f", but has {odd[0].item()!r}" if len(odd) else ""
        raise ArgumentError(f"`at` must be a list of confidences between 0 and 1{has}.")
    return place


def _logits(confidence: _Floats) -> _Floats:
    return np.asarray(logit(np.clip(confidence, _EDGE, 1 - _EDGE)))


@dataclass(frozen=True, eq=False)
class _Data:
    """The labels of one group by bins, and where its items lie.

    Attributes
    ----------
    ordered : confidences of the items, rising.
    x, rank : mean logit and mean rank (between 0 and 1) of each bin.
    hits, labels : of each bin.
    """

    ordered: _Floats
    x: _Floats
    rank: _Floats
    hits: _Floats
    labels: _Floats

    @classmethod
    def of(cls, confidence: _Floats, cell: NDArray[np.int32], belief: CellBelief) -> _Data:
        ordered = np.sort(confidence)
        found, place, size = np.unique(cell, return_inverse=True, return_counts=True)
        x = np.bincount(place, _logits(confidence)) / size
        rank = np.bincount(place, _rank(ordered, confidence)) / size
        counts = belief.beta.hits[found], belief.beta.labels[found]
        return cls(ordered, x, rank, *(np.asarray(c, float) for c in counts))

    def quantiles(self, points: int) -> _Floats:
        """Return confidences that stand for equally many items each; where they are alike, only once."""
        return np.unique(np.quantile(self.ordered, (np.arange(points) + 0.5) / points))

    def below(self, confidence: _Floats) -> _Floats:
        return np.asarray(np.searchsorted(self.ordered, confidence) / len(self.ordered))


def _rank(ordered: _Floats, confidence: _Floats) -> _Floats:
    """Return the share of items below, half of those alike counted in."""
    ends = np.searchsorted(ordered, confidence, "left") + np.searchsorted(ordered, confidence, "right")
    return np.asarray(ends / (2 * len(ordered)))


def _posterior(data: _Data, at: _Floats, prior: LearnedPrior) -> tuple[_Floats, _Floats, _Floats]:
    """Return mean and spread of the logit at each place under each node, shape (n_nodes, n_at), and their weights."""
    x, rank = _logits(at), _rank(data.ordered, at)
    lines = [prior.shift**2 + prior.slope**2 * np.outer(data.x, other) for other in (data.x, x)]
    line_at = prior.shift**2 + prior.slope**2 * x**2
    middle, spread, evidence = [], [], []
    for length in _LENGTHS:
        bends = [np.exp(-0.5 * ((data.rank[:, None] - other) / length) ** 2) for other in (data.rank, rank)]
        for amplitude in _AMPLITUDES:
            among, across = (line + amplitude**2 * bend for line, bend in zip(lines, bends, strict=True))
            slope, root, lower, found = _fitted(data, among)
            known = np.linalg.solve(lower, root[:, None] * across)
            middle.append(x + across.T @ slope)
            spread.append(np.sqrt(np.maximum(line_at + amplitude**2 - (known**2).sum(axis=0), 1e-12)))
            evidence.append(found)
    weight = np.exp(np.array(evidence) - max(evidence))
    return np.array(middle), np.array(spread), weight / weight.sum()


def _fitted(data: _Data, covariance: _Floats) -> tuple[_Floats, _Floats, _Floats, float]:
    """Find the likeliest logits of the bins by Newton's method.

    Gives the slope of the log-likelihood there, the root of its curvature, the Cholesky factor of I + root K root, and
    the logarithm of the evidence.
    """
    r, n, f = data.hits, data.labels, data.x.copy()
    for _ in range(_STEPS):
        chance = expit(f)
        curvature = n * chance * (1 - chance)
        root = np.sqrt(curvature)
        lower = np.linalg.cholesky(np.eye(len(f)) + root[:, None] * covariance * root)
        pull = curvature * (f - data.x) + r - n * chance
        inner = np.linalg.solve(lower.T, np.linalg.solve(lower, root * (covariance @ pull)))
        step = data.x + covariance @ (pull - root * inner) - f
        widest = np.abs(step).max()
        f = f + step * min(1.0, _WIDEST / max(widest, 1e-300))
        if widest < 1e-8:
            break
    slope = r - n * expit(f)
    likelihood = (r * f - n * np.logaddexp(0, f)).sum()
    return slope, root, lower, float(likelihood - 0.5 * slope @ (f - data.x) - np.log(np.diag(lower)).sum())


def _mean(middle: _Floats, spread: _Floats, weight: _Floats) -> _Floats:
    """Return the mean accuracy of a mixture of normal logits."""
    node, share = _RULE
    chance = expit(middle[..., None] + spread[..., None] * node) @ (share / share.sum())
    return np.asarray(weight @ chance)


def _quantile(middle: _Floats, spread: _Floats, weight: _Floats, tail: float) -> _Floats:
    """Return a quantile of a mixture of normal logits, by halving."""
    low, high = (middle - 10 * spread).min(axis=0), (middle + 10 * spread).max(axis=0)
    for _ in range(_HALVINGS):
        half = (low + high) / 2
        is_above = weight @ ndtr((half - middle) / spread) > tail
        low, high = np.where(is_above, low, half), np.where(is_above, half, high)
    return np.asarray((low + high) / 2)
