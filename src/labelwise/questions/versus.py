"""Versus: is the classifier better than its rival on the same pool?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from labelwise.beliefs import Belief, Kind, PairedBelief, Prior, Target
from labelwise.beliefs.belief import is_population
from labelwise.beliefs.betting import log_wealth
from labelwise.beliefs.trail import Trail
from labelwise.checks import check_within
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups import Grouping
from labelwise.groups.without_small import check_complete
from labelwise.metrics import Lead, Metric, accuracy
from labelwise.metrics.difference import difference_of_draws
from labelwise.metrics.metric import N_DRAWS
from labelwise.questions.answer import Answer
from labelwise.questions.proof import Proof, strongest_claim
from labelwise.questions.question import Question, QuestionOptions

_Floats = NDArray[np.float64]
_UPPER_DRAWS = 200
_SHARE_ERROR = 0.002


@dataclass(frozen=True)
class Versus(Question):
    """Is the classifier more accurate than its rival over the whole pool, less, or about as much?

    Only items on which the two differ are asked: the others are right or wrong together. Groups are strata; the gain of
    a label is the expected drop of the variance of the whole pool's lead.

    Parameters
    ----------
    rival : the kept column of the pool with the rival's predictions.
    margin : leads up to this count as equal.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 1, 1, 0] * 25, columns={"old": [0, 1, 1, 1] * 25})
    >>> question = lw.Versus("old")
    >>> belief = question.start(lw.everything(pool)).update(np.arange(3, 40, 4), np.zeros(10, int))
    >>> answer = question.answer(belief, rng=np.random.default_rng(1))
    >>> answer.sentence
    "P(accuracy of 'this classifier' is higher than that of 'old') = 1.000"
    >>> answer.notes
    ('Only the 25 items (25.0 %) on which the two differ can change the answer.',)
    """

    kind: ClassVar[str] = "versus"
    takes: ClassVar[tuple[str, ...]] = ("margin", "rival")
    is_comparison: ClassVar[bool] = True
    rival: str
    margin: float = 0.0

    @classmethod
    def from_options(cls, metric: Metric, options: QuestionOptions) -> Self:
        """Return the question about the classifier of `--rival` or `--against`."""
        if metric.name not in (accuracy.name, Lead.name):
            raise ArgumentError(f"`--question versus` is about accuracy; leave `--metric {metric.name}` out.")
        if options.rival is None:
            raise ArgumentError("`--question versus` needs the other classifier: --rival COLUMN, or --against FILE.")
        return cls(options.rival, options.margin or 0.0)

    def __post_init__(self) -> None:
        check_within(self.margin, "margin", 0, 1)

    def __str__(self) -> str:
        by = f" by more than {self.margin:g}" if self.margin else ""
        return f"Does the classifier differ in accuracy from its rival '{self.rival}'{by}?"

    @property
    def metric(self) -> Lead:  # type: ignore[override]  # follows from the rival, so it cannot be set
        """The lead over the rival."""
        return Lead(self.rival)

    @property
    def against(self) -> str:
        """The rival's column."""
        return self.rival

    def start(self, groups: Grouping, prior: Prior | None = None) -> PairedBelief:
        """Return the belief that the question reads, refusing classifiers that never differ."""
        check_complete(groups, "A comparison of two classifiers")
        belief = self.metric.start(groups, prior)
        if belief.n_differ.sum() == 0:
            raise UnanswerableError(
                f"The classifier and {self.rival!r} predict the same class for every item: they are equally good, and "
                "no label can tell them apart."
            )
        return belief

    def gains(self, belief: Belief, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Return squared share times expected drop of the variance, if one draw were true."""
        return self._gains_at(belief, belief.draw(1, rng=rng)[0], target)

    def mean_gains(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return squared share times expected drop of the variance; affine in the draw, so exact at the mean."""
        return self._gains_at(belief, belief.mean(), target)

    def upper_gains(self, belief: Belief, level: float, *, target: Target = "population") -> _Floats:
        """Return a quantile of the gain over draws from a generator of its own, so that it repeats."""
        draws = belief.draw(_UPPER_DRAWS, rng=np.random.default_rng(0))
        return np.asarray(np.quantile(self._gains_at(belief, draws, target), level, axis=0))

    def _gains_at(self, belief: Belief, draw: NDArray[Any], target: Target) -> _Floats:
        return np.asarray(belief.outer.share**2 * belief.variance_drop(draw, target=target))

    def extremes(self, belief: Belief, items: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """If the rival were right on all of these items, and if this classifier were."""
        paired = PairedBelief.of(belief)
        return paired.rival[items].astype(np.int64), paired.groups.pool.prediction[items].astype(np.int64)

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
        """Return the verdict over the whole pool, its probability, and how few items it hangs on."""
        how: dict[str, Any] = {"level": level, "kind": kind, "target": target, "n_draws": n_draws}
        draws = self.metric.draw(belief, n_draws, target=target, rng=rng) @ belief.outer.share
        names = ("this classifier", self.rival)
        found = difference_of_draws(draws, *names, accuracy.description, self.margin, level, kind)
        chance = max(found.p_lower, found.p_equal, found.p_higher)
        named = {"lower": (self.rival,), "higher": (names[0],), "equal": ()}[found.verdict]
        n_differ, n_items = int(PairedBelief.of(belief).n_differ.sum()), belief.outer.pool.n_items
        note = (
            f"Only the {n_differ:,} items ({n_differ / n_items:.1%}) on which the two differ can change the answer."
        ).replace("%", " %")
        return Answer(
            found.sentence(),
            named,
            chance,
            (),
            self.metric.estimate(belief, **how, rng=rng),
            difference=found,
            overall=self.metric.overall(belief, **how, rng=rng),
            notes=(note,),
        )

    def is_provable(self, groups: Grouping) -> bool:
        """Return whether all items on which the two differ are in one group, so that labels are a sample of them."""
        differs = self.metric.items(groups)
        return len(np.unique(groups.of_item[differs])) == 1

    def prove(self, answer: Answer, trail: Trail, *, target: Target = "population") -> Proof | None:
        """Return the strongest of three claims: lower, higher, or within the margin; None for several strata.

        Bets on the labels of items on which the two differ, which must be a random sample of all such items.
        """
        paired = PairedBelief.of(trail.start)
        if np.count_nonzero(paired.n_differ) != 1:
            return None
        n_items, n_differ = trail.groups.pool.n_items, int(paired.n_differ.sum())
        items, labels = trail.items[paired.differs[trail.items]], trail.labels[paired.differs[trail.items]]
        leads = (labels == trail.groups.pool.prediction[items]).astype(float) - (labels == paired.rival[items])
        # new items differ more seldom, or more often, than those of the pool; a small part of the error allows for it
        share = _shares_that_differ(n_differ, n_items) if is_population(target) else (n_differ / n_items,) * 2

        def refuted(c: float, *, at_most: bool) -> float:
            """Return the evidence against the lead being at most, or at least, c."""
            sign = 1.0 if at_most else -1.0
            found, c = sign * leads, sign * c
            if is_population(target):
                mean = max(c / share[0], c / share[1])
                if mean >= 1:
                    return 0.0
                return float(log_wealth(found, np.full(len(found), mean), -1.0 - 1e-12))
            before, left = np.cumsum(found) - found, n_differ - np.arange(len(found))
            if found.sum() - (n_differ - len(found)) > c * n_items + 1e-9:
                return np.inf  # even if the other were right on all items left
            return float(log_wealth(found, np.minimum((c * n_items - before) / left, 1.0), -1.0 - 1e-12))

        what = "accuracy of 'this classifier'", f"that of '{self.rival}'"
        proof = strongest_claim(refuted, what, self.margin)
        is_exact = self.margin == 0 or not is_population(target)
        return proof if is_exact else Proof(proof.claim, min(1.0, proof.error + _SHARE_ERROR))


def _shares_that_differ(n_differ: int, n_items: int) -> tuple[float, float]:
    """Return bounds on the share of new items on which two classifiers differ, each wrong with a small probability."""
    low = betaincinv(n_differ, n_items - n_differ + 1, _SHARE_ERROR) if n_differ else 0.0
    high = betaincinv(n_differ + 1, n_items - n_differ, 1 - _SHARE_ERROR) if n_differ < n_items else 1.0
    return float(low), float(high)
