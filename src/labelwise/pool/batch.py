"""Decoding and validation of one Arrow batch: the kernel that every engine runs, in memory or out of core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from labelwise.checks import counted, plain, shown
from labelwise.errors import DataError
from labelwise.pool.class_codes import no_class_name
from labelwise.pool.hash import hash_matrix, hash_values, mix
from labelwise.pool.layout import Roles

SUM_TOLERANCE = 0.01
"""Tolerance on the sum of an item's scores, wide enough for files rounded to two or three decimals."""

_FINITE = "scores must be finite numbers. Leave the item out or correct it"
_BLOCK = 2048  # rows; with 100 float32 scores per row, a block stays in the CPU cache over all passes


@dataclass(frozen=True)
class Batch:
    """The rows of one Arrow batch in canonical form.

    Class names stay dictionary-encoded here, because the list of classes is known only after the last batch.
    """

    first_row: int
    n_rows: int
    ids: pa.Array | None
    scores: NDArray[Any] | None  # (n_rows, n_classes)
    prediction: NDArray[np.int32] | None  # argmax of the scores
    predicted: pa.DictionaryArray | None  # the predicted class by name
    confidence: NDArray[np.float64] | None
    label: pa.DictionaryArray | None
    columns: dict[str, pa.Array]
    row_hash: NDArray[np.uint64]


def decode(batch: pa.RecordBatch, roles: Roles, *, first_row: int) -> Batch:
    """Validate one batch and convert it to canonical form."""
    ids = None if roles.id is None else _check_ids(batch.column(roles.id), roles.id, first_row)
    where = _Where(ids, first_row)
    scores = prediction = predicted = confidence = None
    if roles.has_scores:
        scores = _scale(_score_matrix(batch, roles, where), roles, where)
        prediction, confidence = _top(scores)
    else:
        assert roles.predicted is not None  # guaranteed by roles_of
        predicted = _encoded(batch.column(roles.predicted), "Prediction", where)
        if predicted.null_count:
            row = _first(predicted.is_null())
            raise DataError(f"The prediction of {where(row)} is missing. Leave the item out or fill in its class.")
        if roles.confidence is not None:
            confidence = _confidences(batch.column(roles.confidence), roles.confidence, where)
    label = None if roles.label is None else _encoded(batch.column(roles.label), "Label", where)
    columns = {name: batch.column(name) for name in roles.columns}
    return Batch(
        first_row=first_row,
        n_rows=batch.num_rows,
        ids=ids,
        scores=scores,
        prediction=prediction,
        predicted=predicted,
        confidence=confidence,
        label=label,
        columns=columns,
        row_hash=_row_hash(ids, first_row, scores, predicted, confidence, label, columns, batch.num_rows),
    )


class _Where:
    """Describes a row in a message: by its id if it has one, otherwise by its number, counted from 1."""

    def __init__(self, ids: pa.Array | None, first_row: int) -> None:
        self._ids, self._first_row = ids, first_row

    def __call__(self, row: int) -> str:
        if self._ids is None:
            return f"row {self._first_row + row + 1}"
        return f"item {shown(self._ids[row].as_py())}"


def _first(mask: Any) -> int:
    return int(np.argmax(np.asarray(mask)))


def _check_ids(ids: pa.Array, column: str, first_row: int) -> pa.Array:
    kinds = pa.types
    if isinstance(ids, pa.DictionaryArray):
        ids = ids.dictionary_decode()
    if ids.null_count:
        row = first_row + _first(ids.is_null()) + 1
        raise DataError(f"Row {row} has no id in column {column!r}. Fill it in, or choose another id column.")
    if kinds.is_integer(ids.type) or kinds.is_string(ids.type) or kinds.is_large_string(ids.type):
        return ids
    if kinds.is_temporal(ids.type) or kinds.is_decimal(ids.type) or kinds.is_boolean(ids.type):
        return ids.cast(pa.string())
    raise DataError(
        f"Row {first_row + 1} has the id {shown(ids[0].as_py())} in column {column!r}; ids must be whole numbers or "
        "text. Convert them, or choose another id column."
    )


