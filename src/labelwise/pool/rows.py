"""The in-memory state of the fold: all rows seen so far, stored compactly."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from labelwise.checks import shown
from labelwise.errors import DataError
from labelwise.pool.batch import Batch, wrong_width
from labelwise.pool.class_codes import ClassColumn, settle_classes
from labelwise.pool.hash import mix
from labelwise.pool.layout import ClassName, Roles
from labelwise.pool.pool import Pool
from labelwise.pool.source import without_rows

_INTEGER = r"^(0|-?[1-9]\d{0,17})$"
_NUMBER = r"^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$"


class Growing:
    """An array that grows at its end without ever being in memory twice.

    `np.concatenate` would need the parts and the result at once, twice the size of a large score matrix; resizing in
    place lets the operating system remap pages instead.
    """

    def __init__(self, expected: int) -> None:
        self._expected = expected
        self._array: NDArray[Any] | None = None
        self._n = 0

    def append(self, part: NDArray[Any]) -> None:
        """Add rows at the end."""
        needed = self._n + len(part)
        if self._array is None:
            self._array = np.empty((max(needed, self._expected), *part.shape[1:]), part.dtype)
        if needed > len(self._array):
            capacity = max(needed, self._expected, len(self._array) + len(self._array) // 2)
            self._array.resize((capacity, *self._array.shape[1:]), refcheck=False)
        self._array[self._n : needed] = part
        self._n = needed

    def finish(self) -> NDArray[Any] | None:
        """Return the array, truncated to its size and read-only."""
        if self._array is not None and len(self._array) != self._n:
            self._array.resize((self._n, *self._array.shape[1:]), refcheck=False)
        if self._array is not None:
            self._array.flags.writeable = False
        return self._array

    def filled(self) -> NDArray[Any] | None:
        """Return the rows added so far."""
        return None if self._array is None else self._array[: self._n]


class Rows:
    """All rows seen so far, as a mergeable state of the fold.

    Another state (such as totals per group, for a pool that does not fit in memory) needs the same three methods:
    `add` a batch, `merge` with the state of the rows that follow, and `finish`.
    """

    def __init__(self, roles: Roles, *, source: str, untyped: bool = False, expected: int = 0) -> None:
        self.roles, self.source, self.untyped = roles, source, untyped
        self.n_rows = 0
        self._scores, self._prediction, self._confidence = Growing(expected), Growing(expected), Growing(expected)
        self._ids: list[pa.Array] = []
        self._predicted: list[pa.DictionaryArray] = []
        self._label: list[pa.DictionaryArray] = []
        self._columns: dict[str, list[pa.Array]] = {name: [] for name in roles.columns}
        self._hash = [0, 0]

    def add(self, batch: Batch) -> None:
        """Add the rows of one more batch."""
        self.n_rows += batch.n_rows
        for growing, part in self._growing(batch.scores, batch.prediction, batch.confidence):
            growing.append(part)
        for parts, array in ((self._ids, batch.ids), (self._predicted, batch.predicted), (self._label, batch.label)):
            if array is not None:
                parts.append(array)
        for name, values in batch.columns.items():
            self._columns[name].append(values)
        with np.errstate(over="ignore"):
            sums = [int(mix(batch.row_hash, salt).sum()) for salt in (11, 12)]
        self._hash = [(old + new) % 2**64 for old, new in zip(self._hash, sums, strict=True)]

    def _growing(self, *parts: NDArray[Any] | None) -> list[tuple[Growing, NDArray[Any]]]:
        arrays = (self._scores, self._prediction, self._confidence)
        return [(growing, part) for growing, part in zip(arrays, parts, strict=True) if part is not None]

    def merge(self, after: Rows) -> Rows:
        """Append the rows of a later state, and return this one."""
        scores, others = self._scores.filled(), after._scores.filled()
        if scores is not None and others is not None and scores.shape[1] != others.shape[1]:
            raise wrong_width(others.shape[1], f"row {self.n_rows + 1}", scores.shape[1])
        filled = (others, after._prediction.filled(), after._confidence.filled())
        for growing, part in self._growing(*filled):
            growing.append(part)
        self.n_rows += after.n_rows
        self._ids += after._ids
        self._predicted += after._predicted
        self._label += after._label
        for name, parts in after._columns.items():
            self._columns[name] += parts
        self._hash = [(old + new) % 2**64 for old, new in zip(self._hash, after._hash, strict=True)]
        return self

    def finish(self) -> Pool:
        """Run the checks that need all rows (ids, classes), and return the pool."""
        if self.n_rows == 0:
            raise without_rows(self.source)
        ids = _unique(_combined(self._ids, _typed_ids if self.untyped else None), self.roles.id) if self._ids else None
        classes, prediction, labels = self._coded(ids)
        return Pool(
            classes=classes,
            prediction=prediction,
            confidence=self._confidence.finish(),
            scores=self._scores.finish(),
            labels=labels,
            ids=ids,
            columns={n: _combined(parts, _typed if self.untyped else None) for n, parts in self._columns.items()},
            content=self.roles.content,
            outputs=self.roles.outputs,
            fingerprint=self._fingerprint(classes),
            source=self.source,
        )

    def _coded(self, ids: pa.Array | None) -> tuple[tuple[ClassName, ...], NDArray[Any], NDArray[Any] | None]:
        def where(row: int) -> str:
            return f"row {row + 1}" if ids is None else f"item {shown(ids[row].as_py())}"

        parts = (("Prediction", self._predicted), ("Label", self._label))
        columns = [ClassColumn(batches, what, where, untyped=self.untyped) for what, batches in parts if batches]
        known = self.roles.classes
        prediction = self._prediction.finish()
        scores = self._scores.filled()
        if known is None and scores is not None:
            known = tuple(range(scores.shape[1]))
        classes = settle_classes(known, columns, untyped=self.untyped)
        coded = {column.what: column.codes(classes, may_be_positions=self.roles.may_be_positions) for column in columns}
        for codes in coded.values():
            codes.flags.writeable = False
        return classes, coded["Prediction"] if prediction is None else prediction, coded.get("Label")

    def _fingerprint(self, classes: tuple[ClassName, ...]) -> str:
        roles = self.roles
        parts = (self.n_rows, classes, roles.id is None, roles.label is None, roles.columns, roles.content, self._hash)
        return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def _combined(parts: list[pa.Array], typed: Callable[[pa.Array], pa.Array] | None) -> pa.Array:
    whole = pa.chunked_array(parts)
    if pa.types.is_dictionary(whole.type):
        whole = whole.unify_dictionaries()
    array = whole.combine_chunks()
    return array if typed is None or not pa.types.is_string(array.type) else typed(array)


def _matches(texts: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern), min_count=0).as_py())


def _typed_ids(texts: pa.Array) -> pa.Array:
    """Convert ids from an untyped file to integers if all are; never to floats, because '1.10' differs from '1.1'."""
    return texts.cast(pa.int64()) if _matches(texts, _INTEGER) else texts


def _typed(texts: pa.Array) -> pa.Array:
    """Infer the type of a column of an untyped file: integers, else floats, else text.

    Only canonical notation counts as a number, so that '007' stays text instead of becoming 7.
    """
    if _matches(texts, _INTEGER):
        return texts.cast(pa.int64())
    return texts.cast(pa.float64()) if _matches(texts, _NUMBER) else texts


def _unique(ids: pa.Array, column: str | None) -> pa.Array:
    if pc.count_distinct(ids).as_py() < len(ids):
        counts = pc.value_counts(ids)
        twice = counts.filter(pc.greater(counts.field("counts"), 1))[0]["values"]
        rows = np.flatnonzero(np.asarray(pc.equal(ids, twice)))[:2] + 1
        raise DataError(
            f"Id {shown(twice.as_py())} appears in rows {rows[0]} and {rows[1]} of column {column!r}; ids must be "
            "unique. Remove one of the rows, or choose another id column."
        )
    return ids
