"""Worst and Best: which groups are at the end of the ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Kind, Prior, Target
from labelwise.beliefs.trail import Trail
from labelwise.checks import check_count, check_within
from labelwise.groups import Grouping
from labelwise.metrics import Metric, accuracy, rank
from labelwise.metrics.metric import N_DRAWS
from labelwise.questions.answer import Answer
from labelwise.questions.proof import Proof, proof_of_set
from labelwise.questions.question import Question, QuestionOptions

_Floats = NDArray[np.float64]
_UPPER_DRAWS = 500


@dataclass(frozen=True)
class Worst(Question):
    """Which m groups are the worst?

    The gain of a label is how bad its group is in one draw of the belief.

    Parameters
    ----------
    metric : what makes a group bad; the metric knows whether low or high values are.
    m : how many groups to find.
    within : a group that is better by no more than this may be named too: near ties need not be decided.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), section 4.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> question = lw.Worst(lw.accuracy)
    >>> belief = lw.belief_from_labels(lw.accuracy, lw.by_prediction(pool))
    >>> question.answer(belief, rng=np.random.default_rng(1)).sentence
    'P(dog is the worst in accuracy) = 1.000'
    """

    kind: ClassVar[str] = "worst"
    takes: ClassVar[tuple[str, ...]] = ("top", "within")
    is_ranking: ClassVar[bool] = True
    metric: Metric = accuracy
    m: int = 1
    within: float = 0.0

    def __post_init__(self) -> None:
        check_count(self.m, "m")
        check_within(self.within, "within", 0, 1)

    @classmethod
    def from_options(cls, metric: Metric, options: QuestionOptions) -> Self:
        """Return the question about this metric and as many groups as `--top`."""
        return cls(metric, options.top, options.within or 0.0)

    def __str__(self) -> str:
        which = "Which group is the" if self.m == 1 else f"Which {self.m} groups are the"
        near = f", or within {self.within:g} of it" if self.within else ""
        return f"{which} {self.kind} in {self.metric.name}{near}?"

    @property
    def plays(self) -> int:
        """As many as are looked for."""
        return self.m

    def start(self, groups: Grouping, prior: Prior | None = None) -> Belief:
        """Return the belief that the question reads, refusing to look for more groups than there are."""
        belief = self.metric.start(groups, prior)
        check_count(self.m, "m", most=int(self.metric.candidates(belief).sum()))
        return belief

    def gains(self, belief: Belief, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Return how bad each group is in one draw."""
        return self.metric.to_groups(belief, self.sign * self.metric.draw(belief, 1, target=target, rng=rng)[0])

    def urgencies(
        self, belief: Belief, n_draws: int = 1, *, target: Target = "population", rng: np.random.Generator
    ) -> _Floats:
        """Return how bad each value is in each draw; minus infinity where there is none."""
        drawn = self.sign * self.metric.draw(belief, n_draws, target=target, rng=rng)
        return np.where(np.isnan(drawn) | ~self.metric.candidates(belief), -np.inf, drawn)

    def gains_of(self, belief: Belief, value: int) -> _Floats:
        """Return the gain of a label in each group if it is to be found out how bad this value is."""
        n_values = len(self.metric.names(belief))
        return self.metric.to_groups(belief, np.where(np.arange(n_values) == value, 1.0, 0.0))

    def mean_gains(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return how bad each group is on average."""
        mean = self.metric.mean(belief, target=target)
        if mean is None:
            mean = self._spare_draws(belief, target).mean(axis=0)
        return self.metric.to_groups(belief, self.sign * mean)

    def worth(self, belief: Belief, *, target: Target = "population") -> None:
        """How bad a group is says where to look, not what a label is worth."""

    def upper_gains(self, belief: Belief, level: float, *, target: Target = "population") -> _Floats:
        """Return how bad each group may well be: the `level` quantile."""
        ends = self.metric.interval(belief, 2 * level - 1, kind="equal-tailed", target=target)
        if ends is None:
            upper = np.quantile(self.sign * self._spare_draws(belief, target), level, axis=0)
        else:
            upper = -ends[0] if self.sign < 0 else ends[1]
        return self.metric.to_groups(belief, np.asarray(upper))

    def _spare_draws(self, belief: Belief, target: Target) -> _Floats:
        """Draw from a generator of its own, so that what is meant to be no draw repeats."""
        return self.metric.draw(belief, _UPPER_DRAWS, target=target, rng=np.random.default_rng(0))

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
        """Return the m groups at the end of the ranking, and the probability that they are the right ones."""
        draws = self.metric.draw(belief, n_draws, target=target, rng=rng)
        posterior = self.metric.estimate(
            belief, level=level, kind=kind, target=target, n_draws=n_draws, draws=draws, rng=rng
        )
        ranking = rank(self.metric, belief, m=self.m, level=level, target=target, draws=draws, rng=rng)
        order = ranking.order if self.kind == "worst" else ranking.order[::-1]
        named, others = order[: self.m], order[self.m :]
        # equal values, possible when few items are left in the pool, are put in random order
        draws = self.sign * draws + rng.uniform(-1e-12, 1e-12, draws.shape)
        least, most = draws[:, named].min(axis=1), draws[:, others].max(axis=1, initial=-np.inf)
        right = least > most - self.within
        # a group outside that beats the last one inside more often than the tail allows is tied with it
        last = int(named[-1])
        tied = others[(draws[:, others] > draws[:, [last]]).mean(axis=0) > (1 - level) / 2]
        names = tuple(posterior.names[g] for g in named)
        chance = float(right.mean())
        sentence = f"P({self._claim(names)}) = {chance:.3f}"
        counts = np.zeros(len(posterior.names), bool)
        counts[order] = True
        return Answer(
            sentence, names, chance, tuple(posterior.names[g] for g in tied), posterior, ranking, counts=counts,
            left_out=self.metric.left_out(belief),
        )  # fmt: skip

    def _claim(self, names: tuple[str, ...]) -> str:
        verb = f"is the {self.kind}" if self.m == 1 else f"are the {self.kind} {self.m}"
        near = f", or within {self.within:g} of it" if self.within else ""
        return f"{', '.join(names)} {verb} in {self.metric.name}{near}"

    def is_provable(self, groups: Grouping) -> bool:
        """Return whether labels alone prove something about each group."""
        return self.metric.is_provable(groups)

    def prove(self, answer: Answer, trail: Trail, *, target: Target = "population") -> Proof | None:
        """Return how surely no group that is not named is further on the wrong side than the tolerance."""
        evidence = self.metric.evidence(trail, target=target)
        if evidence is None or answer.counts is None:
            return None
        candidates = np.flatnonzero(answer.counts)
        is_named = np.isin(candidates, [trail.groups.index(name) for name in answer.named])
        error = proof_of_set(
            evidence,
            candidates[is_named].tolist(),
            candidates[~is_named].tolist(),
            low=self.sign < 0,
            within=self.within,
        )
        return Proof(self._claim(answer.named), error)


@dataclass(frozen=True)
class Best(Worst):
    """Which m groups are the best?

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> belief = lw.belief_from_labels(lw.accuracy, lw.by_prediction(pool))
    >>> lw.Best(lw.accuracy).answer(belief, rng=np.random.default_rng(1)).named
    ('cat',)
    """

    kind: ClassVar[str] = "best"

    @property
    def sign(self) -> float:
        """Multiplies values so that the best are the highest."""
        return self.metric.description.sign
