"""Grouping with one group per value of a column, or per combination of values of several columns."""

from __future__ import annotations

import numpy as np

from labelwise.errors import ArgumentError, DataError
from labelwise.groups.crossed import crossed
from labelwise.groups.grouping import Grouping, unique_names
from labelwise.pool import Pool

MISSING = "(missing)"
_MOST = 100_000


def by_column(pool: Pool, *columns: str) -> Grouping:
    """Group items by the values of one or more columns; items with an empty cell form a group of their own.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["no", "yes", "no"], columns={"sex": ["f", "m", "f"], "age": [30, 30, 41]})
    >>> by_column(pool, "sex").names
    ('f', 'm')
    >>> by_column(pool, "sex", "age").names
    ('f × 30', 'f × 41', 'm × 30', 'm × 41')
    """
    if not columns:
        raise ArgumentError("Name at least one column to group by.")
    parts = [_by_one(pool, column) for column in columns]
    return parts[0] if len(parts) == 1 else crossed(*parts)


def _by_one(pool: Pool, column: str) -> Grouping:
    values, codes = pool.encoded(column)
    if len(values) > _MOST:
        raise DataError(
            f"Column {column!r} has {len(values):,} distinct values; at most {_MOST:,} groups are allowed. "
            "Group by another column."
        )
    names = [str(value) for value in values]
    if (codes < 0).any():
        codes = np.where(codes < 0, len(names), codes).astype(np.int32)
        names.append(MISSING)
    return Grouping(pool, unique_names(names), codes, f"column {column!r}")
