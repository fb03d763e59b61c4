"""`pool_from_arrays`: build a pool from arrays in memory, with the same checks as for files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.checks import counted, shown
from labelwise.errors import ArgumentError, DataError
from labelwise.pool.batch import wrong_width
from labelwise.pool.fold import fold
from labelwise.pool.formats.numpy import array_source
from labelwise.pool.layout import ClassName, Layout
from labelwise.pool.mixed_types import check_one_type, is_missing
from labelwise.pool.pool import Pool


def pool_from_arrays(
    *,
    scores: ArrayLike | None = None,
    predicted: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    ids: ArrayLike | None = None,
    columns: Mapping[str, ArrayLike] | None = None,
    content: Sequence[str] = (),
    classes: Sequence[ClassName] | None = None,
    logits: bool = False,
    normalise: bool = False,
) -> Pool:
    """Build a pool from arrays: either scores, or predicted classes with optional confidences.

    The arrays are copied, so later changes to them do not affect the pool.

    Parameters
    ----------
    scores : matrix with one row per item and one column per class.
    predicted, confidence : one entry per item, instead of scores.
    labels : true class of each item; None for items without a label.
    ids : one id per item; items are numbered from 0 by default.
    columns : further arrays to keep, by name.
    content, classes, logits, normalise : as in `read_pool`.

    Examples
    --------
    >>> pool = pool_from_arrays(predicted=["cat", "dog"], confidence=[0.9, 0.6], labels=["cat", "cat"])
    >>> pool.confidence
    array([0.9, 0.6])
    """
    arrays: dict[str, NDArray[Any]] = {}
    if scores is not None:
        arrays["scores"] = _matrix(scores)
    parts = {"predicted": predicted, "confidence": confidence, "label": labels, "id": ids}
    names = {part: part for part, values in parts.items() if values is not None}
    for part in names:
        arrays[part] = _vector(parts[part], "labels" if part == "label" else part)
    if scores is None and predicted is None:
        raise ArgumentError("A pool needs `scores` or `predicted`; neither was given.")
    for name, values in (columns or {}).items():
        if name in arrays:
            raise ArgumentError(f"A column cannot be called {name!r}, because that name is reserved. Rename it.")
        arrays[name] = _vector(values, name)
    layout = Layout(
        id=names.get("id"),
        scores="scores" if scores is not None else None,
        predicted=names.get("predicted"),
        confidence=names.get("confidence"),
        label=names.get("label"),
        columns=list(columns or {}),
        content=content,
        classes=classes,
        logits=logits,
        normalise=normalise,
    )
    return fold(array_source(arrays, "arrays"), layout)


def _matrix(scores: ArrayLike) -> NDArray[Any]:
    try:
        matrix = np.asarray(scores)
    except ValueError:
        raise _ragged(scores) from None
    if matrix.ndim != 2:
        raise DataError(
            f"`scores` has {counted(matrix.ndim, 'dimension')}; it must have 2. "
            "Pass one row per item and one column per class."
        )
    if matrix.dtype.kind in "fiub":
        return matrix
    # np.asarray turns [0.5, "x"] into two strings; an object array keeps the types, so the culprit can be named
    original = np.array(scores, dtype=object)
    for row, column in np.ndindex(original.shape):
        value, cell = original[row, column], f"Score number {column + 1} of row {row + 1}"
        if value is None:
            raise DataError(f"{cell} is missing. Leave the item out or fill it in.")
        if not isinstance(value, (Real, Decimal, np.number)) or isinstance(value, np.complexfloating):
            raise DataError(f"{cell} is {shown(value)}; it must be a number. Correct it.")
    return original.astype(np.float64)


def _ragged(scores: Any) -> DataError:
    rows = [np.atleast_1d(np.asarray(row, dtype=object)) for row in scores]
    odd = next((row for row, values in enumerate(rows) if len(values) != len(rows[0])), None)
    if odd is None:
        return DataError("The rows of `scores` differ in shape. Pass one row per item and one column per class.")
    return wrong_width(len(rows[odd]), f"row {odd + 1}", len(rows[0]))


def _vector(values: Any, name: str) -> NDArray[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ArgumentError(f"`{name}` must be a list or an array with one entry per item, but is {shown(values)}.")
    if isinstance(values, np.ma.MaskedArray):
        values = [
            None if masked else value for value, masked in zip(values.data, np.ma.getmaskarray(values), strict=True)
        ]
    if not isinstance(values, np.ndarray):
        # np.asarray would turn [1, "1"] into two strings and hide the mixed types
        values = np.fromiter(values, object)
    if values.ndim != 1:
        raise DataError(f"`{name}` has {counted(values.ndim, 'dimension')}; it must have 1. Pass one entry per item.")
    if values.dtype == object:
        check_one_type(values, f"`{name}`")
        values = np.where(np.fromiter(map(is_missing, values), bool, len(values)), None, values)
    return np.asarray(values)
