"""Files of labels as they come back: CSV, JSON or JSON lines; every problem is named by its row."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from labelwise.assessment import Assessment, Said
from labelwise.checks import hint, listing, shown
from labelwise.errors import ConflictError, DataError
from labelwise.pool import ClassName

UNKNOWN = "unknown"
_LISTS = ("labels", "tickets")  # where the rows of a JSON document stand


@dataclass(frozen=True)
class Labelled:
    """What a file says.

    Attributes
    ----------
    said : labels and skips, in order.
    rows : the row of each, counted from 1 without the header.
    cells : everything that the row of each says.
    n_empty : rows without a label, which are left for later.
    """

    said: list[Said]
    rows: list[int]
    cells: list[dict[str, Any]]
    n_empty: int

    def check(self, assessment: Assessment) -> None:
        """Refuse a file of another assessment, or one whose columns no longer belong together.

        Where a row names its assessment or its item, both must be those of its ticket. A cell that shows what another
        row should show means that a column was sorted by itself.
        """
        own, slips = assessment.id, assessment.ledger.slips
        shown_columns = [*assessment.pool.content, *assessment.setup.show]
        tickets = [assessment.ticket_of(slips[said.number]) if said.number < len(slips) else None for said in self.said]
        known = {
            column: {ticket_cell(ticket.item[column]): ticket.number for ticket in tickets if ticket is not None}
            for column in shown_columns
        }
        for row, cells, ticket in zip(self.rows, self.cells, tickets, strict=True):
            if "assessment" not in shown_columns and _cell(cells.get("assessment")) not in ("", own):
                raise ConflictError(
                    f"Row {row}: was asked by another assessment ({_cell(cells['assessment'])}) than this one ({own}). "
                    "Nothing was told."
                )
            if ticket is None:
                continue  # telling it says so
            item = ticket.item["id"]
            if _cell(cells.get("id")) and not _is_same(cells["id"], item):
                raise ConflictError(
                    f"Row {row}: ticket {ticket.number} is of item {shown(item)}, but the row is of "
                    f"{shown(_cell(cells['id']))}. The file is of another store, or a column was sorted by itself. "
                    "Nothing was told."
                )
            for column in shown_columns:
                text = _text(cells.get(column))
                other = known[column].get(text, known[column].get(text.removeprefix("'")))
                if other not in (None, ticket.number) and not _is_same(text, ticket.item[column]):
                    raise ConflictError(
                        f"Row {row}: shows the {column} of ticket {other} beside ticket {ticket.number}. A column was "
                        "sorted by itself. Nothing was told."
                    )


def ticket_cell(value: object) -> str | int | float | None:
    """Return a value of an item as a table can hold it."""
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, (list, dict)):
        return json.dumps(value, default=str)
    return value if isinstance(value, (str, int, float)) or value is None else str(value)


def _is_same(cell: Any, value: object) -> bool:
    """Return whether a cell that came back is the value that was written; spreadsheets put apostrophes before text."""
    text, wanted = _text(cell), _text(ticket_cell(value))
    return wanted in (text, text.removeprefix("'")) or wanted.strip() == text.strip().removeprefix("'")


def read_labelled(text: str, source: str, classes: Sequence[ClassName], labeller: str | None = None) -> Labelled:
    """Read labels by ticket.

    A row has `ticket` and `label`; without a label it is left for later, unless `skip` gives a reason ("unknown" if
    the labeller looked and does not know). `labeller` and `key` may stand beside.

    Examples
    --------
    >>> read_labelled("ticket,label\\n3,cat\\n4,\\n", "x.csv", ["cat", "dog"]).said
    [Said(ticket=3, label='cat', reason='', is_unknown=False, labeller=None, key=None)]
    """
    known = {str(name): name for name in classes}
    said, rows, cells, n_empty = [], [], [], 0
    for row, entry in enumerate(records(text, source, ["ticket"]), start=1):
        ticket, label, skip = _number(entry.get("ticket"), row), _text(entry.get("label")), _cell(entry.get("skip"))
        if label.strip() and skip:
            raise DataError(f"Row {row}: has both a label ({shown(label)}) and a reason to skip. Keep one of them.")
        if not label.strip() and not skip:
            n_empty += 1
            continue
        who, key = _cell(entry.get("labeller")) or labeller, _cell(entry.get("key")) or None
        is_unknown = skip.lower() == UNKNOWN
        name = class_of(label, known, row) if label.strip() else None
        said.append(Said(ticket, name, "" if is_unknown else skip, is_unknown, who, key))
        rows.append(row)
        cells.append(entry)
    return Labelled(said, rows, cells, n_empty)


def class_of(label: str, known: dict[str, ClassName], row: int, outcome: str = "told") -> ClassName:
    """Return the class that a text names.

    White space around it is taken off, and an apostrophe that was put before it for safety, unless they belong to the
    name.
    """
    bare = label.strip()
    tries = (label, label.removeprefix("'"), bare, bare.removeprefix("'"))
    found = next((known[text] for text in tries if text in known), None)
    if found is None:
        names = list(known.values())
        raise DataError(
            f"Row {row}: Label {shown(bare)} is not one of the {len(names)} classes. {hint(bare, names)} "
            f"Nothing was {outcome}."
        )
    return found


def records(text: str, source: str, needed: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of a CSV table, of a JSON list, of a JSON document with such a list, or of JSON lines."""
    start = text.lstrip()[:1]
    if not start:
        raise DataError(f"'{source}' is empty. Check that it was written completely.")
    found = _json(text, source) if start in "[{" else _csv(text, source)
    for row, entry in enumerate(found, start=1):
        missing = [name for name in needed if name not in entry]
        if missing:
            raise DataError(f"Row {row} of '{source}' has no {listing(missing)}. It has: {listing(entry)}.")
    return found


