"""From a request on the command line to the set-up of an assessment."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from labelwise.assessment import AllOf, AnyOf, Setup, StoppingRule
from labelwise.assessment.defaults import Promise, default_groups, default_stop
from labelwise.assessment.stopping import STOP_OPTIONS
from labelwise.beliefs import CarriedPrior, Prior
from labelwise.beliefs.belief import TARGETS
from labelwise.checks import check_one_of, check_within
from labelwise.cli.member_options import takes_number
from labelwise.cli.opening import opened
from labelwise.cli.pools import Columns, GroupRule, PoolReader, metric_named, prior_named
from labelwise.cli.request import Request
from labelwise.errors import ArgumentError
from labelwise.groups import Grouping, by_score
from labelwise.metrics import METRICS, Metric, belief_from_labels, with_rival
from labelwise.policies import POLICIES, Policy
from labelwise.pool import Pool
from labelwise.questions import QUESTIONS, Question, QuestionOptions

RIVAL = "rival"  # what the predictions of the other file are called inside the store
Rows = Callable[[int, int | None], None]
_BINS = 15  # of the score
_OPTIONS = [f for f in fields(QuestionOptions) if f.name != "rival"]  # a metric may take the rival too


def policy_named(said: str, option: str = "--policy") -> Policy:
    """Return the policy of that name; one with a parameter takes a number, as in 'epsilon-greedy:0.2'.

    Examples
    --------
    >>> policy_named("thompson"), policy_named("epsilon-greedy:0.2")
    (Thompson(), EpsilonGreedy(epsilon=0.2))
    """
    name, _, number = said.partition(":")
    check_one_of(name, option, [*POLICIES])
    kind: Any = POLICIES[name]
    if not number:
        return cast(Policy, kind())
    if not takes_number(kind):
        raise ArgumentError(f"`{option} {name}` takes no number, but has {number!r}. Leave it out.")
    try:
        return cast(Policy, kind(float(number)))
    except ValueError as error:
        reason = error if isinstance(error, ArgumentError) else f"{number!r} is not a number."
        raise ArgumentError(f"`{option} {said}`: {reason}") from None


def prior_worded(said: str, option: str) -> Prior:
    """Return the prior of one word: flat and informed take their strength, as in 'informed:4'.

    Examples
    --------
    >>> prior_worded("informed:4", "--against-prior"), prior_worded("9,1", "--against-prior")
    (InformedPrior(strength=4.0), CustomPrior(a=9.0, b=1.0))
    """
    name, _, number = said.partition(":")
    try:
        prior = prior_named(name, float(number) if number else None, has_former=False)
    except ValueError as error:
        reason = error if isinstance(error, ArgumentError) else f"{number!r} is not a number."
        raise ArgumentError(f"`{option} {said}`: {reason}") from None
    assert prior is not None  # a name was said
    return prior


def requests_of(request: Request, also: Sequence[str]) -> list[Request]:
    """Return one request per question, each with those of --top, --compare and --margin that it takes.

    An option that none of the questions takes stays with the first, which refuses it.

    Examples
    --------
    >>> [(one.question, one.top) for one in requests_of(Request(top=3), ["best", "worst:5", "estimate"])]
    [('worst', 3), ('best', 3), ('worst', 5), ('estimate', 1)]
    """
    found = [request]
    for said in also:
        name, _, number = said.partition(":")
        check_one_of(name, "--also-question", [name for name in QUESTIONS if name != "versus"])
        if number and "top" not in QUESTIONS[name].takes:
            raise ArgumentError(f"`--also-question {name}` takes no number, but has {number!r}. Leave it out.")
        if number and not number.isdecimal():
            raise ArgumentError(f"`--also-question {said}`: {number!r} is not a whole number.")
        found.append(replace(request, question=name, top=int(number) if number else request.top))
    taken = {option for one in found for option in _takes(one)}
    for place, one in enumerate(found):
        spare = [f for f in _OPTIONS if f.name not in _takes(one) and (place > 0 or f.name in taken)]
        defaults: dict[str, Any] = {f.name: f.default for f in spare}
        found[place] = replace(one, **defaults)
    return found


def _takes(request: Request) -> tuple[str, ...]:
    return QUESTIONS[request.question].takes if request.question in QUESTIONS else ()


def question_of(request: Request, metric: Metric) -> Question:
    """Return the question that was asked about a metric."""
    check_one_of(request.question, "--question", [*QUESTIONS])
    for option in _OPTIONS:
        if option.name not in _takes(request) and getattr(request, option.name) != option.default:
            names = [f"`--question {name}`" for name, kind in QUESTIONS.items() if option.name in kind.takes]
            raise ArgumentError(f"`--{option.name}` is for {' and '.join(names)}; leave it out.")
    options = QuestionOptions(
        top=request.top,
        compare=request.compare,
        margin=request.margin,
        within=request.within,
        rival=_rival(request),
    )
    return QUESTIONS[request.question].from_options(metric, options)


def stop_of(request: Request, question: Question, groups: Grouping) -> StoppingRule:
    """Join the rules that were named: the first one met ends the assessment, or all must be; the default if none were.

    Each is guaranteed where a guarantee is known, unless what is believed was asked for.
    """
    if request.stop is not None:
        check_one_of(request.stop, "--stop", get_args(Promise))
    promise = cast(Promise | None, request.stop)
    is_provable, is_one_group = question.is_provable(groups), np.count_nonzero(groups.n_items) == 1
    rules = []
    for name, option in STOP_OPTIONS.items():
        if name in request.rules:
            is_known = is_provable and (is_one_group or not option.is_of_whole)
            is_guaranteed = is_known if promise is None else promise == "guaranteed"
            make = option.guaranteed if is_guaranteed and option.guaranteed is not None else option.rule
            rules.append(make(request.rules[name]))
    if len(rules) > 1:
        return AllOf(tuple(rules)) if request.stop_at_all else AnyOf(tuple(rules))
    return rules[0] if rules else default_stop(question, groups, promise)


def setup_of(request: Request, file: Path, progress: Rows, *, label: str | None = None) -> Setup:
    """Read the pool, with labels only if their column is named, and settle everything else."""
    if request.target is not None:
        check_one_of(request.target, "--target", TARGETS)
    check_within(request.discount, "--discount", 0, 1)
    pool = pool_of(request, file, progress, label=label)
    question = question_of(request, _metric(request, pool))
    groups = _groups(request, question, pool)
    seed = secrets.randbelow(2**32) if request.seed is None else request.seed
    return Setup(
        groups,
        question,
        seed,
        level=request.level,
        lease=60 * request.lease,
        is_blind=not request.show_prediction,
        show=request.show or (),
        origin=request.origin(file) | {"command": replace(request, seed=seed).words()},
        **_said(
            policy=policy_named(request.policy) if request.policy is not None else None,
            prior=_prior(request, question.metric, progress),
            stop=stop_of(request, question, groups),
            target=request.target,
        ),
    )


def _groups(request: Request, question: Question, pool: Pool) -> Grouping:
    """Return the groups that were named, or the default of the question; `--bins` counts strata there too."""
    rule = _grouping(request)
    if request.by or request.map:
        return rule.of(pool)
    if request.bins and question.kind == "overall" and pool.confidence is not None:
        return rule.without_small(by_score(pool, request.bins, equal="mass"))
    return rule.without_small(default_groups(question, pool))


def _said(**options: Any) -> dict[str, Any]:
    """Return the options that were said; the set-up knows what to take for the others."""
    return {name: value for name, value in options.items() if value is not None}


def pool_of(request: Request, file: Path, progress: Rows, *, label: str | None = None) -> Pool:
    """Read the pool, without labels unless their column is named, with the rival's predictions beside it."""
    wanted = [*_grouping(request).columns, *(request.show or ()), *([request.rival] if request.rival else [])]
    reader = _reader(request, file, label, progress, tuple(dict.fromkeys(wanted)))
    pool = reader.read(_columns(request))
    if request.against is None:
        return pool
    others = replace(reader, columns=(), content=())
    return with_rival(pool, others.read(_columns(request), request.against), RIVAL)


