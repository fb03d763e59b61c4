"""The toy problem of the 2019 paper: one feature, two classes, and every accuracy known exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from labelwise.checks import check_count, check_positive
from labelwise.pool import Pool, pool_from_arrays

_Floats = NDArray[np.float64]
_MEAN, _SHAPE, _SCALE = 5.0, 2.0, 2.0


@dataclass(frozen=True, eq=False)
class Toy:
    """A pool whose classifier is known inside out.

    Attributes
    ----------
    pool : predictions, scores and labels; the feature is kept as column `x`.
    local_accuracy : exact probability that the prediction of each item is right, given its feature.
    accuracy : exact accuracy of the classifier on new items.
    """

    pool: Pool
    local_accuracy: _Floats
    accuracy: float


def toy(n_items: int = 1_000, *, sharpness: float = 2.0, seed: int) -> Toy:
    """Draw items of two equally frequent classes, Normal(5, 1) and Gamma(shape 2, scale 2), and classify them.

    The classifier predicts the likelier class, and multiplies the log-odds by `sharpness`: at 1 it is calibrated,
    above it over-confident.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (2019), appendix 1.

    Examples
    --------
    >>> small = toy(100, seed=1)
    >>> small.pool.n_items, round(small.accuracy, 4)
    (100, 0.7848)
    """
    check_count(n_items, "n_items")
    check_positive(sharpness, "sharpness")
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, n_items)
    x = np.where(label == 0, rng.normal(_MEAN, 1.0, n_items), rng.gamma(_SHAPE, _SCALE, n_items))
    odds = _log_odds(x)
    score = expit(sharpness * odds)
    scores = np.stack([1 - score, score], axis=1)
    pool = pool_from_arrays(scores=scores, labels=label, classes=["normal", "gamma"], columns={"x": x})
    # density of x under the mixture, times the posterior of the likelier class, over a fine grid
    grid = np.linspace(-5.0, 60.0, 650_001)
    likelier = np.maximum(_normal(grid), _gamma(grid)) / 2
    accuracy = float(likelier.sum() * (grid[1] - grid[0]))
    return Toy(pool, np.asarray(expit(np.abs(odds))), accuracy)


def _normal(x: _Floats) -> _Floats:
    return np.asarray(np.exp(-((x - _MEAN) ** 2) / 2) / np.sqrt(2 * np.pi))


def _gamma(x: _Floats) -> _Floats:
    positive = np.maximum(x, 0.0)
    return np.asarray(positive * np.exp(-positive / _SCALE) / _SCALE**2)


def _log_odds(x: _Floats) -> _Floats:
    """Log of P(gamma | x) / P(normal | x); below zero no gamma is possible, so a large negative number."""
    with np.errstate(divide="ignore"):
        odds = np.log(_gamma(x)) - np.log(_normal(x))
    return np.clip(odds, -500.0, 500.0)
