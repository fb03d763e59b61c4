"""Comma- and tab-separated files.

A text file has no types. Scores are read as numbers; everything else as text, and typed when all rows have been seen,
so that the result does not depend on how the file falls into blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from labelwise.errors import DataError
from labelwise.pool.source import Source


def open_csv(path: Path) -> Source:
    """Open a comma-separated file with a header; a name ending in .gz is unpacked on the way."""
    return open_separated(path, path.name, separator=",")


def open_tsv(path: Path) -> Source:
    """Open a tab-separated file with a header."""
    return open_separated(path, path.name, separator="\t")


def open_separated(data: Any, name: str, *, separator: str, header: Sequence[str] | None = None) -> Source:
    """Open a path or an open file whose fields stand between separators."""
    columns = list(header) if header is not None else _header(data, name, separator)
    twice = next((c for c in columns if columns.count(c) > 1), None)
    if twice is not None:
        raise DataError(f"Column {twice!r} comes twice in '{name}'. Give every column a name of its own.")

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        ragged: list[pacsv.InvalidRow] = []

        def keep(row: Any) -> str:
            ragged.append(row)
            return "error"

        types = {c: pa.float64() if c in numeric else pa.string() for c in wanted}
        convert = pacsv.ConvertOptions(column_types=types, include_columns=list(wanted), strings_can_be_null=True)
        # Without a header line of its own the first row is data, else the names are known and the header is skipped.
        skip = 0 if header is not None else 1
        read = pacsv.ReadOptions(column_names=columns, skip_rows=skip, use_threads=False, block_size=1 << 22)
        parse = pacsv.ParseOptions(delimiter=separator, newlines_in_values=True, invalid_row_handler=keep)
        try:
            yield from pacsv.open_csv(data, read_options=read, parse_options=parse, convert_options=convert)
        except pa.ArrowInvalid as error:
            if ragged:
                row = ragged[0]
                number = "A row" if row.number is None else f"Row {row.number - skip}"
                raise DataError(
                    f"{number} of '{name}' has {row.actual_columns} fields, its header has {row.expected_columns}. "
                    "Complete the row, or quote the field that holds the separator."
                ) from None
            raise _explained(error, name, columns) from None

    return Source(name, tuple(columns), (), batches, untyped=True)


def _header(path: Path, name: str, separator: str) -> list[str]:
    try:
        parse = pacsv.ParseOptions(delimiter=separator, invalid_row_handler=lambda row: "skip")
        reader = pacsv.open_csv(path, parse_options=parse)
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error):
            raise DataError(f"'{name}' is empty. Check that it was written.") from None
        raise DataError(f"'{name}' cannot be read as separated text: {error}") from None
    return list(reader.schema.names)


def _explained(error: Exception, name: str, columns: Sequence[str]) -> DataError:
    found = re.search(r"column #(\d+).*?(?:Row #(\d+): )?CSV conversion error to \w+: invalid value '(.*)'", str(error))
    if found is None:
        return DataError(f"'{name}' cannot be read as separated text: {str(error).splitlines()[0]}")
    column = columns[int(found[1])]
    row = f"Row {int(found[2]) - 1}" if found[2] else "A row"
    return DataError(f"{row} of '{name}' has {found[3]!r} in column {column!r}, where a number belongs. Correct it.")
