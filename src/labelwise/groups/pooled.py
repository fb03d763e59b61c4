"""Grouping in which small groups are pooled into one."""

from __future__ import annotations

import numpy as np

from labelwise.checks import check_count, counted
from labelwise.groups.grouping import Grouping, unique_names


def pooled(grouping: Grouping, min_items: int) -> Grouping:
    """Pool the groups with fewer than `min_items` items into one group, the last, named "others (12 groups)".

    The pooled group takes part like any other, however small. It mixes predicted classes if groups were predicted
    classes; metrics with one value per class then need a positive class. Groups without items are kept as they are.

    Parameters
    ----------
    grouping : the grouping; returned as it is if no group is small.
    min_items : the smallest number of items of a group that is kept.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 40 + ["dog"] * 5 + ["emu"] * 3)
    >>> groups = pooled(lw.by_prediction(pool), 30)
    >>> groups.names, groups.n_items
    (('cat', 'others (2 groups)'), array([40,  8]))
    """
    check_count(min_items, "min_items")
    small = (grouping.n_items > 0) & (grouping.n_items < min_items)
    if not small.any():
        return grouping
    kept = np.flatnonzero(~small)
    position = np.full(grouping.n_groups, len(kept), np.int32)
    position[kept] = np.arange(len(kept), dtype=np.int32)
    names = [*(grouping.names[g] for g in kept), f"others ({counted(int(small.sum()), 'group')})"]
    rule = f"{grouping.rule} (groups with fewer than {min_items:,} items pooled)"
    return Grouping(grouping.pool, unique_names(names), position[grouping.of_item], rule)
