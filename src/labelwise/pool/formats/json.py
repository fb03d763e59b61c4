"""JSON lines: one object a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.json as pajson

from labelwise.errors import DataError
from labelwise.pool.source import BATCH_ROWS, Source, list_columns


def open_jsonl(path: Path) -> Source:
    """Open a file with one JSON object a line."""
    if path.stat().st_size == 0:
        raise DataError(f"'{path.name}' is empty. Check that it was written.")
    try:
        with pa.input_stream(path) as stream:
            table = pajson.read_json(stream, read_options=pajson.ReadOptions(use_threads=False))
    except pa.ArrowInvalid as error:
        raise _explained(error, path.name) from None

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield from table.select(list(wanted)).to_batches(BATCH_ROWS)

    return Source(path.name, tuple(table.schema.names), list_columns(table.schema), batches, table.num_rows)


def _explained(error: Exception, name: str) -> DataError:
    found = re.search(r"Column\(/(.*?)\) changed from (\w+) to (\w+) in row (\d+)", str(error))
    if found is None:
        return DataError(f"'{name}' cannot be read as JSON lines: {str(error).splitlines()[0]}")
    column = found[1].split("/")[0]
    return DataError(
        f"Column {column!r} of '{name}' changes from {found[2]} to {found[3]} in row {int(found[4]) + 1}. "
        "Write all its values the same way."
    )
