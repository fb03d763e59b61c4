"""Parts shared by the calibration charts: the diagonal, axes, panels, and the choice of groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labelwise.checks import find
from labelwise.plots.names import short_names
from labelwise.plots.theme import Theme
from labelwise.pool import Frame

MOST_PANELS = 6
_SMALL = 180
_AXIS = {"tickCount": 5, "format": ".1f"}
CONFIDENCE = "Confidence (score of the predicted class)"
ACCURACY = "Accuracy (share of correct predictions)"


def lowest_of(confidences: Sequence[float]) -> float:
    """Return the start of the confidence axis: 0.4 if no confidence is below 0.45, else 0."""
    return 0.4 if confidences and min(confidences) >= 0.45 else 0.0


def unit_axis(field: str, title: str, *, low: float = 0.0) -> dict[str, Any]:
    """Return an axis from `low` to 1."""
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"domain": [low, 1], "nice": False},
        "axis": _AXIS,
    }


def diagonal(theme: Theme, words: tuple[str, str], low: float = 0.0) -> dict[str, Any]:
    """Draw the line of perfect calibration."""
    return {
        "data": {"values": [{"x": low, "y": low}, {"x": 1, "y": 1}]},
        "mark": {
            "type": "line",
            "clip": True,
            "color": theme.muted,
            "strokeDash": [4, 4],
            "strokeWidth": 1.2,
        },
        "encoding": {"x": unit_axis("x", words[0], low=low), "y": unit_axis("y", words[1])},
    }


def chosen_groups(frame: Frame, gap: str, weight: str, group: str | None) -> tuple[list[str], str]:
    """Return the groups to draw, worst calibrated first, and a sentence about the hidden ones.

    Parameters
    ----------
    gap, weight : columns with the calibration gap of a row, and its weight.
    group : draw only this group.
    """
    names = list(dict.fromkeys(str(name) for name in frame["group"]))
    if group is not None:
        return [names[find(str(group), names, "Group")]], ""
    off = dict.fromkeys(names, 0.0)
    total = dict.fromkeys(names, 0.0)
    for row in frame.rows():
        off[row["group"]] += abs(row[gap]) * row[weight]
        total[row["group"]] += row[weight]
    ordered = sorted(names, key=lambda name: (-off[name] / max(total[name], 1e-12), names.index(name)))
    if len(names) <= MOST_PANELS:
        return names, ""
    hidden = f"{len(names) - MOST_PANELS:,} of {len(names):,} groups are hidden: the {MOST_PANELS} worst calibrated "
    return ordered[:MOST_PANELS], hidden + "are shown."


def panels(
    layers: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]], names: Sequence[str], size: int = 320
) -> dict[str, Any]:
    """Draw one panel, or one per group side by side; column `panel` of the rows is the index of the group."""
    if len(names) == 1:
        return {"data": {"values": list(rows)}, "width": size, "height": size, "layer": list(layers)}
    parts = []
    for place, name in enumerate(short_names(names, 24)):
        own = [row for row in rows if row["panel"] == place]
        title = {"text": name, "fontSize": 12, "fontWeight": "normal", "offset": 6, "anchor": "middle"}
        part = {"title": title, "data": {"values": own}, "width": _SMALL, "height": _SMALL, "layer": list(layers)}
        parts.append(part)
    return {"concat": parts, "columns": 3, "spacing": 20}


def titles(n_panels: int) -> tuple[str, str]:
    """Return the axis titles of confidence and accuracy; small panels have room for one word each."""
    return (CONFIDENCE, ACCURACY) if n_panels == 1 else ("Confidence", "Accuracy")
