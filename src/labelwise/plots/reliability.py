"""The reliability diagram: accuracy against confidence in bins, with credible intervals."""

from __future__ import annotations

from typing import Any

from labelwise.beliefs import CellBelief, Kind, Target
from labelwise.metrics import ece, reliability
from labelwise.plots.calibration import chosen_groups, diagonal, lowest_of, panels, titles, unit_axis
from labelwise.plots.chart import Chart
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import BARE
from labelwise.pool import Frame

_OWN_COLOURS = {"scale": {"fill": "independent", "stroke": "independent"}}
_OVER, _UNDER = "over-confident bin", "under-confident bin"


def reliability_chart(
    belief: CellBelief,
    *,
    group: str | None = None,
    level: float = 0.95,
    kind: Kind = "equal-tailed",
    target: Target = "population",
) -> Chart:
    """Draw accuracy against confidence, one credible interval per bin, the gap to the diagonal shaded.

    A bin with a hollow dot has no labels of its own. A single group is drawn with the histogram of its confidences
    below; several groups get one panel each, at most six.

    Parameters
    ----------
    belief : from the ECE metric, such as `belief_from_labels(ECE(bins=10), groups)`.
    group : draw only this group.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.4, 0.8], labels=[0, 1, 1])
    >>> chart = reliability_chart(lw.belief_from_labels(lw.metrics.ECE(bins=2), lw.everything(pool)))
    >>> chart.frame()["gap"].round(3)
    array([0.133, 0.075])
    """
    found = reliability(belief, level=level, kind=kind, target=target)
    gap = found["confidence"] - found["accuracy"]
    frame = Frame({**found, "gap": abs(gap), "side": [_OVER if g > 0 else _UNDER for g in gap]})
    names, hidden = chosen_groups(frame, "gap", "items", group)
    rows = [
        row | {"panel": names.index(row["group"]), "status": row["side"] if row["labels"] else BARE}
        for row in frame.rows()
        if row["group"] in names
    ]
    half = 0.5 / belief.n_bins
    low = lowest_of([row["confidence"] for row in rows])
    n_bare = sum(row["labels"] == 0 for row in rows)

    def draw(theme: Theme) -> dict[str, Any]:
        main = panels(_layers(theme, rows, titles(len(names)), low), rows, names)
        if len(names) > 1:
            return main
        return {"vconcat": [main, _histogram(theme, rows, half, low)], "spacing": 8, "resolve": _OWN_COLOURS}

    return Chart(
        title="Reliability" if len(names) > 1 else f"Reliability of {shortened(names[0])}",
        subtitle=" ".join(
            part
            for part in (
                f"{level:.0%} intervals per confidence bin, {int(found['labels'].sum()):,} labels.",
                f"{n_bare} bins have items but no labels." if n_bare else "",
                hidden,
            )
            if part
        ),
        alt=_alt(belief, frame, names, level, target),
        table=frame,
        drawing=draw,
    )


def _layers(theme: Theme, rows: list[dict[str, Any]], words: tuple[str, str], low: float) -> list[dict[str, Any]]:
    x, y = unit_axis("confidence", words[0], low=low), unit_axis("accuracy", words[1])
    colours = {_OVER: theme.bad, _UNDER: theme.main, BARE: theme.muted}
    present = [name for name in colours if any(row["status"] == name for row in rows)]
    scale = {"domain": present, "range": [colours[name] for name in present]}
    inside = {"domain": present, "range": [theme.background if n == BARE else colours[n] for n in present]}
    legend = {"title": None, "orient": "bottom", "direction": "horizontal", "columns": 3}
    ink = {"field": "status", "type": "nominal", "scale": scale, "legend": legend}
    return [
        diagonal(theme, words, low),
        *(
            {
                "transform": [{"filter": {"field": "side", "equal": side}}],
                "mark": {"type": "rule", "color": colours[side], "strokeWidth": 9, "opacity": 0.22},
                "encoding": {"x": x, "y": y | {"field": "confidence"}, "y2": {"field": "accuracy"}},
            }
            for side in (_OVER, _UNDER)
        ),
        {
            "mark": {"type": "rule", "strokeWidth": 1.6},
            "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}, "stroke": ink},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 40, "opacity": 1, "strokeWidth": 1.5},
            "encoding": {"x": x, "y": y, "stroke": ink, "fill": ink | {"scale": inside}},
        },
    ]


def _histogram(theme: Theme, rows: list[dict[str, Any]], half: float, low: float) -> dict[str, Any]:
    """Draw the number of items and of labels per bin."""
    bars = [
        {"from": row["confidence"] - 0.8 * half, "to": row["confidence"] + 0.8 * half, "of": of, "zero": 0,
         "count": row[of]}
        for row in rows
        for of in ("items", "labels")
    ]  # fmt: skip
    colour = {"domain": ["items", "labels"], "range": [theme.grid, theme.muted]}
    legend = {"title": None, "orient": "bottom", "direction": "horizontal"}
    scale = {"domain": [0, max(bar["count"] for bar in bars)], "nice": True}
    axis = {"tickCount": 2, "format": "~s"}
    return {
        "data": {"values": bars},
        "width": 320,
        "height": 56,
        "mark": {"type": "rect", "clip": True, "stroke": theme.muted, "strokeWidth": 0.8},
        "encoding": {
            "x": unit_axis("from", "", low=low) | {"axis": {"labels": False, "title": None, "ticks": False}},
            "x2": {"field": "to"},
            "y": {"field": "zero", "type": "quantitative", "title": "Items", "scale": scale, "axis": axis},
            "y2": {"field": "count"},
            "fill": {"field": "of", "type": "nominal", "scale": colour, "legend": legend},
        },
    }


def _alt(belief: CellBelief, frame: Frame, names: list[str], level: float, target: Target) -> str:
    g = belief.names.index(names[0])
    error = float(ece.plug_in(belief, target=target)[g])
    own = [row for row in frame.rows() if row["group"] == names[0]]
    widest = max(own, key=lambda row: row["gap"])
    n_out = sum(not row["low"] <= row["confidence"] <= row["high"] for row in own)
    who = f"{shortened(names[0])}: " if len(belief.names) > 1 else ""
    return (
        f"Accuracy against confidence in bins. {who}calibration error {error:.3f} (plug-in); the largest gap is at "
        f"confidence {widest['confidence']:.3f} with accuracy {widest['accuracy']:.3f} [{widest['low']:.3f}, "
        f"{widest['high']:.3f}]; {n_out} of {len(own)} bins have a {level:.0%} interval that excludes the diagonal."
    )
