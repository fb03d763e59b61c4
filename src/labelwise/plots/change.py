"""Change from one assessment to the next, per group: better, worse or undecided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labelwise.plots.chart import Chart
from labelwise.plots.extremes import shown
from labelwise.plots.intervals import interval_panel
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import interval_text, many
from labelwise.pool import Frame

WORSE, OPEN, BETTER = "clearly worse", "undecided", "clearly better"


def change_chart(rows: Sequence[dict[str, Any]], *, names: tuple[str, str], level: float = 0.95) -> Chart:
    """Draw the difference of each group with its interval, in the order of `rows`, and a line at no change.

    Parameters
    ----------
    rows : group, mean, low and high of second minus first, largest loss first.
    names : names of the two assessments.
    level : probability of the intervals.

    Examples
    --------
    >>> rows = [{"group": "cat", "mean": -0.2, "low": -0.3, "high": -0.1}]
    >>> change_chart(rows, names=("spring", "autumn")).alt
    'Change in 1 group from spring to autumn: 1 clearly worse, 0 clearly better; from cat -0.200 [-0.300, -0.100].'
    """
    status = [WORSE if row["high"] < 0 else BETTER if row["low"] > 0 else OPEN for row in rows]
    columns = {name: [row[name] for row in rows] for name in ("group", "mean", "low", "high")}
    seen = shown(range(len(rows)), words=("largest losses", "largest gains"))
    drawn = seen.rows(
        columns["group"],
        lambda g: {name: rows[g][name] for name in ("mean", "low", "high")} | {"status": status[g], "shaded": False},
    )

    def draw(theme: Theme) -> dict[str, Any]:
        colours = {WORSE: theme.bad, OPEN: theme.muted, BETTER: theme.main}
        title = "Change in accuracy (right: better)"
        return interval_panel(theme, drawn, title=title, colours=colours, line=0.0, line_words="no change:")

    before, after = (shortened(name) for name in names)
    ends = [rows[0], rows[-1]] if len(rows) > 1 else list(rows)
    extremes = " to ".join(f"{shortened(r['group'])} {interval_text(r['mean'], r['low'], r['high'])}" for r in ends)
    return Chart(
        title=f"Change in {many(len(rows))} from {before} to {after}",
        subtitle=f"Difference in accuracy with its {level:.0%} interval. {seen.sentence}".strip(),
        alt=f"Change in {many(len(rows))} from {before} to {after}: {status.count(WORSE):,} clearly worse, "
        f"{status.count(BETTER):,} clearly better; from {extremes}.",
        table=Frame(columns | {"status": status}),
        drawing=draw,
    )