def _json(text: str, source: str) -> list[dict[str, Any]]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        lines = [line for line in text.split("\n") if line.strip()]  # no other end of line ends a row
        document = [_line(line, row, source) for row, line in enumerate(lines, start=1)]
    if isinstance(document, dict):
        document = next((document[name] for name in _LISTS if isinstance(document.get(name), list)), [document])
    odd = next((row for row, entry in enumerate(document, start=1) if not isinstance(entry, dict)), None)
    if odd is not None:
        raise DataError(f"Row {odd} of '{source}' is not a JSON object. Write one object a label.")
    return list(document)


def _line(line: str, row: int, source: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(f"Row {row} of '{source}' is not JSON: {error.msg} at character {error.colno}.") from None


def _csv(text: str, source: str) -> list[dict[str, Any]]:
    table = text.lstrip("\r\n")
    separator = max(",;\t", key=table.split("\n", 1)[0].count)  # spreadsheets of some countries write semicolons
    reader = csv.DictReader(StringIO(table, newline=""), delimiter=separator, strict=True)
    rows: list[dict[str, Any]] = []
    before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a cell may hold a whole document
    try:
        rows.extend(reader)
    except csv.Error as error:
        raise DataError(f"Row {len(rows) + 1} of '{source}' cannot be read: {error}. Correct it.") from None
    finally:
        csv.field_size_limit(before)
    n_cells = len(reader.fieldnames or [])
    for row, entry in enumerate(rows, start=1):
        if None in entry or None in entry.values():
            raise DataError(f"Row {row} of '{source}' does not have {n_cells} cells as the header has. Complete it.")
        if any("\x00" in value for value in entry.values()):
            raise DataError(f"Row {row} of '{source}' has a null byte in it. Correct it.")
    return rows


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _cell(value: Any) -> str:
    return _text(value).strip()


def _number(value: Any, row: int) -> int:
    text = _cell(value)
    if not (text.isascii() and text.isdecimal()):
        raise DataError(f"Row {row}: the ticket must be a whole number, but is {shown(value)}. Nothing was told.")
    return int(text)
