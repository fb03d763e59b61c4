"""The difference between two groups: posterior density, region of practical equivalence, three probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.metrics import Difference, Metric, difference
from labelwise.metrics.difference import MARGIN
from labelwise.metrics.metric import N_DRAWS
from labelwise.plots.chart import Chart
from labelwise.plots.density import density
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import interval_text
from labelwise.pool import Frame

_Floats = NDArray[np.float64]


def difference_chart(
    metric: Metric,
    belief: Belief,
    one: str,
    other: str,
    *,
    margin: float = MARGIN,
    level: float = 0.95,
    target: Target = "population",
    n_draws: int = N_DRAWS,
    rng: np.random.Generator,
) -> Chart:
    """Draw the posterior density of `one` minus `other`, coloured by region: lower, practically equal, higher.

    Parameters
    ----------
    metric, belief : the metric to compare, and the belief it is computed from.
    one, other : names of the two groups.
    margin : half-width of the region of practical equivalence, drawn as a band.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> belief = lw.beliefs.BetaBelief.from_counts([279, 350], [481, 511], names=["people", "trees"])
    >>> chart = difference_chart(lw.accuracy, belief, "people", "trees", rng=np.random.default_rng(1))
    >>> chart.alt.split(". ")[1]
    'P(lower) = 0.963, P(within 0.05) = 0.037, P(higher) = 0.000.'
    """
    how: dict[str, Any] = {"level": level, "target": target, "n_draws": n_draws, "rng": rng}
    found = difference(metric, belief, one, other, margin=margin, **how)
    names = metric.names(belief)
    draws = metric.draw(belief, n_draws, target=target, rng=rng)
    return chart_of_difference(found, draws[:, names.index(found.one)] - draws[:, names.index(found.other)], level)


def chart_of_difference(found: Difference, draws: _Floats, level: float) -> Chart:
    """Draw a difference that is already computed; `draws` only shape the curve, all numbers come from `found`."""
    at, height = density(draws)
    probabilities = {"lower": found.p_lower, "equal": found.p_equal, "higher": found.p_higher}
    estimate = {"mean": found.mean, "low": found.low, "high": found.high}
    n_curve, n_rest = len(at), len(estimate) + len(probabilities)
    frame = Frame(
        {
            "part": ["density"] * n_curve + [*estimate, *probabilities],
            "difference": [*at.tolist(), *estimate.values(), *[None] * len(probabilities)],
            "density": [*height.tolist(), *[None] * n_rest],
            "probability": [*[None] * (n_curve + len(estimate)), *probabilities.values()],
        }
    )
    one, other = shortened(found.one), shortened(found.other)
    within = f"P(within {found.margin:g})" if found.margin else "P(equal)"
    value = interval_text(found.mean, found.low, found.high)
    return Chart(
        title=f"Difference in {found.description.label}: {one} less {other}",
        subtitle=f"Posterior density with its mean and {level:.0%} interval. {found.sentence()}.",
        alt=f"Difference in {found.description.label} of {one} less {other}: {value}. "
        f"P(lower) = {found.p_lower:.3f}, {within} = {found.p_equal:.3f}, P(higher) = {found.p_higher:.3f}.",
        table=frame,
        drawing=_Drawn(found, at, height),
    )


@dataclass(frozen=True, eq=False)
class _Drawn:
    found: Difference
    at: _Floats
    height: _Floats

    def __call__(self, theme: Theme) -> dict[str, Any]:
        found, words = self.found, self._words()
        colours = {"lower": theme.bad, "equal": theme.muted, "higher": theme.main}
        shown = [name for name in words if found.margin or name != "equal"]
        scale = {"domain": [words[name] for name in shown], "range": [colours[name] for name in shown]}
        legend = {"title": None, "orient": "bottom", "direction": "horizontal", "symbolType": "square"}
        title, free = f"Difference in {found.description.label}", {"zero": False, "nice": False}
        x = {"type": "quantitative", "title": title, "scale": free, "axis": {"tickCount": 7}}
        hidden = {"labels": False, "ticks": False, "grid": False}
        y = {"field": "y", "type": "quantitative", "title": "Posterior density", "axis": hidden, "stack": None}
        fill = {"field": "region", "type": "nominal", "scale": scale, "legend": legend}
        layers: list[dict[str, Any]] = []
        if found.margin:
            layers.append(
                {
                    "data": {"values": [{"from": -found.margin, "to": found.margin}]},
                    "mark": {"type": "rect", "color": theme.grid, "opacity": 0.8},
                    "encoding": {"x": x | {"field": "from"}, "x2": {"field": "to"}},
                }
            )
        layers += [
            {
                "data": {"values": self._pieces(words)},
                "mark": {"type": "area", "opacity": 0.75},
                "encoding": {"x": x | {"field": "x"}, "y": y, "fill": fill},
            },
            {
                "data": {"values": [{}]},
                "mark": {"type": "rule", "color": theme.ink, "strokeDash": [4, 4]},
                "encoding": {"x": {"datum": 0}},
            },
            {
                "data": {"values": [{"low": found.low, "high": found.high}]},
                "mark": {"type": "rule", "color": theme.ink, "strokeWidth": 2.5},
                "encoding": {"x": x | {"field": "low"}, "x2": {"field": "high"}, "y": {"value": 222}},
            },
            {
                "data": {"values": [{"mean": found.mean}]},
                "mark": {"type": "point", "filled": True, "color": theme.ink, "size": 60, "opacity": 1},
                "encoding": {"x": x | {"field": "mean"}, "y": {"value": 222}},
            },
        ]
        return {"width": 480, "height": 230, "layer": layers}

    def _words(self) -> dict[str, str]:
        found = self.found
        return {
            "lower": f"lower: {found.p_lower:.3f}",
            "equal": f"within {found.margin:g}: {found.p_equal:.3f}",
            "higher": f"higher: {found.p_higher:.3f}",
        }

    def _pieces(self, words: dict[str, str]) -> list[dict[str, Any]]:
        """Split the curve at the margins; each piece includes its end points."""
        margin = self.found.margin
        ends = {"lower": (-np.inf, -margin), "equal": (-margin, margin), "higher": (margin, np.inf)}
        rows = []
        for region, (low, high) in ends.items():
            if low >= high:
                continue
            own = [p for p in self.at if low < p < high]
            edges = [end for end in (low, high) if self.at[0] <= end <= self.at[-1]]
            places = np.array(sorted([*own, *edges]))
            heights = np.interp(places, self.at, self.height) if len(places) else places
            rows += [{"x": p, "y": h, "region": words[region]} for p, h in zip(places, heights, strict=True)]
        return rows
