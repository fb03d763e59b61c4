"""The coverage card drawn: its own shares, and which fall short."""

import labelwise as lw
from labelwise.plots import coverage_chart
from labelwise.simulation.card import COLUMNS, ROWS


def test_the_frame_is_the_card():
    cells = {(row, column): lw.simulation.Cell(90, 100) for row in ROWS for column in COLUMNS}
    cells["every", "learned prior"] = None
    cells["fixed", "flat prior"] = lw.simulation.Cell(60, 100)
    chart = coverage_chart(lw.simulation.Card(0.95, 0, cells))
    assert len(chart.frame()["covered"]) == len(cells) - 1
    assert chart.frame()["covered"][0] == 0.6
    assert set(chart.frame()["nominal"]) == {0.95}
    assert (
        "1 cover clearly less often than 0.95; the lowest coverage is 0.600 (flat prior, once, after 20 labels)"
        in chart.alt
    )
