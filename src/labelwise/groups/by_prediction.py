"""Grouping with one group per predicted class."""

from __future__ import annotations

from labelwise.groups.grouping import Grouping, unique_names
from labelwise.pool import Pool


def by_prediction(pool: Pool) -> Grouping:
    """Group items by their predicted class; a class that is never predicted is an empty group.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog", "cat"])
    >>> by_prediction(pool).n_items
    array([2, 1])
    """
    return Grouping(pool, unique_names(pool.classes), pool.prediction.copy(), "prediction")
