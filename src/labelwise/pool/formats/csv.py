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

from labelwise.checks import counted, shown
from labelwise.errors import DataError
from labelwise.pool.source import Source, empty, unreadable, without_rows

_BLOCK_MEGABYTES = 4


def open_csv(path: Path) -> Source:
    """Open a comma-separated file with a header; a name ending in .gz is unpacked on the way."""
    return open_separated(path, path.name, separator=",")


def open_tsv(path: Path) -> Source:
    """Open a tab-separated file with a header."""
    return open_separated(path, path.name, separator="\t")


def open_separated(data: Any, name: str, *, separator: str, header: Sequence[str] | None = None) -> Source:
    """Open a path or an open file whose fields stand between separators; without a header line nothing is quoted."""
    columns = list(header) if header is not None else _header(data, name, separator)

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        ragged: list[pacsv.InvalidRow] = []

        def keep(row: Any) -> str:
            ragged.append(row)
            return "error"

        types = {c: pa.float64() if c in numeric else pa.string() for c in wanted}
        convert = pacsv.ConvertOptions(column_types=types, include_columns=list(wanted), strings_can_be_null=True)
        parse = _parsing(separator, keep, quoted=header is None)
        try:
            yield from pacsv.open_csv(data, _reading(header), parse, convert)
        except pa.ArrowInvalid as error:
            n_header = 0 if header is not None else 1  # Arrow counts the header line as the first row
            if ragged:
                raise _ragged(ragged[0], name, n_header) from None
            raise _explained(error, name, columns, n_header) from None
        except OSError:
            raise unreadable(name) from None

    return Source(name, tuple(columns), (), batches, untyped=True)


def _reading(header: Sequence[str] | None = None) -> pacsv.ReadOptions:
    # one thread, because only then are rows numbered
    return pacsv.ReadOptions(column_names=header, use_threads=False, block_size=_BLOCK_MEGABYTES << 20)


def _parsing(separator: str, ragged: Any, *, quoted: bool) -> pacsv.ParseOptions:
    return pacsv.ParseOptions(
        delimiter=separator,
        quote_char='"' if quoted else False,
        newlines_in_values=quoted,
        invalid_row_handler=ragged,
    )


def _header(path: Path, name: str, separator: str) -> list[str]:
    try:
        parse = _parsing(separator, lambda row: "skip", quoted=True)
        return list(pacsv.open_csv(path, _reading(), parse).schema.names)
    except UnicodeDecodeError:
        raise DataError(f"The header of '{name}' is not UTF-8 text. Save the file as UTF-8.") from None
    except pa.ArrowInvalid as error:
        if "Empty CSV" not in str(error):
            raise _explained(error, name, (), 1) from None
        with pa.input_stream(path) as file:
            has_header = bool(file.read().removeprefix(b"\xef\xbb\xbf").strip())
        raise (without_rows(name) if has_header else empty(name)) from None
    except OSError:
        raise unreadable(name) from None


def _ragged(row: Any, name: str, n_header: int) -> DataError:
    number = "A row" if row.number is None else f"Row {row.number - n_header}"
    has = f"{number} of '{name}' has {counted(row.actual_columns, 'field')}"
    if n_header == 0:
        return DataError(f"{has}, but the first row has {row.expected_columns}. Give every row the same number.")
    return DataError(
        f"{has}, but the header has {row.expected_columns}. Complete the row, quote a field that holds the separator, "
        "or close an open quotation mark."
    )


def _explained(error: Exception, name: str, columns: Sequence[str], n_header: int) -> DataError:
    text = str(error)
    if "straddl" in text:
        return DataError(
            f"A row of '{name}' is longer than {_BLOCK_MEGABYTES} MB; probably a quotation mark was never closed. "
            "Close it, or write the data as Parquet."
        )
    found = re.search(r"column #(\d+): (?:Row #(\d+): )?CSV conversion error to \w+: (.*)", text, re.DOTALL)
    if found is None or not columns:
        return DataError(f"'{name}' cannot be read as separated text. Check its separators and quotation marks.")
    row = f"Row {int(found[2]) - n_header}" if found[2] else "A row"
    place = f"{row} of '{name}' has"
    column = columns[int(found[1])]
    value = re.fullmatch(r"invalid value '(.*)'", found[3], re.DOTALL)
    if value is None:
        return DataError(f"{place} bytes that are not UTF-8 text in column {column!r}. Save the file as UTF-8.")
    return DataError(f"{place} {shown(value[1])} in column {column!r}, where a number belongs. Correct it.")
