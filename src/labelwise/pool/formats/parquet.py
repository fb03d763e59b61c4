"""Parquet files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from labelwise.errors import DataError
from labelwise.pool.source import BATCH_ROWS, Source, list_columns


def open_parquet(path: Path) -> Source:
    """Open a Parquet file; only the columns that are needed are read."""
    try:
        file = pq.ParquetFile(path, pre_buffer=True)
    except (pa.ArrowInvalid, OSError) as error:
        reason = "is empty" if path.stat().st_size == 0 else "is not a Parquet file, or a damaged one"
        raise DataError(f"'{path.name}' {reason}. Write it again, or give its `format`.") from error

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield from file.iter_batches(BATCH_ROWS, columns=list(wanted))

    schema = file.schema_arrow
    return Source(path.name, tuple(schema.names), list_columns(schema), batches, file.metadata.num_rows)
