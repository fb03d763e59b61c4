"""The rows of assessments and every statement about them, written once for all databases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from labelwise.assessment.journal import name_of
from labelwise.store.chain import seal

_AT_ONCE = 500  # numbers in one statement


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


class Snapshot(NamedTuple):
    """The state after some events, as it is kept; `last` is the hash of the last of those events."""

    n_events: int
    hash: bytes
    state: bytes
    last: bytes

    @property
    def is_sound(self) -> bool:
        """Whether it is what was written, and of these events."""
        is_one = isinstance(self.n_events, int) and self.n_events >= 0
        is_one = is_one and all(isinstance(part, bytes) for part in (self.hash, self.state, self.last))
        return is_one and seal(self.last, self.n_events, self.state) == self.hash


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

    def following(self, name: str, after: int, most: int | None = None) -> tuple[bytes, list[Row], Head | None]:
        """Return the rows after the first so many, the hash of the one before them, and where the events end.

        One statement, and so one look at the database. The end is None if there is no row at all.
        """
        statement = (
            "SELECT e.number, e.kind, e.body, e.key, e.hash, a.id, a.n_events, a.last_hash "
            "FROM {at}assessments a JOIN {at}events e ON e.assessment = a.id "
            f"WHERE {self.same_name} AND e.number >= ? ORDER BY e.number{'' if most is None else ' LIMIT ?'}"
        )
        first = max(0, after - 1)
        values = (self.coded(name), first, *(() if most is None else (most + after - first,)))
        found = self.run(statement, values)
        rows = [self._row(*columns[:5]) for columns in found]
        head = Head(*found[0][5:]) if found else None
        return (rows[0].hash, rows[1:], head) if after and rows else (b"", rows, head)

    def numbered(self, name: str, numbers: Sequence[int]) -> list[tuple[bytes, Row]]:
        """Return the rows of some numbers, each with the hash of the one before it, oldest first."""
        found: list[tuple[bytes, Row]] = []
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            found += self._with_hashes(name, f"AND e.number IN ({', '.join('?' * len(some))}) ORDER BY e.number", some)
        return found

    def newest(self, name: str, most: int, before: int, without: Sequence[str]) -> list[tuple[bytes, Row]]:
        """Return the newest rows before a number, none of some kinds, each with the hash of the one before it."""
        kinds = f"AND e.kind NOT IN ({', '.join('?' * len(without))}) " if without else ""
        return self._with_hashes(
            name, f"AND e.number < ? {kinds}ORDER BY e.number DESC LIMIT ?", (before, *without, most)
        )

    def _with_hashes(self, name: str, which: str, values: Sequence[Any]) -> list[tuple[bytes, Row]]:
        statement = (
            "SELECT e.number, e.kind, e.body, e.key, e.hash, p.hash FROM {at}assessments a "
            "JOIN {at}events e ON e.assessment = a.id "
            "LEFT JOIN {at}events p ON p.assessment = e.assessment AND p.number = e.number - 1 "
            f"WHERE {self.same_name} {which}"
        )
        found = self.run(statement, (self.coded(name), *values))
        return [(before or b"", self._row(*columns)) for *columns, before in found]

    def _row(self, number: int, kind: str, body: str, key: Any, hash: bytes) -> Row:
        return Row(number, kind, body, self.decoded(key), hash)

    def snapshot(self, name: str) -> Snapshot | None:
        """Return the snapshot of an assessment; None if there is none."""
        statement = (
            "SELECT s.n_events, s.hash, s.data, e.hash FROM {at}assessments a "
            "JOIN {at}snapshots s ON s.assessment = a.id "
            "LEFT JOIN {at}events e ON e.assessment = a.id AND e.number = s.n_events - 1 "
            f"WHERE {self.same_name}"
        )
        found = self.run(statement, (self.coded(name),))
        return Snapshot(*found[0]) if found else None

    def rows(self, assessment: int, first: int, before: int) -> list[Row]:
        """Give the rows of the events from one number up to another."""
        statement = (
            "SELECT number, kind, body, key, hash FROM {at}events "
            "WHERE assessment = ? AND number >= ? AND number < ? ORDER BY number"
        )
        return [self._row(*columns) for columns in self.run(statement, (assessment, first, before))]

    def all_rows(self, assessment: int) -> list[Row]:
        """Give the rows of all events, also of those that should not be there."""
        return self.rows(assessment, -(2**31), 2**31 - 1)

    def keyed(self, assessment: int, key: str) -> Row | None:
        """Return the row of the event that was written under a key."""
        statement = f"SELECT number, kind, body, key, hash FROM {{at}}events WHERE assessment = ? AND {self.same_key}"
        found = self.run(statement, (assessment, self.coded(key)))
        return self._row(*found[0]) if found else None

    def piece(self, name: str) -> bytes | None:
        """Give a piece of the pool; None if it is missing or not what its name says."""
        found = self.run("SELECT data FROM {at}pieces WHERE name = ?", (name,))
        data = found[0][0] if found else None
        return data if isinstance(data, bytes) and name_of(data) == name else None

    def write(
        self, assessment: int, pieces: Mapping[str, bytes], rows: Sequence[Row], state: bytes | None = None
    ) -> None:
        """Add pieces and events, and note where the assessment now ends; `state` is a snapshot after the last row."""
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
        if rows and state is not None:
            n_events, last = rows[-1].number + 1, rows[-1].hash
            self.run(
                "INSERT INTO {at}snapshots (assessment, n_events, hash, data) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (assessment) DO UPDATE "
                "SET n_events = excluded.n_events, hash = excluded.hash, data = excluded.data",
                (assessment, n_events, seal(last, n_events, state), state),
            )
