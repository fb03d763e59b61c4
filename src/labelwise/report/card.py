"""The coverage card as one plain document, as text for the terminal and as Markdown."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from labelwise.report.table import percent, table
from labelwise.simulation.card import COLUMNS, ROWS, WORLD, Card, Cell

_HEAD = """# How often intervals cover

Measured, not derived: the share of simulated runs in which an interval of level {level} covers the true accuracy (in
rows that look more than once: covers at all of these looks), with its standard error. A good interval of this level has
{share} or more. Written by `make card`; `labelwise study card` measures it anew. The kinds of intervals
are explained in [what the intervals promise](intervals.md)."""


def card_document(card: Card) -> dict[str, Any]:
    """Return the card as one plain document.

    Examples
    --------
    >>> from labelwise.simulation import coverage_card
    >>> document = card_document(coverage_card(n_runs=10, seed=1))
    >>> document["level"], document["cells"][0]["interval"]
    (0.95, 'flat prior')
    """
    return {"level": card.level, "seed": card.seed, "world": WORLD, "cells": card.frame().rows()}


def render_card(card: Card) -> str:
    """Write the card as text."""
    lines = [[words, *(_cell(card.cells[row, column]) for column in COLUMNS)] for row, words in ROWS.items()]
    head = f"Share of simulated runs in which the {percent(card.level)} interval covers at every look, ± standard error"
    return f"{head}\n\n{table(['looked at', *COLUMNS], lines)}\n\n{fill(_notes(card), 100)}"


def card_page(card: Card) -> str:
    """Write the card as a page of the documentation."""
    lines = [f"| looked at | {' | '.join(COLUMNS)} |", f"|---|{'---:|' * len(COLUMNS)}"]
    for row, words in ROWS.items():
        cells = " | ".join(_cell(card.cells[row, column]) for column in COLUMNS)
        lines.append(f"| {words} | {cells} |")
    head = _HEAD.format(level=f"{card.level:g}", share=percent(card.level))
    return "\n\n".join([head, "\n".join(lines), fill(_notes(card), 120)]) + "\n"


def _cell(cell: Cell | None) -> str:
    return "-" if cell is None else f"{cell.share:.3f} ± {cell.error:.3f}"


def _notes(card: Card) -> str:
    runs = {column: card.cells["fixed", column] for column in COLUMNS}
    counts = {column: 0 if cell is None else cell.n_runs for column, cell in runs.items()}
    return (
        f"{WORLD} {counts['flat prior']:,} runs ({counts['learned prior']:,} with the learned prior, which is not "
        f"played at every label), seed {card.seed}."
    )
