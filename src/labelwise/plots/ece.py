"""The posterior of the calibration error, with the plug-in value and the true value where it is known."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import CellBelief, Target
from labelwise.beliefs.interval import draws_interval
from labelwise.checks import find
from labelwise.metrics import ece
from labelwise.metrics.metric import N_DRAWS
from labelwise.plots.chart import Chart
from labelwise.plots.density import density
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import interval_text
from labelwise.pool import Frame

_Floats = NDArray[np.float64]
_DASHES = {"mean": [1, 0], "plug-in": [7, 3], "truth": [2, 2]}  # coinciding lines stay distinguishable


def ece_chart(
    belief: CellBelief,
    *,
    group: str | None = None,
    truth: float | None = None,
    level: float = 0.95,
    target: Target = "population",
    n_draws: int = N_DRAWS,
    rng: np.random.Generator,
) -> Chart:
    """Draw the posterior density of the calibration error of the whole pool, or of one group.

    The plug-in value is the ECE of the posterior means. It lies below the posterior mean, because noise within a bin
    counts as error; the distance between the two shrinks as labels come in.

    Parameters
    ----------
    belief : from the ECE metric.
    group : draw this group instead of the whole pool.
    truth : the calibration error computed from all labels, where it is known.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.4, 0.8], labels=[0, 1, 1])
    >>> belief = lw.belief_from_labels(lw.metrics.ECE(bins=2), lw.everything(pool))
    >>> chart = ece_chart(belief, truth=0.2, rng=np.random.default_rng(1))
    >>> [row["part"] for row in chart.frame().rows()[-5:]]
    ['mean', 'low', 'high', 'plug-in', 'truth']
    """
    draws, plug_in, who, n_labels = _drawn(belief, group, target, n_draws, rng)
    low, high = (float(end[0]) for end in draws_interval(draws[:, None], level, "equal-tailed"))
    values = {"mean": float(draws.mean()), "low": low, "high": high, "plug-in": plug_in}
    values |= {} if truth is None else {"truth": float(truth)}
    at, height = density(draws, low=0.0, high=1.0)
    frame = Frame(
        {
            "part": ["density"] * len(at) + list(values),
            "ece": [*at.tolist(), *values.values()],
            "density": [*height.tolist(), *[None] * len(values)],
        }
    )

    def draw(theme: Theme) -> dict[str, Any]:
        return _layers(theme, at, height, values)

    known = "" if truth is None else f" The true value is {truth:.3f}."
    return Chart(
        title=f"Calibration error of {who}",
        subtitle=f"Posterior density with its {level:.0%} interval, {belief.n_bins} bins, {n_labels:,} labels.",
        alt=f"Posterior density of the calibration error of {who}: mean {interval_text(values['mean'], low, high)}, "
        f"plug-in value {plug_in:.3f}.{known}",
        table=frame,
        drawing=draw,
    )


def _drawn(
    belief: CellBelief, group: str | None, target: Target, n_draws: int, rng: np.random.Generator
) -> tuple[_Floats, float, str, int]:
    """Return draws, the plug-in value, the name of what is drawn, and its number of labels."""
    if group is not None or len(belief.names) == 1:
        g = 0 if group is None else find(str(group), belief.names, "Group")
        draws = ece.draw(belief, n_draws, target=target, rng=rng)[:, g]
        plug_in = float(ece.plug_in(belief, target=target)[g])
        return draws, plug_in, shortened(belief.names[g]), int(belief.n_labels[g])
    # sum over groups first, then |.|: gaps of opposite sign cancel within a bin, as in `ECE.draw_overall`
    share = belief.weight * belief.groups.share[:, None]
    gap = (share * (belief.mean(target=target) - belief.confidence)).sum(axis=0)
    draws = ece.draw_overall(belief, n_draws, target=target, rng=rng)
    return draws, float(np.abs(gap).sum()), "all items", int(belief.n_labels.sum())


def _layers(theme: Theme, at: _Floats, height: _Floats, values: dict[str, float]) -> dict[str, Any]:
    free = {"zero": False, "nice": True}
    x = {"type": "quantitative", "title": ece.title, "scale": free, "axis": {"tickCount": 6}}
    y = {"field": "y", "type": "quantitative", "title": "Posterior density", "axis": {"labels": False, "ticks": False}}
    curve = [{"x": a, "y": h, "inside": values["low"] <= a <= values["high"]} for a, h in zip(at, height, strict=True)]
    lines = [name for name in ("mean", "plug-in", "truth") if name in values]
    words = {name: f"{name} {values[name]:.3f}" for name in lines}
    colours = {"mean": theme.main, "plug-in": theme.bad, "truth": theme.good}
    scale = {"domain": list(words.values()), "range": [colours[name] for name in lines]}
    dashes = {"domain": list(words.values()), "range": [_DASHES[name] for name in lines]}
    legend = {
        "title": None,
        "orient": "bottom",
        "direction": "horizontal",
        "symbolType": "stroke",
        "symbolSize": 300,
        "symbolStrokeWidth": 2,
    }
    return {
        "width": 460,
        "height": 230,
        "layer": [
            {
                "data": {"values": [row for row in curve if row["inside"]]},
                "mark": {"type": "area", "color": theme.main, "opacity": 0.22},
                "encoding": {"x": x | {"field": "x"}, "y": y},
            },
            {
                "data": {"values": curve},
                "mark": {"type": "line", "color": theme.main, "strokeWidth": 2},
                "encoding": {"x": x | {"field": "x"}, "y": y},
            },
            {
                "data": {"values": [{"at": values[name], "line": words[name]} for name in lines]},
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {
                    "x": x | {"field": "at"},
                    "stroke": {"field": "line", "type": "nominal", "scale": scale, "legend": legend},
                    "strokeDash": {"field": "line", "type": "nominal", "scale": dashes, "legend": legend},
                },
            },
        ],
    }
