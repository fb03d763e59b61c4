"""When to stop, and what is still missing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.checks import check_between, check_count, check_one_of, check_positive
from labelwise.errors import UnanswerableError
from labelwise.questions import Answer, Question

_WIDTHS = {
    "every": "the widest interval is",
    "mean": "intervals are on average",
    "overall": "the overall interval is",
}

_NO_CLAIM = "An estimate is not right or wrong; stop it by width or budget."
_ROUNDING = 1e-9  # 1 - 0.95 is a little more than 0.05

_TITLES = {"every": "Widest interval", "mean": "Mean width", "overall": "Overall width"}


@dataclass(frozen=True)
class Verdict:
    """Whether a rule is met, and how it stands in words."""

    is_met: bool
    sentence: str


@dataclass(frozen=True)
class Gauge:
    """The number that a rule looks at: what it is, where it stands, and where the rule is met.

    Attributes
    ----------
    name : "probability", "width" or "labels".
    title : of an axis.
    is_guaranteed : whether it holds whatever the truth; else it is believed, or counted.
    """

    name: str
    title: str
    value: float | None
    goal: float
    is_guaranteed: bool = False


class StoppingRule(ABC):
    """Says whether an answer is good enough."""

    @abstractmethod
    def judge(self, answer: Answer, n_labels: int, best_gain: float | None) -> Verdict:
        """Judge an answer after so many labels, when the best further label is worth `best_gain` (None: no price)."""

    @property
    def parts(self) -> tuple[StoppingRule, ...]:
        """The single rules that it joins; itself, if it is one."""
        return (self,)

    @property
    def budget(self) -> int | None:
        """The labels after which it is met, whatever the answer is; None if there is no such number."""
        return None

    @property
    def needs_proof(self) -> bool:
        """Whether it asks what labels prove, which takes their order."""
        return False

    def gauge(self, answer: Answer, n_labels: int) -> Gauge | None:
        """Return the number that it looks at, of several rules the first that has one; None if there is none."""
        return None


@dataclass(frozen=True)
class Budget(StoppingRule):
    """Stop when so many labels have been told.

    Examples
    --------
    >>> Budget(100).judge(None, 40, 0.0).sentence
    '40 of 100 labels spent'
    """

    n_labels: int

    def __post_init__(self) -> None:
        check_count(self.n_labels, "n_labels")

    def __str__(self) -> str:
        return f"{self.n_labels:,} labels are spent"

    def judge(self, answer: Answer, n_labels: int, best_gain: float | None) -> Verdict:
        """Compare labels told with the budget."""
        return Verdict(n_labels >= self.n_labels, f"{n_labels:,} of {self.n_labels:,} labels spent")

    @property
    def budget(self) -> int:
        """The labels that it grants."""
        return self.n_labels

    def gauge(self, answer: Answer, n_labels: int) -> Gauge:
        """Return the labels spent."""
        return Gauge("labels", "Labels spent", n_labels, self.n_labels)


@dataclass(frozen=True)
class Guaranteed(StoppingRule):
    """Stop when the answer is proven: a stop is right with this probability, whatever the truth and the prior.

    However often one looks. The prior decides how many labels that takes, never whether it holds.
    """

    probability: float = 0.95

    def __post_init__(self) -> None:
        check_between(self.probability, "probability", 0, 1)

    def __str__(self) -> str:
        return f"the answer is right with probability {self.probability:g}, guaranteed"

    @property
    def needs_proof(self) -> bool:
        """It does."""
        return True

    def judge(self, answer: Answer, n_labels: int, best_gain: float | None) -> Verdict:
        """Compare the error of the proof with the one that is allowed."""
        proof = answer.proof
        if proof is None and answer.probability is None:
            raise UnanswerableError(_NO_CLAIM)
        if proof is None:
            raise UnanswerableError(
                "No guarantee is known for this question. Stop when the answer is believed (`--stop believed`, in "
                "Python `Sure`), by width or by budget."
            )
        allowed = 1 - self.probability
        is_met = proof.error <= allowed + _ROUNDING
        if is_met:
            return Verdict(True, f"{proof.claim}: guaranteed with P(error) <= {rounded_up(proof.error)}")
        if proof.error == 1:
            return Verdict(False, f"{proof.claim}: nothing is proven yet")
        stands = f"not proven yet, P(error) <= {rounded_up(proof.error)}; at most {allowed:.3g} is wanted"
        return Verdict(False, f"{proof.claim}: {stands}")

    def gauge(self, answer: Answer, n_labels: int) -> Gauge:
        """Return the guaranteed probability of a right answer."""
        value = None if answer.proof is None else 1 - answer.proof.error
        return Gauge("probability", "Guaranteed probability", value, self.probability, is_guaranteed=True)


@dataclass(frozen=True)
class Sure(StoppingRule):
    """Stop when the answer is believed to be right with this probability.

    For Worst and Best: that the named groups are the right ones. For Compare: that of the verdict. It is a posterior
    probability at one look; `Guaranteed` holds whatever the truth and however often one looks.
    """

    probability: float = 0.95

    def __post_init__(self) -> None:
        check_between(self.probability, "probability", 0, 1)

    def __str__(self) -> str:
        return f"the answer is believed with probability {self.probability:g}"

    def judge(self, answer: Answer, n_labels: int, best_gain: float | None) -> Verdict:
        """Compare the answer's probability with the one that is wanted."""
        if answer.probability is None:
            raise UnanswerableError(_NO_CLAIM)
        is_met = answer.probability >= self.probability
        if is_met and n_labels == 0:
            return Verdict(False, f"{answer.sentence}, but by the prior alone: no label has been told")
        return Verdict(is_met, f"{answer.sentence} {'>=' if is_met else '<'} {self.probability:g}")

    def gauge(self, answer: Answer, n_labels: int) -> Gauge:
        """Return the answer's probability."""
        return Gauge("probability", "P(answer is right)", answer.probability, self.probability)


