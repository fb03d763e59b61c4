"""The journal of one assessment in a store, and the page that is held open for writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from labelwise.assessment.events import Event
from labelwise.assessment.journal import name_of
from labelwise.errors import DataError
from labelwise.store.chain import link
from labelwise.store.tables import Row, Tables

if TYPE_CHECKING:
    from labelwise.store.store import Store


def check_whole(text: str) -> None:
    """Refuse a text with half a character (a lone surrogate), which no database can keep."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DataError(f"A text has half a character in it ({text[error.start]!a}). Take it out.") from None


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
        """Give the events after the first so many, or the first of them."""
        return self._store.read(lambda tables: tables.events(self.name, after, most))

    def piece(self, name: str) -> bytes:
        """Give a piece of the pool that was kept."""
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

    def events(self, after: int) -> list[Event]:
        """Give the events after the first so many, those of others and of this page included."""
        n_kept = self._head.n_events
        kept = self._tables.events(self._name, after) if after < n_kept else []
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
        return next(here, None) or self._tables.keyed(self._head.id, key)

    def write(self) -> None:
        """Hand all that was appended to the database."""
        self._tables.write(self._head.id, self._pieces, self._rows)
