"""Progress of an assessment: its answer with interval, and its stopping criterion, against labels spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelwise.assessment import Assessment, StoppingRule, Width
from labelwise.assessment.stopping import Gauge
from labelwise.plots.chart import Chart
from labelwise.plots.history import MOST_MOMENTS, Moment, moments_of
from labelwise.plots.intervals import is_number, line_layers, span
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import interval_text, many
from labelwise.pool import Frame
from labelwise.questions import Answer

_WIDTH = 520
_WIDEST = Width(1.0)
_SAME, _OTHER = "the answer then was the answer now", "another answer then"


def progress_chart(assessment: Assessment, *, most: int = MOST_MOMENTS) -> Chart:
    """Draw the answer with its interval against labels spent, and below it the criterion of the stopping rule.

    The value drawn is the difference if the question compares, else the first group named by the current answer, else
    the value of the whole pool. A hollow dot marks a time at which the answer would have been a different one.

    Parameters
    ----------
    assessment : its events are replayed.
    most : number of points to draw; each needs its own answer.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=7)
    >>> for ticket in assessment.ask(20):
    ...     assessment.tell(ticket, "cat")
    >>> chart = progress_chart(assessment, most=3)
    >>> chart.frame()["labels"], chart.frame()["named"][-1]
    (array([ 0, 10, 20]), 'dog')
    """
    moments = moments_of(assessment, most=most)
    last = moments[-1].answer
    track = _track(last)
    parts = assessment.setup.stop.parts
    watch = next((rule for rule in parts if _gauge(rule, last) is not None), None)
    goal = None if watch is None else _gauge(watch, last)
    rows = [_row(moment, track, watch, last) for moment in moments]
    columns = ["labels", "mean", "low", "high", "named", "probability", "widest"]
    columns += ["guaranteed"] if last.proof is not None else []
    frame = Frame({name: [row[name] for row in rows] for name in columns})
    budget = next((rule.budget for rule in parts if rule.budget is not None), None)

    def draw(theme: Theme) -> dict[str, Any]:
        upper = _value_panel(theme, rows, track, budget)
        lower = _watch_panel(theme, rows, goal, budget)
        return {"vconcat": [upper] if lower is None else [upper, lower], "spacing": 16}

    end = rows[-1]
    value = interval_text(end["mean"], end["low"], end["high"])
    return Chart(
        title=f"Progress: {shortened(str(assessment.question), 84)}",
        subtitle=f"{track.words} with its {assessment.setup.level:.0%} interval. Stops when {assessment.setup.stop}.",
        alt=f"Progress over {many(end['labels'], 'label')}: {track.words} is {value} now. {last.sentence}. Stops "
        f"when {assessment.setup.stop}.",
        table=frame,
        drawing=draw,
    )


@dataclass(frozen=True)
class _Track:
    """The value that is drawn: of the whole pool, of the difference, or of a named group."""

    of: str
    words: str
    axis: str
    group: str = ""

    def value(self, answer: Answer) -> tuple[float, float, float]:
        if self.of == "difference" and answer.difference is not None:
            return answer.difference.mean, answer.difference.low, answer.difference.high
        if self.of == "overall" and answer.overall is not None:
            return float(answer.overall.mean[0]), float(answer.overall.low[0]), float(answer.overall.high[0])
        g = answer.posterior.names.index(self.group)
        return float(answer.posterior.mean[g]), float(answer.posterior.low[g]), float(answer.posterior.high[g])


def _track(answer: Answer) -> _Track:
    if answer.difference is not None:
        found = answer.difference
        words = f"{shortened(found.one)} less {shortened(found.other)} in {found.description.label}"
        return _Track("difference", words, f"Difference in {found.description.label}")
    metric = answer.posterior.description
    if answer.named:
        name = answer.named[0]
        return _Track("group", f"The {metric.label} of {shortened(name)}", metric.title, name)
    if answer.overall is not None:
        return _Track("overall", f"The {metric.label} of all items", metric.title)
    width = np.nan_to_num(answer.posterior.high - answer.posterior.low)
    name = answer.posterior.names[int(np.argmax(width))]
    return _Track("group", f"The {metric.label} of {shortened(name)} (the widest interval)", metric.title, name)


def _gauge(rule: StoppingRule, answer: Answer) -> Gauge | None:
    """Return the probability or the width that a rule looks at; labels spent are the other axis."""
    found = rule.gauge(answer, 0)
    return None if found is None or found.name == "labels" else found


def _row(moment: Moment, track: _Track, watch: StoppingRule | None, last: Answer) -> dict[str, Any]:
    answer = moment.answer
    mean, low, high = track.value(answer)
    return {
        "labels": moment.n_labels, "mean": mean, "low": low, "high": high, "named": ", ".join(answer.named),
        "probability": answer.probability, "widest": _width(answer, watch),
        "guaranteed": None if answer.proof is None else 1 - answer.proof.error,
        "status": _SAME if answer.named == last.named else _OTHER,
    }  # fmt: skip


def _width(answer: Answer, watch: StoppingRule | None) -> float:
    """Return the interval width that the rule checks; the widest one if it checks none."""
    found = None if watch is None else _gauge(watch, answer)
    if found is None or found.name != "width" or found.value is None:
        return _WIDEST.found(answer)
    return found.value


def _x(rows: Sequence[dict[str, Any]], budget: int | None, *, has_title: bool) -> dict[str, Any]:
    end = max([row["labels"] for row in rows] + ([] if budget is None else [budget]) + [1])
    title = "Labels spent" if has_title else None
    scale = {"domain": [0, end], "nice": False}
    return {
        "field": "labels",
        "type": "quantitative",
        "title": title,
        "scale": scale,
        "axis": {"tickMinStep": 1, "tickCount": 8, "labels": has_title},
    }


def _value_panel(theme: Theme, rows: list[dict[str, Any]], track: _Track, budget: int | None) -> dict[str, Any]:
    x = _x(rows, budget, has_title=False)
    scale = {"domain": span(rows), "zero": False, "nice": True}
    y = {"type": "quantitative", "title": track.axis, "scale": scale, "axis": {"tickCount": 5}}
    present = list(dict.fromkeys(row["status"] for row in rows))
    inside = [theme.main if name == _SAME else theme.background for name in present]
    legend = None if present == [_SAME] else {"title": None, "orient": "top", "direction": "horizontal"}
    fill = {"field": "status", "type": "nominal", "scale": {"domain": present, "range": inside}, "legend": legend}
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "area", "color": theme.main, "opacity": 0.18},
            "encoding": {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}},
        },
        {
            "mark": {"type": "line", "color": theme.main, "strokeWidth": 2},
            "encoding": {"x": x, "y": y | {"field": "mean"}},
        },
        {
            "mark": {"type": "point", "size": 24, "stroke": theme.main, "strokeWidth": 1.3, "opacity": 1},
            "encoding": {"x": x, "y": y | {"field": "mean"}, "fill": fill},
        },
    ]
    if budget is not None:
        layers += line_layers(theme, budget, f"budget {budget:,}")
    return {"data": {"values": rows}, "width": _WIDTH, "height": 220, "layer": layers}


def _watch_panel(
    theme: Theme, rows: list[dict[str, Any]], watch: Gauge | None, budget: int | None
) -> dict[str, Any] | None:
    """Draw the criterion of the rule and its threshold; a budget alone has neither."""
    if watch is None:
        return None
    is_chance, goal = watch.name == "probability", watch.goal
    field = "widest" if not is_chance else "guaranteed" if watch.is_guaranteed else "probability"
    top = 1.0 if is_chance else max([row[field] for row in rows if is_number(row[field])] + [goal * 1.2])
    x = _x(rows, budget, has_title=True)
    scale = {"domain": [0, top], "nice": not is_chance}
    y = {"field": field, "type": "quantitative", "title": watch.title, "scale": scale, "axis": {"tickCount": 3}}
    line = {"mark": {"type": "line", "color": theme.ink, "strokeWidth": 1.8}, "encoding": {"x": x, "y": y}}
    layers = [line, *line_layers(theme, goal, f"stop at {goal:g}", "y", dy=12 if is_chance else -6)]
    return {"data": {"values": rows}, "width": _WIDTH, "height": 100, "layer": layers}
