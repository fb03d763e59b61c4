"""The journal of one assessment in a store, and the page that collects new events in a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from labelwise.assessment.events import Event, event_of
from labelwise.assessment.journal import name_of
from labelwise.errors import DataError
from labelwise.store.chain import link
from labelwise.store.tables import Row, Tables

if TYPE_CHECKING:
    from labelwise.store.store import Store

_NO_END = 2**31 - 1  # above every event number


def check_whole(text: str) -> None:
    """Raise DataError for text with a lone surrogate, which no database can store."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _lone_surrogate(error) from None


def _lone_surrogate(error: UnicodeEncodeError) -> DataError:
    return DataError(f"Text contains half a character, a lone surrogate ({error.object[error.start]!a}). Remove it.")


def following_events(tables: Tables, name: str, after: int, most: int | None = None) -> list[Event]:
    """Return the events after the first `after`, at most `most`; raise DataError if the hash chain is broken."""
    before, rows, head = tables.following(name, after, most)
    for number, row in enumerate(rows, start=after):
        if row.number != number:
            raise _damaged(number)
        if link_of(before, name, row) != row.hash:
            raise _damaged(number)
        before = row.hash
    n_read = after + len(rows)
    if head is not None and not isinstance(head.n_events, int):
        raise _damaged(n_read)
    if head is not None and n_read < (head.n_events if most is None else min(head.n_events, after + most)):
        raise _damaged(n_read)
    if head is not None and n_read >= head.n_events and (n_read, before) != (head.n_events, head.last_hash):
        raise _damaged(n_read)
    return [_event(row) for row in rows]


def link_of(before: bytes, name: str, row: Row) -> bytes | None:
    """Return the hash that a row should have; None for values of the wrong type, which SQLite columns accept."""
    is_event = isinstance(row.kind, str) and isinstance(row.body, str) and isinstance(before, bytes)
    return link(before, name, row.number, row.kind, row.body, row.key) if is_event else None


def _checked(before: bytes, row: Row, name: str) -> Event:
    if link_of(before, name, row) != row.hash:
        raise _damaged(row.number)
    return _event(row)


def _event(row: Row) -> Event:
    try:
        return event_of(row.kind, row.body)
    except (LookupError, TypeError, ValueError) as error:  # the hash is right, but labelwise did not write the event
        raise _damaged(row.number) from error


def _damaged(number: int) -> DataError:
    return DataError(
        f"Event {number} of the store is missing or was changed. Restore the store from a backup, or recover the "
        "intact part with `labelwise store salvage`."
    )


class StoreJournal:
    """The events of one assessment in a store, and its pool."""

    is_lasting = True

    def __init__(self, store: Store, name: str) -> None:
        self._store, self.name = store, name

    @contextmanager
    def writing(self) -> Iterator[StorePage]:
        """Open the journal for writing; the events are committed at the end."""
        with self._store.held(self.name) as tables:
            page = StorePage(tables, self.name)
            yield page
            page.write()

    def events(self, after: int = 0, most: int | None = None) -> list[Event]:
        """Return the events after the first `after`, at most `most`; raise DataError if any were changed."""
        return self._store.read(lambda tables: following_events(tables, self.name, after, most))

    def numbered(self, numbers: Sequence[int]) -> list[Event]:
        """Return the events with these numbers, in the same order."""
        rows = self._store.read(lambda tables: tables.numbered(self.name, sorted(set(numbers))))
        by_number = {row.number: _checked(before, row, self.name) for before, row in rows}
        return [by_number[number] for number in numbers]

    def newest(self, most: int, *, before: int | None = None, without: Sequence[str] = ()) -> list[tuple[int, Event]]:
        """Return the newest events with their numbers, newest first, without some kinds."""
        end = _NO_END if before is None else before
        rows = self._store.read(lambda tables: tables.newest(self.name, most, end, without))
        return [(row.number, _checked(previous, row, self.name)) for previous, row in rows]

    def snapshot(self) -> bytes | None:
        """Return the last stored state; None if there is none, or if it does not match the events."""
        snapshot = self._store.read(lambda tables: tables.snapshot(self.name))
        return snapshot.state if snapshot is not None and snapshot.is_sound else None

    def piece(self, name: str) -> bytes:
        """Return a stored piece of the pool."""
        piece = self._store.read(lambda tables: tables.piece(name))
        if piece is None:
            raise DataError(f"'{self._store.label}' is damaged: part of the pool is missing or was changed.")
        return piece

    def close(self) -> None:
        """Close the store."""
        self._store.close()


class StorePage:
    """A journal open for writing; appended events are written at the end of the transaction."""

    def __init__(self, tables: Tables, name: str) -> None:
        self._tables, self._name = tables, name
        self._head = tables.enter(name)
        self._fresh: list[Event] = []
        self._rows: list[Row] = []
        self._pieces: dict[str, bytes] = {}
        self._state: bytes | None = None

    def events(self, after: int) -> list[Event]:
        """Return the events after the first `after`, including those of other writers and of this page."""
        n_stored = self._head.n_events
        stored = following_events(self._tables, self._name, after) if after < n_stored else []
        return stored + self._fresh[max(0, after - n_stored) :]

    def keep(self, piece: bytes) -> str:
        """Store a piece of the pool under the hash of its content, and return that name; duplicates are stored once."""
        name = name_of(piece)
        self._pieces[name] = piece
        return name

    def append(self, event: Event, key: str | None = None) -> None:
        """Append an event."""
        before = self._rows[-1].hash if self._rows else self._head.last_hash
        number, body = self._head.n_events + len(self._rows), event.body()
        try:
            event_hash = link(before, self._name, number, event.kind, body, key)
        except UnicodeEncodeError as error:
            raise _lone_surrogate(error) from None
        self._rows.append(Row(number, event.kind, body, key, event_hash))
        self._fresh.append(event)

    def keyed(self, key: str) -> Event | None:
        """Return the event that a client wrote earlier under this idempotency key; None if there is none."""
        check_whole(key)
        fresh = (event for event, row in zip(self._fresh, self._rows, strict=True) if row.key == key)
        stored = self._tables.keyed(self._head.id, key)
        return next(fresh, None) or (None if stored is None else _event(stored))

    def keep_snapshot(self, state: bytes) -> None:
        """Replace the stored state by the state after all events, including those of this page."""
        self._state = state

    def write(self) -> None:
        """Write everything that was appended to the database."""
        self._tables.write(self._head.id, self._pieces, self._rows, self._state)
