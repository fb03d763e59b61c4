"""Two metrics of every group against each other, with a cross of intervals: accuracy against calibration error."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from labelwise.errors import ArgumentError
from labelwise.metrics import Description, Posterior
from labelwise.plots.chart import Chart
from labelwise.plots.intervals import span
from labelwise.plots.names import short_names, shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import BARE, interval_text, many
from labelwise.pool import Frame

_MOST_CROSSES = 40
_NAMED = 5
_FEW = 12
_WIDTH, _HEIGHT = 420, 340
_LINE_HEIGHT, _NAME_WIDTH = 13, 90  # of names, in points


def scatter_chart(one: Posterior, other: Posterior) -> Chart:
    """Draw the first metric upwards and the other to the right, one cross a group.

    Of more than forty groups only the worst five by the first metric have their crosses and names; all have their dot.

    Parameters
    ----------
    one, other : of the same groups, as `accuracy.estimate` and `ece.estimate` give.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.4, 0.8], labels=[0, 1, 1])
    >>> groups, rng = lw.by_prediction(pool), np.random.default_rng(1)
    >>> found = [metric.estimate(lw.belief_from_labels(metric, groups), rng=rng) for metric in (lw.accuracy, lw.ece)]
    >>> scatter_chart(*found).frame()["accuracy"].round(3)
    array([0.5  , 0.667])
    """
    if one.names != other.names:
        raise ArgumentError(
            f"The two metrics have different groups ({len(one.names)} and {len(other.names)}); estimate both on one "
            "grouping."
        )
    frame = Frame(
        {
            "group": list(one.names),
            one.metric: one.mean, f"{one.metric}_low": one.low, f"{one.metric}_high": one.high,
            other.metric: other.mean, f"{other.metric}_low": other.low, f"{other.metric}_high": other.high,
            "labels": one.n_labels,
        }
    )  # fmt: skip
    sign = one.description.sign
    # a group without items has no calibration error: its cross would have no arms
    has_value = ~np.isnan(one.mean) & ~np.isnan(other.mean) & ((one.n_labels > 0) | (other.high > other.low))
    there = [int(g) for g in np.flatnonzero(has_value)]
    labelled = [g for g in there if one.n_labels[g] > 0]
    order = sorted(labelled, key=lambda g: (sign * one.mean[g], g))
    named = set(order if len(there) <= _FEW else order[:_NAMED])
    crossed = set(there if len(there) <= _MOST_CROSSES else order[:_NAMED])
    labels = short_names(one.names, 20)
    rows = [_row(one, other, g, labels[g] if g in named else "", g in crossed) for g in there]
    n_bare = len(there) - len(labelled)
    n_none = len(one.names) - len(there)
    bare = f"{many(n_bare)} without own labels, hollow. " if n_bare else ""
    bare += f"{many(n_none)} without items or value left out. " if n_none else ""
    hidden = (
        f"Intervals and names of {len(there) - len(crossed):,} of {len(there):,} groups are hidden: the {_NAMED} worst "
        "have them."
        if len(crossed) < len(there)
        else ""
    )

    def draw(theme: Theme) -> dict[str, Any]:
        return _layers(theme, rows, one.description, other.description)

    return Chart(
        title=f"{one.description.heading} against {other.description.label} of {many(len(there))}",
        subtitle=f"{one.level:.0%} intervals. {bare}{hidden}".strip(),
        alt=_alt(one, other, order, there),
        table=frame,
        drawing=draw,
    )


def _row(one: Posterior, other: Posterior, g: int, label: str, has_cross: bool) -> dict[str, Any]:
    return {
        "x": float(other.mean[g]), "x_low": float(other.low[g]), "x_high": float(other.high[g]),
        "y": float(one.mean[g]), "y_low": float(one.low[g]), "y_high": float(one.high[g]),
        "name": label, "cross": has_cross, "status": "labelled" if one.n_labels[g] else BARE, "is_named": bool(label),
    }  # fmt: skip


def _ends(rows: list[dict[str, Any]], axis: str) -> list[float]:
    """Give the ends of an axis: dots, and the arms of those that have a cross."""
    arms = [row for row in rows if row["cross"]]
    values = [{"mean": row[axis], "low": row[axis], "high": row[axis]} for row in rows]
    return span([*values, *({"mean": r[axis], "low": r[f"{axis}_low"], "high": r[f"{axis}_high"]} for r in arms)])


def _place_names(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give each name a place beside its dot, moved down where it would lie on another one."""
    (left, right), (bottom, top) = _ends(rows, "x"), _ends(rows, "y")
    taken: list[tuple[float, float]] = []
    found = []
    for row in sorted((row for row in rows if row["is_named"]), key=lambda row: -row["y"]):
        x = (row["x"] - left) / ((right - left) or 1.0) * _WIDTH
        y = (top - row["y"]) / ((top - bottom) or 1.0) * _HEIGHT - 8
        while any(abs(y - other) < _LINE_HEIGHT and abs(x - across) < _NAME_WIDTH for across, other in taken):
            y += 1
        taken.append((x, y))
        found.append({"x": row["x"], "name": row["name"], "at": top - y * (top - bottom) / _HEIGHT})
    return found


