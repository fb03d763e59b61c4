"""The contract of what keeps events, and the one that keeps them in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from threading import RLock
from typing import Protocol

from labelwise.assessment.events import Event
from labelwise.errors import ConflictError


class OvertakenError(ConflictError):
    """A page was lost, and others wrote before it could be taken up again: nothing was kept, decide anew."""


class Page(Protocol):
    """A journal held open for writing: nobody else writes until it is given back."""

    def events(self, after: int) -> list[Event]:
        """Return the events after the first so many, those of others included."""

    def append(self, event: Event, key: str | None = None) -> None:
        """Add an event at the end; it is kept once the page is given back, together with all others of it."""

    def keyed(self, key: str) -> Event | None:
        """Return the event that a client wrote under this key before."""

    def keep(self, piece: bytes) -> str:
        """Keep a piece of the pool, once however often it is given, and name it by its content."""

    def keep_snapshot(self, state: bytes) -> None:
        """Keep the state after all events, those of this page included, in place of the one kept before."""


class Journal(Protocol):
    """Keeps the events of one assessment, in order, for ever.

    Whatever is decided from events and then written (which item to ask, whether a label may be told) is decided while
    the page is held, so that two writers never decide the same. A page that is given back without an error is kept; one
    that ends in an error leaves no trace. After an `OvertakenError` the same can be tried again.

    Attributes
    ----------
    is_lasting : whether the journal outlives the process, so that it must keep the pool too.
    """

    @property
    def is_lasting(self) -> bool:
        """Whether the journal outlives the process, so that it must keep the pool too."""

    def writing(self) -> AbstractContextManager[Page]:
        """Hold the journal open for writing."""

    def events(self, after: int = 0, most: int | None = None) -> list[Event]:
        """Return the events after the first so many, or the first of them."""

    def numbered(self, numbers: Sequence[int]) -> list[Event]:
        """Return the events of some numbers, in the order of the numbers."""

    def newest(self, most: int, *, before: int | None = None, without: Sequence[str] = ()) -> list[tuple[int, Event]]:
        """Return the newest events with their numbers, newest first, but none of some kinds."""

    def snapshot(self) -> bytes | None:
        """Return the state that was kept last; None if there is none, or if it does not fit the events."""

    def piece(self, name: str) -> bytes:
        """Return a piece of the pool that was kept."""

    def close(self) -> None:
        """Release files and connections."""


def name_of(piece: bytes) -> str:
    """Return the name of a piece, which follows from its content.

    Examples
    --------
    >>> name_of(b"")
    'cae66941d9efbd404e4d88758ea67670'
    """
    return hashlib.blake2b(piece, digest_size=16).hexdigest()


class MemoryJournal:
    """Keeps events as long as the process lives.

    Examples
    --------
    >>> from labelwise.assessment.events import Closed
    >>> journal = MemoryJournal()
    >>> with journal.writing() as page:
    ...     page.append(Closed(at=0.0))
    >>> len(journal.events())
    1
    """

    is_lasting = False

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._keys: dict[str, Event] = {}
        self._pieces: dict[str, bytes] = {}
        self._lock = RLock()

    @contextmanager
    def writing(self) -> Iterator[_MemoryPage]:
        """Hold the journal open for writing."""
        with self._lock:
            page = _MemoryPage(self._events, self._keys, self._pieces)
            yield page
            self._events += page.fresh
            self._keys |= page.fresh_keys

    def events(self, after: int = 0, most: int | None = None) -> list[Event]:
        """Return the events after the first so many, or the first of them."""
        return self._events[after : None if most is None else after + most]

    def numbered(self, numbers: Sequence[int]) -> list[Event]:
        """Return the events of some numbers, in the order of the numbers."""
        return [self._events[number] for number in numbers]

    def newest(self, most: int, *, before: int | None = None, without: Sequence[str] = ()) -> list[tuple[int, Event]]:
        """Return the newest events with their numbers, newest first, but none of some kinds."""
        numbered = reversed(list(enumerate(self._events[:before])))
        return list(islice(((number, event) for number, event in numbered if event.kind not in without), most))

    def snapshot(self) -> None:
        """Return None: what is in memory is never read again."""

    def piece(self, name: str) -> bytes:
        """Return a piece of the pool that was kept."""
        return self._pieces[name]

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


class _MemoryPage:
    def __init__(self, events: list[Event], keys: dict[str, Event], pieces: dict[str, bytes]) -> None:
        self._events, self._keys, self._pieces = events, keys, pieces
        self.fresh: list[Event] = []
        self.fresh_keys: dict[str, Event] = {}

    def events(self, after: int) -> list[Event]:
        return self._events[after:]

    def append(self, event: Event, key: str | None = None) -> None:
        self.fresh.append(event)
        if key is not None:
            self.fresh_keys[key] = event

    def keyed(self, key: str) -> Event | None:
        return self.fresh_keys.get(key) or self._keys.get(key)

    def keep(self, piece: bytes) -> str:
        self._pieces[name_of(piece)] = piece
        return name_of(piece)

    def keep_snapshot(self, state: bytes) -> None:
        pass  # what is in memory is never read again
