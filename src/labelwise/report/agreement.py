"""How far labellers agree, and where they do not, as plain documents and as text."""

from __future__ import annotations

from dataclasses import asdict
from textwrap import fill
from typing import Any

from labelwise.assessment import Agreement, Assessment
from labelwise.assessment.agreement import KAPPAS
from labelwise.report.guarantee import guarantees
from labelwise.report.history import when
from labelwise.report.table import cell_name, decimals, ends, percent, table

_WIDTH = 100
_COVERED = "0.91 to 0.98"
"""Of simulated runs, by the interval of Cohen's kappa at 0.95 (decision 15)."""


def agreement_document(agreement: Agreement) -> dict[str, Any]:
    """Return how far labellers agree as one plain document.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"])
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1)
    >>> agreement_document(lw.agreement_of(assessment))["sentence"]
    'nobody labelled an item twice'
    """
    found = asdict(agreement)
    numbers = {"items": found["n_items"], "agree": found["n_agree"]}
    rest = {name: found[name] for name in ("level", "share", "kappa", "kind", "reason")}
    words = _promises(agreement) if agreement.n_items else {}
    return {"sentence": agreement.sentence(), **numbers, **rest, "guarantees": words, "pairs": _pairs(agreement)}


def _pairs(agreement: Agreement) -> list[dict[str, Any]]:
    return [
        {"one": pair.one, "other": pair.other, "items": pair.n_items, "agree": pair.n_agree, "kappa": pair.kappa}
        for pair in agreement.pairs
    ]


def _promises(agreement: Agreement) -> dict[str, str]:
    credible = guarantees(agreement.level)["credible"]
    words = {"share": f"{credible} (flat prior), about new items of the kind that were labelled"}
    if agreement.kappa is not None:
        measured = f"; at 95 % it covered in {_COVERED} of simulated runs with 20 to 200 items, 3 or 10 classes"
        words["kappa"] = credible + (measured if agreement.kind == "cohen" else "")
    return words


def values_of(document: dict[str, Any]) -> list[list[str]]:
    """Return share and kappa of a document as rows: what, estimate, interval.

    Examples
    --------
    >>> values_of({"share": {"mean": 0.9, "low": 0.8, "high": 0.95}, "kappa": None})
    [['share that agrees', '0.9000', '[0.8000, 0.9500]']]
    """
    found = []
    for name in ("share", "kappa"):
        value = document[name]
        if value is not None:
            what = "share that agrees" if name == "share" else KAPPAS[document["kind"]]
            found.append([what, decimals(value["mean"]), ends(value)])
    return found


def render_agreement(document: dict[str, Any]) -> str:
    """Format the document of an agreement as text."""
    if not document["items"]:
        return "No item was labelled twice. Request second opinions: `labelwise review request STORE --share 0.1`."
    level = percent(document["level"])
    header = ["one", "other", "items", "agree", "kappa"]
    cells = [
        [cell_name(pair["one"]) or "(no name)", cell_name(pair["other"]) or "(no name)", f"{pair['items']:,}",
         f"{pair['agree']:,}", "-" if pair["kappa"] is None else decimals(pair["kappa"])]
        for pair in document["pairs"]
    ]  # fmt: skip
    parts = [
        f"{document['items']:,} items labelled twice, {document['agree']:,} of them alike\n"
        + table(["", "estimate", level], values_of(document)),
        f"No kappa: {document['reason']}." if document["reason"] else "",
        f"By pair of labellers\n{table(header, cells, left=2)}",
        "\n".join(
            fill(f"{level} of {name}: {words}", _WIDTH, initial_indent="  ", subsequent_indent="    ")
            for name, words in document["guarantees"].items()
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def disputes_document(assessment: Assessment) -> list[dict[str, Any]]:
    """Return the items that labellers disagree on and nobody settled since, oldest first.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"], ids=["a", "b"])
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, clock=lambda: 0.0)
    >>> assessment.want_second_opinions(1.0)
    >>> assessment.tell(assessment.ask(labeller="ann")[0], "cat")
    >>> assessment.tell(assessment.ask(labeller="bob")[0], "dog")
    >>> disputes_document(assessment)
    [{'id': 'b', 'label': 'cat', 'labeller': 'ann', 'other': 'dog', 'other_labeller': 'bob',
      'at': '1970-01-01T00:00:00Z'}]
    """
    found = []
    for dispute in assessment.disputes():
        fields = asdict(dispute)
        found.append({"id": fields.pop("item")} | fields | {"at": when(dispute.at)})
    return found


def render_disputes(found: list[dict[str, Any]]) -> str:
    """Write disputes as a table."""
    if not found:
        return "Nothing is in dispute."
    names = ["id", "label", "labeller", "other", "other_labeller", "at"]
    cells = [[cell_name(str(row[name])) or "(no name)" for name in names] for row in found]
    return table([name.replace("_", " ") for name in names], cells, left=len(names))
