"""The toy problem of the 2019 paper: one feature, two classes, and every accuracy known exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwise.pool import Pool
from labelwise.reproduce.workshop.toy import exact_accuracy, local_accuracy, toy_pool

_Floats = NDArray[np.float64]


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
    pool = toy_pool(n_items, sharpness=sharpness, seed=seed)
    return Toy(pool, local_accuracy(pool.column("x")), exact_accuracy())
