"""Everything that a report of an assessment says, as one plain document: the twin of the page for machines."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from labelwise.assessment import Assessment, Result, agreement_of
from labelwise.beliefs import CustomPrior, FlatPrior, InformedPrior, LearnedPrior
from labelwise.report.agreement import agreement_document
from labelwise.report.coverage import short_card
from labelwise.report.figures import Figure
from labelwise.report.history import labels_of
from labelwise.report.measurement import without_nan
from labelwise.report.outcome import outcome
from labelwise.report.status import status_of
from labelwise.report.table import chance as said_chance

_LIKELY = 0.5  # below that an answer is only the likeliest of many
_COUNTED = {"told": "labels", "imported": "labels", "settled": "labels", "skipped": "skipped", "unknown": "not_known"}


def report_document(
    assessment: Assessment,
    result: Result,
    figures: Sequence[Figure] = (),
    *,
    title: str = "",
    source: str = "",
    with_forecast: bool = False,
) -> dict[str, Any]:
    """Return what a report says: question, answer, stopping rule, numbers, assumptions, how to reproduce it.

    Parameters
    ----------
    assessment, result : as it stands, and its answer.
    figures : from `figures_of`; their numbers become part of the document.
    title : of the report; made from the pool's name unless given.
    source : the file that keeps the assessment, for the commands.
    with_forecast : say how many more labels to expect, which takes seconds.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=7)
    >>> for ticket in assessment.ask(20):
    ...     assessment.tell(ticket, "cat", labeller="ann")
    >>> document = report_document(assessment, assessment.answer())
    >>> document["headline"], document["labellers"][0]["labels"]
    ("'dog' is the worst of 2 groups in accuracy, with probability above 0.999.", 20)
    """
    state = status_of(assessment)
    found = outcome(assessment, result, with_forecast=with_forecast)
    return {
        "kind": "assessment",
        "title": title or _title(assessment),
        "headline": headline(assessment, result),
        **found,
        "prior": prior_words(assessment),
        "worse": assessment.question.metric.worse,
        "time": {"opened": state["opened"], "newest": state["newest"], "is_closed": state["is_closed"]},
        "events": state["events"],
        "withdrawn": state["withdrawn"],
        "labellers": labellers_of(assessment),
        "agreement": agreement_document(agreement_of(assessment)),
        "second_opinions": state["second_opinions"],
        "charts": [without_nan(figure.document()) for figure in figures],
        "coverage": short_card(),
        "reproduce": _reproduce(assessment, source),
    }


def _title(assessment: Assessment) -> str:
    name = assessment.pool.source
    return "How good is the classifier?" + ("" if name in ("arrays", "table") else f" {name}")


def prior_words(assessment: Assessment) -> str:
    """Return a description of the prior.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"])
    >>> prior_words(lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, prior=lw.FlatPrior()))
    'flat: before any label every value is as likely as any other'
    """
    match assessment.setup.prior:
        case LearnedPrior():
            return "learned: how far the scores are off is learned from the labels, and groups learn from each other"
        case FlatPrior(strength=strength):
            worth = "" if strength is None else f", worth {strength:g} labels per group"
            return f"flat: before any label every value is as likely as any other{worth}"
        case InformedPrior(strength=strength):
            worth = "" if strength is None else f", worth {strength:g} labels per group"
            return f"informed: before any label the scores are believed{worth}"
        case CustomPrior():
            return "custom: pseudo-counts that were given, or carried over from former labels"
        case other:
            return repr(other)


def headline(assessment: Assessment, result: Result) -> str:
    """Return the answer in one sentence, with its probability where it has one."""
    answer = result.answer
    if answer.probability is None:
        return f"{answer.sentence[:1].upper()}{answer.sentence[1:]}."
    if answer.ranking is None:
        said = answer.sentence[2 : answer.sentence.rindex(") = ")]
        whole = f"{said[:1].upper()}{said[1:]}, with probability {said_chance(answer.probability)}."
    else:
        names = ", ".join(f"'{name}'" for name in answer.named)
        end = assessment.question.kind
        is_one = len(answer.named) == 1
        which = f"the {end}" if is_one else f"the {end} {len(answer.named)}"
        of = f"{which} of {len(answer.ranking.order):,} groups in {assessment.question.metric.name}"
        chance = said_chance(answer.probability)
        if answer.probability < _LIKELY:
            whole = f"{names} {'looks like' if is_one else 'look like'} {of}, but the probability of that is {chance}."
        else:
            whole = f"{names} {'is' if is_one else 'are'} {of}, with probability {chance}."
    return f"By the prior alone, without any label: {whole}" if result.n_labels == 0 else whole


def labellers_of(assessment: Assessment) -> list[dict[str, Any]]:
    """Return who labelled how many, and from when to when; most first.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"])
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, clock=lambda: 0.0)
    >>> assessment.skip(assessment.ask(labeller="bob")[0], "blurred")
    >>> labellers_of(assessment)[0]["skipped"]
    1
    """
    found: dict[str, dict[str, Any]] = {}
    for row in labels_of(assessment):
        empty = {"labeller": row["labeller"], "labels": 0, "skipped": 0, "not_known": 0, "first": row["at"]}
        entry = found.setdefault(row["labeller"], empty)
        entry[_COUNTED[row["status"]]] += 1
        entry["last"] = row["at"]
    return sorted(found.values(), key=lambda entry: (-entry["labels"], entry["labeller"]))


def _reproduce(assessment: Assessment, source: str) -> dict[str, Any]:
    """Return the commands that reproduce the report, and the versions and seed that it depends on."""
    store = source or "spring.lw"
    origin = assessment.setup.origin or {}
    commands = []
    if "command" in origin:
        commands.append(shlex.join(["labelwise", "new", store, origin["file"], *origin["command"]]))
        share = assessment.ledger.seconds.share
        commands += [shlex.join(["labelwise", "review", "request", store, "--share", f"{share:g}"])] if share else []
    if source:
        check = ["--pool", origin["file"]] if "file" in origin else []
        commands.append(shlex.join(["labelwise", "store", "verify", store, *check]))
        commands.append(shlex.join(["labelwise", "export", store, "-o", "labels.csv"]))
        commands.append(shlex.join(["labelwise", "report", store, "-o", "report.html"]))
    return {
        "commands": commands,
        "store": source,
        "fingerprint": assessment.pool.fingerprint,
        "seed": assessment.setup.seed,
        "rival": assessment.question.against,
        "versions": {name: version(name) for name in ("labelwise", "numpy", "scipy")},
    }
