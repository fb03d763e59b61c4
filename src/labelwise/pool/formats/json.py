"""JSON Lines files: one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.json as pajson

from labelwise.checks import repeated, shown
from labelwise.errors import DataError
from labelwise.pool.mixed_types import check_one_type
from labelwise.pool.source import BATCH_ROWS, Source, empty, list_columns, unreadable


def open_jsonl(path: Path) -> Source:
    """Open a file with one JSON object per line; a file ending in .gz is decompressed on the fly."""
    try:
        table = _table(path)
    except OSError:
        raise unreadable(path.name) from None
    except (pa.ArrowInvalid, UnicodeDecodeError):
        raise _explained(path) from None
    if table.num_columns == 0:
        raise empty(path.name)

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield from table.select(list(wanted)).to_batches(BATCH_ROWS)

    return Source(path.name, tuple(table.schema.names), list_columns(table.schema), batches, table.num_rows)


def _table(path: Path) -> pa.Table:
    table = _read(path, [])
    # Arrow parses strings that look like dates; read them again as strings, because an id must stay text
    dates = [field.name for field in table.schema if pa.types.is_timestamp(field.type)]
    if dates:
        table = _read(path, dates).select(table.schema.names)
    table.validate(full=True)  # the reader itself does not check that strings are UTF-8
    return table


def _read(path: Path, texts: list[str], block_size: int = 1 << 20) -> pa.Table:
    if path.stat().st_size == 0:
        return pa.table({})
    parse = pajson.ParseOptions(explicit_schema=pa.schema([(name, pa.string()) for name in texts]))
    try:
        with pa.input_stream(path) as stream:
            return pajson.read_json(stream, pajson.ReadOptions(use_threads=False, block_size=block_size), parse)
    except pa.ArrowInvalid as error:
        if "straddl" not in str(error) or block_size >= 1 << 30:
            raise
    return _read(path, texts, block_size << 5)  # a row did not fit into a block


def _explained(path: Path) -> DataError:
    """Reread a refused file line by line to find the row, because Arrow counts rows from the start of a block."""
    with pa.input_stream(path) as stream:
        lines = stream.read().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    columns: dict[str, list[Any]] = {}
    rows = [line for line in lines if line.strip()]
    if not rows:
        return empty(path.name)
    for number, line in enumerate(rows, start=1):
        place = f"Row {number} of '{path.name}'"
        try:
            pairs = json.loads(line.decode(), object_pairs_hook=_Pairs)
        except UnicodeDecodeError:
            return DataError(f"{place} is not UTF-8 text. Save the file as UTF-8.")
        except (ValueError, RecursionError):
            pairs = None
        if not isinstance(pairs, _Pairs):
            text = shown(line.decode().strip())
            return DataError(f"{place} is not a JSON object: {text}. Write one object per line.")
        twice = repeated(name for name, _ in pairs)
        if twice is not None:
            return DataError(f"{place} has the key {shown(twice)} twice. Column names must be unique.")
        for name, value in pairs:
            column = columns.setdefault(name, [])
            column += [None] * (number - 1 - len(column)) + [_plain(value)]
    for name, column in columns.items():
        check_one_type(column, f"Column {name!r} of '{path.name}'")
    return DataError(
        f"'{path.name}' cannot be read as JSON Lines. Write one object per line, and use one type per column."
    )


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of a JSON object, including duplicate keys."""


def _plain(value: Any) -> Any:
    if isinstance(value, _Pairs):
        return {name: _plain(part) for name, part in value}
    return [_plain(part) for part in value] if isinstance(value, list) else value
