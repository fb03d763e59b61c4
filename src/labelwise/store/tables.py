"""The rows of assessments and every statement about them, written once for all databases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from labelwise.assessment.events import Event, event_of
from labelwise.assessment.journal import name_of


class Head(NamedTuple):
    """Where the events of an assessment end."""

    id: int
    n_events: int
    last_hash: bytes


class Row(NamedTuple):
    """An event as it is kept."""

    number: int
    kind: str
    body: str
    key: str | None
    hash: bytes


class Tables(ABC):
    """What a connection to a database can read and write; `{at}` in a statement is where the tables are."""

    locking: ClassVar[str] = ""  # what a database must be told to hold the row that it reads
    sharing: ClassVar[str] = ""  # likewise, against writers alone
    skipping: ClassVar[str] = ""  # likewise, passing over rows that others hold
    same_name: ClassVar[str] = "name = ?"
    same_key: ClassVar[str] = "key = ?"

    @abstractmethod
    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement with `?` for values, and give its rows."""

    @abstractmethod
    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once a row."""

    def coded(self, text: str | None) -> Any:
        """Give a name or key as the database keeps it."""
        return text

    def decoded(self, kept: Any) -> str | None:
        """Give a name or key back from what the database keeps."""
        return None if kept is None else str(kept)

    def names(self) -> list[str]:
        """Name the assessments, oldest first."""
        return [str(self.decoded(name)) for (name,) in self.run("SELECT name FROM {at}assessments ORDER BY id")]

    def head(self, name: str, *, locking: str = "") -> Head | None:
        """Give where an assessment ends; None if there is none of that name."""
        statement = f"SELECT id, n_events, last_hash FROM {{at}}assessments WHERE {self.same_name}{locking}"
        found = self.run(statement, (self.coded(name),))
        return Head(*found[0]) if found else None

    def enter(self, name: str) -> Head:
        """Give where an assessment ends, held until the transaction ends; begin it if there is none of that name."""
        found = self.head(name, locking=self.locking)
        if found is None:  # a transaction that fails takes this back too
            statement = "INSERT INTO {at}assessments (name) VALUES (?) ON CONFLICT DO NOTHING"
            self.run(statement, (self.coded(name),))
            found = self.head(name, locking=self.locking)
        assert found is not None  # rows are never removed
        return found

    def events(self, name: str, after: int, most: int | None = None) -> list[Event]:
        """Give the events after the first so many, or the first of them."""
        statement = (
            "SELECT kind, body FROM {at}events "
            f"WHERE assessment = (SELECT id FROM {{at}}assessments WHERE {self.same_name}) "
            f"AND number >= ? ORDER BY number{'' if most is None else ' LIMIT ?'}"
        )
        values = (self.coded(name), after, *(() if most is None else (most,)))
        return [event_of(kind, body) for kind, body in self.run(statement, values)]

    def rows(self, assessment: int, first: int, before: int) -> list[Row]:
        """Give the rows of the events from one number up to another."""
        statement = (
            "SELECT number, kind, body, key, hash FROM {at}events "
            "WHERE assessment = ? AND number >= ? AND number < ? ORDER BY number"
        )
        found = self.run(statement, (assessment, first, before))
        return [Row(number, kind, body, self.decoded(key), hash) for number, kind, body, key, hash in found]

    def all_rows(self, assessment: int) -> list[Row]:
        """Give the rows of all events, also of those that should not be there."""
        return self.rows(assessment, -(2**31), 2**31 - 1)

    def keyed(self, assessment: int, key: str) -> Event | None:
        """Give the event that was written under a key."""
        statement = f"SELECT kind, body FROM {{at}}events WHERE assessment = ? AND {self.same_key}"
        found = self.run(statement, (assessment, self.coded(key)))
        return event_of(*found[0]) if found else None

    def piece(self, name: str) -> bytes | None:
        """Give a piece of the pool; None if it is missing or not what its name says."""
        found = self.run("SELECT data FROM {at}pieces WHERE name = ?", (name,))
        data = found[0][0] if found else None
        return data if isinstance(data, bytes) and name_of(data) == name else None

    def write(self, assessment: int, pieces: Mapping[str, bytes], rows: Sequence[Row]) -> None:
        """Add pieces and events, and note where the assessment now ends."""
        if pieces:  # in order: two that add the same pieces must not wait for each other in a circle
            statement = "INSERT INTO {at}pieces (name, data) VALUES (?, ?) ON CONFLICT DO NOTHING"
            self.run_many(statement, sorted(pieces.items()))
        if rows:
            self.run_many(
                "INSERT INTO {at}events (assessment, number, kind, body, key, hash) VALUES (?, ?, ?, ?, ?, ?)",
                [(assessment, row.number, row.kind, row.body, self.coded(row.key), row.hash) for row in rows],
            )
            self.run(
                "UPDATE {at}assessments SET n_events = ?, last_hash = ? WHERE id = ?",
                (rows[-1].number + 1, rows[-1].hash, assessment),
            )
