"""Figures of what is believed: reliability diagrams, densities, and accuracy against calibration error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.metrics.difference import MARGIN
from labelwise.plots import Chart, Panel, Series
from papers.drawings.parts import columns_of, split
from papers.drawings.words import figure
from papers.reproduction import Reproduction

_Floats = NDArray[np.float64]
_EVERY = 3  # quantiles: the slope between neighbours is noise
_FIRST_EDGE, _LAST_EDGE = 1.0, 9.0  # where the open bins of the toy problem are drawn to


def reliability(found: Reproduction) -> Chart:
    """Draw accuracy against confidence after more and more labels."""
    panels = []
    for (data, n_labels), part in split(columns_of(found), "data", "labels"):
        bars = Series("bins", part["confidence"], part["accuracy"], part["low"], part["high"], mark="points")
        title, whole = f"{data}, {n_labels:,} labels", (0.0, 1.0)
        panels.append(Panel(title, (bars,), "Confidence", "Accuracy", has_diagonal=True, x_span=whole, y_span=whole))
    return figure(found, panels, legend="One seeded run, 95 % intervals.", is_one_run=True, columns=3, size=(180, 180))


def ece_densities(found: Reproduction) -> Chart:
    """Draw the density of the ECE after more and more labels, with its value on all labels, published and ours."""
    published = {row.where[0]: row.published for row in found.rows}
    panels = []
    for data, part in split(columns_of(found), "data"):
        series = []
        n_all = int(part["labels"].max())
        for n_labels, one in split(part, "labels"):
            ece, quantile = one["ece"][::_EVERY], one["quantile"][::_EVERY]
            name = "all labels" if n_labels == n_all else f"{n_labels:,} labels"
            series.append(Series(name, (ece[1:] + ece[:-1]) / 2, np.diff(quantile) / np.diff(ece)))
        series.append(Series("published, all labels", [published[data]], mark="upright", is_published=True))
        panels.append(Panel(data, tuple(series), "ECE", "Density"))
    return figure(found, panels, legend="One seeded run.", is_one_run=True, size=(290, 190))


def differences(found: Reproduction) -> Chart:
    """Draw the density of two differences, with the margin within which they count as none."""
    published = {row.where[0]: row for row in found.rows if row.where[1].startswith("P(")}
    panels = []
    for pair, part in split(columns_of(found), "pair"):
        row = published[pair]
        inside = part["density"] > 1e-3
        lines = (
            Series("density", part["difference"][inside], part["density"][inside]),
            Series("margin", [-MARGIN, MARGIN], mark="upright", is_published=True),
        )
        title = f"{pair}: P(lower) {row.ours:.1f} %, published {row.published:g} %"
        panels.append(Panel(title, lines, "Difference in accuracy", "Density"))
    return figure(found, panels, legend=f"Broken lines: the margin, {MARGIN:g} either way.", size=(290, 190))


def scatter(found: Reproduction) -> Chart:
    """Draw accuracy against ECE, a point per class."""
    panels = [
        Panel(data, (Series("class", part["accuracy"], part["ece"], mark="points"),), "Accuracy", "ECE")
        for data, part in split(columns_of(found), "data")
    ]
    return figure(found, panels, legend="A point a predicted class, on all labels.")


def toy(found: Reproduction) -> Chart:
    """Draw exact local accuracy and score in bins of the feature, and what 500 labels say of it."""
    part = columns_of(found)
    low, high = np.maximum(part["x_low"], _FIRST_EDGE), np.minimum(part["x_high"], _LAST_EDGE)
    middle = (low + high) / 2
    series = (
        Series("score", *_steps(low, high, part["score"])),
        Series("exact accuracy", *_steps(low, high, part["accuracy"])),
        Series("posterior of 500 labels", middle, part["mean"], part["low"], part["high"], mark="points"),
    )
    panel = Panel("", series, "Feature x (the outer bins are open)", "Accuracy", y_span=(0.35, 1.0))
    return figure(found, [panel], legend="95 % intervals of the first run.", is_one_run=True, size=(460, 260))


def _steps(low: _Floats, high: _Floats, y: _Floats) -> tuple[_Floats, _Floats]:
    """Return a line that is level in every bin.

    Examples
    --------
    >>> _steps(np.array([0, 1]), np.array([1, 2]), np.array([0.5, 0.7]))
    (array([0, 1, 1, 2]), array([0.5, 0.5, 0.7, 0.7]))
    """
    return np.stack([low, high], axis=1).ravel(), np.repeat(y, 2)
