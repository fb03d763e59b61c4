"""Small files that go with a pool on the command line: class names, maps of classes, cost matrices."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from labelwise.checks import hint, listing
from labelwise.errors import ArgumentError, DataError, NotFoundError

if TYPE_CHECKING:
    from labelwise.pool import ClassName, Pool


def class_names(said: str | None) -> list[ClassName] | None:
    """Read class names: 'cat,dog', or a file with one name a line, or FILE.csv:COLUMN.

    Examples
    --------
    >>> class_names("cat, dog")
    ['cat', 'dog']
    """
    if said is None:
        return None
    path, _, column = said.partition(":")
    if column:
        names = [row[column] for row in _rows(Path(path), [column])]
    elif Path(said).is_file():
        names = [line.strip() for line in _text(Path(said)).splitlines() if line.strip()]
    else:
        names = [name.strip() for name in said.split(",")]
        if len(names) == 1:
            raise NotFoundError(f"'{said}' is neither a file of class names nor a list such as 'cat,dog'.")
    return _typed(names)


def class_map(said: str, pool: Pool) -> dict[ClassName, ClassName]:
    """Read a map of classes: FILE.csv with the columns class and group, or FILE.csv:CLASS_COLUMN:GROUP_COLUMN."""
    path, _, columns = said.partition(":")
    class_column, _, group_column = columns.partition(":")
    class_column, group_column = class_column or "class", group_column or "group"
    rows = _rows(Path(path), [class_column, group_column])
    by_text = {row[class_column]: row[group_column] for row in rows}
    missing = [name for name in pool.classes if str(name) not in by_text]
    if missing:
        raise DataError(f"'{path}' has no group for these classes: {listing(missing)}. Give every class a group.")
    return {name: by_text[str(name)] for name in pool.classes}


def cost_matrix(path: Path, pool: Pool) -> list[list[float]]:
    """Read a cost matrix from CSV: row = true class, column = predicted class, with or without names on both sides."""
    if not path.is_file():
        raise NotFoundError(f"'{path}' does not exist. Check the path.")
    cells = [row for row in csv.reader(_text(path).splitlines()) if row]
    if not cells:
        raise DataError(f"'{path.name}' is empty; a cost matrix has one row and one column a class.")
    if all(len(row) == pool.n_classes == len(cells) for row in cells) and _is_number(cells[0][0]):
        return [[_cost(cell, path, f"row {i + 1}") for cell in row] for i, row in enumerate(cells)]
    names = [str(name) for name in pool.classes]
    ragged = next((i for i, row in enumerate(cells) if len(row) != len(cells[0])), None)
    if ragged is not None:
        raise DataError(
            f"Row {ragged + 1} of '{path.name}' has {len(cells[ragged])} cells, the first has {len(cells[0])}. "
            "Complete it."
        )
    header, body = cells[0][1:], {row[0]: row[1:] for row in cells[1:]}
    for name in names:
        for side, there in (("row", list(body)), ("column", header)):
            if name not in there:
                raise DataError(f"The cost matrix '{path.name}' has no {side} for class {name!r}. {hint(name, there)}")
    place = {name: header.index(name) for name in names}
    return [[_cost(body[true][place[guess]], path, f"row {true!r}") for guess in names] for true in names]


def _rows(path: Path, wanted: list[str]) -> list[dict[str, str]]:
    if not path.is_file():
        raise NotFoundError(f"'{path}' does not exist. Check the path.")
    reader = csv.DictReader(_text(path).splitlines())
    columns = list(reader.fieldnames or [])
    for column in wanted:
        if column not in columns:
            raise NotFoundError(f"Column {column!r} is not in '{path.name}'. {hint(column, columns)}")
    rows = list(reader)
    short = next((i for i, row in enumerate(rows) if not all(row[column] for column in wanted)), None)
    if short is not None:
        raise DataError(f"Row {short + 1} of '{path.name}' is not complete. Fill in {listing(wanted)}.")
    return rows


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"'{path.name}' is not UTF-8 text. Save it as UTF-8.") from None


def _typed(names: list[str]) -> list[ClassName]:
    return [int(name) for name in names] if all(name.isdecimal() for name in names) else list(names)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _cost(cell: str, path: Path, where: str) -> float:
    if not _is_number(cell):
        raise DataError(f"The cost {cell!r} in {where} of '{path.name}' is not a number. Correct it.")
    return float(cell)


def prior_numbers(said: str) -> tuple[float, float]:
    """Read the pseudo-counts of a custom prior, such as '9,1'."""
    parts = said.split(",")
    if len(parts) != 2 or not all(_is_number(part) for part in parts):
        raise ArgumentError(f"`--prior` must be flat, informed, learned, or two numbers such as 9,1; not {said!r}.")
    return float(parts[0]), float(parts[1])