def _layers(theme: Theme, rows: list[dict[str, Any]], one: Description, other: Description) -> dict[str, Any]:
    def channel(axis: str, title: str, field: str) -> dict[str, Any]:
        scale = {"domain": _ends(rows, axis), "zero": False, "nice": False}
        return {"field": field, "type": "quantitative", "title": title, "scale": scale, "axis": {"tickCount": 6}}

    x, y = partial(channel, "x", other.title), partial(channel, "y", one.title)
    crosses = [{"filter": "datum.cross"}]
    line = {"type": "rule", "strokeWidth": 1.2, "opacity": 0.55, "color": theme.main}
    present = list(dict.fromkeys(row["status"] for row in rows))
    ink = [theme.muted if name == BARE else theme.main for name in present]
    inside = [theme.background if name == BARE else theme.main for name in present]
    legend = None if present == ["labelled"] else {"title": None, "orient": "bottom", "direction": "horizontal"}

    def status(colours: list[str]) -> dict[str, Any]:
        scale = {"domain": present, "range": colours}
        return {"field": "status", "type": "nominal", "scale": scale, "legend": legend}

    names = _place_names(rows)

    def text(look: dict[str, Any]) -> dict[str, Any]:
        mark = {"type": "text", "align": "left", "dx": 8, "fontSize": 11, **look}
        said = {"field": "name", "type": "nominal"}
        return {"data": {"values": names}, "mark": mark, "encoding": {"x": x("x"), "y": y("at"), "text": said}}

    halo = {"color": theme.background, "stroke": theme.background, "strokeWidth": 3, "opacity": 0.85}
    return {
        "data": {"values": rows},
        "width": _WIDTH,
        "height": _HEIGHT,
        "layer": [
            {
                "transform": crosses,
                "mark": line,
                "encoding": {"x": x("x_low"), "x2": {"field": "x_high"}, "y": y("y"), "stroke": status(ink)},
            },
            {
                "transform": crosses,
                "mark": line,
                "encoding": {"x": x("x"), "y": y("y_low"), "y2": {"field": "y_high"}, "stroke": status(ink)},
            },
            text(halo),  # below the dots, so that no name hides one
            {
                "mark": {
                    "type": "point",
                    "filled": True,
                    "size": 46 if len(rows) <= 50 else 20,
                    "opacity": 1,
                    "strokeWidth": 1.2,
                },
                "encoding": {"x": x("x"), "y": y("y"), "stroke": status(ink), "fill": status(inside)},
            },
            text({"color": theme.ink}),
        ],
    }


def _alt(one: Posterior, other: Posterior, order: list[int], there: list[int]) -> str:
    head = f"{one.description.heading} against {other.description.label} of {many(len(there))}"
    if not order:
        return f"{head}; none has labels yet."
    g = order[0]
    text = [interval_text(found.mean[g], found.low[g], found.high[g]) for found in (one, other)]
    return (
        f"{head}; worst is {shortened(one.names[g])} with {one.description.label} {text[0]} and "
        f"{other.description.label} {text[1]}."
    )
