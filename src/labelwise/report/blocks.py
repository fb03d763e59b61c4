"""What a report is made of, before anybody decides how it looks: sections of text, facts, tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from labelwise.pool.html_table import cell, short
from labelwise.report.table import decimals

MOST_ROWS = 50
_BIDI = dict.fromkeys([0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd")


@dataclass(frozen=True)
class Text:
    """A paragraph; `role` is "" or what it is for: lead, met, open, note, small."""

    words: str
    role: str = ""


@dataclass(frozen=True)
class Facts:
    """Names and their values, one a line."""

    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Table:
    """Rows under a header; the first column names the row.

    Attributes
    ----------
    caption : what it shows.
    header, rows : as text; a row has as many cells as the header.
    n_all : rows that there are, the hidden ones included.
    hidden : what to say of those; where they can be had.
    """

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_all: int = 0
    hidden: str = ""

    @property
    def n_hidden(self) -> int:
        """How many rows are left out."""
        return max(self.n_all - len(self.rows), 0)


@dataclass(frozen=True)
class Picture:
    """A chart: where it stands among the report's figures, what it says, and its numbers."""

    place: int
    title: str
    subtitle: str
    alt: str
    reading: str
    numbers: Table


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    sentences: Sequence[str]


@dataclass(frozen=True)
class Commands:
    """Lines to type."""

    lines: Sequence[str]


Block = Text | Facts | Table | Picture | Items | Commands


@dataclass(frozen=True)
class Section:
    """A part with a title; `name` is its address on the page."""

    name: str
    title: str
    blocks: Sequence[Block] = field(default_factory=tuple)


def readable(text: str, longest: int = 600) -> str:
    """Return a text without what would turn the direction of the rest of a line, and not longer than can be read.

    Examples
    --------
    >>> readable("a\\u202eb"), readable("x" * 9, 4)
    ('a\ufffdb', 'xxx…')
    """
    return short("".join(c if c.isprintable() or c in "\u200c\u200d\ufe0f" else " " if c in "\n\r\t" else "\ufffd"
                         for c in text.translate(_BIDI)), longest)  # fmt: skip


def table_of(
    rows: Sequence[dict[str, Any]], caption: str, *, hidden: str = "", names: dict[str, str] | None = None
) -> Table:
    """Make a table of plain rows, the first fifty of them.

    Examples
    --------
    >>> table_of([{"group": "cat", "p_worst": 0.25}], "Ranks").header
    ['Group', 'P(worst)']
    """
    known = _NAMES | (names or {})
    header = [known.get(name, name.replace("_", " ").capitalize()) for name in (rows[0] if rows else ())]
    cells = [[_cell(value) for value in row.values()] for row in rows[:MOST_ROWS]]
    return Table(caption, header, cells, len(rows), hidden)


def _cell(value: Any) -> str:
    return decimals(value) if isinstance(value, float) else readable(cell(value), 80)


_NAMES = {"p_worst": "P(worst)", "p_best": "P(best)", "low": "Interval from", "high": "to", "mean": "Mean"}
