"""`plot`: choose the chart for an object by its type and `kind`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from labelwise.assessment import Assessment, Result
from labelwise.beliefs import Belief, CellBelief, Prior, Target
from labelwise.beliefs.belief import ConfusionBelief
from labelwise.checks import check_count, check_one_of, listing
from labelwise.ensembles import Ensemble
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups import Grouping
from labelwise.metrics import Metric, Posterior, belief_from_labels
from labelwise.metrics.metric import N_DRAWS
from labelwise.plots.allocation import allocation_chart
from labelwise.plots.chart import Chart
from labelwise.plots.confusion import confusion_chart
from labelwise.plots.coverage import coverage_chart
from labelwise.plots.curve import curve_chart
from labelwise.plots.difference import chart_of_difference
from labelwise.plots.ece import ece_chart
from labelwise.plots.groups import group_chart
from labelwise.plots.labelled import KINDS, Labelled
from labelwise.plots.policies import policy_chart
from labelwise.plots.progress import progress_chart
from labelwise.plots.reliability import reliability_chart
from labelwise.plots.uncertainty import uncertainty_chart
from labelwise.questions import Answer
from labelwise.simulation import Card, Simulated

_Makers = dict[str, Callable[..., Chart]]
_KNOWN = ("Assessment", "Grouping", "Answer", "Result", "Posterior", "CellBelief", "Simulated", "Card", "Ensemble")


def plot(what: Any, kind: str | None = None, **options: Any) -> Chart:
    """Draw an assessment, an answer, a grouped labelled pool, a belief or a simulation.

    Parameters
    ----------
    what : an `Assessment` (kinds groups, progress, allocation, difference, reliability, curve, ece, scatter, ranks,
        confusion, cost); a `Grouping` of a pool whose labels are known (the same without progress and allocation); an
        `Answer`, `Result` or `Posterior` (groups); a `CellBelief` (reliability, curve, ece); a confusion
        belief (confusion); one or several `Simulated` (policies); a `Card` (coverage); an `Ensemble` (uncertainty).
    kind : which chart; the first kind listed for the type by default.
    options : options of the chart, such as `goal` or `group`. A grouping also takes `metric`, `prior`, `level`,
        `target`, `n_draws` and `seed`; an assessment also takes `metric`.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> lw.plot(lw.by_prediction(pool), goal=0.9).title
    'Accuracy of 2 groups, worst first'
    >>> lw.plot(lw.by_prediction(pool), "confusion").title
    'Confusion matrix'
    """
    makers = kinds_of(what)
    chosen = next(iter(makers)) if kind is None else kind
    check_one_of(chosen, "kind", list(makers))
    return makers[chosen](**options)


def kinds_of(what: Any) -> _Makers:
    """Return the chart makers for an object by kind, the default first.

    Examples
    --------
    >>> import labelwise as lw
    >>> list(kinds_of(lw.simulation.coverage_card(n_runs=10)))
    ['coverage']
    """
    match what:
        case Assessment():
            return _of_assessment(what)
        case Grouping():
            return {kind: partial(_of_grouping, what, kind) for kind in KINDS}
        case Answer() | Result() | Posterior():
            return {"groups": partial(group_chart, what)}
        case CellBelief():
            return {
                "reliability": partial(reliability_chart, what),
                "curve": partial(curve_chart, what),
                "ece": partial(ece_chart, what),
            }
        case ConfusionBelief():
            return {"confusion": partial(confusion_chart, what)}
        case Card():
            return {"coverage": partial(coverage_chart, what)}
        case Ensemble():
            return {"uncertainty": partial(uncertainty_chart, what)}
        case Simulated():
            return {"policies": partial(policy_chart, [what])}
        case list() | tuple() if what and all(isinstance(one, Simulated) for one in what):
            return {"policies": partial(policy_chart, what)}
    raise ArgumentError(
        f"Objects of type '{type(what).__name__}' cannot be drawn. There are charts of: {listing(_KNOWN)}."
    )


def _of_grouping(
    groups: Grouping,
    kind: str,
    *,
    prior: Prior | None = None,
    level: float = 0.95,
    target: Target = "population",
    n_draws: int = N_DRAWS,
    seed: int = 0,
    **options: Any,
) -> Chart:
    """Draw a pool whose labels are known."""
    check_count(seed, "seed", least=0)
    if groups.pool.n_labelled == 0:
        groups.pool.known_labels("a chart")
        raise UnanswerableError("A chart needs labels, but no item of this pool has one. Check the label column.")

    def belief_of(metric: Metric) -> Belief:
        return belief_from_labels(metric, groups, prior)

    how: dict[str, Any] = {"level": level, "target": target, "n_draws": n_draws, "has_truth": True}
    chart: Chart = getattr(Labelled(groups, belief_of, np.random.default_rng(seed), **how), kind)(**options)
    return chart


def _of_assessment(assessment: Assessment) -> _Makers:
    """Return the charts of an assessment; beliefs that its question does not use are fitted to the labels so far."""
    assessment.refresh()
    setup, ledger = assessment.setup, assessment.ledger
    rng = np.random.default_rng([setup.seed, ledger.n_events, 4])
    how: dict[str, Any] = {"usual": setup.question.metric, "level": setup.level, "target": setup.target}
    others = Labelled(assessment.groups, assessment.belief_about, rng, **how)

    def difference(one: str | None = None, other: str | None = None, **options: Any) -> Chart:
        if one is None and other is None and setup.question.is_comparison:
            return _question_difference(assessment, rng)
        return others.difference(one, other, **options)

    def by_groups(metric: Metric | None = None, goal: float | None = None) -> Chart:
        return group_chart(assessment.answer(), goal) if metric is None else others.groups(metric, goal)

    own: _Makers = {
        "groups": by_groups,
        "progress": partial(progress_chart, assessment),
        "allocation": partial(allocation_chart, assessment),
        "difference": difference,
    }
    first = {"difference": difference} if setup.question.is_comparison else {}
    return first | own | {kind: getattr(others, kind) for kind in KINDS if kind not in own}


def _question_difference(assessment: Assessment, rng: np.random.Generator) -> Chart:
    """Draw the difference that the question asks about, with the numbers of the answer."""
    question, belief, setup = assessment.question, assessment.belief, assessment.setup
    found = assessment.answer().answer.difference
    assert found is not None  # the answer of a comparison always has a difference
    draws = question.metric.draw(belief, N_DRAWS, target=setup.target, rng=rng)
    if question.metric.needs_rival:
        return chart_of_difference(found, draws @ belief.outer.share, setup.level)
    names = question.metric.names(belief)
    pair = draws[:, names.index(found.one)] - draws[:, names.index(found.other)]
    return chart_of_difference(found, pair, setup.level)
