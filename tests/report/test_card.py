"""The coverage card as text, page and document."""

import json
from pathlib import Path

import pytest

from labelwise.report.card import card_document, card_page, render_card
from labelwise.simulation import coverage_card
from labelwise.simulation.card import COLUMNS, ROWS, WORLD


@pytest.fixture(scope="module")
def card():
    return coverage_card(n_runs=20, level=0.9, seed=1)


def test_text_and_page_have_every_cell_with_its_error(card):
    for text in (render_card(card), card_page(card)):
        for row, words in ROWS.items():
            [line] = [line for line in text.splitlines() if words in line]
            for column in COLUMNS:
                cell = card.cells[row, column]
                assert (f"{cell.share:.3f} ± {cell.error:.3f}" if cell else "-") in line
        words = " ".join(text.split())
        assert "20 runs (4 with the learned prior, which is not played at every label), seed 1." in words
        assert "scores lie between 0.9 and 1" in words


def test_the_text_fits_a_terminal_of_a_hundred_columns(card):
    assert max(map(len, render_card(card).splitlines())) <= 100


def test_the_page_is_titled_and_names_its_level(card):
    page = card_page(card)
    assert page.startswith("# How often intervals cover\n")
    assert "an interval of level 0.9 covers" in page
    assert max(map(len, page.splitlines())) <= 130


def test_the_document_is_plain(card):
    document = card_document(card)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert len(document["cells"]) == len(ROWS) * len(COLUMNS) - 1


def test_the_page_in_the_docs_is_of_these_rows_and_this_world():
    page = Path(__file__).parents[2].joinpath("docs", "coverage.md").read_text(encoding="utf-8")
    assert " ".join(WORLD.split()) in " ".join(page.split())
    for words in ROWS.values():
        assert f"| {words} | " in page
