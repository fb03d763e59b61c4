"""Tables, drawn."""

import pytest

from papers import Reproduction, Row
from papers.drawings import drawn


def test_a_table_is_drawn_as_published_numbers_beside_ours(shown):
    rows = tuple(Row(("SVHN", "IPrior", f"{n}"), "as coded", 5.1, 5.0, 0.1) for n in (20, 50))
    chart = drawn(Reproduction("3", "RMSE (%)", ("data", "method", "labels"), rows, 100))
    assert [row["y"] for row in shown(chart, "points")] == ["IPrior, 20", "IPrior, 50"]
    assert [row["x"] for row in shown(chart, "points published")] == [5.1, 5.1]
    assert shown(chart, "points")[0]["low"] == pytest.approx(4.7)
    assert list(chart.frame()["published"]) == [5.1, 5.1]
