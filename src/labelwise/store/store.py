"""The base class of stores: the events of any number of assessments in a database."""

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
    """A database with the events of any number of assessments; base class of `SqliteStore` and `PostgresStore`.

    Open a store with `open_store`. It is a context manager that closes itself.

    Attributes
    ----------
    label : name of the store in messages, without any password.
    folder : where to look for a set-up's files that are not in the current folder.
    """

    label: str
    folder: Path

    @abstractmethod
    def read(self, call: Callable[[Tables], Found], *, is_one_look: bool = False) -> Found:
        """Call a function that reads the tables, possibly more than once if the connection is lost.

        With `is_one_look`, all its statements see the same state of the database.
        """

    @abstractmethod
    def held(self, name: str) -> AbstractContextManager[Tables]:
        """Lock an assessment for writing, in one transaction."""

    @abstractmethod
    def whole(self) -> AbstractContextManager[Tables]:
        """Begin a long transaction, for copying."""

    @abstractmethod
    def change(self, call: Callable[[Tables], Found]) -> Found:
        """Call a function that writes to the tables in one transaction.

        It may be called more than once, but takes effect at most once.
        """

    @abstractmethod
    def backup(self, path: str | Path) -> None:
        """Write a consistent copy of the store to a new file, even while others are writing."""

    @abstractmethod
    def close(self) -> None:
        """Close files and connections."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def journal(self, name: str = "main") -> StoreJournal:
        """Return the journal of an assessment, which is created with the first write."""
        check_whole(name)
        return StoreJournal(self, name)

    def open(self, name: str | None = None) -> Assessment:
        """Resume an assessment, with its pool and set-up; the name is optional if the store has only one."""
        return Assessment.reopen(self.journal(self.named(name)))

    def named(self, name: str | None = None) -> str:
        """Return the name after checking that it exists, or the name of the only assessment if it is None."""
        names = self.names()
        if name is None:
            if len(names) != 1:
                several = f"{len(names)} assessments: {listing(names)}. Choose one with --name"
                raise NotFoundError(f"'{self.label}' has {several if names else 'no assessment'}.")
            return names[0]
        if name not in names:
            raise NotFoundError(f"There is no assessment {shown(name)} in '{self.label}'. {hint(name, names)}")
        return name

    def names(self) -> list[str]:
        """Return the names of the assessments, oldest first."""
        return self.read(lambda tables: tables.names())

    def verify(self, name: str) -> list[str]:
        """Verify the hash chain of an assessment and return one sentence per problem; empty if there is none."""

        def query(tables: Tables) -> tuple[Head, list[Row], list[str], Snapshot | None]:
            head = tables.head(name)
            if head is None:
                raise NotFoundError(f"There is no assessment {shown(name)} in '{self.label}'.")
            rows = tables.all_rows(head.id)
            damaged = [piece for piece in (pieces_of(rows[0].body) if rows else []) if tables.piece(piece) is None]
            return head, rows, damaged, tables.snapshot(name)

        head, rows, damaged, snapshot = self.read(query, is_one_look=True)
        problems = [f"Part {piece} of the pool is missing or was changed." for piece in damaged]
        problems += broken_links(name, rows)
        if not problems and len(rows) != head.n_events:
            problems.append(f"There are {len(rows)} events, but {head.n_events} were written.")
        if snapshot is not None and not snapshot.is_sound:
            problems.append(f"The snapshot after {snapshot.n_events} events was changed and is ignored.")
        return problems


def broken_links(name: str, rows: list[Row]) -> list[str]:
    """Verify the hash chain from the first event on, and return one sentence per row that does not match.

    Examples
    --------
    >>> broken_links("spring", [Row(0, "closed", "{}", None, b"not our hash")])
    ['Event 0 (closed) was changed after it was written.']
    """
    problems: list[str] = []
    before = b""
    for expected, row in enumerate(rows):
        if row.number != expected:
            problems.append(f"Event {expected} is missing: event {row.number} is in its place.")
            break
        if link_of(before, name, row) != row.hash:
            problems.append(f"Event {row.number} ({row.kind}) was changed after it was written.")
        before = row.hash if isinstance(row.hash, bytes) else b""
    return problems


def pieces_of(opened: str) -> list[str]:
    """Return the names of the pool's pieces, as listed in the JSON text of the first event.

    Examples
    --------
    >>> pieces_of('{"setup": {"pool": {"pieces": ["cae6", "6694"]}}}')
    ['cae6', '6694']
    """
    try:
        return list(json.loads(opened)["setup"]["pool"]["pieces"])
    except (ValueError, KeyError, TypeError):
        return []  # the event was edited, which its hash reveals
