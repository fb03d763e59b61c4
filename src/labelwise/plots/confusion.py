"""The confusion matrix with credible intervals; of many classes, only the most frequent confusions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Kind, Target
from labelwise.beliefs.belief import ConfusionBelief
from labelwise.metrics import confusion_matrix
from labelwise.plots.chart import Chart
from labelwise.plots.intervals import interval_panel
from labelwise.plots.names import short_names, shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import BARE, interval_text
from labelwise.pool import Frame

MOST_CELLS = 15  # classes per side
_ROOMY = 7
_PAIRS = 20
_SEEN = "with labels"


def confusion_chart(
    belief: ConfusionBelief, *, level: float = 0.95, kind: Kind = "equal-tailed", target: Target = "population"
) -> Chart:
    """Draw P(true class | predicted class), each cell with its interval.

    Up to 7 classes, cells show numbers; up to 15, circles whose size is the width of the interval; beyond that, the 20
    most frequent confusions are drawn as intervals. Predicted classes without labels are marked.

    Parameters
    ----------
    belief : from a confusion metric or the expected cost, grouped by predicted class.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "cat", "dog"], labels=["cat", "dog", "dog"])
    >>> chart = confusion_chart(lw.belief_from_labels(lw.recall, lw.by_prediction(pool)))
    >>> chart.frame()["mean"].round(2)
    array([0.5 , 0.5 , 0.25, 0.75])
    """
    found = confusion_matrix(belief, level=level, kind=kind, target=target)
    rows, classes = list(belief.names), [str(name) for name in belief.groups.pool.classes]
    share = np.repeat(belief.groups.share, len(classes))
    frame = Frame({**found, "share": share * found["mean"]})
    labelled = np.asarray(belief.n_labels) > 0
    n_bare = int((~labelled).sum())
    is_small = max(len(rows), len(classes)) <= MOST_CELLS
    mark = "dashed border" if is_small else "hollow"
    bare = (
        f"{n_bare:,} predicted {'class' if n_bare == 1 else 'classes'} without own labels, {mark}. " if n_bare else ""
    )
    off = _off_diagonal(belief)
    order = np.argsort(-np.where(off, frame["share"], -1.0), kind="stable")[: min(_PAIRS, int(off.sum()))]
    pairs = _pairs(frame, order, labelled, len(classes))
    size = "" if len(classes) <= _ROOMY else " Larger circles mean wider intervals."
    if is_small:
        words = f"P(true | predicted) with {level:.0%} intervals, {int(belief.n_labels.sum()):,} labels.{size} {bare}"
    else:
        n_off = int(off.sum())
        words = (
            f"{level:.0%} intervals, {int(belief.n_labels.sum()):,} labels. {bare}{n_off - len(order):,} of {n_off:,} "
            f"kinds of confusion are hidden: the {len(order)} most frequent are shown."
        )

    def draw(theme: Theme) -> dict[str, Any]:
        if is_small:
            return _matrix(theme, frame, rows, classes, labelled)
        colours = {_SEEN: theme.bad, BARE: theme.muted}
        title = "Share of all items (predicted → true class)"
        return interval_panel(theme, pairs, title=title, colours=colours, hollow=[BARE])

    return Chart(
        title="Confusion matrix" if is_small else f"The most frequent confusions of {len(classes):,} classes",
        subtitle=words.strip(),
        alt=_alt(frame, order, len(rows), len(classes), level, n_bare),
        table=frame,
        drawing=draw,
    )


def _off_diagonal(belief: ConfusionBelief) -> NDArray[np.bool_]:
    """Return the mask of off-diagonal entries: true class differs from predicted class."""
    n_classes = belief.groups.pool.n_classes
    predicted = belief.groups.prediction_of_group
    assert predicted is not None  # each row of a confusion belief is one predicted class
    off: NDArray[np.bool_] = np.asarray(predicted)[:, None] != np.arange(n_classes)
    return off.ravel()


def _pairs(frame: Frame, order: NDArray[np.int64], labelled: NDArray[np.bool_], n_classes: int) -> list[dict[str, Any]]:
    mean, low, high, share = (frame[name][order] for name in ("mean", "low", "high", "share"))
    size = np.divide(share, mean, out=np.zeros_like(share), where=mean > 0)
    named = zip(frame["predicted"][order], frame["true"][order], strict=True)
    text = [f"{shortened(predicted, 16)} → {shortened(true, 16)}" for predicted, true in named]
    return [
        {"label": label, "mean": float(share[i]), "low": float(low[i] * size[i]), "high": float(high[i] * size[i]),
         "status": _SEEN if labelled[order[i] // n_classes] else BARE, "shaded": False}
        for i, label in enumerate(short_names(text, 40))
    ]  # fmt: skip


def _matrix(
    theme: Theme, frame: Frame, rows: list[str], classes: list[str], labelled: NDArray[np.bool_]
) -> dict[str, Any]:
    down, across = short_names(rows, 20), short_names(classes, 20)
    cells = [
        {"down": down[i // len(classes)], "across": across[i % len(classes)], "mean": row["mean"],
         "width": row["high"] - row["low"], "text": f"{row['mean']:.2f}", "ends": f"{row['low']:.2f}–{row['high']:.2f}",
         "is_dark": row["mean"] > 0.55, "is_bare": not labelled[i // len(classes)]}
        for i, row in enumerate(frame.rows())
    ]  # fmt: skip
    is_roomy = len(classes) <= _ROOMY
    step = 66 if is_roomy else 34
    y = {"field": "down", "type": "nominal", "title": "Predicted class", "scale": {"domain": list(down)}, "sort": None}
    x = {"field": "across", "type": "nominal", "title": "True class", "scale": {"domain": list(across)}, "sort": None}
    plain = {"ticks": False, "domain": False, "labelLimit": 150, "labelPadding": 6}
    place = {
        "y": y | {"axis": plain},
        "x": x
        | {"axis": plain | {"orient": "top", "labelAngle": 0 if is_roomy and max(map(len, across)) <= 9 else -45}},
    }
    scale = {"domain": [0, 1], "range": list(theme.ramp), "interpolate": "rgb"}
    legend = {"title": "P(true | predicted)", "orient": "right", "gradientLength": 120, "tickCount": 3}
    contrast = {"condition": {"test": "datum.is_dark", "value": theme.background}, "value": theme.ink}
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rect", "stroke": theme.background, "strokeWidth": 1},
            "encoding": {**place, "fill": {"field": "mean", "type": "quantitative", "scale": scale, "legend": legend}},
        },
        {
            "transform": [{"filter": "datum.is_bare"}],
            "mark": {"type": "rect", "filled": False, "stroke": theme.muted, "strokeWidth": 1.4, "strokeDash": [3, 3]},
            "encoding": place,
        },
    ]
    if is_roomy:
        for field, dy, size in (("text", -6, 14), ("ends", 11, 10)):
            mark = {"type": "text", "dy": dy, "fontSize": size}
            layers.append({"mark": mark, "encoding": {**place, "text": {"field": field}, "color": contrast}})
    else:
        widest = max(cell["width"] for cell in cells)
        sizes = {"domain": [0, widest], "range": [0, widest * (step - 8) ** 2]}
        layers.append(
            {
                "mark": {"type": "point", "filled": False, "strokeWidth": 1.4, "shape": "circle", "opacity": 1},
                "encoding": {
                    **place,
                    "stroke": contrast,
                    "size": {
                        "field": "width", "type": "quantitative", "scale": sizes,
                        "legend": {"title": "width of interval", "orient": "right", "values": [0.1, 0.3, 0.6]},
                    },
                },
            }
        )  # fmt: skip
    return {
        "data": {"values": cells},
        "width": {"step": step},
        "height": {"step": step if not is_roomy else 52},
        "layer": layers,
    }


def _alt(frame: Frame, order: NDArray[np.int64], n_rows: int, n_classes: int, level: float, n_bare: int) -> str:
    head = f"Confusion of {n_rows:,} predicted with {n_classes:,} true classes"
    bare = f" {n_bare:,} predicted without own labels." if n_bare else ""
    if len(order) == 0:
        return f"{head}: only one class.{bare}"
    i = int(order[0])
    found = interval_text(*(float(frame[name][i]) for name in ("mean", "low", "high")))
    predicted, true = shortened(frame["predicted"][i]), shortened(frame["true"][i])
    return (
        f"{head}, with {level:.0%} intervals. The most frequent error is predicting '{predicted}' for '{true}': "
        f"{found} of these predictions, {frame['share'][i]:.3f} of all items.{bare}"
    )
