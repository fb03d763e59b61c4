"""The calibration curve: accuracy as a smooth function of confidence, with a credible band."""

from __future__ import annotations

from typing import Any

from labelwise.beliefs import CellBelief
from labelwise.metrics import calibration_curve
from labelwise.plots.calibration import chosen_groups, diagonal, lowest_of, panels, titles, unit_axis
from labelwise.plots.chart import Chart
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.pool import Frame

_POINTS = 40
_OVER, _UNDER, _OPEN = "clearly over-confident", "clearly under-confident", "consistent with calibration"


def curve_chart(belief: CellBelief, *, group: str | None = None, level: float = 0.95) -> Chart:
    """Draw accuracy against confidence with a pointwise band for new items, and mark where it excludes the diagonal.

    Each dot stands for the same number of items. Several groups get one panel each, at most six.

    Parameters
    ----------
    belief : labels binned by score; best from `ECE(CURVE_BINS, "mass")`.
    group : draw only this group.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> rng = np.random.default_rng(1)
    >>> confidence = rng.uniform(0.5, 1, 500)
    >>> labels = np.where(rng.uniform(size=500) < confidence - 0.2, 0, 1)
    >>> pool = lw.pool_from_arrays(predicted=[0] * 500, confidence=confidence, labels=labels)
    >>> chart = curve_chart(lw.belief_from_labels(lw.metrics.ECE(40, "mass"), lw.everything(pool)))
    >>> chart.alt.split(",")[0]
    'Accuracy against confidence as a curve with its 95% band: clearly over-confident at 40 of 40 points'
    """
    found = calibration_curve(belief, points=_POINTS, level=level)
    status = [{"over-confident": _OVER, "under-confident": _UNDER}.get(str(word), _OPEN) for word in found["scores"]]
    frame = Frame({**found, "gap": found["confidence"] - found["accuracy"], "status": status})
    ones = Frame({**frame, "one": [1.0] * len(status)})
    names, hidden = chosen_groups(ones, "gap", "one", group)
    rows = [row | {"panel": names.index(row["group"])} for row in frame.rows() if row["group"] in names]
    low = lowest_of([row["confidence"] for row in rows])
    n_labels = int(belief.n_labels.sum())

    def draw(theme: Theme) -> dict[str, Any]:
        return panels(_layers(theme, rows, titles(len(names)), low), rows, names)

    return Chart(
        title="Calibration curve" if len(names) > 1 else f"Calibration curve of {shortened(names[0])}",
        subtitle=f"Pointwise {level:.0%} band for new items, {n_labels:,} labels. {hidden}".strip(),
        alt=_alt([row for row in rows if row["panel"] == 0], names, len(belief.names), level),
        table=frame,
        drawing=draw,
    )


def _layers(theme: Theme, rows: list[dict[str, Any]], words: tuple[str, str], low: float) -> list[dict[str, Any]]:
    x, y = unit_axis("confidence", words[0], low=low), unit_axis("accuracy", words[1])
    colours = {_OVER: theme.bad, _UNDER: theme.close, _OPEN: theme.main}
    present = [name for name in colours if any(row["status"] == name for row in rows)]
    scale = {"domain": present, "range": [colours[name] for name in present]}
    legend = {"title": None, "orient": "bottom", "direction": "horizontal"}
    return [
        diagonal(theme, words, low),
        {
            "mark": {"type": "area", "color": theme.main, "opacity": 0.18},
            "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}},
        },
        {"mark": {"type": "line", "color": theme.main, "strokeWidth": 2}, "encoding": {"x": x, "y": y}},
        {
            "mark": {"type": "point", "filled": True, "size": 26, "opacity": 1},
            "encoding": {
                "x": x,
                "y": y,
                "fill": {"field": "status", "type": "nominal", "scale": scale, "legend": legend},
            },
        },
    ]


def _alt(rows: list[dict[str, Any]], names: list[str], n_groups: int, level: float) -> str:
    n_over = sum(row["status"] == _OVER for row in rows)
    n_under = sum(row["status"] == _UNDER for row in rows)
    first, last = rows[0], rows[-1]
    who = f" of {shortened(names[0])}" if n_groups > 1 else ""
    return (
        f"Accuracy against confidence as a curve with its {level:.0%} band{who}: clearly over-confident at {n_over} of "
        f"{len(rows)} points, clearly under-confident at {n_under}. Confidence {first['confidence']:.3f} has accuracy "
        f"{first['accuracy']:.3f}, confidence {last['confidence']:.3f} has {last['accuracy']:.3f}."
    )
