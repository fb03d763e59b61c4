"""A question about the distance between the best and the worst group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from labelwise.metrics import Metric, accuracy
from labelwise.metrics.metric import N_DRAWS
from labelwise.questions.answer import Answer
from labelwise.questions.question import Question


@dataclass(frozen=True)
class Spread(Question):
    """Do groups differ by more than a margin? A label gains as much as its group is far from the middle."""

    kind: ClassVar[str] = "spread"
    takes: ClassVar[tuple[str, ...]] = ("margin",)
    metric: Metric = accuracy
    margin: float = 0.1

    @classmethod
    def from_options(cls, metric, options):
        """Return the question about this metric and `--margin`."""
        return cls(metric) if options.margin is None else cls(metric, options.margin)

    def __str__(self):
        return f"Do groups differ in {self.metric.name} by more than {self.margin:g}?"

    def gains(self, belief, *, target="population", rng):
        """Return how far from the middle each group is in one draw."""
        return _from_middle(self.metric.draw(belief, 1, target=target, rng=rng)[0])

    def mean_gains(self, belief, *, target="population"):
        """Return how far from the middle each group is on average."""
        return _from_middle(self._draws(belief, target).mean(axis=0))

    def upper_gains(self, belief, level, *, target="population"):
        """Return how far from the middle each group may be."""
        return np.quantile([_from_middle(draw) for draw in self._draws(belief, target)], level, axis=0)

    def _draws(self, belief, target):
        return self.metric.draw(belief, 200, target=target, rng=np.random.default_rng(0))

    def answer(self, belief, *, level=0.95, kind="equal-tailed", target="population", n_draws=N_DRAWS, rng):
        """Return the probability that the distance is above the margin, or that it is not."""
        draws = self.metric.draw(belief, n_draws, target=target, rng=rng)
        posterior = self.metric.estimate(belief, level=level, kind=kind, target=target, n_draws=n_draws, rng=rng)
        above = float((np.ptp(draws, axis=1) > self.margin).mean())
        verb = "differ" if above >= 0.5 else "do not differ"
        sentence = f"P(groups {verb} in {self.metric.name} by more than {self.margin:g}) = {max(above, 1 - above):.3f}"
        return Answer(sentence, (), max(above, 1 - above), (), posterior)


def _from_middle(values):
    return np.abs(values - np.median(values))
