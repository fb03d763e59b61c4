"""Panels: what is drawn of each series, and how published ones are told from ours."""

import numpy as np
import pytest

from labelwise.errors import ArgumentError
from labelwise.plots import Panel, Series, panel_chart
from labelwise.plots.panels import kept
from labelwise.pool import Frame

FRAME = Frame({"x": [1.0, 10.0], "y": [0.5, 0.9]})


def chart(*series, **options):
    return panel_chart([Panel("one", series, **options)], FRAME, title="A figure", alt="It grows.")


def marks(found):
    [panel] = found.spec()["concat"]
    return [
        (layer["mark"]["type"], layer["mark"].get("strokeDash"), layer["mark"].get("shape")) for layer in panel["layer"]
    ]


def test_a_line_with_ends_has_a_band():
    assert marks(chart(Series("a", [1, 10], [0.5, 0.9]))) == [("line", None, None)]
    assert marks(chart(Series("a", [1, 10], [0.5, 0.9], [0.4, 0.8], [0.6, 1.0])))[0][0] == "area"


def test_what_is_published_is_broken_or_hollow():
    lines = chart(Series("a", [1, 10], [0.5, 0.9]), Series("a", [1, 10], [0.4, 0.9], is_published=True))
    assert marks(lines) == [("line", None, None), ("line", [4, 3], None)]
    points = chart(Series("a", [1], [0.5], mark="points"), Series("a", [1], [0.4], mark="points", is_published=True))
    assert marks(points) == [("point", None, None), ("point", None, "diamond")]


def test_names_have_rows_in_their_order_and_bars_across():
    found = chart(Series("a", [0.5, 0.9], ["emu", "cat"], [0.4, 0.8], [0.6, 1.0], mark="points"))
    [panel] = found.spec()["concat"]
    rule = panel["layer"][0]
    assert rule["mark"]["type"] == "rule"
    assert rule["encoding"]["x2"] == {"field": "high"}
    assert rule["encoding"]["y"]["scale"]["domain"] == ["emu", "cat"]
    assert panel["height"] == {"step": 15}


def test_a_name_has_one_colour_in_all_panels_and_a_single_name_no_legend():
    panels = [Panel("one", (Series("a", [1], [1]),)), Panel("two", (Series("b", [1], [1]), Series("a", [1], [2])))]
    spec = panel_chart(panels, FRAME, title="A figure", alt="It grows.").spec()
    scales = [layer["encoding"]["color"]["scale"] for panel in spec["concat"] for layer in panel["layer"]]
    assert scales[0]["domain"] == ["a", "b"]
    assert all(scale == scales[0] for scale in scales)
    [panel] = chart(Series("a", [1], [1])).spec()["concat"]
    assert panel["layer"][0]["encoding"]["color"]["legend"] is None


def test_an_axis_of_factors_has_a_line_at_powers_of_ten_only():
    [panel] = chart(Series("a", [3, 2_000], [0.5, 0.9]), is_log=True).spec()["concat"]
    x = panel["layer"][0]["encoding"]["x"]
    assert (x["scale"]["type"], x["axis"]["values"]) == ("log", [10, 100, 1000])


def test_a_thinned_line_stays_within_a_hair_of_all_points():
    x = np.linspace(0, 1, 500)
    y = np.sin(6 * x)
    places = kept(x, y)
    assert len(places) < 60
    assert np.abs(np.interp(x, x[places], y[places]) - y).max() <= 0.005 * np.ptp(y)


def test_more_names_than_colours_are_refused(refusal):
    sentence = refusal(ArgumentError, chart, *(Series(f"{k}", [1], [1]) for k in range(8)))
    assert sentence == "Panels must have 1 to 7 different series names, but these have 8."


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_is_the_same_each_time(theme):
    one = chart(Series("a", [1, 10], [0.5, 0.9]), Series("b", [5], mark="upright"), has_diagonal=True)
    assert one.svg(theme) == one.svg(theme)
    assert "It grows." in one.svg(theme)
