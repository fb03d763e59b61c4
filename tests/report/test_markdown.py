"""Markdown: names stay text there too."""

import re

from labelwise.report.blocks import Commands, Facts, Items, Section, Table, Text
from labelwise.report.markdown import harmless, markdown_page


def test_hostile_names_neither_break_tables_nor_become_markup(hostile_report):
    text = hostile_report.markdown()
    assert not re.search(r"(?<!\\)<(script|img|/svg)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1


def test_every_block_has_its_form():
    blocks = [
        Text("a", "met"),
        Items(["b"]),
        Commands(["c `d`"]),
        Facts([("e", "f")]),
        Table("g", ["h"], [["i"]], 2, "j"),
    ]
    text = markdown_page("t", [Section("s", "S", blocks)], footer="end")
    for part in ("# t", "## S", "> a", "- b", "```\nc `d`\n```", "| e | f |", "1 of 2 rows are shown. j", "end"):
        assert part in text


def test_a_backslash_is_escaped_too():
    assert harmless("a\\|b") == "a\\\\\\|b"
