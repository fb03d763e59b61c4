"""Which charts a report shows, in which order, and how to read each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelwise.assessment import Assessment, Result
from labelwise.metrics.metric import N_DRAWS
from labelwise.plots import Chart, allocation_chart, group_chart, plot, progress_chart, rank_chart

READINGS = {
    "difference": "The area of each colour is a probability; the bar below is the interval, its dot the mean.",
    "groups": "A dot is a group's mean and the line its credible interval. A hollow dot has no labels of "
    "its own: what is drawn comes from the prior, and from the other groups where that is learned.",
    "progress": "What would have been said after each label. Below, how far the stopping rule was from being met.",
    "allocation": "Labels go where they change the answer; groups are therefore not labelled alike, and every number "
    "here allows for it.",
    "ranks": "The stronger the colour of a cell, the likelier the group has that rank. Rank 1 is the worst.",
    "reliability": "A dot on the diagonal is a score that can be taken at its word; below it, the classifier promises "
    "too much.",
    "curve": "The same without bins: accuracy as a smooth function of the confidence, with its band.",
    "ece": "How likely each size of the calibration error is; 0 would be scores that can be taken at their word.",
    "confusion": "Each row is a predicted class: how often each class is the true one, as far as the labels tell.",
    "cost": "What a prediction of each group is expected to cost.",
    "differences": "To the right of zero the second assessment has the better group; a line that crosses zero leaves "
    "it open.",
}
_MANY = 100  # groups above which calibration is drawn in bins alone, and ranks from fewer draws
_MOMENTS = 6_000  # answers times groups that the chart of progress works out anew
_FEWEST = 10  # labels before calibration and confusion are drawn
_MOST_CLASSES = 50


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart of a report.

    Attributes
    ----------
    kind : of chart.
    chart : the drawing and its numbers.
    """

    kind: str
    chart: Chart

    def document(self) -> dict[str, Any]:
        """Return what the chart says as plain values, its numbers included."""
        chart = self.chart
        rows = _one_a_group(chart.frame().rows()) if self.kind == "ranks" else chart.frame().rows()
        return {
            "kind": self.kind,
            "title": chart.title,
            "subtitle": chart.subtitle,
            "alt": chart.alt,
            "reading": READINGS[self.kind],
            "rows": [row for row in rows if row.get("part") != "density"],
        }


def figures_of(
    assessment: Assessment, result: Result, *, step: Callable[[str], None] | None = None
) -> tuple[Figure, ...]:
    """Return the charts that suit an assessment; nothing is drawn yet.

    Parameters
    ----------
    assessment : as it stands.
    result : its answer, so that it need not be worked out again.
    step : told what is being worked out.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=7)
    >>> for ticket in assessment.ask(20):
    ...     assessment.tell(ticket, "cat")
    >>> [figure.kind for figure in figures_of(assessment, assessment.answer())]
    ['groups', 'progress', 'allocation', 'ranks', 'confusion']
    """
    found = []
    for kind, make in figure_makers(assessment, result):
        if step is not None:
            step(f"chart: {kind}")
        found.append(Figure(kind, make()))
    return tuple(found)


def figure_makers(
    assessment: Assessment, result: Result, *, moments: int = 60
) -> Iterator[tuple[str, Callable[[], Chart]]]:
    """Yield the kind of each chart that suits an assessment, and a function that draws it.

    Parameters
    ----------
    moments : at most so many of the past are worked out anew for the chart of progress.
    """
    question, groups, pool = assessment.question, assessment.groups, assessment.pool
    n_there = int(groups.candidates.sum())
    if question.is_comparison:
        yield "difference", lambda: plot(assessment, "difference")
    yield "groups", lambda: group_chart(result)
    if result.n_labels == 0:
        return
    most = max(8, min(moments, _MOMENTS // groups.n_groups))
    yield "progress", lambda: progress_chart(assessment, most=most)
    if n_there > 1:
        yield "allocation", lambda: allocation_chart(assessment)
    if question.is_ranking and n_there > 1:
        yield "ranks", lambda: _ranks(assessment)
    if question.metric.cost_matrix is not None:
        yield "cost", lambda: plot(assessment, "cost")
    # an assessment of two classifiers labels only what they differ in: that says nothing of either's calibration
    if question.metric.needs_rival or result.n_labels < _FEWEST:
        return
    if pool.confidence is not None and not groups.rule.startswith("score"):
        yield "reliability", lambda: plot(assessment, "reliability")
        if groups.n_groups <= _MANY:
            yield "curve", lambda: plot(assessment, "curve")
            yield "ece", lambda: plot(assessment, "ece")
    if groups.rule == "prediction" and not groups.n_left_out and pool.n_classes <= _MOST_CLASSES:
        yield "confusion", lambda: plot(assessment, "confusion")


def _ranks(assessment: Assessment) -> Chart:
    setup, ledger = assessment.setup, assessment.ledger
    return rank_chart(
        setup.question.metric, ledger.belief, level=setup.level, target=setup.target,
        n_draws=N_DRAWS if assessment.groups.n_groups <= _MANY else 2_000,
        rng=np.random.default_rng([setup.seed, ledger.n_events, 5]),
    )  # fmt: skip


def _one_a_group(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each group's likeliest rank in place of its whole distribution."""
    best: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["group"] not in best or row["probability"] > best[row["group"]]["probability"]:
            best[row["group"]] = row
    return [
        {"group": name, "p_worst": row["p_worst"], "p_best": row["p_best"], "likeliest_rank": _rank(row),
         "its_probability": row["probability"]}
        for name, row in best.items()
    ]  # fmt: skip


def _rank(row: dict[str, Any]) -> str:
    low, high = row["rank_from"], row["rank_to"]
    return f"{low}" if low >= high else f"{low} to {high}"
