"""Light and dark in one drawing."""

import re

import pytest

from labelwise.plots.theme import DARK, LIGHT
from labelwise.report.colours import Colours, both


def dressed(svg, style, scheme):
    """The drawing with its variables put in, as a browser would."""
    names = re.findall(r"--([\w]+):([^;]+);", style.split("@media")[0 if scheme == "light" else 1])
    for name, value in names:
        svg = svg.replace(f"var(--{name})", value)
    return re.sub(r"lw[0-9a-f]{8}-", "", svg)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_drawing_holds_both_to_the_letter(animal_report, scheme):
    from dataclasses import replace

    for chart in animal_report.charts:
        colours = Colours()
        svg = both(chart, colours)
        plain = replace(chart, title="", subtitle="").svg(scheme)
        assert dressed(svg, colours.style(), scheme) == re.sub(r"lw[0-9a-f]{8}-", "", plain)


def test_drawings_that_differ_in_more_than_colour_are_both_kept(animal_report):
    from dataclasses import replace

    chart = animal_report.charts[0]
    drawing = chart.drawing
    odd = replace(chart, drawing=lambda theme: drawing(theme) | ({"width": 100} if theme is DARK else {}))
    svg = both(odd, Colours())
    assert svg.count("<svg") == 2
    assert 'class="light"' in svg
    assert 'class="dark"' in svg


def test_the_sheet_has_its_names_in_both():
    style = Colours().style()
    assert f"--ink:{LIGHT.ink};" in style.split("@media")[0]
    assert f"--ink:{DARK.ink};" in style.split("@media")[1]
