"""Uncertainty of an ensemble per group, split into aleatoric and epistemic parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelwise.ensembles import Ensemble
from labelwise.errors import DataError
from labelwise.groups import Grouping, by_prediction
from labelwise.plots.chart import Chart
from labelwise.plots.extremes import shown
from labelwise.plots.intervals import STEP, label_axis
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import many
from labelwise.pool import Frame

_ALEATORIC, _EPISTEMIC = "aleatoric (members agree that it is uncertain)", "epistemic (members disagree)"


def uncertainty_chart(ensemble: Ensemble, groups: Grouping | None = None) -> Chart:
    """Draw the mean uncertainty per group, split into aleatoric and epistemic, most disagreement first.

    Total = aleatoric + epistemic. More or better members reduce epistemic uncertainty, and labels are best spent
    there; aleatoric uncertainty remains.

    Parameters
    ----------
    ensemble : the members.
    groups : grouping of the ensemble's pool, or of one with the same items; by predicted class by default.

    Examples
    --------
    >>> import labelwise as lw
    >>> one = lw.pool_from_arrays(scores=[[0.9, 0.1], [0.5, 0.5]])
    >>> two = lw.pool_from_arrays(scores=[[0.1, 0.9], [0.5, 0.5]])
    >>> chart = uncertainty_chart(lw.ensembles.Ensemble([one, two]), lw.everything(one))
    >>> row = chart.frame().rows()[0]
    >>> round(row["total"] - row["aleatoric"] - row["epistemic"], 9)
    0.0
    """
    found = by_prediction(ensemble.pool) if groups is None else groups
    if found.pool.n_items != ensemble.pool.n_items:
        raise DataError(
            f"The grouping has {found.pool.n_items:,} items, the ensemble {ensemble.pool.n_items:,}; group the pool of "
            "the ensemble."
        )
    size = np.maximum(found.n_items, 1)
    parts = {
        name: np.bincount(found.of_item, values, found.n_groups) / size
        for name, values in (
            ("total", ensemble.total),
            ("aleatoric", ensemble.aleatoric),
            ("epistemic", ensemble.epistemic),
        )
    }
    nonempty = np.flatnonzero(found.n_items > 0)
    order = [int(g) for g in nonempty[np.lexsort((nonempty, -parts["epistemic"][nonempty]))]]
    rest = [int(g) for g in np.flatnonzero(found.n_items == 0)]
    frame = Frame(
        {"group": [found.names[g] for g in order], "items": found.n_items[order]}
        | {name: values[order] for name, values in parts.items()}
    )
    seen = shown(order, words=("most disputed", "least disputed"))
    rows = seen.rows(found.names, lambda g: {name: float(values[g]) for name, values in parts.items()})
    none = f"{many(len(rest))} without items not drawn. " if rest else ""
    mean = {name: float(getattr(ensemble, name).mean()) for name in parts}

    def draw(theme: Theme) -> dict[str, Any]:
        return _bars(theme, rows)

    return Chart(
        title=f"Uncertainty of an ensemble of {len(ensemble.members)} members",
        subtitle=f"Total = aleatoric + epistemic, mean over the items of each group. {none}{seen.sentence}".strip(),
        alt=f"Uncertainty of {many(len(order))}: {mean['total']:.3f} nats averaged over all items, of which "
        f"{mean['aleatoric']:.3f} aleatoric and {mean['epistemic']:.3f} epistemic; the members disagree most on "
        f"{shortened(found.names[order[0]])} ({parts['epistemic'][order[0]]:.3f}). {none}".strip(),
        table=frame,
        drawing=draw,
    )


def _bars(theme: Theme, rows: list[dict[str, Any]]) -> dict[str, Any]:
    pieces = [
        {"label": row["label"], "part": part, "value": row[name], "place": place}
        for row in rows
        for place, (name, part) in enumerate((("epistemic", _EPISTEMIC), ("aleatoric", _ALEATORIC)))
    ]
    scale = {"domain": [_EPISTEMIC, _ALEATORIC], "range": [theme.bad, theme.main]}
    legend = {"title": None, "orient": "bottom", "direction": "vertical"}
    return {
        "data": {"values": pieces},
        "width": 440,
        "height": {"step": STEP},
        "mark": {"type": "bar", "height": {"band": 0.7}},
        "encoding": {
            "y": label_axis(rows),
            "x": {
                "field": "value", "type": "quantitative", "title": "Mean uncertainty (entropy in nats)", "stack": "zero"
            },
            "fill": {"field": "part", "type": "nominal", "scale": scale, "legend": legend},
            "order": {"field": "place", "type": "quantitative"},
        },
    }  # fmt: skip
