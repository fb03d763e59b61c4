"""Grouping by superclasses of the predicted class."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from labelwise.checks import listing
from labelwise.errors import DataError
from labelwise.groups.grouping import Grouping, unique_names
from labelwise.pool import ClassName, Pool


def by_map(pool: Pool, superclass: Mapping[ClassName, ClassName]) -> Grouping:
    """Group items by the superclass of their predicted class.

    Parameters
    ----------
    pool : the pool.
    superclass : mapping from every class to the name of its group.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["oak", "elm", "trout"])
    >>> by_map(pool, {"oak": "tree", "elm": "tree", "trout": "fish"}).n_items
    array([1, 2])
    """
    missing = [name for name in pool.classes if name not in superclass]
    if missing:
        raise DataError(f"The map has no group for these classes: {listing(missing)}. Every class needs a group.")
    # numbers before text, and in numerical order, so that 10 comes after 2
    groups = sorted({superclass[name] for name in pool.classes}, key=lambda group: (isinstance(group, str), group))
    position = {group: g for g, group in enumerate(groups)}
    of_class = np.array([position[superclass[name]] for name in pool.classes], np.int32)
    return Grouping(pool, unique_names(groups), of_class[pool.prediction], "map of classes")
