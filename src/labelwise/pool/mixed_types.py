"""Detection of columns with mixed types, such as 1 and "1"."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np

from labelwise.checks import shown
from labelwise.errors import DataError


def is_missing(value: Any) -> bool:
    """Return whether a value stands for an empty cell: None, NaN, or pandas' NA and NaT."""
    if isinstance(value, (float, np.floating)):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def check_one_type(values: Iterable[Any], name: str) -> None:
    """Raise DataError if the values, or the parts of lists and dictionaries, mix types; empty cells fit every type.

    Examples
    --------
    >>> check_one_type([1, None, "1"], "Column 'label'")
    Traceback (most recent call last):
    ...
    labelwise.errors.DataError: Column 'label' mixes types: row 1 has 1 and row 3 has '1'. Write all its values the
    same way.
    """
    _check(enumerate(values, start=1), name)


def _check(numbered: Iterable[tuple[int, Any]], name: str) -> None:
    first_of: dict[str, tuple[int, Any]] = {}
    within: dict[Any, list[tuple[int, Any]]] = {}
    for row, value in numbered:
        if is_missing(value):
            continue
        kind = _kind(value)
        first_of.setdefault(kind, (row, value))
        if len(first_of) > 1:
            (first, one), (second, other) = first_of.values()
            raise DataError(
                f"{name} mixes types: row {first} has {shown(one)} and row {second} has {shown(other)}. "
                "Write all its values the same way."
            )
        if kind in ("list", "dict"):
            for key, part in value.items() if kind == "dict" else ((None, part) for part in value):
                within.setdefault(key, []).append((row, part))
    for parts in within.values():
        _check(parts, name)


def _kind(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "boolean"
    if isinstance(value, (int, float, Decimal, np.number)):
        return "number"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "list"
    return "text" if isinstance(value, str) else type(value).__name__
