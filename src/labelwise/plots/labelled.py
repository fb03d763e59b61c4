"""Charts of a labelled pool or an assessment: each fits the belief that it draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from labelwise.beliefs import Belief, CellBelief, Target
from labelwise.beliefs.belief import ConfusionBelief
from labelwise.errors import ArgumentError
from labelwise.groups import BinRule, Grouping
from labelwise.groups.by_score import BINS
from labelwise.metrics import ECE, Metric, Posterior, accuracy, known_value, recall
from labelwise.metrics.curve import CURVE_BINS
from labelwise.metrics.metric import N_DRAWS
from labelwise.plots.chart import Chart
from labelwise.plots.confusion import confusion_chart
from labelwise.plots.cost import cost_chart
from labelwise.plots.curve import curve_chart
from labelwise.plots.difference import difference_chart
from labelwise.plots.ece import ece_chart
from labelwise.plots.groups import group_chart
from labelwise.plots.ranks import rank_chart
from labelwise.plots.reliability import reliability_chart
from labelwise.plots.scatter import scatter_chart
from labelwise.questions import Answer

KINDS = ("groups", "reliability", "curve", "ece", "scatter", "ranks", "difference", "confusion", "cost")


@dataclass(frozen=True, eq=False)
class Labelled:
    """A grouped pool, and how to compute the belief of a metric from its labels.

    Attributes
    ----------
    belief_of : function from a metric to its belief given the labels.
    usual : the default metric.
    has_truth : whether the labels of the pool may be shown as the truth; those of an assessment may not.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> groups = lw.by_prediction(pool)
    >>> Labelled(groups, lambda metric: lw.belief_from_labels(metric, groups), np.random.default_rng(1)).ranks().title
    'Ranks of 2 groups by accuracy'
    """

    groups_of: Grouping
    belief_of: Callable[[Metric], Belief]
    rng: np.random.Generator
    usual: Metric = accuracy
    level: float = 0.95
    target: Target = "population"
    n_draws: int = N_DRAWS
    has_truth: bool = False

    @property
    def _how(self) -> dict[str, Any]:
        return {"level": self.level, "target": self.target, "n_draws": self.n_draws, "rng": self.rng}

    def _estimate(self, metric: Metric, belief: Belief) -> Posterior:
        return metric.estimate(belief, **self._how)

    def _shown(self, metric: Metric, belief: Belief) -> Posterior:
        """Estimate the groups that are not left out."""
        found, few = self._estimate(metric, belief), metric.left_out(belief)
        if not few.any():
            return found
        names = tuple(name for name, is_few in zip(found.names, few, strict=True) if not is_few)
        arrays = {name: getattr(found, name)[~few] for name in ("mean", "low", "high", "n_labels")}
        return replace(found, names=names, **arrays)

    def groups(self, metric: Metric | None = None, goal: float | None = None) -> Chart:
        """Draw one interval per group."""
        chosen = metric or self.usual
        belief = self.belief_of(chosen)
        counts, left_out = chosen.candidates(belief), chosen.left_out(belief)
        answer = Answer("", (), None, (), self._estimate(chosen, belief), counts=counts, left_out=left_out)
        return group_chart(answer, goal)

    def reliability(self, bins: int = BINS, equal: BinRule = "width", group: str | None = None) -> Chart:
        """Draw the reliability diagram."""
        belief = CellBelief.of(self.belief_of(ECE(bins, equal)))
        return reliability_chart(belief, group=group, level=self.level, target=self.target)

    def curve(self, group: str | None = None) -> Chart:
        """Draw the calibration curve."""
        return curve_chart(CellBelief.of(self.belief_of(ECE(CURVE_BINS, "mass"))), group=group, level=self.level)

    def ece(self, bins: int = BINS, equal: BinRule = "width", group: str | None = None) -> Chart:
        """Draw the posterior of the calibration error, and its true value if every item has a label."""
        metric, pool = ECE(bins, equal), self.groups_of.pool
        is_known = self.has_truth and pool.n_labelled == pool.n_items and group is None
        truth = known_value(metric, pool) if is_known else None
        return ece_chart(CellBelief.of(self.belief_of(metric)), group=group, truth=truth, **self._how)

    def scatter(self, metric: Metric | None = None, bins: int = BINS, equal: BinRule = "width") -> Chart:
        """Draw a metric against the calibration error."""
        chosen, error = metric or self.usual, ECE(bins, equal)
        return scatter_chart(*(self._shown(one, self.belief_of(one)) for one in (chosen, error)))

    def ranks(self, metric: Metric | None = None) -> Chart:
        """Draw the posterior distribution of ranks."""
        chosen = metric or self.usual
        return rank_chart(chosen, self.belief_of(chosen), **self._how)

    def difference(
        self, one: str | None = None, other: str | None = None, metric: Metric | None = None, margin: float = 0.05
    ) -> Chart:
        """Draw the difference between two groups."""
        if one is None or other is None:
            raise ArgumentError("A difference chart needs two groups: `one` and `other`, or --compare A B.")
        chosen = metric or self.usual
        return difference_chart(chosen, self.belief_of(chosen), one, other, margin=margin, **self._how)

    def confusion(self) -> Chart:
        """Draw the confusion matrix."""
        if self.groups_of.rule != "prediction":
            raise ArgumentError(
                f"A confusion matrix needs groups by prediction, but these are by {self.groups_of.rule}. Group by "
                "prediction."
            )
        return confusion_chart(ConfusionBelief.of(self.belief_of(recall)), level=self.level, target=self.target)

    def cost(self, metric: Metric | None = None) -> Chart:
        """Draw the expected cost per group."""
        chosen = metric or self.usual
        return cost_chart(chosen, self.belief_of(chosen), **self._how)
