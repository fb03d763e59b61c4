"""`pool_from_arrays`: a pool from arrays in memory, through the same door as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.errors import ArgumentError, DataError
from labelwise.pool.fold import fold
from labelwise.pool.formats.numpy import array_source
from labelwise.pool.layout import ClassName, Layout
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
    """Make a pool from arrays: scores, or predicted classes with or without confidences.

    The arrays are copied, so that the pool stays as it is when they change.

    Parameters
    ----------
    scores : matrix, one row an item and one column a class.
    predicted, confidence : one entry an item, instead of scores.
    labels : true class of each item; None for items without a label.
    ids : one id an item; numbered from 0 if there are none.
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
            raise ArgumentError(f"A kept column cannot be called {name!r}; that name has a meaning of its own.")
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
        raise DataError("The rows of `scores` differ in length; give every item one score a class.") from None
    if matrix.ndim != 2:
        raise DataError(f"`scores` has {matrix.ndim} dimensions; it must have 2, one row an item, one column a class.")
    if matrix.dtype.kind not in "fiub":
        raise DataError(f"`scores` holds {matrix.dtype} values, such as {matrix.flat[0]!r}; they must be numbers.")
    return matrix


def _vector(values: Any, name: str) -> NDArray[Any]:
    if not isinstance(values, np.ndarray):
        # np.asarray would turn [1, "1"] into two texts and hide the mixture
        listed = list(values)
        values = np.empty(len(listed), object)
        values[:] = listed
    if values.ndim != 1:
        raise DataError(f"`{name}` has {values.ndim} dimensions; it must have 1, one entry an item.")
    if values.dtype == object:
        _check_one_type(values, name)
    return np.asarray(values)


def _check_one_type(values: NDArray[Any], name: str) -> None:
    first_of: dict[str, int] = {}
    for row, value in enumerate(values):
        if value is None or value != value:
            continue
        kind = (
            "text" if isinstance(value, str) else "numbers" if isinstance(value, (int, float, np.number)) else "other"
        )
        first_of.setdefault(kind, row)
    if len(first_of) > 1:
        (_, first), (_, second) = list(first_of.items())[:2]
        raise DataError(
            f"`{name}` mixes types: row {first + 1} is {values[first]!r} and row {second + 1} is {values[second]!r}. "
            "Write all its values the same way."
        )
