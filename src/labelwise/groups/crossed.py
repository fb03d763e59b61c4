"""Cross product of several groupings."""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import prod

import numpy as np

from labelwise.errors import ArgumentError
from labelwise.groups.grouping import Grouping, unique_names

_MOST = 10_000_000


def crossed(*groupings: Grouping) -> Grouping:
    """Cross several groupings of one pool, such as class × bin; the last one varies fastest.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"], confidence=[0.6, 0.9])
    >>> crossed(lw.by_prediction(pool), lw.by_score(pool, 2)).n_items
    array([0, 1, 0, 1])
    """
    if not groupings:
        raise ArgumentError("Pass at least one grouping to cross.")
    pool = groupings[0].pool
    if any(grouping.pool is not pool for grouping in groupings):
        raise ArgumentError("Groupings of different pools cannot be crossed. Create all of them from the same pool.")
    n_groups = prod(g.n_groups for g in groupings)
    if n_groups > _MOST:
        raise ArgumentError(
            f"Crossing {' × '.join(f'{g.n_groups:,}' for g in groupings)} groups makes {n_groups:,} groups; at most "
            f"{_MOST:,} are allowed. Cross fewer groupings, or coarser ones."
        )
    names = [" × ".join(combination) for combination in product(*(g.names for g in groupings))]
    of_item = reduce(lambda codes, g: codes * g.n_groups + g.of_item, groupings, np.zeros(pool.n_items, np.int64))
    rule = " × ".join(g.rule for g in groupings)
    return Grouping(pool, unique_names(names), of_item.astype(np.int32), rule, tuple(groupings))
