"""The set-up of an assessment: everything that was settled before the first label, and how a journal keeps it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from labelwise.assessment.codec import decode, encode
from labelwise.assessment.defaults import default_policy, default_prior, default_stop, default_target
from labelwise.assessment.proving import proven
from labelwise.assessment.stopping import StoppingRule, best_gain
from labelwise.beliefs import Belief, CarriedPrior, CustomPrior, LearnedPrior, Prior, Target
from labelwise.beliefs.belief import is_population
from labelwise.beliefs.interval import check_interval
from labelwise.beliefs.trail import Trail
from labelwise.checks import check_count, check_positive, hint, shown
from labelwise.errors import ArgumentError, ConflictError, NotFoundError, UnanswerableError
from labelwise.groups import Grouping, crossed, without_small
from labelwise.metrics import Metric
from labelwise.policies import Policy
from labelwise.pool import Pool
from labelwise.pool.packing import Split, pack, unpack
from labelwise.questions import Question

LEASE = 600.0  # seconds
_SPOKEN = {"fingerprint": "pool (its fingerprint)"}
_NOT_COMPARED = ("pool", "origin")


@dataclass(frozen=True, eq=False)
class Setup:
    """What was settled before the first label.

    Parameters
    ----------
    groups : the pool in its groups.
    question : what is to be found out.
    seed : decides every random choice.
    policy, prior, stop : how groups are chosen, what is believed before any label, and when the answer is good enough;
        those of `assessment/defaults.py` unless given.
    target : what the answer is about, the pool or the population; the pool unless given.
    level : the probability of its intervals.
    lease : seconds that a ticket is held for its labeller.
    is_blind : whether labellers are kept from seeing what the classifier said.
    show : columns of the pool to show to labellers beside the content.
    origin : where the pool came from and how it was read, for the record.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> lw.Setup(lw.by_prediction(pool), lw.Worst(lw.accuracy), seed=7).stop
    Guaranteed(probability=0.95)
    """

    groups: Grouping
    question: Question
    seed: int
    policy: Policy = None  # type: ignore[assignment]  # the default is filled in below
    prior: Prior = None  # type: ignore[assignment]  # likewise
    stop: StoppingRule = None  # type: ignore[assignment]  # likewise
    target: Target = None  # type: ignore[assignment]  # likewise
    level: float = 0.95
    lease: float = LEASE
    is_blind: bool = True
    show: Sequence[str] = ()
    origin: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        check_count(self.seed, "seed", least=0)
        check_positive(self.lease, "lease")
        check_interval(self.level, "equal-tailed")
        object.__setattr__(self, "target", self.target or default_target(self.question))
        is_population(self.target)
        object.__setattr__(self, "show", tuple(self.show))
        object.__setattr__(self, "policy", self.policy or default_policy(self.question))
        object.__setattr__(self, "prior", self.prior or default_prior(self.question))
        object.__setattr__(self, "stop", self.stop or default_stop(self.question, self.groups))
        if self.is_blind:
            for column in [*self.pool.content, *self.show]:
                if column in self.pool.outputs:
                    raise ArgumentError(
                        f"Column {column!r} is what the classifier said, and would bias labellers who see it. Leave it "
                        "out, or lift blindness with --show-prediction (`is_blind=False`)."
                    )
        for column in self.show:
            if column not in self.pool.columns:
                raise NotFoundError(
                    f"The pool keeps no column {column!r} to show. {hint(column, list(self.pool.columns))}"
                )

    @property
    def pool(self) -> Pool:
        """The pool that is assessed."""
        return self.groups.pool

    def start(self) -> Belief:
        """Return the belief before any label."""
        return self.question.start(self.groups, self.prior)

    def start_about(self, metric: Metric) -> Belief:
        """Return the belief about another metric than the question's before any label.

        The learned prior is shared: what it learns of the scores holds for every metric. Other priors are pseudo-counts
        for what was asked, so another metric starts from its own default.
        """
        return metric.start(self.groups, self.prior if isinstance(self.prior, LearnedPrior) else None)

    def check(self, start: Belief) -> None:
        """Refuse a stopping rule that the question has no answer for, before anything is kept."""
        rng = np.random.default_rng(0)
        answer = self.question.answer(start, level=self.level, target=self.target, n_draws=2, rng=rng)
        if self.stop.needs_proof:
            answer = proven(answer, self.question, Trail.of(start), level=self.level, target=self.target)
        self.stop.judge(answer, 0, best_gain(self.question, start, self.groups.n_items, self.target))

    def pieces(self) -> list[bytes]:
        """Return what a journal must keep of the pool: what the labellers are shown and the question reads."""
        wanted = {*self.pool.content, *self.show, *self.question.metric.columns}
        columns = {name: array for name, array in self.pool.columns.items() if name in wanted}
        splits: list[Split] = [(part.names, part.of_item) for part in _leaves(self.groups)]
        return pack(replace(self.pool, columns=columns), splits=splits, has_scores=self._needs_scores())

    def _needs_scores(self) -> bool:
        """Try it: most questions can be asked without the scores of every class, and start alike."""
        if self.pool.scores is None:
            return False
        bare = replace(self.pool, scores=None)
        try:
            start = self.question.start(_of_pool(self.groups, bare), self.prior)
        except UnanswerableError:
            return True
        return not np.array_equal(start.mean(), self.start().mean())

    def to_data(self, start: Belief, pieces: Sequence[str] = ()) -> dict[str, Any]:
        """Write the set-up as plain values, the pool by the names of its pieces."""
        data = {
            "fingerprint": self.pool.fingerprint,
            "grouping": _rules(self.groups),
            "question": encode(self.question),
            "policy": encode(self.policy),
            "prior": encode(_settled(self.prior, start)),
            "stop": encode(self.stop),
            "target": self.target,
            "level": self.level,
            "seed": self.seed,
            "lease": self.lease,
            "is_blind": self.is_blind,
            "show": list(self.show),
            "pool": {
                "source": self.pool.source,
                "classes": list(self.pool.classes),
                "n_items": self.pool.n_items,
                "content": list(self.pool.content),
                "pieces": list(pieces),
            },
            "origin": dict(self.origin) if self.origin else None,
        }
        return dict(json.loads(json.dumps(data)))

    @classmethod
    def of_data(cls, data: Mapping[str, Any], piece: Callable[[str], bytes]) -> Setup:
        """Read a set-up back; `piece` gives the bytes of that name."""
        about = data["pool"]
        pool, splits = unpack(
            [piece(name) for name in about["pieces"]],
            classes=about["classes"],
            fingerprint=data["fingerprint"],
            source=about["source"],
            content=about["content"],
        )
        plain = {name: data[name] for name in ("target", "level", "seed", "lease", "is_blind", "origin")}
        question = decode(data["question"])
        return cls(
            groups=_grouping(data["grouping"], pool, iter(splits)),
            question=question,
            policy=decode(data["policy"]),
            prior=decode(data["prior"]) or question.metric.own_prior,  # older stores keep null for the metric's own
            stop=decode(data["stop"]),
            show=tuple(data["show"]),
            **plain,
        )


def check_same(mine: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
    """Refuse to go on with another set-up than the one that the journal was opened with."""
    differs = next((key for key in mine if key not in _NOT_COMPARED and kept.get(key) != mine[key]), None)
    if differs is not None:
        raise ConflictError(
            f"This assessment was opened with another {_SPOKEN.get(differs, differs)}: {shown(kept.get(differs))}, not "
            f"{shown(mine[differs])}. Go on with what it was made with, or make a new one."
        )


def _settled(prior: Prior, start: Belief) -> Prior:
    """Return a prior that is plain numbers in place of one that holds a former belief."""
    hits = start.accuracies
    if isinstance(prior, CarriedPrior) and hits is not None:
        return CustomPrior(*prior.beta(hits.outer))
    return prior


def _leaves(groups: Grouping) -> list[Grouping]:
    """Return the groupings that were crossed, or the one that was not."""
    return [leaf for factor in groups.factors for leaf in _leaves(factor)] if groups.factors else [groups]


def _rules(groups: Grouping) -> Any:
    if groups.min_items > 1:
        return {"min_items": groups.min_items, "of": _rules(replace(groups, min_items=1))}
    return [_rules(factor) for factor in groups.factors] if groups.factors else groups.rule


def _grouping(rules: Any, pool: Pool, splits: Any) -> Grouping:
    if isinstance(rules, dict):
        return without_small(_grouping(rules["of"], pool, splits), rules["min_items"])
    if isinstance(rules, list):
        return crossed(*[_grouping(rule, pool, splits) for rule in rules])
    names, of_item = next(splits)
    return Grouping(pool, tuple(names), of_item.astype(np.int32), rules)


def _of_pool(groups: Grouping, pool: Pool) -> Grouping:
    """Return the same grouping of a pool with the same items."""
    if groups.min_items > 1:
        return without_small(_of_pool(replace(groups, min_items=1), pool), groups.min_items)
    if groups.factors:
        return crossed(*[_of_pool(factor, pool) for factor in groups.factors])
    return Grouping(pool, groups.names, groups.of_item, groups.rule)
