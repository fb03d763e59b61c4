"""Curves over labels, with published values beside them."""

import numpy as np

from papers import Reproduction, Row
from papers.drawings import drawn
from papers.study import stacked


def test_ranks_by_labels_have_table_6_beside_them(shown):
    at = np.array([10, 20])
    part = {"labels": at, "share": at / 20, "mrr": np.array([0.5, 1.0]), "error": 0.01}
    frame = stacked([{"data": "SVHN", "m": 1, "method": method} | part for method in ("UPrior", "IPrior+TS")])
    chart = drawn(Reproduction("fig3", "MRR", n_runs=10, frame=frame))
    assert {row["name"]: (row["x"], row["y"]) for row in shown(chart, "points published")} == {
        "UPrior": (90.5, 0.99), "IPrior": (89.8, 0.99), "IPrior+TS": (82.8, 0.99),
    }  # fmt: skip
    assert "Diamonds are published values (table 6)" in chart.subtitle


def test_counts_that_disagree_as_printed_are_drawn_as_coded_too(shown):
    rows = [
        Row(("CIFAR-100", method), protocol, 100.0, ours, 1.0, digits=0)
        for method, protocol, ours in [("A", "as printed", 50.0), ("A", "as coded", 99.0), ("B", "as printed", 101.0)]
    ]
    part = {"labels": np.array([1, 2]), "share": np.array([0.5, 1.0]), "mean": np.array([0.1, 1.0]), "error": 0.01}
    frame = stacked([{"data": "CIFAR-100", "method": method} | part for method in "AB"])
    chart = drawn(Reproduction("supplement-ttts", "TTTS", ("data", "method"), tuple(rows), 10, frame=frame))
    assert [(row["y"], row["x"]) for row in shown(chart, "points")] == [("A", 50), ("A, as coded", 99), ("B", 101)]