@dataclass(frozen=True)
class Width(StoppingRule):
    """Stop when intervals are narrow: every one of them, their mean, or that of the whole pool.

    Parameters
    ----------
    width : how narrow.
    which : "every" interval, their "mean" weighed alike, or the one of the pool "overall".
    is_guaranteed : whether always-valid intervals are meant, which hold whenever one stops; else credible ones.
    """

    width: float
    which: Literal["every", "mean", "overall"] = "every"
    is_guaranteed: bool = False

    def __post_init__(self) -> None:
        check_positive(self.width, "width")
        check_one_of(self.which, "which", list(_WIDTHS))

    def __str__(self) -> str:
        return f"{self._what()} at most {self.width:g} wide"

    def _what(self) -> str:
        words = _WIDTHS[self.which]
        return words.replace("interval", "always-valid interval") if self.is_guaranteed else words

    @property
    def needs_proof(self) -> bool:
        """It does if always-valid intervals are meant."""
        return self.is_guaranteed

    def judge(self, answer: Answer, n_labels: int, best_gain: float | None) -> Verdict:
        """Compare the widest interval, the mean width or the overall one with the one that is wanted."""
        found = self.found(answer)
        is_met = found <= self.width
        return Verdict(is_met, f"{self._what()} {found:.3f} wide, {'<=' if is_met else '>'} {self.width:g}")

    def gauge(self, answer: Answer, n_labels: int) -> Gauge:
        """Return the width that the rule looks at."""
        return Gauge("width", _TITLES[self.which], self.found(answer), self.width, self.is_guaranteed)

    def found(self, answer: Answer) -> float:
        """Return the width that the rule looks at."""
        if self.is_guaranteed:
            return self._always(answer)
        posterior = answer.overall if self.which == "overall" else answer.posterior
        if posterior is None:
            raise UnanswerableError(
                f"This question has no {answer.posterior.metric} of the whole pool. Estimate accuracy, bias, ECE or "
                "cost, or stop by another rule."
            )
        widths = np.nan_to_num(posterior.high - posterior.low)
        if answer.counts is not None and posterior is answer.posterior:
            widths = widths[answer.counts]
        return float(widths.mean() if self.which == "mean" else widths.max())

    def _always(self, answer: Answer) -> float:
        ends = answer.overall_always if self.which == "overall" else answer.always
        if ends is None and answer.always is not None:
            raise UnanswerableError(
                f"No always-valid interval is known for {answer.posterior.metric} of all items in several groups. Put "
                "them in one group (`--by nothing`), stop by credible intervals (`--stop believed`, "
                "`is_guaranteed=False` in Python) or by budget."
            )
        if ends is None:
            raise UnanswerableError(
                f"No always-valid interval is known for {answer.posterior.metric}. Stop by credible intervals "
                "(`--stop believed`, `is_guaranteed=False` in Python) or by budget."
            )
        widths = np.nan_to_num(np.atleast_1d(ends[1]) - np.atleast_1d(ends[0]))
        if answer.counts is not None and self.which != "overall":
            widths = widths[answer.counts]
        return float(widths.mean() if self.which == "mean" else widths.max())


@dataclass(frozen=True)
class Price(StoppingRule):
    """Stop when the best further label is worth less than it costs, in the question's own unit of gain."""

    price: float

    def __post_init__(self) -> None:
        check_positive(self.price, "price")

    def __str__(self) -> str:
        return f"the best further label gains less than {self.price:g}"

    def judge(self, answer: Answer, n_labels: int, best_gain: float | None) -> Verdict:
        """Compare the largest expected gain with the price of a label."""
        if best_gain is None:
            raise UnanswerableError(
                "Which groups are the worst or best has no price a label: its gain only says where to look. Stop when "
                "the answer is sure, by width or by budget."
            )
        is_met = best_gain < self.price
        return Verdict(
            is_met, f"the best further label gains {best_gain:.3g}, {'<' if is_met else '>='} {self.price:g}"
        )


