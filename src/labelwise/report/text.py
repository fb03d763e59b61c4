"""A measurement as text for the terminal."""

from __future__ import annotations

import math
from typing import Any

from labelwise.report.curve import curve_text
from labelwise.report.guarantee import guarantees, render_guarantees
from labelwise.report.measurement import Measurement
from labelwise.report.table import Scale, cell_name, decimals, ends, rest_of, table


def render_text(result: Measurement, *, rows: int = 20, width: int = 200, unicode: bool = True) -> str:
    """Write a measurement as tables, worst groups first.

    Parameters
    ----------
    result : from `measure`.
    rows : groups to show; 0 for all.
    width : characters a line may have; columns that do not fit are left out.
    unicode : whether the terminal can draw lines.
    """
    parts = [_head(result), _overall(result), _groups(result, rows, width, unicode)]
    if result.comparison is not None:
        d = result.comparison
        parts.append(
            f"{d.sentence()}\n  difference {d.mean:+.4f} [{d.low:+.4f}, {d.high:+.4f}]; "
            f"P(lower) {d.p_lower:.4f}, P(equal) {d.p_equal:.4f}, P(higher) {d.p_higher:.4f} "
            f"(margin {d.margin:g}, {d.method})"
        )
    if result.paired is not None:
        parts.append(_against(result))
    if result.hand_off is not None:
        h = result.hand_off
        parts.append(
            f"With {', '.join(h.groups)} handed to a person ({h.share:.1%} of the items), accuracy goes from "
            f"{h.before:.4f} to {h.after:.4f} [{h.low:.4f}, {h.high:.4f}]."
        )
    for name, frame in result.tables.items():
        drawn = curve_text(frame.rows(), unicode=unicode) if name == "curve" else _frame(frame.rows(), rows)
        parts.append(f"{name.capitalize()}\n{drawn}")
    parts += [f"Note: {note}" for note in result.notes]
    return "\n\n".join(part for part in parts if part)


def _head(result: Measurement) -> str:
    facts, how = result.pool, result.settings
    labelled = "all labelled" if facts["labelled"] == facts["items"] else f"{facts['labelled']:,} labelled"
    return (
        f"{facts['source']}: {facts['items']:,} items ({labelled}), {facts['classes']:,} classes\n"
        f"{how['level']:.4g} {how['kind']} credible intervals; target: {how['target']}"
    )


def _overall(result: Measurement) -> str:
    lines = []
    for row in result.overall:
        interval = "" if row["low"] is None or math.isnan(row["low"]) else ends(row)
        mean = "" if row["mean"] is None else decimals(row["mean"])
        lines.append([row["metric"], mean, interval, decimals(row["known"])])
        if "plug_in" in row:
            lines.append(["  plug-in", decimals(row["plug_in"]), "", ""])
    return "Overall\n" + table(["metric", "estimate", "interval", "on these labels"], lines)


def _groups(result: Measurement, limit: int, width: int, unicode: bool) -> str:
    found = result.group_rows()
    shown = found if limit == 0 else found[:limit]
    first, *others = result.estimates
    scale = Scale([row[first.metric] for row in found if row["items"]], unicode)
    columns = {"group": [cell_name(row["group"]) for row in shown], "items": [f"{row['items']:,}" for row in shown]}
    if any(row["labels"] != row["items"] for row in found):
        columns["labels"] = [f"{row['labels']:,}" for row in shown]
    columns[first.metric] = [decimals(row[first.metric]["mean"]) for row in shown]
    columns[f"{first.metric} interval"] = [ends(row[first.metric]) for row in shown]
    if result.impacts is not None:
        columns["impact"] = [decimals(row["impact"]["mean"]) for row in shown]
    for e in others:
        columns[e.metric] = [decimals(row[e.metric]["mean"]) for row in shown]
        columns[f"{e.metric} interval"] = [ends(row[e.metric]) for row in shown]
    columns["P(worst)"] = [f"{row['p_worst']:.3f}" if row["items"] else "" for row in shown]
    columns["rank"] = [_ranks(*row["rank"]) if row["items"] else "empty" for row in shown]
    columns[""] = ["tied" if row["tied"] else "" for row in shown]
    columns[scale.axis] = [scale.bar(row[first.metric]) if row["items"] else "" for row in shown]
    # what a narrow terminal can do without, first to go first; --json always has it
    later = [e.metric for e in reversed(others)]
    for spare in [
        scale.axis,
        *(f"{name} interval" for name in later),
        *later,
        *(["impact"] if result.impacts is not None else []),
    ]:
        if spare in columns and _width(columns) > width:
            del columns[spare]
    header = ["interval" if name.endswith(" interval") else name for name in columns]
    title = f"By {result.grouping}, worst {first.metric} first"
    rest = rest_of(len(found), len(shown))
    lines = [list(line) for line in zip(*columns.values(), strict=True)]
    words = render_guarantees(guarantees(first.level), first.level)
    return f"{title}\n{table(header, lines)}{rest}\n\n{words}{_verdict(result)}"


def _width(columns: dict[str, list[str]]) -> int:
    shown = {name: "interval" if name.endswith(" interval") else name for name in columns}
    return sum(2 + max(map(len, [shown[name], *cells])) for name, cells in columns.items())


def _verdict(result: Measurement) -> str:
    ranking, first = result.ranking, result.estimates[0]
    if ranking is None or len(ranking.order) < 2:
        return ""
    worst = int(ranking.order[0])
    tied = [cell_name(ranking.names[g]) for g in ranking.order[1:] if ranking.tied[g]]
    if not tied:
        chance = f"(P = {ranking.p_worst[worst]:.3f})"
        return f"\n\n'{cell_name(ranking.names[worst])}' has the worst {first.metric} {chance}."
    named = ", ".join(tied[:5]) + (f" and {len(tied) - 5} more" if len(tied) > 5 else "")
    chance = f"(P = {ranking.p_worst[worst]:.3f})"
    looks = f"'{cell_name(ranking.names[worst])}' looks worst in {first.metric} {chance}"
    return f"\n\n{looks}, but is not distinguishable from: {named}."


def _against(result: Measurement) -> str:
    assert result.paired is not None  # the caller looked
    p, d = result.paired, result.paired.difference
    return (
        f"'{d.one}' against '{d.other}' on the same {p.n_items:,} items: {d.metric} differs by {d.mean:+.4f} "
        f"[{d.low:+.4f}, {d.high:+.4f}]\n"
        f"  P('{d.one}' is higher) = {d.p_higher:.4f} ({d.method}). They predict differently on {p.n_differ:,} items; "
        f"only '{d.one}' is right on {p.n_only_one:,}, only '{d.other}' on {p.n_only_other:,}."
    )


def _frame(rows: list[dict[str, Any]], limit: int) -> str:
    shown = rows if limit == 0 else rows[:limit]
    cells = [[_cell(value) for value in row.values()] for row in shown]
    rest = rest_of(len(rows), len(shown))
    return table(list(rows[0]), cells, left=2) + rest if rows else "  (no rows)"


def _cell(value: Any) -> str:
    return decimals(value) if isinstance(value, float) else cell_name(str(value))


def _ranks(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"
