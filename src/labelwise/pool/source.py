"""Tables of any kind, opened as streams of Arrow batches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from labelwise.checks import repeated, shown
from labelwise.errors import ArgumentError, DataError
from labelwise.pool.mixed_types import check_one_type

BATCH_ROWS = 65_536


@dataclass(frozen=True)
class Source:
    """A table to be read batch by batch.

    `batches` is called once, with the names of the columns to read and of those that must be numeric. `close` is
    called at the end, even after an error: a database connection stays blocked until its stream is closed.
    """

    name: str
    columns: tuple[str, ...]
    list_columns: tuple[str, ...]
    batches: Callable[[Sequence[str], Sequence[str]], Iterator[pa.RecordBatch]]
    n_rows: int | None = None
    untyped: bool = False
    close: Callable[[], None] = lambda: None
    n_packed: int | None = None  # bytes of a compressed file

    def __post_init__(self) -> None:
        _check_names(self.columns, self.name)


def _check_names(columns: Sequence[str], name: str) -> None:
    twice = repeated(columns)
    if twice is not None:
        raise DataError(f"Column {shown(twice)} appears twice in '{name}'. Column names must be unique.")


def list_columns(schema: pa.Schema) -> tuple[str, ...]:
    """Return the names of the columns of lists."""
    tests = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    return tuple(f.name for f in schema if any(test(f.type) for test in tests))


def table_source(table: Any, name: str) -> Source:
    """Open any object that implements the Arrow stream protocol: pandas, Polars, PyArrow, DuckDB."""
    if not hasattr(table, "__arrow_c_stream__"):
        raise ArgumentError(
            f"A pool is read from a path or an Arrow-compatible table, not from {type(table).__name__}. "
            "Use `pool_from_arrays` for arrays."
        )
    try:
        reader = pa.RecordBatchReader.from_stream(table)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise _explained(error, table, name) from None

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for batch in reader:
            chosen = batch.select(list(wanted))
            for start in range(0, batch.num_rows, BATCH_ROWS):
                yield chosen.slice(start, BATCH_ROWS)

    n_rows = len(table) if isinstance(table, pa.Table) else None
    # pandas exports an unnamed index, the row numbers, as a column; it is not part of the data
    columns = tuple(c for c in reader.schema.names if not re.fullmatch(r"__index_level_\d+__", c))
    return Source(name, columns, list_columns(reader.schema), batches, n_rows, close=reader.close)


def _explained(error: Exception, table: Any, name: str) -> DataError:
    """Find the column and row of a pandas table that Arrow cannot convert, because Arrow does not name the row."""
    columns = list(getattr(table, "columns", ()))
    _check_names(columns, name)
    match = re.search(r"Conversion failed for column (.*?) with type", str(error))
    column = next((c for c in columns if match is not None and str(c) == match[1]), None)
    if column is None:
        return DataError(f"'{name}' cannot be read as an Arrow table. Use only columns of numbers or text.")
    check_one_type(table[column], f"Column {column!r}")
    return DataError(
        f"Column {column!r} of '{name}' has type {table[column].dtype}, which cannot be read. "
        "Convert it to numbers or text, or leave it out."
    )


def without_views(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Convert view columns, which Polars exports, to the standard layout that all Arrow functions support."""
    schema = pa.schema([_field_without_views(field) for field in batch.schema])
    return batch if schema == batch.schema else batch.cast(schema)


def _without_views(kind: pa.DataType) -> pa.DataType:
    types = pa.types
    if types.is_string_view(kind):
        return pa.large_string()
    if types.is_binary_view(kind):
        return pa.large_binary()
    if types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _without_views(kind.value_type), kind.ordered)
    if types.is_struct(kind):
        return pa.struct([_field_without_views(field) for field in kind])
    if types.is_list(kind):
        return pa.list_(_field_without_views(kind.value_field))
    if types.is_large_list(kind):
        return pa.large_list(_field_without_views(kind.value_field))
    if types.is_fixed_size_list(kind):
        return pa.list_(_field_without_views(kind.value_field), kind.list_size)
    return kind  # including list views, which Arrow casts incorrectly


def _field_without_views(field: pa.Field) -> pa.Field:
    return field.with_type(_without_views(field.type))


def empty(name: str) -> DataError:
    """Return the error for an empty file."""
    return DataError(f"'{name}' is empty. Check that it was written completely.")


def without_rows(name: str) -> DataError:
    """Return the error for a table without rows."""
    return DataError(f"'{name}' has no rows; a pool needs at least one item. Check that it was written completely.")


def unreadable(name: str) -> DataError:
    """Return the error for a file that cannot be read or decompressed."""
    if name.endswith(".gz"):
        return DataError(f"'{name}' is not a gzip file, or is damaged. Write it again.")
    return DataError(f"'{name}' cannot be read. Check that it is complete and that you have permission to read it.")
