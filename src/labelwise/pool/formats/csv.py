"""Comma- and tab-separated files.

A text file has no types. Scores are read as numbers and everything else as text; types are inferred after the last
row, so that the result does not depend on block boundaries.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from labelwise.checks import counted, shown
from labelwise.errors import DataError
from labelwise.pool.source import Source, empty, unreadable, without_rows

_BLOCK_MEGABYTES = 4


def open_csv(path: Path) -> Source:
    """Open a comma-separated file with a header; a file ending in .gz is decompressed on the fly."""
    return open_separated(path, path.name, separator=",")


def open_tsv(path: Path) -> Source:
    """Open a tab-separated file with a header."""
    return open_separated(path, path.name, separator="\t")


def open_separated(data: Any, name: str, *, separator: str, header: Sequence[str] | None = None) -> Source:
    """Open a path or file object of separated values; if `header` is given, the file has no header and no quoting."""
    columns = list(header) if header is not None else _header(data, name, separator)

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        types = {c: pa.float64() if c in numeric else pa.string() for c in wanted}
        # Only an empty cell is missing: NA is also the code of Namibia, and "null" may be a word.
        convert = pacsv.ConvertOptions(
            column_types=types, include_columns=list(wanted), strings_can_be_null=True, null_values=[""]
        )
        quoted = header is None
        # No `invalid_row_handler`: an Arrow thread that releases it while Python shuts down would abort the process.
        parse = pacsv.ParseOptions(delimiter=separator, quote_char='"' if quoted else False, newlines_in_values=quoted)
        # Only single-threaded reads number the rows. The header is skipped as a row, since it may contain newlines.
        read = pacsv.ReadOptions(
            column_names=columns,
            skip_rows_after_names=1 if quoted else 0,
            use_threads=False,
            block_size=_BLOCK_MEGABYTES << 20,
        )
        n_rows = 0
        try:
            for batch in pacsv.open_csv(data, read, parse, convert):
                n_rows += batch.num_rows
                yield batch
            if quoted:
                _check_closed(data, name, n_rows)
        except pa.ArrowInvalid as error:
            raise _explained(str(error), name, columns, has_header=header is None) from None
        except OSError:
            raise unreadable(name) from None

    n_packed = data.stat().st_size if isinstance(data, Path) and data.suffix == ".gz" else None
    return Source(name, tuple(columns), (), batches, untyped=True, n_packed=n_packed)


def _check_closed(path: Path, name: str, n_rows: int) -> None:
    """Refuse a file with an unclosed quotation mark: all rows after it would be one long cell."""
    n_quotes = n_lines = 0
    with pa.input_stream(path) as file:
        while block := file.read(1 << 22):
            n_quotes += block.count(b'"')
            n_lines += block.count(b"\n")
    if n_quotes % 2 and n_lines > n_rows + 1:
        raise DataError(
            f"A quotation mark in '{name}' is never closed: {n_lines:,} lines make only {n_rows:,} rows. Close it."
        )


def _header(path: Path, name: str, separator: str) -> list[str]:
    try:
        with pa.input_stream(path) as file:
            text = io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="")
            columns = next((row for row in csv.reader(text, delimiter=separator) if row), None)
            has_rows = any(line.strip() for line in text)  # stops at the first non-blank line
    except OSError:
        raise unreadable(name) from None
    except csv.Error:
        raise DataError(f"The header of '{name}' cannot be read. Close its quotation marks.") from None
    if columns is None:
        raise empty(name)
    if not has_rows:
        raise without_rows(name)
    if re.search("[\udc80-\udcff]", "".join(columns)):  # surrogateescape maps invalid bytes to these
        raise DataError(f"The header of '{name}' is not UTF-8 text. Save the file as UTF-8.")
    return columns


def _explained(text: str, name: str, columns: Sequence[str], *, has_header: bool) -> DataError:
    """Translate Arrow's error message; Arrow counts the header line as the first row."""
    if "straddl" in text:
        return DataError(
            f"A row of '{name}' is longer than {_BLOCK_MEGABYTES} MB; probably a quotation mark was never closed. "
            "Close it, or write the data as Parquet."
        )
    ragged = re.search(r"(?:Row #(\d+): )?Expected (\d+) columns, got (\d+)", text)
    if ragged is not None:
        place = f"{_row(ragged[1], has_header)} of '{name}' has {counted(int(ragged[3]), 'field')}"
        if not has_header:
            return DataError(f"{place}, but the first row has {ragged[2]}. Every row needs the same number of fields.")
        return DataError(
            f"{place}, but the header has {ragged[2]}. Complete the row, quote a field that contains the separator, "
            "or close an open quotation mark."
        )
    found = re.search(r"column #(\d+): (?:Row #(\d+): )?CSV conversion error to \w+: (.*)", text, re.DOTALL)
    if found is None:
        return DataError(f"'{name}' cannot be read as separated text. Check its separators and quotation marks.")
    place = f"{_row(found[2], has_header)} of '{name}' has"
    column = columns[int(found[1])]
    value = re.fullmatch(r"invalid value '(.*)'", found[3], re.DOTALL)
    if value is None:
        return DataError(f"{place} bytes that are not UTF-8 text in column {column!r}. Save the file as UTF-8.")
    return DataError(f"{place} {shown(value[1])} in column {column!r}, where a number is expected. Correct it.")


def _row(number: str | None, has_header: bool) -> str:
    return "A row" if number is None else f"Row {int(number) - has_header}"
