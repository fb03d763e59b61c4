"""Every figure and table can be drawn, with its published values beside ours."""

from pathlib import Path

import numpy as np
import pytest

from labelwise.reproduce import REPRODUCTIONS, Reproduction, Row, Sources, Study
from labelwise.reproduce.drawings import drawn
from labelwise.reproduce.drawings.drawing import _DRAWINGS
from labelwise.reproduce.study import stacked

QUICK = ("workshop-fig1", "workshop-fig2", "workshop-fig8", "supplement-differences", "supplement-scatter")
SLOWER = ("supplement-reliability", "supplement-ece-posterior", "supplement-ece-error", "workshop-fig10")


def shown(chart, kind):
    """Give the rows that are drawn as a kind of mark."""
    return [row for panel in chart.spec()["concat"] for row in panel["data"]["values"] if row["kind"] == kind]


def test_every_figure_has_a_drawing_of_its_own():
    figures = [name for name in REPRODUCTIONS if "fig" in name or name.startswith("supplement-")]
    assert set(figures) <= set(_DRAWINGS) <= set(REPRODUCTIONS)


def test_the_toy_problem_is_drawn_without_data():
    found = REPRODUCTIONS["workshop-fig4"](Study(Sources(Path("data")), 10))
    chart = drawn(found)
    points = shown(chart, "points")
    assert np.allclose([row["y"] for row in points], found.frame["mean"], atol=1e-4)
    assert chart.svg().startswith("<svg")
    assert chart.frame() is found.frame


def test_a_table_is_drawn_as_published_numbers_beside_ours():
    rows = tuple(Row(("SVHN", "IPrior", f"{n}"), "as coded", 5.1, 5.0, 0.1) for n in (20, 50))
    chart = drawn(Reproduction("3", "RMSE (%)", ("data", "method", "labels"), rows, 100))
    assert [row["y"] for row in shown(chart, "points")] == ["IPrior, 20", "IPrior, 50"]
    assert [row["x"] for row in shown(chart, "points published")] == [5.1, 5.1]
    assert shown(chart, "points")[0]["low"] == pytest.approx(4.7)
    assert list(chart.frame()["published"]) == [5.1, 5.1]


def test_ranks_by_labels_have_table_6_beside_them():
    at = np.array([10, 20])
    part = {"labels": at, "share": at / 20, "mrr": np.array([0.5, 1.0]), "error": 0.01}
    frame = stacked([{"data": "SVHN", "m": 1, "method": method} | part for method in ("UPrior", "IPrior+TS")])
    chart = drawn(Reproduction("fig3", "MRR", n_runs=10, frame=frame))
    assert {row["name"]: (row["x"], row["y"]) for row in shown(chart, "points published")} == {
        "UPrior": (90.5, 0.99), "IPrior": (89.8, 0.99), "IPrior+TS": (82.8, 0.99),
    }  # fmt: skip
    assert "Diamonds are published values (table 6)" in chart.subtitle


def test_counts_that_disagree_as_printed_are_drawn_as_coded_too():
    rows = [
        Row(("CIFAR-100", method), protocol, 100.0, ours, 1.0, digits=0)
        for method, protocol, ours in [("A", "as printed", 50.0), ("A", "as coded", 99.0), ("B", "as printed", 101.0)]
    ]
    part = {"labels": np.array([1, 2]), "share": np.array([0.5, 1.0]), "mean": np.array([0.1, 1.0]), "error": 0.01}
    frame = stacked([{"data": "CIFAR-100", "method": method} | part for method in "AB"])
    chart = drawn(Reproduction("supplement-ttts", "TTTS", ("data", "method"), tuple(rows), 10, frame=frame))
    assert [(row["y"], row["x"]) for row in shown(chart, "points")] == [("A", 50), ("A, as coded", 99), ("B", 101)]


@pytest.mark.data
@pytest.mark.parametrize("name", [*QUICK, *SLOWER])
def test_figures_of_the_real_data_can_be_drawn(data_folder, name):
    found = REPRODUCTIONS[name](Study(Sources(data_folder), 10))
    chart = drawn(found)
    assert chart.svg() == chart.svg()
    assert found.title in chart.alt


@pytest.mark.data
def test_published_biases_lie_on_ours(data_folder):
    chart = drawn(REPRODUCTIONS["workshop-fig1"](Study(Sources(data_folder), 10)))
    bias = {row["y"]: row["x"] for row in chart.spec()["concat"][1]["data"]["values"] if row["kind"] == "points"}
    for row in shown(chart, "points published"):
        assert row["x"] == pytest.approx(bias[row["y"]], abs=1e-4)
