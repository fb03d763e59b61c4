"""One interval per group, worst first: which groups are bad, and which are not distinguishable from the worst."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment import Result
from labelwise.metrics import Posterior
from labelwise.plots.chart import Chart
from labelwise.plots.extremes import shown
from labelwise.plots.intervals import interval_panel
from labelwise.plots.names import shortened
from labelwise.plots.theme import Theme
from labelwise.plots.words import BARE, interval_text, many
from labelwise.pool import Frame
from labelwise.questions import Answer

WORST, TIED, APART = "worst", "cannot be told from the worst", "better than the worst"


def group_chart(answer: Answer | Result | Posterior, goal: float | None = None) -> Chart:
    """Draw one interval per group, worst first; groups not distinguishable from the worst are shaded.

    The ranking of the answer decides which groups are tied; without one, groups whose interval overlaps that of the
    worst are. A group without labels has a hollow dot: its estimate comes from the prior, and from the other groups
    if the prior is learned. Of more than 25 groups the worst 15 and the best 5 are drawn.

    Parameters
    ----------
    answer : from a question, an assessment, or `estimate` of a metric.
    goal : target value, drawn as a line.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> names = ["cat", "dog", "emu"]
    >>> belief = lw.beliefs.BetaBelief.from_counts(hits=[90, 50, 48], labels=[100, 100, 100], names=names)
    >>> chart = group_chart(lw.accuracy.estimate(belief, rng=np.random.default_rng(1)), goal=0.8)
    >>> list(zip(chart.frame()["group"], chart.frame()["status"]))
    [('emu', 'worst'), ('dog', 'cannot be told from the worst'), ('cat', 'better than the worst')]
    """
    said = _answer_of(answer)
    found = said.posterior
    order, rest = _order(said, found, found.description.sign)
    tied = _tied(said, found, order)
    status = np.where(tied, TIED, APART).astype(object)
    status[order[:1]] = WORST
    status[found.n_labels == 0] = BARE
    left_out = np.zeros(len(found.names), bool) if said.left_out is None else said.left_out
    rest = [g for g in rest if not left_out[g]]
    everyone = [*order, *rest]
    frame = Frame(
        {
            "group": [found.names[g] for g in everyone],
            "mean": found.mean[everyone],
            "low": found.low[everyone],
            "high": found.high[everyone],
            "labels": found.n_labels[everyone],
            "status": [str(status[g]) for g in everyone],
        }
    )
    seen = shown(order, rest)
    rows = seen.rows(
        found.names,
        lambda g: {
            "mean": float(found.mean[g]),
            "low": float(found.low[g]),
            "high": float(found.high[g]),
            "status": str(status[g]),
            "shaded": bool(tied[g]) or g in order[:1],
        },
    )

    def draw(theme: Theme) -> dict[str, Any]:
        colours = {WORST: theme.bad, TIED: theme.close, APART: theme.main, BARE: theme.muted}
        return interval_panel(theme, rows, title=found.description.title, colours=colours, hollow=[BARE], line=goal)

    return Chart(
        title=f"{found.description.heading} of {many(len(everyone))}, worst first",
        subtitle=_subtitle(found, everyone, seen.sentence),
        alt=_alt(found, order, rest, int(tied.sum()), goal),
        table=frame,
        drawing=draw,
    )


def _answer_of(answer: Answer | Result | Posterior) -> Answer:
    match answer:
        case Result():
            return answer.answer
        case Posterior():
            return Answer("", (), None, (), answer)
    return answer


def _order(answer: Answer, found: Posterior, sign: float) -> tuple[list[int], list[int]]:
    """Return the groups that have a value, worst first, and the groups without items or value."""
    n_groups = len(found.names)
    if answer.ranking is not None and answer.ranking.names == found.names:
        order = [int(g) for g in answer.ranking.order]
    else:
        has_value = ~np.isnan(found.mean) & (True if answer.counts is None else answer.counts)
        order = [int(g) for g in np.argsort(sign * found.mean, kind="stable") if has_value[g]]
    ranked = set(order)
    return order, [g for g in range(n_groups) if g not in ranked]


def _tied(answer: Answer, found: Posterior, order: list[int]) -> NDArray[np.bool_]:
    if answer.ranking is not None and answer.ranking.names == found.names:
        return np.asarray(answer.ranking.tied)
    tied = np.zeros(len(found.names), bool)
    if order:
        first = order[0]
        tied[order[1:]] = [found.low[g] <= found.high[first] and found.high[g] >= found.low[first] for g in order[1:]]
    return tied


def _subtitle(found: Posterior, everyone: list[int], hidden: str) -> str:
    kind = "" if found.kind == "equal-tailed" else f"{found.kind} "
    about = "new items" if found.target == "population" else "the items of this pool"
    n_bare = int((found.n_labels[everyone] == 0).sum())
    bare = f"{many(n_bare)} without own labels. " if n_bare else ""
    n_few = len(found.names) - len(everyone)
    few = f"{many(n_few)} with few items left out. " if n_few else ""
    labels = f"{int(found.n_labels.sum()):,} labels"
    return f"{found.level:.0%} {kind}intervals for {about}, {labels}. {bare}{few}{hidden}".strip()


def _alt(found: Posterior, order: list[int], rest: list[int], n_tied: int, goal: float | None) -> str:
    def named(g: int) -> str:
        return f"{shortened(found.names[g])} {interval_text(found.mean[g], found.low[g], found.high[g])}"

    n_groups = len(order) + len(rest)
    head = f"{found.description.heading} of {many(n_groups)}, worst first"
    if not order:
        return f"{head}: no group has a value yet."
    ends = named(order[0]) if len(order) == 1 else f"{named(order[0])} to {named(order[-1])}"
    words = [f"{head}: {ends}; {found.level:.0%} intervals."]
    if n_tied:
        words.append(f"{many(n_tied)} cannot be told from the worst.")
    if goal is not None:
        n_off = sum(bool(found.high[g] < goal) for g in order)
        n_above = sum(bool(found.low[g] > goal) for g in order)
        words.append(f"Goal {goal:g}: {n_off:,} clearly below, {n_above:,} clearly above.")
    n_bare = int((found.n_labels[[*order, *rest]] == 0).sum())
    if n_bare:
        words.append(f"{many(n_bare)} without own labels.")
    return " ".join(words)
