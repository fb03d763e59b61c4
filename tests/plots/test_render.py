"""Pictures from descriptions."""

import sys

import pytest

import labelwise as lw
from labelwise.plots.render import html_of, pdf_of, png_of, svg_of
from labelwise.pool import Frame

SPEC = {
    "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
    "data": {"values": [{"x": 1, "g": '<b id="a">'}, {"x": 2, "g": "dog"}]},
    "mark": {"type": "bar", "clip": True},
    "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "g", "type": "nominal"}},
}


def test_the_same_description_gives_the_same_bytes_however_much_was_drawn_before():
    first = svg_of(SPEC, "t", "a")
    svg_of(SPEC | {"mark": "point"}, "t", "a")
    assert svg_of(SPEC, "t", "a") == first


def test_a_picture_says_what_it_shows_and_text_stays_text():
    svg = svg_of(SPEC, "a < b", 'said "so"')
    assert "<title>a &lt; b</title><desc>said &quot;so&quot;</desc>" in svg
    assert svg.count('role="img"') == 1
    assert "<b id" not in svg


def test_pixels_and_pages():
    svg = svg_of(SPEC, "t", "a")
    assert png_of(svg, 1.0).startswith(b"\x89PNG")
    assert pdf_of(svg).startswith(b"%PDF")


def test_a_page_shows_two_hundred_rows_and_counts_the_rest():
    page = html_of("<svg></svg>", "<t>", "<a>", Frame({"<n>": range(205)}), ink="#000", background="#fff")
    assert page.count("<tr><td>") == 200
    assert "and 5 more rows" in page
    assert "<n>" not in page
    assert "<a>" not in page


def test_without_the_library_the_way_out_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(lw.ArgumentError, match=r"Install it with `pip install 'labelwise\[charts\]'`"):
        svg_of(SPEC, "t", "a")
