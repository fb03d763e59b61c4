"""What stands above every drawn figure, and what is said of it to those who cannot see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labelwise.plots import Chart, Panel, panel_chart
from labelwise.pool import Frame
from papers.reproduction import Reproduction

DIAMONDS = "Diamonds are published values."


def figure(
    found: Reproduction,
    panels: Sequence[Panel],
    *,
    legend: str = "",
    about: str = "",
    is_one_run: bool = False,
    **options: Any,
) -> Chart:
    """Make the chart of a reproduction.

    Parameters
    ----------
    legend : how published values are told from ours.
    about : what the drawing shows, where the title does not say it.
    is_one_run : what is drawn comes from one of the runs.
    options : size and columns of the panels.
    """
    runs = f"{found.n_runs:,} runs. " if found.n_runs and not is_one_run else ""
    names = "; ".join(dict.fromkeys(panel.title for panel in panels if panel.title))
    return panel_chart(
        panels,
        found.frame if found.frame is not None else _rows(found),
        title=found.title,
        subtitle=f"{about} {runs}{legend}".strip(),
        alt=" ".join(part for part in (f"{found.title}.", f"Panels: {names}." if names else "", _said(found)) if part),
        **options,
    )


def _said(found: Reproduction) -> str:
    said = []
    if found.rows:
        said.append(f"{sum(row.agrees for row in found.rows)} of {len(found.rows)} published numbers agree with ours")
    if found.claims:
        said.append(f"{sum(one.holds for one in found.claims)} of {len(found.claims)} directions hold")
    return f"{'; '.join(said)}." if said else ""


def _rows(found: Reproduction) -> Frame:
    rows = found.to_data()["rows"]
    return Frame({name: [row[name] for row in rows] for name in rows[0]})
