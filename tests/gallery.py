"""Three pools, and every chart of each: for the tests of charts, and for looking at them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

import labelwise as lw
from labelwise import plots
from labelwise.simulation import scores_for


def make_pool(n_classes, n_items, *, n_empty=0, names=None, seed=0):
    """An over-confident classifier whose last classes are never predicted."""
    rng = np.random.default_rng(seed)
    n_live = n_classes - n_empty
    predicted = rng.integers(0, n_live, n_items)
    right = rng.uniform(0.45, 0.98, n_classes)[predicted]
    labels = np.where(rng.uniform(size=n_items) < right, predicted, rng.integers(0, n_live, n_items))
    sure = np.clip(rng.beta(6, 1.3, n_items) * 0.5 + 0.5 * np.clip(right + 0.15, 0, 1), 0.02, 0.999)
    scores = np.repeat((1 - sure[:, None]) / (n_classes - 1), n_classes, axis=1)
    scores[np.arange(n_items), predicted] = sure
    classes = names or [f"class {k}" for k in range(n_classes)]
    return lw.pool_from_arrays(scores=scores, labels=labels, classes=classes)


@dataclass(frozen=True, eq=False)
class Case:
    """A pool with known labels, and an assessment of it that has some of them."""

    pool: lw.Pool
    n_labels: int
    question: ClassVar[Any] = lw.Worst(lw.accuracy)

    @cached_property
    def groups(self):
        return lw.by_prediction(self.pool)

    @cached_property
    def assessment(self):
        return self.assess(self.question)

    def assess(self, question, **options):
        """Ask and tell, ten tickets at a time."""
        assessment = lw.Assessment(self.pool, self.groups, question=question, seed=3, clock=lambda: 0.0, **options)
        for _ in range(self.n_labels // 10):
            for ticket in assessment.ask(10):
                assessment.tell(ticket, self.pool.classes[self.pool.labels[ticket.item["id"]]])
        return assessment

    def learned(self, metric):
        return lw.belief_from_labels(metric, self.groups)

    @cached_property
    def cost(self):
        k = self.pool.n_classes
        return lw.ExpectedCost(np.random.default_rng(1).integers(1, 20, (k, k)) * (1 - np.eye(k)))

    def ensemble(self, n_members=3):
        rng = np.random.default_rng(5)
        members = []
        for _ in range(n_members):
            scores = self.pool.scores * np.exp(rng.normal(0, 1.2, self.pool.scores.shape))
            members.append(
                lw.pool_from_arrays(scores=scores / scores.sum(axis=1, keepdims=True), classes=self.pool.classes)
            )
        return lw.ensembles.Ensemble(members)

    def simulated(self):
        question = lw.Worst(lw.accuracy)
        return [
            lw.simulate(
                lw.Scenario(self.groups, question, policy, budget=20),
                scores_for(question), n_runs=5, at=[5, 10, 20], engine="exact",
            )
            for policy in (lw.Thompson(), lw.RandomItem())
        ]  # fmt: skip


CASES = {
    "three": lambda **how: Case(make_pool(3, 200, **how), 40),
    "hundred": lambda **how: Case(make_pool(100, 2_000, **how), 150),
    "empty": lambda **how: Case(make_pool(7, 120, n_empty=2, **how), 30),
}
CHARTS = {
    "groups": lambda c: plots.group_chart(c.question.answer(c.learned(lw.accuracy), rng=rng()), 0.8),
    "reliability": lambda c: plots.reliability_chart(lw.belief_from_labels(lw.metrics.ECE(10), lw.everything(c.pool))),
    "reliability of groups": lambda c: plots.reliability_chart(c.learned(lw.metrics.ECE(10))),
    "curve": lambda c: plots.curve_chart(lw.belief_from_labels(lw.metrics.ECE(40, "mass"), lw.everything(c.pool))),
    "ece": lambda c: plots.ece_chart(c.learned(lw.metrics.ECE(10)), truth=0.1, n_draws=500, rng=rng()),
    "scatter": lambda c: plots.scatter_chart(
        *(metric.estimate(c.learned(metric), n_draws=500, rng=rng()) for metric in (lw.accuracy, lw.ece))
    ),
    "ranks": lambda c: plots.rank_chart(lw.accuracy, c.learned(lw.accuracy), n_draws=500, rng=rng()),
    "difference": lambda c: plots.difference_chart(
        lw.accuracy, c.learned(lw.accuracy), *c.groups.names[:2], n_draws=500, rng=rng()
    ),
    "confusion": lambda c: plots.confusion_chart(c.learned(lw.recall)),
    "cost": lambda c: plots.cost_chart(c.cost, c.learned(c.cost), n_draws=200, rng=rng()),
    "progress": lambda c: plots.progress_chart(c.assessment, most=6),
    "allocation": lambda c: plots.allocation_chart(c.assessment),
    "policies": lambda c: plots.policy_chart(c.simulated()),
    "coverage": lambda c: plots.coverage_chart(lw.simulation.coverage_card(n_runs=10, seed=1)),
    "change": lambda c: plots.change_chart(
        [
            {"group": name, "mean": k / 100 - 0.1, "low": k / 100 - 0.2, "high": k / 100 - 0.05}
            for k, name in enumerate(c.groups.names)
        ],
        names=("spring", "autumn"),
    ),
    "uncertainty": lambda c: plots.uncertainty_chart(c.ensemble(), c.groups),
}


def rng():
    return np.random.default_rng(1)
