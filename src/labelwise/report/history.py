"""Who said what when, and the labels that count, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from labelwise.assessment import Assessment
from labelwise.assessment.events import Asked, Event, Imported, Opened, Seconded, Settled, Skipped, Told
from labelwise.assessment.ledger import Ledger

_HIDDEN = ("at", "item", "group", "label", "choice")  # the group may be the prediction


def when(seconds: float) -> str:
    """Write a time in UTC, to the second.

    Examples
    --------
    >>> when(0.0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def history_of(assessment: Assessment) -> list[dict[str, Any]]:
    """Give every event in words: items by id, labels by name, times as people write them; no prediction.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"], ids=["a", "b"])
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, clock=lambda: 0.0)
    >>> assessment.tell(assessment.ask()[0], "cat", labeller="ann")
    >>> history_of(assessment)[-1]
    {'event': 2, 'kind': 'told', 'at': '1970-01-01T00:00:00Z', 'ticket': 0, 'labeller': 'ann', 'item': 'a',
     'label': 'cat'}
    """
    item_of: dict[int, int] = {}
    rows = []
    for number, event in enumerate(assessment.history()):
        if isinstance(event, (Asked, Seconded)):
            item_of[event.ticket] = event.item
        rows.append({"event": number, "kind": event.kind, "at": when(event.at)} | _words(assessment, event, item_of))
    return rows


def _words(assessment: Assessment, event: Event, item_of: dict[int, int]) -> dict[str, Any]:
    pool = assessment.pool
    if isinstance(event, Opened):
        return {"question": str(assessment.question), "seed": assessment.setup.seed}
    if isinstance(event, Imported):
        pairs = zip(event.items, event.labels, strict=True)
        return {"labeller": event.labeller, "labels": {str(pool.id_of(i)): pool.classes[code] for i, code in pairs}}
    words = {key: value for key, value in asdict(event).items() if key not in _HIDDEN}
    if "ticket" in words:
        words["item"] = pool.id_of(item_of[words["ticket"]])
    if isinstance(event, Settled):
        words["item"] = pool.id_of(event.item)
    if isinstance(event, (Told, Settled)):
        words["label"] = pool.classes[event.label]
    if "until" in words:
        words["until"] = when(words["until"])
    return words


def labels_of(
    assessment: Assessment, *, with_predictions: bool = False, with_opinions: bool = False
) -> list[dict[str, Any]]:
    """Give one row a label that counts, and one an item that was passed by, in the order of their events.

    A label that was settled is that of who settled it.

    Parameters
    ----------
    with_predictions : add what the classifier said, and the group.
    with_opinions : add what was said first and second of an item, and by whom.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"], ids=["a", "b"])
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, clock=lambda: 0.0)
    >>> assessment.tell(assessment.ask()[0], "cat")
    >>> [(row["id"], row["label"], row["status"]) for row in labels_of(assessment)]
    [('a', 'cat', 'told')]
    """
    pool, groups = assessment.pool, assessment.groups
    rows = []
    for event in assessment.history():
        for item, code, words in _entries(event, assessment.ledger):
            row = {"id": pool.id_of(item), "label": None if code is None else pool.classes[code], **words}
            if with_opinions:
                row |= _opinions(assessment, item)
            if with_predictions:
                row["prediction"] = pool.classes[pool.prediction[item]]
                row["confidence"] = None if pool.confidence is None else float(pool.confidence[item])
                row["group"] = groups.names[groups.of_item[item]]
            rows.append(row)
    return rows


def _opinions(assessment: Assessment, item: int) -> dict[str, Any]:
    seconds, classes = assessment.ledger.seconds, assessment.pool.classes
    found: dict[str, Any] = {}
    for name, said in (("first", seconds.first.get(item)), ("second", seconds.second(item))):
        found[f"{name}_label"] = None if said is None else classes[said.label]
        found[f"{name}_labeller"] = None if said is None else said.labeller
    return found


def _entries(event: Event, ledger: Ledger) -> Iterator[tuple[int, int | None, dict[str, Any]]]:
    """Give item, label and the rest of every label that an event brought and that has not been taken back."""
    if isinstance(event, Imported):
        for item, code in zip(event.items, event.labels, strict=True):
            yield _settled(ledger, item, None) or (item, code, _entry("imported", event, None))
    elif isinstance(event, (Told, Skipped)):
        slip = ledger.slip(event.ticket)
        status = "told" if isinstance(event, Told) else "unknown" if event.is_unknown else "skipped"
        if slip.status == status and not slip.is_second:
            counts = _settled(ledger, slip.item, event.ticket) if status == "told" else None
            yield counts or (slip.item, slip.label, _entry(status, event, event.ticket))


def _settled(ledger: Ledger, item: int, ticket: int | None) -> tuple[int, int, dict[str, Any]] | None:
    """Give what was settled about an item, if anything was."""
    said = ledger.seconds.settled.get(item)
    if said is None:
        return None
    words = {"status": "settled", "reason": "", "labeller": said.labeller, "at": when(said.at), "ticket": ticket}
    return item, said.label, words


def _entry(status: str, event: Imported | Told | Skipped, ticket: int | None) -> dict[str, Any]:
    reason = event.reason if isinstance(event, Skipped) else ""
    return {"status": status, "reason": reason, "labeller": event.labeller, "at": when(event.at), "ticket": ticket}
