"""Grouping with the whole pool as one group."""

from __future__ import annotations

import numpy as np

from labelwise.groups.grouping import Grouping
from labelwise.pool import Pool


def everything(pool: Pool) -> Grouping:
    """Return the grouping with all items in one group.

    Examples
    --------
    >>> import labelwise as lw
    >>> everything(lw.pool_from_arrays(predicted=["cat", "dog"])).n_items
    array([2])
    """
    return Grouping(pool, ("all items",), np.zeros(pool.n_items, np.int32), "nothing")
