"""Anything that holds a table, opened as a stream of Arrow batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from labelwise.errors import ArgumentError, DataError

BATCH_ROWS = 65_536


@dataclass(frozen=True)
class Source:
    """A table about to be read, batch by batch.

    `batches` is called once, with the names of the columns that are needed and of those that must be numbers.
    """

    name: str
    columns: tuple[str, ...]
    list_columns: tuple[str, ...]
    batches: Callable[[Sequence[str], Sequence[str]], Iterator[pa.RecordBatch]]
    n_rows: int | None = None
    untyped: bool = False


def list_columns(schema: pa.Schema) -> tuple[str, ...]:
    """Name the columns that hold a list in every cell."""

    def is_list(kind: pa.DataType) -> bool:
        return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))

    return tuple(f.name for f in schema if is_list(f.type))


def table_source(table: Any, name: str) -> Source:
    """Open any object that speaks the Arrow stream protocol: pandas, Polars, PyArrow, DuckDB."""
    if not hasattr(table, "__arrow_c_stream__"):
        raise ArgumentError(
            f"A pool is read from a path or a table that speaks Arrow, not from {type(table).__name__}. "
            "Use `pool_from_arrays` for arrays."
        )
    try:
        reader = pa.RecordBatchReader.from_stream(table)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise DataError(f"A column of the table mixes types: {_first_sentence(error)}. Make it one type.") from None

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for batch in reader:
            chosen = batch.select(list(wanted))
            for start in range(0, batch.num_rows, BATCH_ROWS):
                yield chosen.slice(start, BATCH_ROWS)

    n_rows = len(table) if isinstance(table, pa.Table) else None
    return Source(name, tuple(reader.schema.names), list_columns(reader.schema), batches, n_rows)


def _first_sentence(error: Exception) -> str:
    return str(error.args[0] if error.args else error).split("\n")[0].rstrip(".")
