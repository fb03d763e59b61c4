"""Panels side by side with lines, intervals and points, to compare computed with published values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.errors import ArgumentError
from labelwise.plots.chart import Chart
from labelwise.plots.names import clean, short_names
from labelwise.plots.theme import LIGHT, Theme
from labelwise.pool import Frame

Mark = Literal["line", "points", "upright"]
_MOST = len(LIGHT.series)
_TOLERANCE = 0.005  # largest error of a simplified line, as a fraction of its height
_STEP = 15  # points per row of names
_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Series:
    """One line or set of points in a panel.

    Attributes
    ----------
    name : legend entry; a name has the same colour in all panels.
    x, y : coordinates; if `y` holds names, each name gets its own row.
    low, high : interval ends of y, or of x if `y` holds names: a band around a line, a bar through a point.
    mark : a line, points, or a vertical line at each x.
    is_published : drawn as published values: dashed lines, hollow diamonds.
    """

    name: str
    x: ArrayLike
    y: Any = None
    low: ArrayLike | None = None
    high: ArrayLike | None = None
    mark: Mark = "line"
    is_published: bool = False


@dataclass(frozen=True, eq=False)
class Panel:
    """One panel of a chart.

    Attributes
    ----------
    title, x_title, y_title : titles of the panel and its axes.
    series : what is drawn, the last on top.
    x_span, y_span : ends of the axes; from the values by default.
    is_log : whether the x axis is logarithmic.
    has_diagonal : whether to draw the line y = x.
    """

    title: str
    series: tuple[Series, ...]
    x_title: str = ""
    y_title: str = ""
    x_span: tuple[float, float] | None = None
    y_span: tuple[float, float] | None = None
    is_log: bool = False
    has_diagonal: bool = False


def panel_chart(
    panels: Sequence[Panel],
    frame: Frame,
    *,
    title: str,
    subtitle: str = "",
    alt: str,
    columns: int = 2,
    size: tuple[int, int] = (250, 170),
) -> Chart:
    """Draw panels in rows, with one shared legend.

    Parameters
    ----------
    panels : with at most seven different series names in total.
    frame : the numbers drawn, as a tidy table.
    alt : text alternative.
    columns : panels per row.
    size : width and height of a panel; panels with rows of names are as high as they need.

    Examples
    --------
    >>> from labelwise.pool import Frame
    >>> ours, theirs = Series("TS", [1, 10], [0.5, 0.9]), Series("TS", [10], [0.92], mark="points", is_published=True)
    >>> frame = Frame({"labels": [1, 10], "mrr": [0.5, 0.9]})
    >>> chart = panel_chart([Panel("SVHN", (ours, theirs))], frame, title="MRR by labels", alt="MRR grows.")
    >>> chart.svg().count("<title>")
    1
    """
    names = list(dict.fromkeys(one.name for panel in panels for one in panel.series))
    if not panels or len(names) > _MOST:
        raise ArgumentError(f"Panels must have 1 to {_MOST} different series names, but these have {len(names)}.")

    def draw(theme: Theme) -> dict[str, Any]:
        return {
            "columns": columns,
            "concat": [_panel(theme, panel, names, size) for panel in panels],
            "resolve": {"scale": {"color": "shared"}},
            "spacing": 26,
        }

    return Chart(title=title, subtitle=subtitle, alt=alt, table=frame, drawing=draw)


def kept(x: _Floats, y: _Floats) -> NDArray[np.int64]:
    """Return the indices of a simplified line (Douglas-Peucker): dropped points are off by at most 0.5% of its height.

    Examples
    --------
    >>> kept(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 0.5, 1.0, 1.0]))
    array([0, 2, 3])
    """
    if len(x) < 3:
        return np.arange(len(x))
    tolerance = _TOLERANCE * (float(np.ptp(y)) or 1.0)
    indices, segments = {0, len(x) - 1}, [(0, len(x) - 1)]
    while segments:
        start, end = segments.pop()
        inner = np.arange(start + 1, end)
        if not len(inner):
            continue
        off = np.abs(y[inner] - np.interp(x[inner], x[[start, end]], y[[start, end]]))
        if off.max() > tolerance:
            middle = int(inner[np.argmax(off)])
            indices.add(middle)
            segments += [(start, middle), (middle, end)]
    return np.array(sorted(indices), np.int64)


def _panel(theme: Theme, panel: Panel, names: list[str], size: tuple[int, int]) -> dict[str, Any]:
    rows = [row for one in panel.series for row in _rows(one)]
    has_names = any(isinstance(row["y"], str) for row in rows)
    layers = [_diagonal(theme)] if panel.has_diagonal else []
    layers += _name_layers(theme, panel, rows, names) if has_names else _layers(theme, panel, rows, names)
    return {
        "title": {"text": clean(panel.title), "fontSize": 12, "fontWeight": "normal", "offset": 6, "frame": "group"},
        "data": {"values": rows},
        "width": size[0],
        "height": {"step": _STEP} if has_names else size[1],
        "layer": layers,
    }


def _rows(one: Series) -> list[dict[str, Any]]:
    x = np.asarray(one.x, float)
    if one.y is None:
        y: Any = np.full(len(x), np.nan)
    else:
        y = list(short_names([str(name) for name in one.y])) if _is_named(one.y) else np.asarray(one.y, float)
    low, high = (np.full(len(x), np.nan) if end is None else np.asarray(end, float) for end in (one.low, one.high))
    places = kept(x, y) if one.mark == "line" else np.arange(len(x))
    kind = f"{one.mark} published" if one.is_published else one.mark
    return [
        {"name": one.name, "kind": kind, "x": _short(x[k]), "y": _short(y[k])}
        | ({"low": _short(low[k]), "high": _short(high[k])} if one.low is not None else {})
        for k in places
    ]


def _is_named(y: Any) -> bool:
    return len(y) > 0 and isinstance(next(iter(y)), str)


def _short(value: Any) -> Any:
    return value if isinstance(value, str) else float(f"{float(value):.5g}")


def _layers(theme: Theme, panel: Panel, rows: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    x, y = _x_axis(panel, rows), _axis(panel.y_title, panel.y_span)
    place, colour = {"x": x | {"field": "x"}, "y": y | {"field": "y"}}, _colour(theme, names)
    ends = {"x": x | {"field": "x"}, "y": y | {"field": "low"}, "y2": {"field": "high"}, "color": colour}
    found = {
        "line low": [_layer("line", {"type": "area", "opacity": 0.16}, ends)],
        "line": [_layer("line", {"type": "line", "strokeWidth": 1.8}, place | {"color": colour})],
        "points low": [_layer("points", {"type": "rule", "strokeWidth": 1.5}, ends)],
        "points": [_layer("points", _DOT, place | {"color": colour})],
        "upright": [_layer("upright", _RULE, {"x": place["x"], "color": colour})],
        "upright published": [
            _layer("upright published", _RULE | {"strokeDash": [4, 3]}, {"x": place["x"], "color": colour})
        ],
        "line published": [
            _layer("line published", _BROKEN, place | {"color": colour})
        ],
        "points published": [_layer("points published", _DIAMOND, place | {"color": colour})],
    }  # fmt: skip
    present = {row["kind"] for row in rows} | {f"{row['kind']} low" for row in rows if "low" in row}
    return [layer for kind, layers in found.items() if kind in present for layer in layers]


def _name_layers(theme: Theme, panel: Panel, rows: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    """Draw one row per name: intervals, points, and diamonds for published values."""
    order = list(dict.fromkeys(row["y"] for row in rows))
    axis = {"title": None, "labelLimit": 190, "ticks": False, "domain": False, "labelFontSize": 10, "labelPadding": 5}
    y = {"field": "y", "type": "nominal", "scale": {"domain": order}, "sort": None, "axis": axis}
    x = _x_axis(panel, rows)
    place, colour = {"x": x | {"field": "x"}, "y": y}, _colour(theme, names)
    ends = {"x": x | {"field": "low"}, "x2": {"field": "high"}, "y": y, "color": colour}
    layers = [
        _layer("points", {"type": "rule", "strokeWidth": 2, "strokeCap": "round"}, ends),
        _layer("points", _DOT, place | {"color": colour}),
    ]
    if any(row["kind"] == "points published" for row in rows):
        layers.append(_layer("points published", _DIAMOND | {"color": theme.ink}, place))
    return layers


_DOT = {"type": "point", "filled": True, "size": 34, "opacity": 1}
_DIAMOND = {"type": "point", "shape": "diamond", "filled": False, "size": 70, "opacity": 1, "strokeWidth": 1.5}
_BROKEN = {"type": "line", "strokeWidth": 1.5, "strokeDash": [4, 3]}
_RULE = {"type": "rule", "strokeWidth": 1.5}


def _layer(kind: str, mark: dict[str, Any], encoding: dict[str, Any]) -> dict[str, Any]:
    return {"transform": [{"filter": f"datum.kind === '{kind}'"}], "mark": mark, "encoding": encoding}


def _axis(title: str, span: tuple[float, float] | None) -> dict[str, Any]:
    # padding keeps points at the ends of the axis from being clipped
    scale = {"zero": False, "nice": False} | ({"padding": 6} if span is None else {"domain": list(span)})
    return {"type": "quantitative", "title": title or None, "scale": scale, "axis": {"tickCount": 5}}


def _x_axis(panel: Panel, rows: list[dict[str, Any]]) -> dict[str, Any]:
    found = _axis(panel.x_title, panel.x_span)
    if panel.is_log:  # grid lines at powers of ten only
        top = max(row["x"] for row in rows)
        powers = [10**k for k in range(int(np.log10(top)) + 1) if 10**k >= min(row["x"] for row in rows)]
        found |= {"scale": found["scale"] | {"type": "log"}, "axis": {"values": powers, "format": "~s"}}
    return found


def _colour(theme: Theme, names: list[str]) -> dict[str, Any]:
    legend = None
    if len(names) > 1:
        legend = {
            "title": None, "orient": "bottom", "direction": "horizontal", "columns": 4, "symbolType": "circle",
            "symbolOpacity": 1, "symbolStrokeWidth": 2,
        }  # fmt: skip
    scale = {"domain": names, "range": list(theme.series[: len(names)])}
    return {"field": "name", "type": "nominal", "scale": scale, "legend": legend}


def _diagonal(theme: Theme) -> dict[str, Any]:
    return {
        "data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
        "mark": {"type": "line", "color": theme.muted, "strokeWidth": 1, "strokeDash": [2, 2]},
        "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
    }
