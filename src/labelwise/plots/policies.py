"""Comparison of policies: a score of simulated runs against labels spent, with standard-error bands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelwise.checks import find
from labelwise.errors import ArgumentError
from labelwise.groups.grouping import unique_names
from labelwise.plots.chart import Chart
from labelwise.plots.names import short_names, shortened
from labelwise.plots.theme import LIGHT, Theme
from labelwise.pool import Frame
from labelwise.simulation import Simulated

_AXES = {
    "mrr": "Mean reciprocal rank of the true groups",
    "success": "Share of runs that name the right groups",
    "rmse": "Root mean squared error of the groups",
    "overall-error": "Error of the whole pool's value",
    "regret": "Regret",
}
_MOST = len(LIGHT.series)
_HIGH = ("mrr", "success")


def policy_chart(simulated: Sequence[Simulated], *, score: str | None = None) -> Chart:
    """Draw one line per scenario: the mean score over runs at each label count, ± one standard error.

    Parameters
    ----------
    simulated : results of `simulate`, one per policy, at most seven.
    score : name of the score; the first one by default.

    Examples
    --------
    >>> import labelwise as lw
    >>> from labelwise.simulation import success
    >>> pool = lw.pool_from_arrays(predicted=[0, 1] * 100, labels=[0, 1] * 50 + [0, 0] * 50)
    >>> groups = lw.by_prediction(pool)
    >>> found = [
    ...     lw.simulate(lw.Scenario(groups, lw.Worst(), policy), [success()], n_runs=20, at=[10, 40], engine="exact")
    ...     for policy in (lw.Thompson(), lw.RandomItem())
    ... ]
    >>> list(dict.fromkeys(policy_chart(found).frame()["policy"]))
    ['thompson', 'random-item']
    """
    if not 1 <= len(simulated) <= _MOST:
        raise ArgumentError(f"Between 1 and {_MOST} simulations can be compared, not {len(simulated)}.")
    known = list(simulated[0].mean)
    name = known[0] if score is None else known[find(score, known, "Score")]
    names = unique_names([found.scenario.name for found in simulated])
    parts: list[dict[str, Any]] = [
        {"policy": policy, "labels": int(n), "mean": float(mean), "error": float(error), "runs": found.n_runs}
        for policy, found in zip(names, simulated, strict=True)
        for n, mean, error in zip(found.at, _of(found, name).mean[name], found.error[name], strict=True)
    ]
    frame = Frame({column: [row[column] for row in parts] for column in parts[0]})
    short = dict(zip(names, short_names(names), strict=True))
    rows = [
        {
            "policy": short[row["policy"]],
            "labels": row["labels"],
            "mean": row["mean"],
            "low": row["mean"] - row["error"],
            "high": row["mean"] + row["error"],
        }
        for row in parts
    ]
    scenario = simulated[0].scenario
    ends = [float(found.mean[name][-1]) for found in simulated]
    best = int(np.argmax(ends) if name in _HIGH else np.argmin(ends))
    half = [float(found.mean[name][len(found.at) // 2]) for found in simulated]
    halfway = ", ".join(f"{shortened(policy)} {value:.3f}" for policy, value in zip(names, half, strict=True))

    def draw(theme: Theme) -> dict[str, Any]:
        return _layers(theme, rows, list(short.values()), _AXES.get(name, name))

    n_half = int(simulated[0].at[len(simulated[0].at) // 2])
    return Chart(
        title=f"Policies compared by {_lowercase(name)}",
        subtitle=f"{scenario.question} {min(f.n_runs for f in simulated):,} runs each; bands: one standard error.",
        alt=f"{_AXES.get(name, name)} of {len(simulated)} policies against labels spent. After {n_half:,} labels: "
        f"{halfway}. At the end {shortened(names[best])} is best with {ends[best]:.3f}.",
        table=frame,
        drawing=draw,
    )


def _lowercase(score: str) -> str:
    words = _AXES.get(score, score)
    return words[0].lower() + words[1:]


def _of(found: Simulated, score: str) -> Simulated:
    if score not in found.mean:
        raise ArgumentError(f"'{found.scenario.name}' has no score {score!r}; simulate all with the same scores.")
    return found


def _layers(theme: Theme, rows: list[dict[str, Any]], names: list[str], title: str) -> dict[str, Any]:
    x = {"field": "labels", "type": "quantitative", "title": "Labels spent", "scale": {"nice": False}}
    y = {"type": "quantitative", "title": title, "scale": {"zero": False}, "axis": {"tickCount": 6}}
    scale = {"domain": names, "range": list(theme.series[: len(names)])}
    legend = {
        "title": None, "orient": "bottom", "direction": "horizontal", "columns": 3, "symbolType": "stroke",
        "symbolSize": 300, "symbolStrokeWidth": 2, "symbolOpacity": 1,
    }  # fmt: skip
    colour = {"field": "policy", "type": "nominal", "scale": scale, "legend": legend}
    dashes = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2], [1, 3], [10, 4]][: len(names)]
    dash = {"field": "policy", "type": "nominal", "scale": {"domain": names, "range": dashes}, "legend": legend}
    return {
        "data": {"values": rows},
        "width": 500,
        "height": 290,
        "layer": [
            {
                "mark": {"type": "area", "opacity": 0.18},
                "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}, "color": colour},
            },
            {
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"x": x, "y": y | {"field": "mean"}, "color": colour, "strokeDash": dash},
            },
        ],
    }  # fmt: skip
