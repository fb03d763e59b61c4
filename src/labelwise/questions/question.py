"""The contract of a question: what a policy and an assessment may rely on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Kind, Prior, Target
from labelwise.beliefs.trail import Trail
from labelwise.groups import Grouping
from labelwise.metrics import Metric
from labelwise.metrics.metric import N_DRAWS
from labelwise.questions.answer import Answer
from labelwise.questions.proof import Proof

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class QuestionOptions:
    """Options of the command line from which a question is made; each question takes those that concern it."""

    top: int = 1
    compare: tuple[str, str] | None = None
    margin: float | None = None
    within: float | None = None
    rival: str | None = None


class Question(ABC):
    """What the user wants to know about a metric.

    A question says what one more label of each group is worth (its gain), and what the answer is now. It refuses what
    the pool cannot answer when it starts, and it never sees how labels are chosen.
    """

    kind: ClassVar[str]
    """How the question is called on the command line and in documents."""
    takes: ClassVar[tuple[str, ...]] = ()
    """Fields of `QuestionOptions` that the question reads; the command line refuses the others."""
    is_estimate: ClassVar[bool] = False
    """Whether the answer is a value with its interval, which is neither right nor wrong."""
    is_ranking: ClassVar[bool] = False
    """Whether the answer names groups at one end of a ranking."""
    is_comparison: ClassVar[bool] = False
    """Whether the answer is a difference, of two groups or of two classifiers."""
    metric: Metric

    @property
    def sign(self) -> float:
        """Multiplies values so that those that are looked for are the highest: the worst, unless the best are."""
        return -self.metric.description.sign

    @property
    def against(self) -> str | None:
        """The kept column of the classifier that this one is compared with; None if it is not."""
        return None

    @classmethod
    @abstractmethod
    def from_options(cls, metric: Metric, options: QuestionOptions) -> Self:
        """Return the question that the options of the command line describe."""

    @property
    def plays(self) -> int:
        """How many groups a multiple-play policy asks at once."""
        return 1

    def start(self, groups: Grouping, prior: Prior | None = None) -> Belief:
        """Return the belief that the question reads, before any label."""
        return self.metric.start(groups, prior)

    def asked(self, groups: Grouping) -> NDArray[np.bool_]:
        """Return which groups can change the answer."""
        return groups.candidates

    def items(self, groups: Grouping) -> NDArray[np.bool_] | None:
        """Return which items can change the answer; None if all items of the groups that are asked can."""
        return self.metric.items(groups)

    def extremes(self, belief: Belief, items: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the labels that would speak most against the classifier on these items, and most for it."""
        pool = belief.outer.pool
        prediction = pool.prediction[items].astype(np.int64)
        return (prediction + 1) % pool.n_classes, prediction

    @abstractmethod
    def gains(self, belief: Belief, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Return the gain of a label in each group, for one draw of the belief about the target."""

    def urgencies(
        self, belief: Belief, n_draws: int = 1, *, target: Target = "population", rng: np.random.Generator
    ) -> _Floats:
        """Return how urgent each value is in each draw of the belief; minus infinity where there is none.

        Values are those of groups, unless the metric has others, like the recall of each class.
        """
        return np.stack([self.gains(belief, target=target, rng=rng) for _ in range(n_draws)])

    def gains_of(self, belief: Belief, value: int) -> _Floats:
        """Return the gain of a label in each group if this value is what is to be found out."""
        return np.where(np.arange(belief.outer.n_groups) == value, 1.0, 0.0)

    @abstractmethod
    def mean_gains(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return the gain of a label in each group at the posterior mean."""

    def worth(self, belief: Belief, *, target: Target = "population") -> _Floats | None:
        """Return what a label of each group is worth, to be held against a price; None if gains only rank groups."""
        return self.mean_gains(belief, target=target)

    @abstractmethod
    def upper_gains(self, belief: Belief, level: float, *, target: Target = "population") -> _Floats:
        """Return the `level` quantile of the gain in each group."""

    def is_provable(self, groups: Grouping) -> bool:
        """Return whether labels alone can prove an answer, or the width of an interval, whatever the truth."""
        return False

    def prove(self, answer: Answer, trail: Trail, *, target: Target = "population") -> Proof | None:
        """Return what the labels prove without any prior; None where no guarantee is known.

        Parameters
        ----------
        answer : what is believed after the same labels: the claim is about the groups that it names.
        trail : the labels in the order in which they came.
        """
        return None

    @abstractmethod
    def answer(
        self,
        belief: Belief,
        *,
        level: float = 0.95,
        kind: Kind = "equal-tailed",
        target: Target = "population",
        n_draws: int = N_DRAWS,
        rng: np.random.Generator,
    ) -> Answer:
        """Return what is known now, and how surely."""
