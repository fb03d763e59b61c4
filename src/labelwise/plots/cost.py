"""Costs of errors: the cost matrix, and the expected cost of a prediction per group."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelwise.beliefs import Belief, Kind, Target
from labelwise.errors import ArgumentError
from labelwise.metrics import Metric
from labelwise.metrics.metric import N_DRAWS
from labelwise.plots.chart import Chart
from labelwise.plots.groups import group_chart
from labelwise.plots.names import short_names
from labelwise.plots.theme import Theme
from labelwise.plots.words import many
from labelwise.questions import Answer

_MOST_CLASSES = 12


def cost_chart(
    metric: Metric,
    belief: Belief,
    *,
    level: float = 0.95,
    kind: Kind = "equal-tailed",
    target: Target = "population",
    n_draws: int = N_DRAWS,
    rng: np.random.Generator,
) -> Chart:
    """Draw the cost matrix, and next to it the expected cost of each group with its interval, highest first.

    A matrix of more than 12 classes is not drawn; of more than 25 groups the 15 costliest and the 5 cheapest are.

    Parameters
    ----------
    metric, belief : the expected cost, and the belief about the confusion matrix.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["ill", "well", "well"], labels=["ill", "ill", "well"])
    >>> cost = lw.ExpectedCost([[0, 10], [1, 0]])
    >>> chart = cost_chart(cost, lw.belief_from_labels(cost, lw.by_prediction(pool)), rng=np.random.default_rng(1))
    >>> chart.frame()["mean"]
    array([5.  , 0.25])
    """
    matrix = metric.cost_matrix
    if matrix is None:
        raise ArgumentError("A cost chart needs a cost matrix: `metric=ExpectedCost(matrix)`, or --cost FILE.")
    found = metric.estimate(belief, level=level, kind=kind, target=target, n_draws=n_draws, rng=rng)
    sizes = belief.outer.n_items
    there, few = metric.candidates(belief), metric.left_out(belief)
    groups = group_chart(Answer("", (), None, (), found, counts=there, left_out=few))
    whole = metric.overall(belief, level=level, kind=kind, target=target, n_draws=n_draws, rng=rng)
    classes = [str(name) for name in belief.outer.pool.classes]
    all_items = "" if whole is None else f"All items: {whole.mean[0]:.3f} [{whole.low[0]:.3f}, {whole.high[0]:.3f}]."
    n_empty = int((sizes == 0).sum())
    empty = f" {many(n_empty)} without items." if n_empty else ""
    left_out = f" The {len(classes):,} x {len(classes):,} matrix is not drawn." if len(classes) > _MOST_CLASSES else ""

    def draw(theme: Theme) -> dict[str, Any]:
        panel = groups.drawing(theme)
        if len(classes) > _MOST_CLASSES:
            return panel
        return {"hconcat": [_matrix(theme, matrix, classes), panel], "spacing": 36, "resolve": _INDEPENDENT}

    return Chart(
        title=f"Expected cost of a prediction in {many(len(found.names))}",
        subtitle=f"{all_items} {groups.subtitle}{left_out}",
        alt=f"{groups.alt} {all_items}{empty}".strip(),
        table=groups.table,
        drawing=draw,
    )


_INDEPENDENT = {"scale": {"fill": "independent", "stroke": "independent"}}


def _matrix(theme: Theme, matrix: Any, classes: list[str]) -> dict[str, Any]:
    names = short_names(classes, 16)
    top = float(np.abs(matrix).max()) or 1.0
    cells = [
        {"true": names[j], "predicted": names[k], "cost": float(matrix[j, k]), "is_dark": matrix[j, k] > 0.55 * top}
        for j in range(len(names))
        for k in range(len(names))
    ]
    plain = {"ticks": False, "domain": False, "labelLimit": 120, "labelPadding": 6}
    common = {"type": "nominal", "sort": None, "scale": {"domain": list(names)}}
    across = plain | {"labelAngle": 0 if len(names) <= 4 else -45}
    place = {
        "y": common | {"field": "true", "title": "True class", "axis": plain},
        "x": common | {"field": "predicted", "title": "Predicted class (cell: cost)", "axis": across},
    }
    scale = {
        "domain": [min(0.0, float(matrix.min())), top],
        "range": [theme.background, theme.bad],
        "interpolate": "rgb",
    }
    contrast = {"condition": {"test": "datum.is_dark", "value": theme.background}, "value": theme.ink}
    fill = {"field": "cost", "type": "quantitative", "scale": scale, "legend": None}
    number = {"field": "cost", "type": "quantitative", "format": ".3~g"}
    step = 46 if len(names) <= 6 else 30
    return {
        "data": {"values": cells},
        "width": {"step": step},
        "height": {"step": step},
        "layer": [
            {"mark": {"type": "rect", "stroke": theme.grid}, "encoding": {**place, "fill": fill}},
            {
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {**place, "text": number, "color": contrast},
            },
        ],
    }
