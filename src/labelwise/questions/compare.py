"""Compare: does a metric differ between two groups, and which way?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Kind, Prior, Target
from labelwise.beliefs.trail import Trail
from labelwise.checks import check_within
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups import Grouping
from labelwise.groups.without_small import check_candidate
from labelwise.metrics import Metric, accuracy, beta_difference_below, difference
from labelwise.metrics.difference import MARGIN
from labelwise.metrics.metric import N_DRAWS
from labelwise.questions.answer import Answer
from labelwise.questions.proof import Proof, strongest_claim
from labelwise.questions.question import Question, QuestionOptions

_Floats = NDArray[np.float64]
_ALIKE = 8  # decimals; gains by quadrature that differ by less differ by rounding only
_UPPER_DRAWS = 20  # each one takes eight integrals


@lru_cache(maxsize=4_096)
def _likeliest(a1: float, b1: float, a2: float, b2: float, margin: float) -> float:
    """Return lambda; kept, because choices between two labels ask for the same ones over and over."""
    lower = beta_difference_below(a1, b1, a2, b2, -margin)
    higher = 1 - beta_difference_below(a1, b1, a2, b2, margin)
    return max(lower, higher, 1 - lower - higher)


@dataclass(frozen=True)
class Compare(Question):
    """Is the metric of one group lower than, equal to or higher than that of another?

    Only labels of the two groups can change the answer, so only those are asked. For accuracies the gain of a label is
    the expected probability of the likeliest of the three verdicts after it, by quadrature; for other metrics it is the
    expected drop of the group's variance.

    Parameters
    ----------
    one, other : names of the two groups.
    metric : what to compare.
    margin : differences up to this count as equal.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), section 4.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 20 + ["emu"] * 9)
    >>> question = lw.Compare("cat", "dog")
    >>> question.asked(lw.by_prediction(pool))
    array([ True,  True, False])
    """

    kind: ClassVar[str] = "compare"
    takes: ClassVar[tuple[str, ...]] = ("compare", "margin")
    is_comparison: ClassVar[bool] = True
    one: str
    other: str
    metric: Metric = accuracy
    margin: float = MARGIN

    def __post_init__(self) -> None:
        check_within(self.margin, "margin", 0, 1)
        if self.one == self.other:
            raise ArgumentError(f"A group cannot be compared with itself ({self.one!r}); name two groups.")

    @classmethod
    def from_options(cls, metric: Metric, options: QuestionOptions) -> Self:
        """Return the question about the two groups of `--compare`."""
        if options.compare is None:
            raise ArgumentError("`--question compare` needs two groups; name them with --compare A B.")
        return cls(*options.compare, metric, MARGIN if options.margin is None else options.margin)

    def __str__(self) -> str:
        by = f" by more than {self.margin:g}" if self.margin else ""
        return f"Does {self.metric.name} differ between '{self.one}' and '{self.other}'{by}?"

    def start(self, groups: Grouping, prior: Prior | None = None) -> Belief:
        """Return the belief that the question reads, refusing groups that are not there or have no items."""
        for g in self.pair(groups):
            if groups.n_items[g] == 0:
                raise UnanswerableError(
                    f"Group '{groups.names[g]}' has no items, so no label can tell anything of it. Compare others."
                )
            check_candidate(groups, g)
        return self.metric.start(groups, prior)

    def asked(self, groups: Grouping) -> NDArray[np.bool_]:
        """Only the two groups."""
        mask = np.zeros(groups.n_groups, bool)
        mask[list(self.pair(groups))] = True
        return np.asarray(mask & (groups.n_items > 0))

    def pair(self, groups: Grouping) -> tuple[int, int]:
        """Return the positions of the two groups."""
        return groups.index(self.one), groups.index(self.other)

    def gains(self, belief: Belief, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Return the expected probability of the verdict after one more label, if one draw were true."""
        gains = self._gains_at(belief, belief.draw(1, rng=rng)[0]).round(_ALIKE)
        # While no label can turn the verdict, both groups gain the same. Chance decides then, not the last digit, which
        # depends on the processor.
        return np.asarray(gains + rng.uniform(0, 0.5 * 10.0**-_ALIKE, len(gains)))

    def mean_gains(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return the expected probability of the verdict after one more label, at the posterior mean."""
        return np.asarray(self._gains_at(belief, belief.mean()).round(_ALIKE))

    def worth(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return how much surer the verdict is expected to be; for other metrics than accuracy the drop of variance."""
        gains, betas = self._gains_at(belief, belief.mean()), self.metric.betas(belief)
        if betas is None:
            return gains
        one, other = ((betas[0][g], betas[1][g]) for g in self.pair(belief.outer))
        return np.asarray(gains - self._verdict(one, other))

    def upper_gains(self, belief: Belief, level: float, *, target: Target = "population") -> _Floats:
        """Return a quantile of the gain over draws from a generator of its own, so that it repeats."""
        draws = belief.draw(_UPPER_DRAWS, rng=np.random.default_rng(0))
        gains = [self._gains_at(belief, draw).round(_ALIKE) for draw in draws]
        # between two draws there is nothing to interpolate: groups that are not asked have a gain of minus infinity
        return np.asarray(np.quantile(gains, level, axis=0, method="higher"))

    def _gains_at(self, belief: Belief, draw: NDArray[Any]) -> _Floats:
        pair, betas = self.pair(belief.outer), self.metric.betas(belief)
        gains = np.full(belief.outer.n_groups, -np.inf)
        if betas is None:
            gains[list(pair)] = belief.variance_drop(draw)[list(pair)]
            return gains
        parameters = [(betas[0][g], betas[1][g]) for g in pair]
        for side, g in enumerate(pair):
            (a, b), chance = parameters[side], float(draw[g])
            expected = 0.0
            for part, changed in ((chance, (a + 1, b)), (1 - chance, (a, b + 1))):
                sides = [changed, parameters[1]] if side == 0 else [parameters[0], changed]
                expected += part * self._verdict(*sides)
            gains[g] = expected
        return gains

    def _verdict(self, one: tuple[float, float], other: tuple[float, float]) -> float:
        """Return the probability of the likeliest verdict, lambda."""
        return _likeliest(*map(float, one), *map(float, other), self.margin)

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
        """Return the verdict and its probability."""
        how: dict[str, Any] = {"level": level, "kind": kind, "target": target, "n_draws": n_draws, "rng": rng}
        found = difference(self.metric, belief, self.one, self.other, margin=self.margin, **how)
        posterior = self.metric.estimate(belief, **how)
        chance = max(found.p_lower, found.p_equal, found.p_higher)
        both = [posterior.names.index(name) for name in (self.one, self.other)]
        pair = replace(
            posterior,
            names=(self.one, self.other),
            mean=posterior.mean[both],
            low=posterior.low[both],
            high=posterior.high[both],
            n_labels=posterior.n_labels[both],
        )
        named = {"lower": (self.one,), "higher": (self.other,), "equal": ()}[found.verdict]
        return Answer(found.sentence(), named, chance, (), pair, difference=found)

    def is_provable(self, groups: Grouping) -> bool:
        """Return whether labels alone prove something about each group."""
        return self.metric.is_provable(groups)

    def prove(self, answer: Answer, trail: Trail, *, target: Target = "population") -> Proof | None:
        """Return the strongest of three claims: lower, higher, or within the margin of each other."""
        evidence = self.metric.evidence(trail, target=target)
        if evidence is None:
            return None
        one, other = self.pair(trail.groups)

        def refuted(c: float, *, at_most: bool) -> float:
            """Return the evidence against the first group's value less the second's being at most, or at least, c."""
            tolerance = -c if at_most else c
            joint = evidence.in_wrong_order(one, np.array([other]), low=not at_most, tolerance=tolerance)[0]
            paired = evidence.in_pairs(trail, one, other, c, at_most=at_most, target=target)
            # half of the error each: both are martingales, but not of one order of labels, so that their mean is none
            return float(joint) if paired is None else max(float(joint), paired) - float(np.log(2))

        what = f"{self.metric.name} of '{self.one}'", f"that of '{self.other}'"
        return strongest_claim(refuted, what, self.margin)