def _encoded(values: pa.Array, what: str, where: _Where) -> pa.DictionaryArray:
    """Dictionary-encode class names; integer-valued numbers of any type become integers: 1.0 and True are class 1."""
    kinds = pa.types
    if isinstance(values, pa.DictionaryArray):
        names = values.dictionary
        if not names.null_count and (kinds.is_string(names.type) or kinds.is_large_string(names.type)):
            return pa.DictionaryArray.from_arrays(values.indices.cast(pa.int32()), names)
        values = values.dictionary_decode()
    if kinds.is_null(values.type):
        values = values.cast(pa.string())
    elif kinds.is_boolean(values.type):
        values = values.cast(pa.int64())
    elif kinds.is_floating(values.type):
        values = _whole(values, what, where)
    elif kinds.is_nested(values.type) or isinstance(values, pa.ExtensionArray):
        row = _first(values.is_valid())
        raise no_class_name(what, values[row].as_py(), where(row))
    return values.dictionary_encode()


def _whole(values: pa.Array, what: str, where: _Where) -> pa.Array:
    numbers = values.cast(pa.float64())
    numbers = pc.if_else(pc.is_nan(numbers), None, numbers)
    whole = pc.and_(pc.equal(numbers, pc.floor(numbers)), pc.less(pc.abs(numbers), 2.0**53)).fill_null(True)
    if not pc.all(whole).as_py():
        row = _first(pc.invert(whole))
        raise no_class_name(what, values[row].as_py(), where(row))
    return numbers.cast(pa.int64())


def _numbers(values: pa.Array, cell: Callable[[int], str]) -> NDArray[Any]:
    """Return an array of floats; raise DataError for the first missing or non-numeric value, described by `cell`."""
    kinds = pa.types
    if isinstance(values, pa.DictionaryArray):
        values = values.dictionary_decode()
    if values.null_count:
        raise DataError(f"{cell(_first(values.is_null()))} is missing. Leave the item out or fill it in.")
    if kinds.is_float16(values.type):
        values = values.cast(pa.float32())
    elif kinds.is_decimal(values.type) or kinds.is_boolean(values.type) or kinds.is_integer(values.type):
        values = values.cast(pa.float64(), safe=False)  # integers above 2^53 may be rounded
    if not kinds.is_floating(values.type):
        row = next((i for i, v in enumerate(values.to_pylist()) if not _is_number(v)), 0)
        raise DataError(f"{cell(row)} is {shown(values[row].as_py())}; it must be a number. Correct it.")
    return np.asarray(values.to_numpy(zero_copy_only=False))


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _score_matrix(batch: pa.RecordBatch, roles: Roles, where: _Where) -> NDArray[Any]:
    if roles.score_list is not None:
        return _list_matrix(batch.column(roles.score_list), roles, where)

    def numbers(name: str) -> NDArray[Any]:
        return _numbers(batch.column(name), lambda row: f"Score {name!r} of {where(row)}")

    columns = [numbers(name) for name in roles.score_columns]
    matrix = np.empty((batch.num_rows, len(columns)), np.result_type(*columns))
    for k, column in enumerate(columns):
        matrix[:, k] = column
    return matrix


def _list_matrix(lists: pa.Array, roles: Roles, where: _Where) -> NDArray[Any]:
    if lists.null_count:
        row = _first(lists.is_null())
        raise DataError(f"The scores of {where(row)} are missing. Leave the item out or fill them in.")
    lengths = np.asarray(pc.list_value_length(lists))
    width = int(lengths[0]) if roles.classes is None else len(roles.classes)
    if width < 2:
        raise wrong_width(width, where(0), None)
    if (lengths != width).any():
        row = _first(lengths != width)
        raise wrong_width(int(lengths[row]), where(row), width)
    flat = _numbers(lists.flatten(), lambda i: f"Score number {i % width + 1} of {where(i // width)}")
    return flat.reshape(len(lists), width)


def wrong_width(n_scores: int, where: str, n_classes: int | None) -> DataError:
    """Return the error for a row with too few or too many scores; `n_classes` is None for the first row."""
    there_are = f"There {'is' if n_scores == 1 else 'are'} {counted(n_scores, 'score')} for {where}"
    rule = "a classifier needs at least two classes" if n_classes is None else f"{n_classes} classes"
    return DataError(f"{there_are}, but {rule}. Every item needs one score per class.")


def _score_name(roles: Roles, k: int) -> str:
    return repr(roles.score_columns[k]) if roles.score_columns else f"number {k + 1}"


