"""Tables drawn: a row a published number, ours beside it."""

from __future__ import annotations

import numpy as np

from labelwise.plots import Chart, Panel, Series
from papers.drawings.words import DIAMONDS, figure
from papers.reproduction import Reproduction


def beside(found: Reproduction) -> Chart:
    """Draw published numbers and ours, a panel for each data set and protocol."""
    panels = []
    for data, protocol in dict.fromkeys((row.where[0], row.protocol) for row in found.rows):
        rows = [row for row in found.rows if (row.where[0], row.protocol) == (data, protocol)]
        names = [", ".join(row.where[1:]) for row in rows]
        ours = np.array([row.ours for row in rows])
        spread = 3 * np.array([np.hypot(row.error, row.chance) for row in rows])
        theirs = Series("ours", [row.published for row in rows], names, mark="points", is_published=True)
        bars = Series("ours", ours, names, ours - spread, ours + spread, mark="points")
        panels.append(Panel(f"{data}, {protocol}", (bars, theirs), found.title.partition(",")[0]))
    return figure(found, panels, legend=f"{DIAMONDS} Bars: three standard errors.")
