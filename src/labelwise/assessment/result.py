"""What an assessment says: the answer, whether it is enough, and what is missing from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment.forecast import Forecast, believed, forecast
from labelwise.assessment.ledger import Ledger
from labelwise.assessment.prior_checks import design_notes, left_out_notes, prior_notes
from labelwise.assessment.proving import proven
from labelwise.assessment.setup import Setup
from labelwise.assessment.stopping import Verdict, best_gain
from labelwise.beliefs import Belief, Target
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.beliefs.confidence_sequence import always_valid_of
from labelwise.metrics import Metric, design_based
from labelwise.pool.html_table import short
from labelwise.questions import Answer, Question
from labelwise.questions.proof import Proof

if TYPE_CHECKING:
    from labelwise.assessment.assessment import Assessment

_Floats = NDArray[np.float64]
_N_DRAWS = 2_000  # for the target that was not asked about
_OTHER = 3  # sets its generator apart from those that choose


@dataclass(frozen=True, eq=False, repr=False)
class Bounds:
    """Each group's mean if every item that nobody could label were a miss, and if it were a hit."""

    if_misses: _Floats
    if_hits: _Floats


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The answer of an assessment at one moment.

    Attributes
    ----------
    answer : what is known.
    verdict : whether the stopping rule is met.
    n_labels : labels told and not withdrawn, imported ones included.
    n_out : tickets that are with labellers.
    n_skipped, n_unknown : items skipped, and items whose labeller did not know.
    bounds : what those items could make of the answer; None if there are none.
    is_spent : whether there is nothing left to ask, and nothing out with labellers.
    ahead : plays the rest of the assessment in imagined worlds.
    prove : finds what the labels prove.
    about : answers the same question about a target.
    target : what the answer is about.
    """

    answer: Answer
    verdict: Verdict
    n_labels: int
    n_out: int
    n_skipped: int
    n_unknown: int
    bounds: Bounds | None
    is_spent: bool
    ahead: Callable[[], Forecast]
    prove: Callable[[], Proof | None]
    about: Callable[[Target], Answer]
    target: Target

    @property
    def may_stop(self) -> bool:
        """Whether to stop: the rule is met, or nothing is left to ask."""
        return self.verdict.is_met or self.is_spent

    @cached_property
    def forecast(self) -> Forecast:
        """How many more labels to expect until the rule is met; simulated when first asked for, in seconds."""
        return self.ahead()

    @cached_property
    def proof(self) -> Proof | None:
        """What the labels prove whatever the truth, whether the stopping rule asks or not; None if unknown."""
        return self.prove() if self.answer.proof is None else self.answer.proof

    @cached_property
    def other_target(self) -> tuple[Target, Answer]:
        """The other target, and what is believed about it; from fewer draws, when first asked for."""
        other: Target = "population" if self.target == "pool" else "pool"
        return other, self.about(other)

    def sentence(self) -> str:
        """Return whether to go on, why, and how many more labels to expect."""
        missing = self.n_skipped + self.n_unknown
        note = f" ({missing:,} items without a label: {self.n_unknown:,} not known)" if missing else ""
        if self.verdict.is_met:
            return f"stop: {self.verdict.sentence}{note}"
        if self.is_spent:
            return f"stop: nothing is left to ask, though {self.verdict.sentence}{note}"
        return f"go on: {self.verdict.sentence}; {self.forecast.sentence()}{note}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(short(repr(self).strip('<>'), 300))}</p>{self.answer._repr_html_()}"

    def __repr__(self) -> str:
        word = "stop" if self.may_stop else "go on"
        return f"<Result after {self.n_labels:,} labels: {word}: {self.verdict.sentence}>"


def result_of(assessment: Assessment, ledger: Ledger, *, n_draws: int, rng: np.random.Generator) -> Result:
    """Answer the question, apply the stopping rule, and count missing labels."""
    belief = ledger.belief
    question = assessment.question
    setup = assessment.setup
    answer = question.answer(belief, level=setup.level, target=setup.target, n_draws=n_draws, rng=rng)
    answer = _guarded(answer, question.metric, belief, setup)
    if setup.stop.needs_proof:
        answer = proven(answer, question, ledger.trail, level=setup.level, target=setup.target)
    n_labels = len(ledger.label_of)
    counts = ledger.slips.counts()
    return Result(
        answer=answer,
        verdict=setup.stop.judge(answer, n_labels, best_gain(question, belief, assessment.n_open, setup.target)),
        n_labels=n_labels,
        n_out=counts["open"],
        n_skipped=counts["skipped"],
        n_unknown=counts["unknown"],
        is_spent=int(assessment.n_open.sum()) == 0 and not counts["open"],
        ahead=_ahead(assessment.setup, belief, ledger, n_labels),
        bounds=_bounds(assessment, belief, ledger.slips.items("skipped", "unknown"), n_draws, rng),
        prove=_proof(answer, question, setup, ledger),
        about=partial(_about, question, belief, setup),
        target=setup.target,
    )


def _proof(answer: Answer, question: Question, setup: Setup, ledger: Ledger) -> Callable[[], Proof | None]:
    if setup.stop.needs_proof:
        return lambda: answer.proof
    trail = ledger.trail
    return lambda: question.prove(answer, trail, target=setup.target)


def _about(question: Question, belief: Belief, setup: Setup, target: Target) -> Answer:
    rng = np.random.default_rng([setup.seed, _OTHER])
    return question.answer(belief, level=setup.level, target=target, n_draws=_N_DRAWS, rng=rng)


def _guarded(answer: Answer, metric: Metric, belief: Belief, setup: Setup) -> Answer:
    """Add the intervals that need no prior, and a note where they contradict the answer."""
    notes = (*answer.notes, *left_out_notes(setup.groups), *prior_notes(belief))
    if not metric.is_share_of_hits:
        return replace(answer, notes=notes)
    hits = AccuracyBelief.of(belief)
    low, high = always_valid_of(hits, level=setup.level, target=setup.target)
    place = {name: g for g, name in enumerate(metric.names(belief))}
    shown = [place[name] for name in answer.posterior.names]  # a comparison shows two groups of many
    answer = replace(answer, always=(low[shown], high[shown]), notes=notes)
    if answer.overall is None:
        return answer
    design, reason = design_based(hits, level=setup.level, target=setup.target)
    if design is not None:
        notes = (*notes, *design_notes(answer.overall, design, is_learned=hits.is_learned))
    return replace(answer, design=design, design_reason=reason, notes=notes)


def _ahead(setup: Setup, belief: Belief, ledger: Ledger, n_labels: int) -> Callable[[], Forecast]:
    queue, trail = ledger.queue, ledger.trail if setup.stop.needs_proof else None
    return lambda: forecast(setup, belief, queue, believed(belief), trail=trail, n_labels=n_labels, seed=setup.seed)


def _bounds(
    assessment: Assessment, belief: Belief, items: NDArray[np.int64], n_draws: int, rng: np.random.Generator
) -> Bounds | None:
    if not len(items):
        return None
    ends = []
    for labels in assessment.question.extremes(belief, items):
        told = belief.update(items, labels)
        metric = assessment.question.metric
        ends.append(metric.estimate(told, target=assessment.setup.target, n_draws=n_draws, rng=rng).mean)
    return Bounds(*ends)
