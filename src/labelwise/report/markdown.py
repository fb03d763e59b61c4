"""Sections as Markdown, charts in words and numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from labelwise.report.blocks import Block, Commands, Facts, Items, Picture, Section, Table, Text

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")
_SHOWN = 20  # rows of the numbers behind a chart


def markdown_page(title: str, sections: Sequence[Section], *, footer: str) -> str:
    """Write sections as Markdown.

    Examples
    --------
    >>> print(markdown_page("A *report*", [Section("a", "Answer", [Text("x < y")])], footer="the end"))
    # A \\*report\\*
    <BLANKLINE>
    ## Answer
    <BLANKLINE>
    x \\< y
    <BLANKLINE>
    ---
    <BLANKLINE>
    the end
    <BLANKLINE>
    """
    parts = [f"# {harmless(title)}"]
    for section in sections:
        parts += [f"## {harmless(section.title)}", *(_block(block) for block in section.blocks)]
    return "\n\n".join([*parts, "---", harmless(footer)]) + "\n"


def harmless(text: str) -> str:
    """Keep Markdown and HTML from reading a text as anything but text.

    Examples
    --------
    >>> harmless("<b>_x_|1. a")
    '\\\\<b\\\\>\\\\_x\\\\_\\\\|1. a'
    """
    return _SPECIAL.sub(r"\\\1", text)


def _block(block: Block) -> str:
    match block:
        case Text():
            words = harmless(block.words)
            return (
                f"**{words}**" if block.role in ("lead", "note") else f"> {words}" if block.role in _QUOTED else words
            )
        case Items():
            return "\n".join(f"- {harmless(words)}" for words in block.sentences)
        case Commands():
            fence = "`" * max(3, *(1 + len(run) for run in re.findall("`+", "\n".join(block.lines))), 3)
            return f"{fence}\n" + "\n".join(block.lines) + f"\n{fence}"
        case Facts():
            return _table(Table("", ["", ""], [list(pair) for pair in block.pairs]))
        case Table():
            return _table(block)
        case Picture():
            numbers = Table(
                "", block.numbers.header, block.numbers.rows[:_SHOWN], block.numbers.n_all, block.numbers.hidden
            )
            return f"### {harmless(block.title)}\n\n{harmless(block.alt)}\n\n{_table(numbers)}"


_QUOTED = ("met", "open")


def _table(table: Table) -> str:
    lines = [f"| {' | '.join(harmless(name) for name in table.header)} |", "|" + "---|" * len(table.header)]
    lines += [f"| {' | '.join(harmless(value) for value in row)} |" for row in table.rows]
    caption = f"{harmless(table.caption)}\n\n" if table.caption else ""
    more = (
        f"\n\n{len(table.rows):,} of {table.n_all:,} rows are shown. {harmless(table.hidden)}" if table.n_hidden else ""
    )
    return caption + "\n".join(lines) + more
