"""The toy problem of the 2019 workshop paper: one feature, two classes, and every accuracy known exactly."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from labelwise.checks import check_count, check_positive
from labelwise.pool import Pool, pool_from_arrays

_Floats = NDArray[np.float64]
_MEAN, _SHAPE, _SCALE = 5.0, 2.0, 2.0
_ENDS = -10.0, 100.0  # less than 1e-19 of the items lie outside
_BREAKS = 0.0, 3.596045691, _MEAN, 7.013003478, 20.0  # where a density or the likelier class changes, and two between
_CLASSES = ("normal", "gamma")


def toy_pool(n_items: int = 1_000, *, sharpness: float = 2.0, seed: int) -> Pool:
    """Draw items of two equally frequent classes, Normal(5, 1) and Gamma(shape 2, scale 2), and classify them.

    The classifier knows both densities and predicts the likelier class, but multiplies the log-odds by `sharpness`: at
    1 its scores are calibrated, above it over-confident. The feature is kept as column `x`.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (2019), appendix 1.

    Examples
    --------
    >>> pool = toy_pool(1_000, seed=1)
    >>> pool.classes, pool.scores.shape
    (('normal', 'gamma'), (1000, 2))
    >>> round(float(pool.hits.mean()), 3), round(float(local_accuracy(pool.column("x")).mean()), 3)
    (0.776, 0.786)
    """
    check_count(n_items, "n_items")
    check_positive(sharpness, "sharpness")
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, n_items)
    x = np.where(label == 0, rng.normal(_MEAN, 1.0, n_items), rng.gamma(_SHAPE, _SCALE, n_items))
    score = expit(sharpness * _log_odds(x))
    scores = np.stack([1 - score, score], axis=1)
    return pool_from_arrays(scores=scores, labels=label, classes=_CLASSES, columns={"x": x})


def p_normal(x: ArrayLike) -> _Floats:
    """Return the exact probability that an item is of class normal, given its feature.

    Examples
    --------
    >>> p_normal([1.0, 5.0, 9.0]).round(3)
    array([0.001, 0.795, 0.005])
    """
    return np.asarray(expit(-_log_odds(np.asarray(x, float))))


def local_accuracy(x: ArrayLike) -> _Floats:
    """Return the exact probability that the predicted class is the true one, given the feature.

    Examples
    --------
    >>> local_accuracy([1.0, 5.0, 9.0]).round(3)
    array([0.999, 0.795, 0.995])
    """
    return confidence(x, sharpness=1.0)


def confidence(x: ArrayLike, *, sharpness: float = 2.0) -> _Floats:
    """Return the score of the predicted class; the log-odds of the accuracy at score s are `sharpness` times less.

    Examples
    --------
    >>> confidence([1.0, 5.0, 9.0]).round(3)
    array([1.   , 0.938, 1.   ])
    """
    return np.asarray(expit(sharpness * np.abs(_log_odds(np.asarray(x, float)))))


def exact_accuracy(low: float = _ENDS[0], high: float = _ENDS[1]) -> float:
    """Return the accuracy on new items whose feature lies between two values, by quadrature.

    Examples
    --------
    >>> round(exact_accuracy(), 6), round(exact_accuracy(3.0, 4.0), 6)
    (0.784777, 0.600883)
    """
    return _mean(local_accuracy, low, high)


def exact_confidence(low: float = _ENDS[0], high: float = _ENDS[1], *, sharpness: float = 2.0) -> float:
    """Return the mean score of the predicted class on new items whose feature lies between two values.

    Examples
    --------
    >>> round(exact_confidence(), 6), round(exact_confidence(sharpness=1.0) - exact_accuracy(), 6)
    (0.886424, 0.0)
    """
    return _mean(lambda x: confidence(x, sharpness=sharpness), low, high)


def _mean(value: Callable[[ArrayLike], _Floats], low: float, high: float) -> float:
    """Return the mean of a function of the feature over the items between two values."""
    from scipy.integrate import quad  # here, for it takes a sixth of a second that every command would wait

    low, high = max(low, _ENDS[0]), min(high, _ENDS[1])
    edges = [low, *(x for x in _BREAKS if low < x < high), high]

    def integral(of: Callable[[float], float]) -> float:
        return float(sum(quad(of, start, end, epsabs=1e-12, epsrel=1e-10)[0] for start, end in pairwise(edges)))

    return integral(lambda x: float(value(x)) * _density(x)) / integral(_density)


def _density(x: float) -> float:
    return float(_normal(np.asarray(x)) + _gamma(np.asarray(x))) / 2


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
