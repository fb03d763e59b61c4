"""How assessments stand, in a few lines each: no belief is asked, so it is quick."""

from __future__ import annotations

from typing import Any

from labelwise.assessment import Assessment
from labelwise.report.history import when
from labelwise.report.outcome import seen_by, settings_of
from labelwise.report.table import cell_name, table


def status_of(assessment: Assessment) -> dict[str, Any]:
    """Return the state of an assessment as plain values.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"])
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1)
    >>> assessment.tell(assessment.ask()[0], "cat", labeller="ann")
    >>> status_of(assessment)["labellers"]
    {'ann': 1}
    """
    assessment.refresh()
    ledger = assessment.ledger
    counts, others = ledger.slips.counts(), ledger.slips.counts(is_second=True)
    found = {name: n["told"] + n["second_told"] for name, (n, _) in ledger.slips.labellers().items()}
    first, newest = assessment.journal.numbered([0, ledger.n_events - 1])
    return {
        "question": str(assessment.question),
        "stop": str(assessment.setup.stop),
        "is_closed": ledger.is_closed,
        "labels": len(ledger.label_of),
        "out": counts["open"],
        "skipped": counts["skipped"],
        "unknown": counts["unknown"],
        "withdrawn": counts["withdrawn"],
        "open": int(assessment.n_open.sum()),
        "second_opinions": {
            "share": ledger.seconds.share,
            "told": others["told"],
            "out": others["open"],
            "disputed": len(ledger.seconds.disputed),
            "settled": len(ledger.seconds.settled),
        },
        "labellers": dict(sorted(((name, n) for name, n in found.items() if n), key=lambda pair: -pair[1])),
        "opened": when(first.at),
        "newest": when(newest.at),
        "events": ledger.n_events,
        "settings": settings_of(assessment),
    }


def why_no_more(assessment: Assessment, n_handed: int = 0) -> str:
    """Return why nothing more is handed out, after so many were just now for their label."""
    n_out = assessment.ledger.slips.counts()["open"] - n_handed
    if n_out:
        which = f"the other {n_out:,}" if n_handed else f"all {n_out:,}"
        return f"{which} items that can change the answer are with labellers until their leases end."
    return "every item that can change the answer has been asked."


def render_status(found: list[dict[str, Any]]) -> str:
    """Write the states of the assessments of a store as text."""
    return "\n\n".join(_paragraph(state) for state in found) or "No assessment yet."


def _paragraph(state: dict[str, Any]) -> str:
    how = state["settings"]
    closed = " (closed)" if state["is_closed"] else ""
    who = ", ".join(f"{cell_name(name) or '(no name)'} {n:,}" for name, n in state["labellers"].items())
    numbers = {
        "labels": state["labels"],
        "with labellers": state["out"],
        "skipped": state["skipped"],
        "not known": state["unknown"],
        "withdrawn": state["withdrawn"],
        "can be asked": state["open"],
    }
    return (
        f"{state['name']}{closed}: {state['question']}\n"
        f"  {how['pool']}: {how['items']:,} items, {how['groups']:,} groups by {how['grouping']}"
        f"{_left_out(how)}, seed {how['seed']}\n"
        f"  stop when {state['stop']}; policy {how['policy']}, target {how['target']}{seen_by(how)}\n"
        f"  {', '.join(f'{n:,} {word}' for word, n in numbers.items())}\n"
        + _seconds(state["second_opinions"])
        + (f"  labelled by {who}\n" if who else "")
        + f"  opened {state['opened']}, newest event {state['newest']}"
    )


def _left_out(how: dict[str, Any]) -> str:
    return f" ({how['left_out']})" if how["left_out"] else ""


def _seconds(found: dict[str, Any]) -> str:
    """Return a line on the state of second opinions, if any were requested or given."""
    if not any(found.values()):
        return ""
    return (
        f"  second opinions on {found['share']:.4g} of the items: {found['told']:,} told, {found['out']:,} with "
        f"labellers, {found['disputed']:,} disputed, {found['settled']:,} settled\n"
    )


def render_history(rows: list[dict[str, Any]], n_events: int) -> str:
    """Write events as a table."""
    header = ["event", "at", "kind", "ticket", "item", "label", "labeller", "more"]
    cells = []
    for row in rows:
        rest = {k: v for k, v in row.items() if k not in header and v not in ("", False)}
        more = ", ".join(f"{k} {len(v) if isinstance(v, dict) else v}" for k, v in rest.items())
        cells.append([cell_name(str(row.get(name, ""))) for name in header[:-1]] + [cell_name(more)])
    earlier = f"... {n_events - len(rows):,} earlier events\n" if len(rows) < n_events else ""
    return earlier + table(header, cells, left=len(header))
