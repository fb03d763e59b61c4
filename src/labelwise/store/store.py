"""What every store is: the events of many assessments in a database, whichever that is."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self, TypeVar

from labelwise.assessment import Assessment
from labelwise.checks import hint, listing, shown
from labelwise.errors import NotFoundError
from labelwise.store.journal import StoreJournal, check_whole, link_of
from labelwise.store.tables import Head, Row, Snapshot, Tables

PATIENCE = 60.0  # seconds to wait for another writer
Found = TypeVar("Found")


class Store(ABC):
    """Keeps the events of many assessments; the base of `SqliteStore` and `PostgresStore`.

    A store is opened by `open_store`. It can be used in a `with` statement, which closes it.

    Attributes
    ----------
    label : how messages name the store; never with a password.
    folder : where files that a set-up names are looked for, if they are not here.
    """

    label: str
    folder: Path

    @abstractmethod
    def read(self, call: Callable[[Tables], Found], *, is_one_look: bool = False) -> Found:
        """Read with the tables, several statements as one look if so wished; the call may come more than once."""

    @abstractmethod
    def held(self, name: str) -> AbstractContextManager[Tables]:
        """Hold an assessment for writing; all that is written is kept together, or nothing of it."""

    @abstractmethod
    def whole(self) -> AbstractContextManager[Tables]:
        """Begin a long transaction, which is kept together or not at all; for copying."""

    @abstractmethod
    def change(self, call: Callable[[Tables], Found]) -> Found:
        """Write with the tables in one transaction; the call may come again, but is kept once or not at all."""

    @abstractmethod
    def backup(self, path: str | Path) -> None:
        """Copy the whole store to a new file, sound, while others may be writing."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def journal(self, name: str = "main") -> StoreJournal:
        """Give the journal of an assessment; there is one in the store once something is written to it."""
        check_whole(name)
        return StoreJournal(self, name)

    def open(self, name: str | None = None) -> Assessment:
        """Go on with an assessment that is in the store, pool and set-up included; the only one unless named."""
        return Assessment.reopen(self.journal(self.named(name)))

    def named(self, name: str | None = None) -> str:
        """Give the name of an assessment that is there; of the only one unless named."""
        names = self.names()
        if name is None:
            if len(names) != 1:
                several = f"{len(names)} assessments: {listing(names)}. Name one with --name"
                raise NotFoundError(f"'{self.label}' has {several if names else 'no assessment'}.")
            return names[0]
        if name not in names:
            raise NotFoundError(f"There is no assessment {shown(name)} in '{self.label}'. {hint(name, names)}")
        return name

    def names(self) -> list[str]:
        """Name the assessments in the store, oldest first."""
        return self.read(lambda tables: tables.names())

    def verify(self, name: str) -> list[str]:
        """Recompute the chain of an assessment's events, and name every row that does not fit; empty if all is well."""

        def look(tables: Tables) -> tuple[Head, list[Row], list[str], Snapshot | None]:
            head = tables.head(name)
            if head is None:
                raise NotFoundError(f"There is no assessment {shown(name)} in '{self.label}'.")
            rows = tables.all_rows(head.id)
            wrong = [piece for piece in (pieces_of(rows[0].body) if rows else []) if tables.piece(piece) is None]
            return head, rows, wrong, tables.snapshot(name)

        head, rows, wrong, snapshot = self.read(look, is_one_look=True)
        problems = [f"Piece {piece} of the pool is not what was written." for piece in wrong]
        problems += broken_links(name, rows)
        if not problems and len(rows) != head.n_events:
            problems.append(f"There are {len(rows)} events, but {head.n_events} were written.")
        if snapshot is not None and not snapshot.is_sound:
            problems.append(f"The snapshot after {snapshot.n_events} events is not what was written; it is not used.")
        return problems


def broken_links(name: str, rows: list[Row]) -> list[str]:
    """Recompute the chain from the first event on, and name every row that does not fit.

    Examples
    --------
    >>> broken_links("spring", [Row(0, "closed", "{}", None, b"no hash of ours")])
    ['Event 0 (closed) is not what was written.']
    """
    problems: list[str] = []
    before = b""
    for expected, row in enumerate(rows):
        if row.number != expected:
            problems.append(f"Event {expected} is missing: event {row.number} stands in its place.")
            break
        if link_of(before, name, row) != row.hash:
            problems.append(f"Event {row.number} ({row.kind}) is not what was written.")
        before = row.hash if isinstance(row.hash, bytes) else b""
    return problems


def pieces_of(opened: str) -> list[str]:
    """Name the pieces of the pool that the first event, given by its text, speaks of.

    Examples
    --------
    >>> pieces_of('{"setup": {"pool": {"pieces": ["cae6", "6694"]}}}')
    ['cae6', '6694']
    """
    try:
        return list(json.loads(opened)["setup"]["pool"]["pieces"])
    except (ValueError, KeyError, TypeError):
        return []  # an edited event: its own hash tells
