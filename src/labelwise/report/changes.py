"""From the document of a comparison to sections in words."""

from __future__ import annotations

from typing import Any

from labelwise.report.blocks import MOST_ROWS, Block, Facts, Items, Section, Table, Text, readable
from labelwise.report.guarantee import KINDS
from labelwise.report.sections import pictures
from labelwise.report.table import chance, decimals, ends, percent


def comparison_sections(document: dict[str, Any]) -> list[Section]:
    """Return the sections of a comparison of two assessments."""
    blocks: list[Block] = [
        Text(readable(document["question"]), "question"),
        Text(readable(document["headline"]), "lead"),
        _wholes(document),
        Text("Before you rely on it:", "note"),
        Items([readable(note) for note in document["notes"]]),
    ]
    level = percent(document["level"])
    promises = [f"{level} {KINDS[kind]}: {sentence}." for kind, sentence in document["guarantees"].items()]
    found = [
        Section("answer", "The answer", blocks),
        Section("charts", "Charts", pictures(document)),
        Section("groups", "Group by group", _groups(document)),
        Section("promises", "What the intervals promise", [Items(promises)]),
        Section("assumed", "What is compared", [_sides(document)]),
        Section("again", "Versions", [Facts(list(document["versions"].items()))]),
    ]
    return [section for section in found if section.blocks]


def _wholes(document: dict[str, Any]) -> Table:
    level, difference = percent(document["level"]), document["difference"]
    rows = [
        [readable(side["name"], 80), f"{side['labels']:,}", decimals(side["mean"]), ends(side), f"{level} credible"]
        for side in document["assessments"]
    ]
    rows.append(["Second less first", "", f"{difference['mean']:+.4f}", _signed(difference), f"{level} credible"])
    design = difference["design"]
    if design is not None:
        name = "Second less first, without a prior"
        rows.append([name, "", f"{design['mean']:+.4f}", _signed(design), f"{level} design-based"])
    header = ["Accuracy of all items", "Labels", "Estimate", "Interval", "Kind"]
    return Table("Accuracy of all items, and the difference", header, rows, len(rows))


def _signed(value: dict[str, Any]) -> str:
    return f"[{value['low']:+.4f}, {value['high']:+.4f}]"


def _groups(document: dict[str, Any]) -> list[Block]:
    blocks: list[Block] = []
    if document["groups"]:
        hidden = "All of them are in the JSON twin (--format json)."
        caption = "Groups that both have, largest loss first"
        first, second = (readable(side["name"], 40) for side in document["assessments"])
        header = ["Group", f"Labels, {first}", f"Labels, {second}", first, second, "Difference",
                  f"{percent(document['level'])} credible", "P(better)"]  # fmt: skip
        rows = [_change(row) for row in document["groups"][:MOST_ROWS]]
        blocks.append(Table(caption, header, rows, len(document["groups"]), hidden))
    else:
        blocks.append(Text("The two have no group of the same name with items in both."))
    for side, names in document["alone"].items():
        if names:
            some = ", ".join(readable(name, 60) for name in names[:10]) + (
                f" and {len(names) - 10:,} more" if names[10:] else ""
            )
            blocks.append(Text(f"Only the {side} has: {some}."))
    return blocks


def _change(row: dict[str, Any]) -> list[str]:
    return [
        readable(row["group"], 80), f"{row['labels_first']:,}", f"{row['labels_second']:,}", decimals(row["first"]),
        decimals(row["second"]), f"{row['mean']:+.4f}", _signed(row), chance(row["p_better"]),
    ]  # fmt: skip


def _sides(document: dict[str, Any]) -> Table:
    one, other = document["assessments"]
    rows = [[name, *(readable(said[name], 200) for said in (_facts(one), _facts(other)))] for name in _facts(one)]
    header = ["", readable(f"First: {one['name']}", 80), readable(f"Second: {other['name']}", 80)]
    return Table("The two assessments", header, rows, len(rows))


def _facts(side: dict[str, Any]) -> dict[str, str]:
    how = side["settings"]
    return {
        "Question": side["question"],
        "Pool": how["pool"],
        "Fingerprint": how["fingerprint"],
        "Items": f"{how['items']:,}",
        "Groups": f"{how['groups']:,}, by {how['grouping']}",
        "Labels": f"{side['labels']:,}",
        "Prior": how["prior"],
        "Policy": how["policy"],
        "Seed": str(how["seed"]),
        "Opened": side["opened"],
        "Newest event": side["newest"],
    }