def _scale(matrix: NDArray[Any], roles: Roles, where: _Where) -> NDArray[Any]:
    """Validate the scores, and apply softmax or normalisation if requested."""
    out = np.empty_like(matrix) if roles.logits or roles.normalise else matrix
    for start in range(0, len(matrix), _BLOCK):
        block = matrix[start : start + _BLOCK]
        if roles.logits:
            _refuse(~np.isfinite(block), block, start, roles, where, _FINITE)
            shifted = np.exp(block - block.max(axis=1, keepdims=True))
            out[start : start + _BLOCK] = shifted / shifted.sum(axis=1, keepdims=True)
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            sums = block.sum(axis=1, dtype=np.float64)
        # checking the sums first is cheap: any NaN or infinity makes its row's sum non-finite
        if not np.isfinite(sums).all():
            _refuse(~np.isfinite(block), block, start, roles, where, _FINITE)
        if block.min() < 0:
            way_out = "scores must not be negative. Use `logits` if they are logits"
            _refuse(block < 0, block, start, roles, where, way_out)
        if roles.normalise:
            bad = (sums <= 0) | ~np.isfinite(sums)
            _refuse_sum(bad, sums, start, where, "a finite number above 0", "Leave the item out or correct it")
            out[start : start + _BLOCK] = block / sums[:, None]
        else:
            way_out = "Use `normalise` if they are unscaled, `logits` if they are logits"
            bad = np.abs(sums - 1) > SUM_TOLERANCE + 1e-6  # 3 * 0.33 = 0.99 passes despite rounding error
            _refuse_sum(bad, sums, start, where, f"1 (within {SUM_TOLERANCE})", way_out)
    return out


def _refuse(bad: NDArray[Any], block: NDArray[Any], start: int, roles: Roles, where: _Where, rule: str) -> None:
    if bad.any():
        row, k = (int(i) for i in np.argwhere(bad)[0])
        value = plain(np.float64(block[row, k]))
        raise DataError(f"Score {_score_name(roles, k)} of {where(start + row)} is {value:.6g}; {rule}.")


def _refuse_sum(
    bad: NDArray[Any], sums: NDArray[np.float64], start: int, where: _Where, rule: str, way_out: str
) -> None:
    if bad.any():
        row = _first(bad)
        raise DataError(
            f"Scores of {where(start + row)} add up to {sums[row]:.6g}; they must add up to {rule}. {way_out}."
        )


def _top(scores: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    prediction = np.empty(len(scores), np.int32)
    confidence = np.empty(len(scores), np.float64)
    for start in range(0, len(scores), _BLOCK):
        block = scores[start : start + _BLOCK]
        top = block.argmax(axis=1)  # ties go to the lowest index
        prediction[start : start + _BLOCK] = top
        confidence[start : start + _BLOCK] = block[np.arange(len(block)), top]
    return prediction, np.minimum(confidence, 1.0)  # rounding may give 1.0000001


def _confidences(values: pa.Array, column: str, where: _Where) -> NDArray[np.float64]:
    numbers = _numbers(values, lambda row: f"Confidence {column!r} of {where(row)}").astype(np.float64)
    bad = ~((numbers >= 0) & (numbers <= 1))
    if bad.any():
        row = _first(bad)
        raise DataError(
            f"Confidence {column!r} of {where(row)} is {numbers[row]:.6g}; it must lie between 0 and 1. Correct it."
        )
    return numbers


def _row_hash(
    ids: pa.Array | None,
    first_row: int,
    scores: NDArray[Any] | None,
    predicted: pa.Array | None,
    confidence: NDArray[np.float64] | None,
    label: pa.Array | None,
    columns: dict[str, pa.Array],
    n_rows: int,
) -> NDArray[np.uint64]:
    parts = [hash_values(pa.array(np.arange(first_row, first_row + n_rows)) if ids is None else ids)]
    if scores is not None:
        parts.append(hash_matrix(scores))
    elif confidence is not None:
        parts.append(hash_matrix(confidence[:, None]))
    parts += [hash_values(part) for part in (predicted, label, *columns.values()) if part is not None]
    total = np.zeros(n_rows, np.uint64)
    with np.errstate(over="ignore"):
        for salt, part in enumerate(parts):
            total += mix(part, salt)
    return mix(total)
