"""Reproduced tables as Markdown."""

from labelwise.pool import Frame
from papers import Claim, Reproduction, Row
from papers.markdown import render_reproduction


def test_rows_that_disagree_are_said_to_and_notes_follow():
    rows = (Row(("SVHN",), "as printed", 5.0, 9.0, 0.1), Row(("SVHN",), "as coded", 5.0, 5.0, 0.1))
    text = render_reproduction(Reproduction("3", "RMSE", ("data",), rows, 1_000, ("Why.",)))
    assert "1,000 runs; 1 of 2 rows agree." in text
    assert (
        "| SVHN | as printed | 5 | 9.00 | 0.10 | 0.50 | no | the published code does otherwise: as coded it agrees |"
        in text
    )
    assert text.endswith("\n\nWhy.")


def test_a_figure_has_directions_and_the_size_of_its_data():
    claims = (Claim("SVHN", "active is faster", "10 < 20", holds=True), Claim("MNIST", "so too", "3 > 2", holds=False))
    text = render_reproduction(Reproduction("fig3", "Curves", claims=claims, frame=Frame({"x": [1, 2]})))
    assert text.startswith("## Figure 3: Curves\n\n1 of 2 directions hold; 2 rows of data.\n")
    assert "| MNIST | so too | 3 > 2 | no |" in text


def test_other_papers_are_named_in_the_heading():
    assert render_reproduction(Reproduction("workshop-fig7", "Bias")).startswith("## Workshop figure 7: Bias")
    assert render_reproduction(Reproduction("preprint-table-2", "ECE")).startswith("## Preprint table 2: ECE")
