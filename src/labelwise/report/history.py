"""Who said what when, and the labels that count, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from labelwise.assessment import Assessment
from labelwise.assessment.events import QUIET, Event, Imported, Opened, Settled, Skipped, Told

_HIDDEN = ("at", "item", "group", "label", "choice")  # the group may be the prediction


def when(seconds: float) -> str:
    """Write a time in UTC, to the second.

    Examples
    --------
    >>> when(0.0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def history_of(assessment: Assessment, *, most: int | None = None) -> list[dict[str, Any]]:
    """Return every event in words, or the newest: items by id, labels by name, times as text; no prediction.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"], ids=["a", "b"])
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, clock=lambda: 0.0)
    >>> assessment.tell(assessment.ask()[0], "cat", labeller="ann")
    >>> history_of(assessment)[-1]
    {'event': 2, 'kind': 'told', 'at': '1970-01-01T00:00:00Z', 'ticket': 0, 'labeller': 'ann', 'item': 'b',
     'label': 'cat'}
    """
    assessment.refresh()
    first = 0 if most is None else max(0, assessment.ledger.n_events - most)
    events = assessment.journal.events(first, assessment.ledger.n_events - first)
    return [in_words(assessment, number, event) for number, event in enumerate(events, start=first)]


def said_of(
    assessment: Assessment, *, most: int, before: int | None = None, labeller: str | None = None
) -> list[dict[str, Any]]:
    """Return the newest events in which somebody said or decided something, in words, newest first.

    Takes time by how many are returned, not by how many there are.

    Parameters
    ----------
    most, before : how many at most, and before which event.
    labeller : whose; everybody's if None.
    """
    assessment.refresh()
    ledger, journal = assessment.ledger, assessment.journal
    if labeller is None:
        end = ledger.n_events if before is None else min(before, ledger.n_events)
        found = journal.newest(most, before=end, without=[kind.kind for kind in QUIET])
    else:
        numbers = ledger.said_by(labeller, before, most)[::-1]
        found = list(zip(numbers, journal.numbered(numbers), strict=True))
    return [in_words(assessment, number, event) for number, event in found]


def in_words(assessment: Assessment, number: int, event: Event) -> dict[str, Any]:
    """Return an event that the assessment has taken in, in words."""
    return {"event": number, "kind": event.kind, "at": when(event.at)} | _words(assessment, event)


def _words(assessment: Assessment, event: Event) -> dict[str, Any]:
    pool = assessment.pool
    if isinstance(event, Opened):
        return {"question": str(assessment.question), "seed": assessment.setup.seed}
    if isinstance(event, Imported):
        pairs = zip(event.items, event.labels, strict=True)
        return {"labeller": event.labeller, "labels": {str(pool.id_of(i)): pool.classes[code] for i, code in pairs}}
    words = {key: value for key, value in asdict(event).items() if key not in _HIDDEN}
    if "ticket" in words:
        words["item"] = pool.id_of(assessment.ledger.slips[words["ticket"]].item)
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
    """Return one row per label that counts, and one per item that was skipped, in the order of their events.

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
    [('b', 'cat', 'told')]
    """
    assessment.refresh()
    pool, groups = assessment.pool, assessment.groups
    rows = []
    for item, code, words in _entries(assessment):
        row = {"id": pool.id_of(item), "label": None if code is None else pool.classes[code], **words}
        if with_opinions:
            row |= _opinions(assessment, item)
        if with_predictions:
            row["prediction"] = pool.classes[pool.prediction[item]]
            row["confidence"] = None if pool.confidence is None else float(pool.confidence[item])
            row["group"] = groups.names[groups.of_item[item]]
        rows.append(row)
    return rows


def passed_by(assessment: Assessment) -> list[dict[str, Any]]:
    """Return the items that were skipped as `labels_of` does, newest first; labels are not looked at."""
    assessment.refresh()
    found = sorted(_skipped(assessment), reverse=True)
    return [{"id": assessment.pool.id_of(item), "label": None, **words} for _, item, words in found]


def _opinions(assessment: Assessment, item: int) -> dict[str, Any]:
    seconds, classes = assessment.ledger.seconds, assessment.pool.classes
    found: dict[str, Any] = {}
    for name, said in (("first", seconds.first.get(item)), ("second", seconds.second(item))):
        found[f"{name}_label"] = None if said is None else classes[said.label]
        found[f"{name}_labeller"] = None if said is None else said.labeller
    return found


def _entries(assessment: Assessment) -> Iterator[tuple[int, int | None, dict[str, Any]]]:
    """Return item, label and the rest of all labels that count, and of all items skipped, in the order of events."""
    seconds = assessment.ledger.seconds
    skipped = [(event, item, None, words) for event, item, words in _skipped(assessment)]
    labelled = []
    for item, first in seconds.first.items():
        said = seconds.settled.get(item, first)
        status = "settled" if said is not first else "told" if first.ticket is not None else "imported"
        words = _entry(status, "", said.labeller, said.at, first.ticket)
        labelled.append((first.event, item, said.label, words))
    for _, item, label, words in sorted([*labelled, *skipped], key=lambda entry: entry[0]):
        yield item, label, words


def _skipped(assessment: Assessment) -> list[tuple[int, int, dict[str, Any]]]:
    """Return the number of the event, the item and the rest of every item that was skipped."""
    slips = assessment.ledger.with_status("skipped", "unknown")
    events = assessment.journal.numbered([slip.event for slip in slips if slip.event is not None])
    found = []
    for slip, event in zip(slips, events, strict=True):
        assert isinstance(event, Skipped)  # what made the status
        assert slip.event is not None
        words = _entry(slip.status, event.reason, event.labeller, event.at, slip.ticket)
        found.append((slip.event, slip.item, words))
    return found


def _entry(status: str, reason: str, labeller: str, at: float, ticket: int | None) -> dict[str, Any]:
    return {"status": status, "reason": reason, "labeller": labeller, "at": when(at), "ticket": ticket}
