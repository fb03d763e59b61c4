"""What can happen in an assessment. Events are the truth; everything else is a fold over them.

Items, groups and labels are positions: in the pool, in the grouping, in the list of classes. Times are seconds since
1970.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Event:
    """Something that happened, and when."""

    kind: ClassVar[str]
    at: float

    def body(self) -> str:
        """Write the event as JSON with its keys in order, the same text for the same event."""
        return _ENCODER.encode(self.__dict__)


@dataclass(frozen=True)
class Opened(Event):
    """The assessment began, with this set-up."""

    setup: dict[str, Any]
    kind: ClassVar[str] = "opened"


@dataclass(frozen=True)
class Asked(Event):
    """An item was handed to a labeller until a time; `choice` is the number of the random choice that led to it."""

    ticket: int
    item: int
    group: int
    labeller: str
    until: float
    choice: int
    kind: ClassVar[str] = "asked"


@dataclass(frozen=True)
class Doubled(Event):
    """From now on this share of the items is to be labelled twice, by different people."""

    share: float
    kind: ClassVar[str] = "doubled"


@dataclass(frozen=True)
class Seconded(Event):
    """A labelled item was handed to somebody else for a second opinion, which never changes the belief."""

    ticket: int
    item: int
    group: int
    labeller: str
    until: float
    kind: ClassVar[str] = "seconded"


@dataclass(frozen=True)
class Renewed(Event):
    """A labeller still works on a ticket."""

    ticket: int
    until: float
    kind: ClassVar[str] = "renewed"


@dataclass(frozen=True)
class Told(Event):
    """A labeller said which class the item of a ticket has."""

    ticket: int
    label: int
    labeller: str
    kind: ClassVar[str] = "told"


@dataclass(frozen=True)
class Skipped(Event):
    """A labeller passed an item by, or does not know its class; it is not asked again."""

    ticket: int
    labeller: str
    reason: str
    is_unknown: bool
    kind: ClassVar[str] = "skipped"


@dataclass(frozen=True)
class Withdrawn(Event):
    """What was told or skipped on a ticket was taken back; the item can be asked again."""

    ticket: int
    labeller: str
    kind: ClassVar[str] = "withdrawn"


@dataclass(frozen=True)
class Imported(Event):
    """Labels from elsewhere came in, drawn at random within each group, as the user says."""

    items: tuple[int, ...]
    labels: tuple[int, ...]
    labeller: str
    kind: ClassVar[str] = "imported"


@dataclass(frozen=True)
class Settled(Event):
    """An owner decided which class a labelled item has; that label counts from now on, in place of the old one."""

    item: int
    label: int
    labeller: str
    kind: ClassVar[str] = "settled"


@dataclass(frozen=True)
class Closed(Event):
    """The assessment ended; nothing more is asked or told."""

    kind: ClassVar[str] = "closed"


KINDS: dict[str, type[Event]] = {
    event.kind: event
    for event in (Opened, Asked, Doubled, Seconded, Renewed, Told, Skipped, Withdrawn, Imported, Settled, Closed)
}

QUIET = (Asked, Renewed, Seconded)  # events that change no answer
SAID = (Told, Skipped, Withdrawn, Imported, Settled)  # events in which somebody says something


def event_of(kind: str, body: str) -> Event:
    """Read an event back from its kind and its text.

    Examples
    --------
    >>> event = Told(at=1.5, ticket=3, label=1, labeller="ann")
    >>> event_of(event.kind, event.body()) == event
    True
    """
    fields = json.loads(body)
    if kind == "imported":
        fields |= {"items": tuple(fields["items"]), "labels": tuple(fields["labels"])}
    return KINDS[kind](**fields)


def says_the_same(one: Event, other: Event) -> bool:
    """Return whether two events tell the same of the same ticket or item, whoever said it and when."""
    if isinstance(one, Told) and isinstance(other, Told):
        return (one.ticket, one.label) == (other.ticket, other.label)
    if isinstance(one, Skipped) and isinstance(other, Skipped):
        return (one.ticket, one.is_unknown) == (other.ticket, other.is_unknown)
    if isinstance(one, Settled) and isinstance(other, Settled):
        return (one.item, one.label) == (other.item, other.label)
    return False
