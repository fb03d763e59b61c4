"""Figures with a row per class."""

import pytest

from papers import REPRODUCTIONS, Sources, Study
from papers.drawings import drawn
from papers.drawings.classes import _shown


def test_of_many_classes_both_ends_are_shown():
    assert _shown(25) == (list(range(25)), "")
    shown, words = _shown(100)
    assert shown == [*range(15), *range(90, 100)]
    assert words == "The 15 worst and the 10 best of 100 classes."


@pytest.mark.data
def test_published_biases_lie_on_ours(data_folder, shown):
    chart = drawn(REPRODUCTIONS["workshop-fig1"](Study(Sources(data_folder), 10)))
    bias = {row["y"]: row["x"] for row in chart.spec()["concat"][1]["data"]["values"] if row["kind"] == "points"}
    for row in shown(chart, "points published"):
        assert row["x"] == pytest.approx(bias[row["y"]], abs=1e-4)
