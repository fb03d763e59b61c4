"""Figures that are curves over labels: ranks, success and error, by method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labelwise.plots import Chart, Panel, Series
from papers.aaai.identification import TABLE_6
from papers.drawings.parts import Columns, columns_of, split
from papers.drawings.words import DIAMONDS, figure
from papers.reproduction import PRINTED, Reproduction
from papers.study import GOAL

_SHARE, _MRR = "Labels (% of the pool)", "Mean reciprocal rank"
_MEASURES = {"weighted": "Error of bins", "unweighted": "Error of bins, unweighted", "ece": "Error of the ECE (part)"}


def rank_curves(found: Reproduction) -> Chart:
    """Draw mean reciprocal ranks by data and m; table 6 has the published shares at which they exceed 0.99."""
    panels = []
    by = "data" if "data" in columns_of(found) else "costs"
    for (data, m), part in split(columns_of(found), by, "m"):
        series = [_curve(method, one, "mrr", has_band=by == "data") for method, one in split(part, "method")]
        for method, shares in TABLE_6.get(data, {}).items():
            series.append(_published(method, [shares[m]]))
        panels.append(_panel(data if by == "data" else f"{data} costs", series, f"m = {m}"))
    is_published = by == "data"
    legend = f"{DIAMONDS[:-1]} (table 6) of the share at which {GOAL} is exceeded." if is_published else ""
    return figure(found, panels, legend=legend)


def method_curves(found: Reproduction) -> Chart:
    """Draw mean reciprocal ranks by data, one line per method."""
    panels = [
        _panel(data, [_curve(method, one, "mean") for method, one in split(part, "method")])
        for data, part in split(columns_of(found), "data")
    ]
    return figure(found, panels)


def counted_curves(found: Reproduction) -> Chart:
    """Draw mean reciprocal ranks by data, and the published numbers of labels beside ours."""
    panels = [
        _panel(data, [_curve(method, one, "mean") for method, one in split(part, "method")])
        for data, part in split(columns_of(found), "data")
    ]
    off = {row.where for row in found.rows if row.protocol == PRINTED and not row.agrees}
    rows = [row for row in found.rows if row.protocol == PRINTED or row.where in off]  # then the other protocol too
    series = []
    for row in rows:
        method, spread = row.where[-1], 3 * np.hypot(row.error, row.chance)
        name = method if row.protocol == PRINTED else f"{method}, {row.protocol}"
        ends = [max(row.ours - spread, 0.0)], [row.ours + spread]
        series.append(Series(method, [row.ours], [name], *ends, mark="points"))
        series.append(Series(method, [row.published], [name], mark="points", is_published=True))
    title = f"{rows[0].where[0]}: labels until the class is named in 95 % of runs"
    counts = Panel(title, tuple(series), "Labels")
    return figure(found, [*panels, counts], legend=f"{DIAMONDS} Bars: three standard errors.")


def prior_curves(found: Reproduction) -> Chart:
    """Draw mean reciprocal ranks by data and m, with the published shares at which they exceed 0.99."""
    panels = []
    for data, part in split(columns_of(found), "data"):
        methods = list(split(part, "method"))
        for m in dict.fromkeys(method.rpartition(" ")[2] for method, _ in methods):
            series = [
                _curve(method.partition(",")[0], one, "mean") for method, one in methods if method.endswith(f" {m}")
            ]
            for row in found.rows:
                if row.protocol == PRINTED and (row.where[0], row.where[2]) == (data, m):
                    series.append(_published(row.where[1], [row.published]))
            panels.append(_panel(data, series, f"m = {m}"))
    return figure(found, panels, legend=f"{DIAMONDS[:-1]} of the share at which {GOAL} is exceeded.")


def success_curves(found: Reproduction) -> Chart:
    """Draw the share of runs that name the right class, published curves broken."""
    panels = []
    for task, part in split(columns_of(found), "task"):
        series = []
        for method, one in split(part, "method"):
            x, ours, error = one["labels"], one["ours"], one["error"]
            series.append(Series(method, x, ours, ours - error, ours + error))
            series.append(Series(method, x, one["published"], is_published=True))
        panels.append(
            Panel(task, tuple(series), "Labels", "Share of runs that name the class", y_span=(0, 1), is_log=True)
        )
    legend = "Broken lines are published (100 runs each)."
    return figure(found, panels, legend=legend, size=(290, 200))


def error_curves(found: Reproduction) -> Chart:
    """Draw errors by data and measure, with the published ones."""
    panels = []
    published: dict[tuple[str, str], list[Series]] = {(row.where[0], row.where[1]): [] for row in found.rows}
    for row in found.rows:
        if row.protocol == PRINTED:
            one = Series(row.where[2], [float(row.where[3])], [row.published], mark="points", is_published=True)
            published[row.where[0], row.where[1]].append(one)
    for (data, measure), part in split(columns_of(found), "data", "measure"):
        series = [
            Series(method, one["labels"], one["mean"], one["mean"] - one["error"], one["mean"] + one["error"])
            for method, one in split(part, "method")
        ]
        series += published.get((data, measure), [])
        panels.append(Panel(data, tuple(series), "Labels", _MEASURES[measure], is_log=True))
    return figure(found, panels, legend=DIAMONDS, columns=3, size=(190, 140))


def _curve(method: str, part: Columns, score: str, *, has_band: bool = True) -> Series:
    x, y = 100 * part["share"], part[score]
    if not has_band:  # the error of these frames is that of the crossing
        return Series(method, x, y)
    return Series(method, x, y, np.maximum(y - part["error"], 0), np.minimum(y + part["error"], 1))


def _published(method: str, shares: Sequence[float]) -> Series:
    return Series(method, shares, [GOAL] * len(shares), mark="points", is_published=True)


def _panel(data: str, series: Sequence[Series], more: str = "") -> Panel:
    title = f"{data}, {more}" if more else data
    return Panel(title, tuple(series), _SHARE, _MRR, x_span=(0, 100), y_span=(0, 1.02))
