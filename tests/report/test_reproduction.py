"""Reproduced tables as Markdown."""

from labelwise.report import render_reproduction
from labelwise.reproduce import Reproduction, Row


def test_rows_that_disagree_are_said_to_and_notes_follow():
    rows = (Row(("SVHN",), "as printed", 5.0, 9.0, 0.1), Row(("SVHN",), "as coded", 5.0, 5.0, 0.1))
    text = render_reproduction(Reproduction("3", "RMSE", ("data",), rows, 1_000, ("Why.",)))
    assert "1,000 runs; 1 of 2 rows agree." in text
    assert "| SVHN | as printed | 5 | 9.00 | 0.10 | 0.50 | no |" in text
    assert text.endswith("\n\nWhy.")
