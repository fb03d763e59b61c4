"""The coverage card as a chart: nominal and measured coverage of the intervals."""

from __future__ import annotations

from typing import Any

from labelwise.plots.chart import Chart
from labelwise.plots.intervals import line_layers
from labelwise.plots.theme import Theme
from labelwise.pool import Frame
from labelwise.simulation import Card

_STEP = 62


def coverage_chart(card: Card) -> Chart:
    """Draw the measured coverage of each kind of interval, by when it is looked at, against its nominal level.

    Parameters
    ----------
    card : from `coverage_card`.

    Examples
    --------
    >>> import labelwise as lw
    >>> chart = coverage_chart(lw.simulation.coverage_card(n_runs=20, seed=1))
    >>> chart.frame().rows()[0]["nominal"], chart.frame().rows()[0]["interval"]
    (0.95, 'flat prior')
    """
    found = card.frame()
    frame = Frame({**found, "nominal": [card.level] * len(found["covered"])})
    rows = [
        {"looked": row["looked"], "interval": row["interval"], "covered": row["covered"],
         "low": max(row["covered"] - 2 * row["error"], 0.0), "high": min(row["covered"] + 2 * row["error"], 1.0)}
        for row in frame.rows()
    ]  # fmt: skip
    least = min(frame.rows(), key=lambda row: row["covered"])

    def draw(theme: Theme) -> dict[str, Any]:
        return _layers(theme, rows, card.level)

    n_short = sum(row["high"] < card.level for row in rows)
    return Chart(
        title=f"How often {card.level:.0%} intervals cover",
        subtitle="Share of simulated runs in which the interval covers at every look, ± two standard errors.",
        alt=f"Coverage of intervals of level {card.level:g} for {len(rows)} combinations of interval and looking: "
        f"{n_short} cover clearly less often than {card.level:g}; the lowest coverage is {least['covered']:.3f} "
        f"({least['interval']}, {least['looked']}).",
        table=frame,
        drawing=draw,
    )


def _layers(theme: Theme, rows: list[dict[str, Any]], level: float) -> dict[str, Any]:
    looked, kinds = (list(dict.fromkeys(row[name] for row in rows)) for name in ("looked", "interval"))
    y = {
        "field": "looked", "type": "nominal", "title": None, "sort": None, "scale": {"domain": looked},
        "axis": {"labelLimit": 260, "ticks": False, "domain": False, "grid": True},
    }  # fmt: skip
    offset = {"field": "interval", "type": "nominal", "sort": None, "scale": {"domain": kinds, "paddingOuter": 0.3}}
    low = max(0.0, min(row["low"] for row in rows) - 0.03)
    scale = {"domain": [low, 1], "nice": False}
    x = {"type": "quantitative", "title": "Measured coverage", "scale": scale, "axis": {"tickCount": 6}}
    legend = {"title": None, "orient": "bottom", "direction": "horizontal"}
    colours = {"domain": kinds, "range": list(theme.series[: len(kinds)])}
    ink = {"field": "interval", "type": "nominal", "scale": colours, "legend": legend}
    shapes = {"domain": kinds, "range": ["circle", "square", "diamond", "triangle-up"][: len(kinds)]}
    shape = {"field": "interval", "type": "nominal", "scale": shapes, "legend": legend}
    place = {"y": y, "yOffset": offset}
    return {
        "data": {"values": rows},
        "width": 420,
        "height": {"step": _STEP, "for": "position"},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 1.8},
                "encoding": {**place, "x": x | {"field": "low"}, "x2": {"field": "high"}, "stroke": ink},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {**place, "x": x | {"field": "covered"}, "fill": ink, "stroke": ink, "shape": shape},
            },
            *line_layers(theme, level, f"nominal {level:g}"),
        ],
    }
