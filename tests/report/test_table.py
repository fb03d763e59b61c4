"""Cells and drawn intervals."""

import math

from labelwise.report.table import Scale, cell_name, decimals, rest_of


def test_names_from_the_data_cannot_move_the_cursor_and_long_ones_lose_their_middle():
    assert cell_name("a\x1b[2Jb\n") == "a?[2Jb?"
    assert len(cell_name("x" * 100)) == 40


def test_numbers_have_four_decimals_or_are_a_dash():
    assert [decimals(v) for v in (0.12345, None, math.nan, -3.0, 1234.5)] == ["0.1235", "-", "-", "-3.0000", "1234.5"]


def test_what_is_left_out_is_counted():
    assert rest_of(1_200, 20) == "\n  ... and 1,180 more"
    assert rest_of(20, 20) == ""


def test_a_scale_draws_ends_and_mean_where_they_are():
    scale = Scale([{"low": 0.0, "mean": 0.2, "high": 0.5}, {"low": 0.5, "mean": 0.9, "high": 1.0}], unicode=True)
    bar = scale.bar({"low": 0.5, "mean": 0.75, "high": 1.0})
    assert len(bar) == 25
    assert bar.index("●") == 18
    assert bar[:12].strip() == ""
    assert scale.bar({"low": math.nan, "mean": math.nan, "high": math.nan}).strip() == ""