@dataclass(frozen=True)
class _Joined(StoppingRule):
    rules: tuple[StoppingRule, ...]

    @property
    def parts(self) -> tuple[StoppingRule, ...]:
        """The single rules that it joins."""
        return tuple(part for rule in self.rules for part in rule.parts)

    @property
    def needs_proof(self) -> bool:
        """It does if one of its rules does."""
        return any(rule.needs_proof for rule in self.rules)

    def gauge(self, answer: Answer, n_labels: int) -> Gauge | None:
        """Return the number that the first rule which has one looks at."""
        found = (rule.gauge(answer, n_labels) for rule in self.rules)
        return next((gauge for gauge in found if gauge is not None), None)


@dataclass(frozen=True)
class AnyOf(_Joined):
    """Stop when any of several rules says so.

    Examples
    --------
    >>> AnyOf((Budget(100), Budget(30))).judge(None, 40, 0.0).is_met
    True
    """

    def __str__(self) -> str:
        return " or ".join(map(str, self.rules))

    @property
    def budget(self) -> int | None:
        """The smallest budget of its rules."""
        return min((rule.budget for rule in self.rules if rule.budget is not None), default=None)

    def judge(self, answer: Answer, n_labels: int, best_gain: float | None) -> Verdict:
        """Return the first rule that is met, else how all of them stand."""
        verdicts = [rule.judge(answer, n_labels, best_gain) for rule in self.rules]
        met = next((v for v in verdicts if v.is_met), None)
        return met or Verdict(False, "; ".join(v.sentence for v in verdicts))


@dataclass(frozen=True)
class AllOf(_Joined):
    """Stop when all of several rules say so."""

    def __str__(self) -> str:
        return " and ".join(map(str, self.rules))

    def judge(self, answer: Answer, n_labels: int, best_gain: float | None) -> Verdict:
        """Join the verdicts, naming what is missing if something is."""
        verdicts = [rule.judge(answer, n_labels, best_gain) for rule in self.rules]
        missing = [v for v in verdicts if not v.is_met]
        return Verdict(not missing, "; ".join(v.sentence for v in missing or verdicts))


@dataclass(frozen=True)
class StopOption:
    """An option of the command line that adds a stopping rule: how its number makes the rule, and its help text.

    Attributes
    ----------
    guaranteed : makes the rule that is meant where a guarantee is known and `--stop` does not ask for what is believed.
    is_of_whole : whether the rule looks at all items together, of which a guarantee takes that they are one group.
    """

    rule: Callable[[Any], StoppingRule]
    metavar: str
    help: str
    is_count: bool = False
    guaranteed: Callable[[Any], StoppingRule] | None = None
    is_of_whole: bool = False


STOP_OPTIONS: dict[str, StopOption] = {
    "sure": StopOption(Sure, "P", "Stop when the answer is right with this probability.", guaranteed=Guaranteed),
    "width": StopOption(
        Width, "W", "Stop when every interval is at most this wide.", guaranteed=partial(Width, is_guaranteed=True)
    ),
    "mean-width": StopOption(
        partial(Width, which="mean"), "W", "Stop when intervals are on average this wide.",
        guaranteed=partial(Width, which="mean", is_guaranteed=True),
    ),
    "overall-width": StopOption(
        partial(Width, which="overall"), "W", "Stop when the overall interval is this wide.",
        guaranteed=partial(Width, which="overall", is_guaranteed=True), is_of_whole=True,
    ),
    "budget": StopOption(Budget, "N", "Stop after this many labels.", is_count=True),
    "price": StopOption(Price, "X", "Stop when the best further label gains less."),
}  # fmt: skip
"""The stopping rules by their option on the command line. A new rule is registered here."""
STOPPING_RULES = (Guaranteed, Sure, Width, Budget, Price, AnyOf, AllOf)
"""The classes of rules that stores keep."""


def rounded_up(error: float) -> str:
    """Return an error with three decimals, never less than it is."""
    return f"{ceil(error * 1000 - 1e-6) / 1000:.3f}"


def best_gain(question: Question, belief: Belief, n_open: NDArray[np.int64], target: Target) -> float | None:
    """Return what the best label of a group that has items to give is worth; None if gains only rank groups."""
    worth = question.worth(belief, target=target)
    open_groups = np.flatnonzero(n_open)
    if worth is None:
        return None
    return float(np.max(worth[open_groups])) if len(open_groups) else 0.0
