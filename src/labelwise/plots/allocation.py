"""Allocation of labels: labels per group, next to its size and the width of its interval."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelwise.assessment import Assessment
from labelwise.plots.chart import Chart
from labelwise.plots.extremes import shown
from labelwise.plots.intervals import STEP, label_axis
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import many
from labelwise.pool import Frame

_DRAWS = 2_000


def allocation_chart(assessment: Assessment) -> Chart:
    """Draw labels, items and interval width of each group side by side, most labels first.

    A policy spends labels where they change the answer: for an estimate on large groups and wide intervals, for a
    search on the groups that may be the worst.

    Parameters
    ----------
    assessment : with the labels so far.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=7)
    >>> for ticket in assessment.ask(20):
    ...     assessment.tell(ticket, "cat")
    >>> int(allocation_chart(assessment).frame()["labels"].sum())
    20
    """
    assessment.refresh()
    groups, setup = assessment.groups, assessment.setup
    ledger = assessment.ledger
    items = np.fromiter(ledger.label_of, np.int64, len(ledger.label_of))
    n_labels = np.bincount(groups.of_item[items], minlength=groups.n_groups)
    metric = setup.question.metric
    found = metric.estimate(
        ledger.belief, level=setup.level, target=setup.target, n_draws=_DRAWS,
        rng=np.random.default_rng([setup.seed, ledger.n_events, 3]),
    )  # fmt: skip
    has_widths = found.names == groups.names
    width = found.high - found.low if has_widths else np.full(groups.n_groups, np.nan)
    nonempty = np.flatnonzero(groups.candidates)
    order = [int(g) for g in nonempty[np.lexsort((nonempty, -n_labels[nonempty]))]]
    rest = [int(g) for g in np.flatnonzero(groups.n_items == 0)]
    everyone = [*order, *rest]
    frame = Frame(
        {
            "group": [groups.names[g] for g in everyone],
            "labels": n_labels[everyone],
            "items": groups.n_items[everyone],
            "width": width[everyone],
        }
    )
    seen = shown(order, rest, words=("most labelled", "least labelled"))
    rows = seen.rows(
        groups.names, lambda g: {"labels": int(n_labels[g]), "items": int(groups.n_items[g]), "width": float(width[g])}
    )
    n_bare = int((n_labels[everyone] == 0).sum())
    bare = f"{many(n_bare)} without own labels, hollow. " if n_bare else ""

    def draw(theme: Theme) -> dict[str, Any]:
        parts = [
            _bars(theme, rows, "labels", "Labels told", theme.main, 220, has_labels=True),
            _bars(theme, rows, "items", "Items in the group", theme.muted, 130),
        ]
        if has_widths:
            title = f"Width of the {setup.level:.0%} interval"
            parts.append(_bars(theme, rows, "width", title, theme.close, 150))
        return {"hconcat": parts, "spacing": 16}

    first = order[0]
    share = n_labels[first] / max(int(n_labels.sum()), 1)
    return Chart(
        title=f"Where {int(n_labels.sum()):,} labels went",
        subtitle=f"Policy {setup.policy.name}: {setup.question} {bare}{seen.sentence}".strip(),
        alt=f"Labels of {many(len(everyone))}, most first: {shortened(groups.names[first])} has "
        f"{int(n_labels[first]):,} of {int(n_labels.sum()):,} ({share:.0%}) and {int(groups.n_items[first]):,} of "
        f"{groups.pool.n_items:,} items. {bare}".strip(),
        table=frame,
        drawing=draw,
    )


def _bars(
    theme: Theme,
    rows: list[dict[str, Any]],
    field: str,
    title: str,
    colour: str,
    width: int,
    *,
    has_labels: bool = False,
) -> dict[str, Any]:
    # hollow: the interval of a group without labels comes from the prior or from other groups
    hollow = "datum.labels === 0" if field == "width" else "false"
    axis: dict[str, Any] = {"tickCount": 4} | ({} if field == "width" else {"tickMinStep": 1, "format": "~s"})
    return {
        "data": {"values": rows},
        "width": width,
        "height": {"step": STEP},
        "mark": {"type": "bar", "stroke": colour, "strokeWidth": 1.2, "height": {"band": 0.65}},
        "encoding": {
            "fill": {"condition": {"test": hollow, "value": theme.background}, "value": colour},
            "y": label_axis(rows, has_labels=has_labels),
            "x": {"field": field, "type": "quantitative", "title": title, "axis": axis},
        },
    }
