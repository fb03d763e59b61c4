"""Parquet files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from labelwise.errors import DataError
from labelwise.pool.source import BATCH_ROWS, Source, empty, list_columns

_BUFFER = 1 << 16  # bytes a column; without it a whole row group is in memory twice, packed and unpacked


def open_parquet(path: Path) -> Source:
    """Open a Parquet file; only the columns that are needed are read."""
    if path.stat().st_size == 0:
        raise empty(path.name)
    damaged = DataError(f"'{path.name}' is not a Parquet file, or a damaged one. Write it again, or give its `format`.")
    try:
        file = pq.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER)
    except (pa.ArrowException, OSError):
        raise damaged from None

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        # fewer rows where there are very many columns, so that a batch stays small beside the pool
        rows = max(1_024, BATCH_ROWS * 64 // max(64, len(wanted)))
        try:
            yield from file.iter_batches(rows, columns=list(wanted))
        except (pa.ArrowException, OSError):
            raise damaged from None

    schema = file.schema_arrow
    n_rows = file.metadata.num_rows
    return Source(path.name, tuple(schema.names), list_columns(schema), batches, n_rows, close=file.close)
