"""Grouping into bins of the confidence."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from labelwise.checks import check_count, check_one_of
from labelwise.groups.grouping import Grouping, unique_names
from labelwise.pool import Pool

BinRule = Literal["width", "mass"]
BINS = 15


def by_score(pool: Pool, bins: int = BINS, *, equal: BinRule = "width") -> Grouping:
    """Group items by their confidence.

    Bins of equal width are [0, 1/B), [1/B, 2/B), ..., [1 - 1/B, 1]. Bins of equal mass have the same number of items,
    give or take one; items with the same confidence may then fall into different bins.

    Parameters
    ----------
    pool : a pool with confidences.
    bins : number of bins B.
    equal : "width" or "mass".

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1, 1], confidence=[0.5, 0.65, 0.7, 1.0], classes=["cat", "dog"])
    >>> by_score(pool, 10).of_item
    array([5, 6, 7, 9], dtype=int32)
    >>> by_score(pool, 2, equal="mass").names
    ('0.5-0.65', '0.7-1')
    """
    names, of_item = bins_of(pool.known_confidence("a grouping by score"), bins, equal)
    return Grouping(pool, names, of_item, f"score ({bins} bins of equal {equal})")


def bins_of(
    values: NDArray[np.float64], bins: int, equal: BinRule, *, most: float = 1.0
) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Assign values between 0 and `most` to bins; return the names of the bins and the bin of each value."""
    check_count(bins, "bins")
    check_one_of(equal, "equal", ["width", "mass"])
    if equal == "width":
        names = [f"{most * b / bins:.3g}-{most * (b + 1) / bins:.3g}" for b in range(bins)]
        return unique_names(names), width_bins(values / most, bins)
    of_item = mass_bins(values, bins)
    return _range_names(values, of_item, bins), of_item


def width_bins(values: NDArray[np.float64], bins: int) -> NDArray[np.int32]:
    """Return the equal-width bin of each value between 0 and 1; 1 itself belongs to the last bin."""
    edges = np.arange(bins + 1) / bins
    of_item = np.minimum((values * bins).astype(np.int32), bins - 1)
    # values * bins may round across an edge, so compare with the edges themselves
    of_item -= values < edges[of_item]
    of_item += (values >= edges[of_item + 1]) & (of_item < bins - 1)
    return of_item


def mass_bins(values: NDArray[np.float64], bins: int) -> NDArray[np.int32]:
    """Return the equal-mass bin of each value; ties are ordered as in the pool."""
    of_item = np.empty(len(values), np.int32)
    order = np.argsort(values, kind="stable")
    for b, part in enumerate(np.array_split(order, bins)):
        of_item[part] = b
    return of_item


def _range_names(values: NDArray[np.float64], of_item: NDArray[np.int32], bins: int) -> tuple[str, ...]:
    low, high = np.full(bins, np.inf), np.full(bins, -np.inf)
    np.minimum.at(low, of_item, values)
    np.maximum.at(high, of_item, values)
    return unique_names([f"{a:.3g}-{b:.3g}" if a <= b else "empty" for a, b in zip(low, high, strict=True)])
