"""The panel of one interval per row."""

import math

import pytest

from labelwise.plots.intervals import interval_panel, is_number, label_axis, span
from labelwise.plots.theme import theme_named

ROWS = [
    {"label": "cat", "mean": 0.5, "low": 0.4, "high": 0.6, "status": "known", "shaded": True},
    {"label": "dog", "mean": 0.9, "low": 0.8, "high": 1.0, "status": "prior only", "shaded": False},
]
COLOURS = {"known": "#000001", "prior only": "#000002", "never": "#000003"}


def test_an_axis_holds_every_interval_and_the_line_but_does_not_pass_its_ends():
    assert span(ROWS) == [pytest.approx(0.376), 1.0]
    assert span(ROWS, 0.01)[0] == 0.0
    assert span([{"mean": -2.0, "low": -3.0, "high": 5.0}]) == [pytest.approx(-3.32), pytest.approx(5.32)]
    assert span([{"mean": None, "low": math.nan, "high": None}]) == [0.0, 1.0]


def test_what_cannot_be_drawn_is_no_number():
    assert [is_number(value) for value in (0.0, None, math.nan, math.inf)] == [True, False, False, False]


def test_groups_keep_their_order():
    assert label_axis(ROWS[::-1])["scale"]["domain"] == ["dog", "cat"]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_dots_without_labels_are_hollow_and_only_what_occurs_is_in_the_legend(name):
    theme = theme_named(name)
    panel = interval_panel(theme, ROWS, title="x", colours=COLOURS, hollow=["prior only"], line=0.7)
    dots = panel["layer"][2]["encoding"]
    assert dots["fill"]["scale"] == {"domain": ["known", "prior only"], "range": ["#000001", theme.background]}
    assert dots["stroke"]["scale"]["range"] == ["#000001", "#000002"]
    assert panel["layer"][-1]["mark"]["text"] == "goal 0.7"
