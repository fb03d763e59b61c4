"""A plan as one plain document and as text for the terminal."""

from __future__ import annotations

from typing import Any

from labelwise.assessment import Plan, StoppingRule
from labelwise.questions import Question
from labelwise.report.table import table


def plan_document(plan: Plan, question: Question, stop: StoppingRule, left_out: str = "") -> dict[str, Any]:
    """Return a plan as plain values; a number of labels that is missing is more than the limit.

    Parameters
    ----------
    left_out : which groups take no part, as `Grouping.left_out` says it.
    """
    return {
        "question": str(question),
        "stop": str(stop),
        "sentence": plan.sentence(),
        "assumption": plan.assumption,
        "items": plan.n_items,
        "left_out": left_out,
        "rows": plan.frame().rows(),
    }


def render_plan(document: dict[str, Any]) -> str:
    """Write the document of a plan as text."""
    rows = document["rows"]
    has_gap = any(row["over_confidence"] is not None for row in rows)
    header = ["policy", *(["if over-confident by"] if has_gap else []), "labels", "likely range", "of the items"]
    cells = []
    for row in rows:
        gap = [f"{row['over_confidence']:.2f}"] if has_gap else []
        labels, low, high = (_labels(row, name) for name in ("labels", "low", "high"))
        part = "" if row["labels"] is None else f"{row['labels'] / document['items']:.1%}"
        cells.append([row["policy"], *gap, labels, f"{low} to {high}", part])
    left_out = f"\nNote: {document['left_out']}." if document["left_out"] else ""
    return (
        f"{document['question']}\n  stop when {document['stop']}\n\n{table(header, cells)}\n\n{document['sentence']}\n"
        f"Note: {document['assumption']}{left_out}"
    )


def _labels(row: dict[str, Any], name: str) -> str:
    return f"> {row['limit']:,}" if row[name] is None else f"{row[name]:,}"
