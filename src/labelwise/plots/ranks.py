"""Posterior distribution of the rank of each group, with P(worst) and P(best)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.metrics import Metric, Ranking, rank
from labelwise.metrics.metric import N_DRAWS
from labelwise.plots.chart import Chart
from labelwise.plots.extremes import shown
from labelwise.plots.intervals import STEP, label_axis
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import many
from labelwise.pool import Frame

_Floats = NDArray[np.float64]
_MOST_BINS = 30


def rank_chart(
    metric: Metric,
    belief: Belief,
    *,
    level: float = 0.95,
    target: Target = "population",
    n_draws: int = N_DRAWS,
    rng: np.random.Generator,
) -> Chart:
    """Draw the posterior distribution of each group's rank, with P(worst) and P(best). Rank 1 is the worst.

    Of more than 25 groups the 15 worst and the 5 best are drawn; of more than 30, ranks are binned. Groups without
    items have no rank.

    Parameters
    ----------
    metric, belief : the metric to rank by, and the belief it is computed from.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> names = ["cat", "dog", "emu"]
    >>> belief = lw.beliefs.BetaBelief.from_counts(hits=[90, 50, 48], labels=[100, 100, 100], names=names)
    >>> chart = rank_chart(lw.accuracy, belief, rng=np.random.default_rng(1))
    >>> chart.frame().rows()[0]["group"], chart.frame()["p_worst"][0].round(1).item()
    ('emu', 0.6)
    """
    draws = metric.draw(belief, n_draws, target=target, rng=rng)
    finite = np.abs(draws[np.isfinite(draws)])
    # break ties once, for the ranking and the heat map alike, so that the first column of the map equals P(worst)
    draws = draws + rng.uniform(-1e-9, 1e-9, draws.shape) * (finite.max() if finite.size else 1.0)
    found = rank(metric, belief, level=level, target=target, draws=draws, rng=rng)
    edges, p_rank = _distribution(draws, found, metric.description.sign)
    n_bins = len(edges) - 1
    order = [int(g) for g in found.order]
    frame = Frame(
        {
            "group": [found.names[g] for g in order for _ in range(n_bins)],
            "rank_from": np.tile(edges[:-1], len(order)),
            "rank_to": np.tile(edges[1:] - 1, len(order)),
            "probability": p_rank[order].ravel(),
            "p_worst": np.repeat(found.p_worst[order], n_bins),
            "p_best": np.repeat(found.p_best[order], n_bins),
        }
    )
    ranked = set(order)
    few = metric.left_out(belief)
    rest = [g for g in range(len(found.names)) if g not in ranked and not few[g]]
    seen = shown(order)
    rows = seen.rows(
        found.names, lambda g: {"p_worst": float(found.p_worst[g]), "p_best": float(found.p_best[g]), "place": g}
    )
    none = f"No rank for {many(len(rest))} without items. " if rest else ""
    none += f"{many(int(few.sum()))} with few items left out. " if few.any() else ""

    def draw(theme: Theme) -> dict[str, Any]:
        return {
            "hconcat": [
                _heat(theme, rows, edges, p_rank),
                _bars(theme, rows, "p_worst", "P(worst)", theme.bad),
                _bars(theme, rows, "p_best", "P(best)", theme.good),
            ],
            "spacing": 14,
        }

    return Chart(
        title=f"Ranks of {many(len(order))} by {metric.description.label}",
        subtitle=f"Probability of each rank; 1 is the worst. {none}{seen.sentence}".strip(),
        alt=_alt(found, order, metric.description.label),
        table=frame,
        drawing=draw,
    )


def _alt(found: Ranking, order: list[int], metric: str) -> str:
    first, last = order[0], order[-1]
    return (
        f"Rank distribution of {many(len(order))} by {metric}: {shortened(found.names[first])} ranks first with "
        f"P(worst) = {found.p_worst[first]:.3f} and ranks {found.rank_low[first]} to {found.rank_high[first]}; "
        f"{shortened(found.names[last])} ranks last with P(best) = {found.p_best[last]:.3f}; "
        f"{int(found.tied.sum())} not distinguishable from the first."
    )


def _distribution(draws: _Floats, found: Ranking, sign: float) -> tuple[NDArray[np.int64], _Floats]:
    """Return the edges of the rank bins, starting at 1, and the p_rank of each group per bin."""
    ranked = np.sort(found.order)
    badness = np.where(np.isnan(draws[:, ranked]), np.inf, sign * draws[:, ranked])
    ranks = np.argsort(np.argsort(badness, axis=1), axis=1)  # 0 is the worst
    n_ranks = len(ranked)
    n_bins = min(n_ranks, _MOST_BINS)
    edges = np.linspace(0, n_ranks, n_bins + 1).round().astype(np.int64)
    place = np.searchsorted(edges, ranks, side="right") - 1
    p_rank = np.zeros((draws.shape[1], n_bins))
    for column, g in enumerate(ranked):
        p_rank[g] = np.bincount(place[:, column], minlength=n_bins) / len(draws)
    return edges + 1, p_rank


def _heat(theme: Theme, rows: list[dict[str, Any]], edges: NDArray[np.int64], p_rank: _Floats) -> dict[str, Any]:
    cells = [
        {"label": row["label"], "from": edges[b] - 0.5, "to": edges[b + 1] - 0.5, "p": float(p_rank[row["place"], b])}
        for row in rows
        if row["place"] is not None
        for b in range(len(edges) - 1)
    ]
    scale = {
        "domain": [0, max([cell["p"] for cell in cells] or [1.0])],
        "range": list(theme.ramp),
        "interpolate": "rgb",
    }
    legend = {
        "title": "probability",
        "orient": "bottom",
        "direction": "horizontal",
        "gradientLength": 140,
        "tickCount": 3,
    }
    domain = [0.5, int(edges[-1]) - 0.5]
    axis = {"tickMinStep": 1, "tickCount": min(8, int(edges[-1]) - 1), "format": "d", "grid": False}
    return {
        "data": {"values": cells},
        "width": 340,
        "height": {"step": STEP},
        "mark": {"type": "rect", "stroke": theme.background, "strokeWidth": 0.6},
        "encoding": {
            "y": label_axis(rows),
            "x": {
                "field": "from", "type": "quantitative", "title": "Rank (1 is the worst)",
                "scale": {"domain": domain, "nice": False}, "axis": axis,
            },
            "x2": {"field": "to"},
            "fill": {"field": "p", "type": "quantitative", "scale": scale, "legend": legend},
        },
    }  # fmt: skip


def _bars(theme: Theme, rows: list[dict[str, Any]], field: str, title: str, colour: str) -> dict[str, Any]:
    return {
        "data": {"values": rows},
        "width": 96,
        "height": {"step": STEP},
        "mark": {"type": "bar", "color": colour, "height": {"band": 0.6}},
        "encoding": {
            "y": label_axis(rows, has_labels=False),
            "x": {
                "field": field, "type": "quantitative", "title": title, "scale": {"domain": [0, 1]},
                "axis": {"values": [0, 0.5, 1], "format": ".1f"},
            },
        },
    }  # fmt: skip
