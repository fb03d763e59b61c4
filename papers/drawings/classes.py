"""Figures with a row per class: accuracies, biases and ranks, worst first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelwise.plots import Chart, Panel, Series
from papers.drawings.parts import Columns, columns_of, split
from papers.drawings.words import DIAMONDS, figure
from papers.reproduction import Reproduction

_MOST = 25
_ENDS = (15, 10)  # of more classes: the worst and the best
_METRICS = {"accuracy": "accuracy", "bias": "calibration bias"}


def posteriors(found: Reproduction) -> Chart:
    """Draw accuracy and calibration bias of every class, with the published biases."""
    part = columns_of(found)
    shown, about = _shown(len(part["class"]))
    printed = {row.where[1]: row.published / 100 for row in found.rows}
    panels = []
    for metric, title in (("accuracy", "Accuracy"), ("bias", "Calibration bias (confidence less accuracy)")):
        columns = [part[name][shown] for name in (metric, "class", f"{metric}_low", f"{metric}_high")]
        series = [_bars(*columns)]
        if metric == "bias":
            named = [name for name in columns[1] if name in printed]
            series.append(Series(_OURS, [printed[name] for name in named], named, mark="points", is_published=True))
        panels.append(Panel("", tuple(series), title))
    return figure(found, panels, legend=f"95 % intervals. {DIAMONDS}", about=about)


def rank_bars(found: Reproduction) -> Chart:
    """Draw where each class ranks, by accuracy and by bias; the published ones hang on a slip, and are left out."""
    panels, about = [], ""
    for metric, part in split(columns_of(found), "metric"):
        shown, about = _shown(len(part["class"]))
        panels.append(_ranks(f"By {_METRICS[metric]}", part, shown))
    return figure(found, panels, legend="Bars hold 90 % of ranks.", about=about, is_one_run=True)


def rankings(found: Reproduction) -> Chart:
    """Draw where each class ranks by accuracy after some labels and after all."""
    panels, about = [], ""
    for data, part in split(columns_of(found), "data"):
        *_, last = (part_of for _, part_of in split(part, "labels"))
        order = np.argsort(last["accuracy"], kind="stable")  # one order for both, that of all labels
        for n_labels, one in split(part, "labels"):
            shown, words = _shown(len(order))
            about = words or about
            title = f"{data}, {n_labels:,} labels"
            panels.append(_ranks(title, {name: values[order] for name, values in one.items()}, shown))
    return figure(found, panels, legend="Bars hold 95 % of ranks.", about=about, is_one_run=True)


_OURS = "ours"


def _ranks(title: str, part: Columns, shown: Sequence[int]) -> Panel:
    low, high = (part[end][shown].astype(float) for end in ("rank_low", "rank_high"))
    return Panel(title, (_bars((low + high) / 2, part["class"][shown], low, high),), "Rank (1 is the worst)")


def _bars(x: Any, names: Any, low: Any, high: Any) -> Series:
    return Series(_OURS, x, [str(name) for name in names], low, high, mark="points")


def _shown(n_classes: int) -> tuple[list[int], str]:
    """Return the places of the classes that are drawn, and what is said where some are not."""
    if n_classes <= _MOST:
        return list(range(n_classes)), ""
    first, last = _ENDS
    words = f"The {first} worst and the {last} best of {n_classes} classes."
    return [*range(first), *range(n_classes - last, n_classes)], words
