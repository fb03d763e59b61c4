"""Text that can be read, and tables of plain rows."""

import pytest

from labelwise.report.blocks import MOST_ROWS, readable, table_of


@pytest.mark.parametrize("mark", ["\u202a", "\u202e", "\u2066", "\u2069", "\u200f", "\x00", "\x1b", "\ud800"])
def test_nothing_turns_or_breaks_a_line(mark):
    assert readable(f"a{mark}b") == "a\ufffdb"


def test_emoji_and_foreign_scripts_stay():
    for name in ("👩‍🔬", "قطة", "猫", "naïve"):
        assert readable(name) == name


def test_a_table_shows_the_first_rows_and_counts_the_others():
    table = table_of([{"group": k, "mean": k / 7} for k in range(MOST_ROWS + 8)], "T")
    assert (len(table.rows), table.n_hidden, table.rows[1]) == (MOST_ROWS, 8, ["1", "0.1429"])
    assert table_of([], "T").header == []
