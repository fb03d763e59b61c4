"""Parquet files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from labelwise.errors import DataError
from labelwise.pool.size_limits import most_unpacked, too_large
from labelwise.pool.source import BATCH_ROWS, Source, empty, list_columns

_BUFFER = 1 << 16  # bytes per column; otherwise a whole row group is in memory twice, compressed and decompressed
_FEW, _MUCH = 4, 100  # bytes per value and compression ratio beyond which a column may repeat long strings very often


def open_parquet(path: Path) -> Source:
    """Open a Parquet file; only the columns that are needed are read."""
    n_packed = path.stat().st_size
    if n_packed == 0:
        raise empty(path.name)
    damaged = DataError(f"'{path.name}' is not a Parquet file, or is damaged. Write it again, or set `format`.")
    try:
        with pq.ParquetFile(path) as first:
            repeated = _repeated(first)
        file = pq.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER, read_dictionary=repeated)
    except (pa.ArrowException, OSError):
        raise damaged from None
    schema = first.schema_arrow
    n_rows = file.metadata.num_rows

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        if n_rows * sum(_width(schema.field(name).type) for name in wanted) > most_unpacked(n_packed):
            raise too_large(path.name, n_packed)
        # fewer rows per batch if there are many columns, so that a batch stays small compared with the pool
        rows = max(1_024, BATCH_ROWS * 64 // max(64, len(wanted)))
        try:
            for batch in file.iter_batches(rows, columns=list(wanted)):
                if sum(map(_decoded_bytes, batch.columns)) > most_unpacked(n_packed):
                    raise too_large(path.name, n_packed)
                yield batch.cast(pa.schema([schema.field(name) for name in batch.schema.names])) if repeated else batch
        except (pa.ArrowException, OSError):
            raise damaged from None

    return Source(
        path.name, tuple(schema.names), list_columns(schema), batches, n_rows, close=file.close, n_packed=n_packed
    )


def _repeated(file: pq.ParquetFile) -> list[str]:
    """Return the text columns that take so little space that their values must be few or very similar.

    They are read dictionary-encoded: a file of a few kilobytes can repeat a string of 1 MB a million times.
    """
    texts = {field.name for field in file.schema_arrow if pa.types.is_string(field.type)}
    names = set()
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        for chunk in map(group.column, range(group.num_columns)):
            n_bytes = chunk.total_uncompressed_size
            if n_bytes < _FEW * chunk.num_values or n_bytes > _MUCH * chunk.total_compressed_size:
                names.add(chunk.path_in_schema)
    return sorted(texts & names)


def _width(kind: pa.DataType) -> int:
    """Return the minimum number of bytes per value."""
    try:
        return int(kind.bit_width) // 8
    except ValueError:
        return 4  # an offset


def _decoded_bytes(column: pa.Array) -> int:
    """Return the number of bytes of a column once its dictionary is decoded."""
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary)
    return int(pc.sum(lengths.take(column.indices.drop_null())).as_py() or 0)