def _reader(request: Request, file: Path, label: str | None, progress: Rows, columns: Sequence[str]) -> PoolReader:
    return PoolReader(
        file, request.format, label, request.id, request.classes, request.logits, request.normalise, progress,
        columns, tuple(request.content or ()) if label is None else (),
    )  # fmt: skip


def _columns(request: Request) -> Columns:
    return Columns(request.scores, request.predicted, request.confidence)


def _grouping(request: Request) -> GroupRule:
    return GroupRule(
        tuple(request.by or ()), request.map, request.bins or _BINS, "mass" if request.equal_mass else "width",
        request.min_items, request.pool_rare,
    )  # fmt: skip


def _rival(request: Request) -> str | None:
    if request.rival is not None and request.against is not None:
        raise ArgumentError("Give either `--rival` (a column) or `--against` (a file), not both.")
    return RIVAL if request.against is not None else request.rival


def _metric(request: Request, pool: Pool) -> Metric:
    return metric_named(
        request.metric,
        pool,
        positive=request.positive,
        bins=request.bins or _BINS,
        equal=_grouping(request).equal,
        cost=request.cost,
        rival=_rival(request),
        names=[*METRICS],
    )


def _prior(request: Request, metric: Metric, progress: Rows) -> Prior | None:
    """Return the prior that was named, or what a labelled file or a former assessment taught; None for the default."""
    prior = prior_named(request.prior, request.strength, has_former=request.prior_from is not None)
    if request.prior_from is None:
        return prior
    if request.prior_from.suffix == ".lw":
        with opened(request.prior_from, None) as former:
            belief = former.belief
    else:
        rule = _grouping(request)
        reader = _reader(request, request.prior_from, "label", progress, rule.columns)
        belief = belief_from_labels(metric, rule.of_former(reader.read(_columns(request))))
    return CarriedPrior(belief.taught, request.discount)
