"""The journal of one assessment in a store, and the page that is held open for writing."""

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

_NO_END = 2**31 - 1  # beyond every number of an event


def check_whole(text: str) -> None:
    """Refuse a text with half a character (a lone surrogate), which no database can keep."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DataError(f"A text has half a character in it ({text[error.start]!a}). Take it out.") from None


def following_events(tables: Tables, name: str, after: int, most: int | None = None) -> list[Event]:
    """Read the events after the first so many, and check that each is tied to the one before, up to the end."""
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
    """Return the hash that a row should have; None if it is no event at all, for SQLite takes anything anywhere."""
    is_event = isinstance(row.kind, str) and isinstance(row.body, str) and isinstance(before, bytes)
    return link(before, name, row.number, row.kind, row.body, row.key) if is_event else None


def _checked(before: bytes, row: Row, name: str) -> Event:
    if link_of(before, name, row) != row.hash:
        raise _damaged(row.number)
    return _event(row)


def _event(row: Row) -> Event:
    try:
        return event_of(row.kind, row.body)
    except (LookupError, TypeError, ValueError) as error:  # a hash that fits, but not written by us
        raise _damaged(row.number) from error


def _damaged(number: int) -> DataError:
    return DataError(
        f"Event {number} of the store is missing, or not what was written. Restore the store from a backup, or keep "
        "what is sound with `labelwise store salvage`."
    )


class StoreJournal:
    """The events of one assessment in a store, and the pieces of its pool."""

    is_lasting = True

    def __init__(self, store: Store, name: str) -> None:
        self._store, self.name = store, name

    @contextmanager
    def writing(self) -> Iterator[StorePage]:
        """Hold the journal open for writing."""
        with self._store.held(self.name) as tables:
            page = StorePage(tables, self.name)
            yield page
            page.write()

    def events(self, after: int = 0, most: int | None = None) -> list[Event]:
        """Return the events after the first so many, or the first of them; refuse those that are not as written."""
        return self._store.read(lambda tables: following_events(tables, self.name, after, most))

    def numbered(self, numbers: Sequence[int]) -> list[Event]:
        """Return the events of some numbers, in the order of the numbers."""
        found = self._store.read(lambda tables: tables.numbered(self.name, sorted(set(numbers))))
        by_number = {row.number: _checked(before, row, self.name) for before, row in found}
        return [by_number[number] for number in numbers]

    def newest(self, most: int, *, before: int | None = None, without: Sequence[str] = ()) -> list[tuple[int, Event]]:
        """Return the newest events with their numbers, newest first, but none of some kinds."""
        end = _NO_END if before is None else before
        found = self._store.read(lambda tables: tables.newest(self.name, most, end, without))
        return [(row.number, _checked(tied_to, row, self.name)) for tied_to, row in found]

    def snapshot(self) -> bytes | None:
        """Return the state that was kept last; None if there is none, or if it does not fit the events."""
        found = self._store.read(lambda tables: tables.snapshot(self.name))
        return found.state if found is not None and found.is_sound else None

    def piece(self, name: str) -> bytes:
        """Return a piece of the pool that was kept."""
        found = self._store.read(lambda tables: tables.piece(name))
        if found is None:
            raise DataError(f"'{self._store.label}' is damaged: a piece of the pool is missing or was changed.")
        return found

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()


class StorePage:
    """A journal held open for writing; what is appended is written when the page is given back."""

    def __init__(self, tables: Tables, name: str) -> None:
        self._tables, self._name = tables, name
        self._head = tables.enter(name)
        self._fresh: list[Event] = []
        self._rows: list[Row] = []
        self._pieces: dict[str, bytes] = {}
        self._state: bytes | None = None

    def events(self, after: int) -> list[Event]:
        """Return the events after the first so many, those of others and of this page included."""
        n_kept = self._head.n_events
        kept = following_events(self._tables, self._name, after) if after < n_kept else []
        return kept + self._fresh[max(0, after - n_kept) :]

    def keep(self, piece: bytes) -> str:
        """Keep a piece of the pool, once however often it is given, and name it by its content."""
        name = name_of(piece)
        self._pieces[name] = piece
        return name

    def append(self, event: Event, key: str | None = None) -> None:
        """Add an event at the end."""
        before = self._rows[-1].hash if self._rows else self._head.last_hash
        number, body = self._head.n_events + len(self._rows), event.body()
        try:
            tied = link(before, self._name, number, event.kind, body, key)
        except UnicodeEncodeError as error:
            raise DataError(
                f"A text has half a character in it ({error.object[error.start]!a}). Take it out."
            ) from None
        self._rows.append(Row(number, event.kind, body, key, tied))
        self._fresh.append(event)

    def keyed(self, key: str) -> Event | None:
        """Give the event that a client wrote under this key before."""
        check_whole(key)
        here = (event for event, row in zip(self._fresh, self._rows, strict=True) if row.key == key)
        kept = self._tables.keyed(self._head.id, key)
        return next(here, None) or (None if kept is None else _event(kept))

    def keep_snapshot(self, state: bytes) -> None:
        """Keep the state after all events, those of this page included, in place of the one kept before."""
        self._state = state

    def write(self) -> None:
        """Hand all that was appended to the database."""
        self._tables.write(self._head.id, self._pieces, self._rows, self._state)
