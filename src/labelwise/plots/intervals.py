"""The interval panel shared by several charts: one interval per row, with its mean as a dot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from labelwise.plots.theme import Theme

Row = dict[str, Any]
STEP, WIDTH = 20, 420


def is_number(value: Any) -> bool:
    """Return whether a value can be drawn; rows of hidden groups and unknown values cannot."""
    return value is not None and math.isfinite(value)


def span(rows: Sequence[Row], line: float | None = None) -> list[float]:
    """Return the ends of an axis that contains all intervals, with some padding but within [0, 1] where they are.

    Examples
    --------
    >>> span([{"mean": 0.5, "low": 0.2, "high": 0.98}])
    [0.1688, 1.0]
    """
    values = [row[name] for row in rows for name in ("low", "mean", "high") if is_number(row[name])]
    values += [] if line is None else [line]
    if not values:
        return [0.0, 1.0]
    low, high = min(values), max(values)
    room = 0.04 * ((high - low) or 1.0)
    ends = [low - room, high + room]
    if low >= 0:
        ends[0] = max(ends[0], 0.0)
    if high <= 1:
        ends[1] = min(ends[1], 1.0)
    return [round(end, 12) for end in ends]


def label_axis(rows: Sequence[Row], *, title: str | None = None, has_labels: bool = True) -> dict[str, Any]:
    """Return the axis of groups, in the order of the rows."""
    axis: Any = {"title": title, "labelLimit": 240, "ticks": False, "domain": False, "grid": False, "labelPadding": 6}
    if not has_labels:
        axis |= {"labels": False, "title": None}
    domain = list(dict.fromkeys(row["label"] for row in rows))
    return {"field": "label", "type": "nominal", "scale": {"domain": domain}, "sort": None, "axis": axis}


def statuses(theme: Theme, present: Sequence[str], colours: dict[str, str], hollow: Sequence[str]) -> dict[str, Any]:
    """Return the encoding of dots by status; hollow dots are filled with the background colour."""
    ink = [colours[name] for name in present]
    inside = [theme.background if name in hollow else colours[name] for name in present]
    legend = None
    if len(present) > 1 or any(name in hollow for name in present):  # a single status needs no legend
        legend = {"title": None, "orient": "bottom", "direction": "horizontal", "columns": 2, "symbolStrokeWidth": 1.6}
    return {
        "stroke": {"field": "status", "type": "nominal", "scale": {"domain": present, "range": ink}, "legend": legend},
        "fill": {"field": "status", "type": "nominal", "scale": {"domain": present, "range": inside}, "legend": legend},
    }


def interval_panel(
    theme: Theme,
    rows: Sequence[Row],
    *,
    title: str,
    colours: dict[str, str],
    hollow: Sequence[str] = (),
    line: float | None = None,
    line_words: str = "goal",
    width: int = WIDTH,
    has_labels: bool = True,
) -> dict[str, Any]:
    """Draw one interval per entry of `rows`, which have label, mean, low, high, status and shaded.

    Parameters
    ----------
    colours : by status; the legend lists those that occur.
    hollow : statuses drawn with hollow dots.
    line : a reference value, drawn as a dashed line.
    """
    present = [name for name in colours if any(row["status"] == name for row in rows)]
    y = label_axis(rows, has_labels=has_labels)
    channels = statuses(theme, present, colours, hollow)
    scale = {"domain": span(rows, line), "nice": False, "zero": False}
    x = {"type": "quantitative", "title": title, "scale": scale, "axis": {"tickCount": 6}}
    tooltip = [{"field": name, "type": "nominal"} for name in ("label", "mean", "low", "high", "status")]
    layers: list[dict[str, Any]] = [
        {
            "transform": [{"filter": "datum.shaded"}],
            "mark": {"type": "rect", "color": theme.shade, "opacity": 0.75},
            "encoding": {"y": y, "x": {"value": 0}, "x2": {"value": "width"}},
        },
        {
            "mark": {"type": "rule", "strokeWidth": 2, "strokeCap": "round"},
            "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, "stroke": channels["stroke"]},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1, "strokeWidth": 1.6},
            "encoding": {"y": y, "x": x | {"field": "mean"}, "tooltip": tooltip, **channels},
        },
    ]
    if line is not None:
        layers += line_layers(theme, line, f"{line_words} {line:g}")
    return {"data": {"values": list(rows)}, "width": width, "height": {"step": STEP}, "layer": layers}


def line_layers(theme: Theme, at: float, words: str, channel: str = "x", *, dy: int = -6) -> list[dict[str, Any]]:
    """Draw a dashed line across a panel with a label at its end; below a horizontal line, at its start."""
    is_vertical = channel == "x"
    place = {"y": {"value": 0}} if is_vertical else {"x": {"value": "width" if dy < 0 else 6}}
    text = {"dy": -7, "align": "center"} if is_vertical else {"dy": dy, "align": "right" if dy < 0 else "left"}
    return [
        {
            "data": {"values": [{}]},
            "mark": {"type": "rule", "color": theme.good, "strokeDash": [5, 4], "strokeWidth": 1.5},
            "encoding": {channel: {"datum": at}},
        },
        {
            "data": {"values": [{}]},
            "mark": {"type": "text", "text": words, "color": theme.good, "fontSize": 11} | text,
            "encoding": {channel: {"datum": at}} | place,
        },
    ]
