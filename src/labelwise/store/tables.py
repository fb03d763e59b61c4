"""The tables of a store and all SQL statements on them, shared by all databases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from labelwise.assessment.journal import name_of
from labelwise.store.chain import seal

_AT_ONCE = 500  # event numbers per statement


class Head(NamedTuple):
    """The end of an assessment's hash chain."""

    id: int
    n_events: int
    last_hash: bytes


class Row(NamedTuple):
    """A stored event."""

    number: int
    kind: str
    body: str
    key: str | None
    hash: bytes


class Snapshot(NamedTuple):
    """The stored state after the first `n_events` events; `last` is the hash of the last of them."""

    n_events: int
    hash: bytes
    state: bytes
    last: bytes

    @property
    def is_sound(self) -> bool:
        """Whether the snapshot is unchanged and belongs to these events."""
        is_typed = isinstance(self.n_events, int) and self.n_events >= 0
        is_typed = is_typed and all(isinstance(part, bytes) for part in (self.hash, self.state, self.last))
        return is_typed and seal(self.last, self.n_events, self.state) == self.hash


class Tables(ABC):
    """The tables of a store over one connection; `{at}` in a statement is replaced by the prefix of the schema."""

    locking: ClassVar[str] = ""  # clause that locks the rows that are read
    sharing: ClassVar[str] = ""  # clause that locks them against writers only
    skipping: ClassVar[str] = ""  # clause that locks them, skipping rows that others have locked
    same_name: ClassVar[str] = "name = ?"
    same_key: ClassVar[str] = "key = ?"

    @abstractmethod
    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement with `?` placeholders, and return its rows."""

    @abstractmethod
    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once per row."""

    def coded(self, text: str | None) -> Any:
        """Encode a name or key for the database."""
        return text

    def decoded(self, kept: Any) -> str | None:
        """Decode a name or key from the database."""
        return None if kept is None else str(kept)

    def names(self) -> list[str]:
        """Return the names of the assessments, oldest first."""
        return [str(self.decoded(name)) for (name,) in self.run("SELECT name FROM {at}assessments ORDER BY id")]

    def head(self, name: str, *, locking: str = "") -> Head | None:
        """Return the end of an assessment's chain; None if there is no such assessment."""
        statement = f"SELECT id, n_events, last_hash FROM {{at}}assessments WHERE {self.same_name}{locking}"
        rows = self.run(statement, (self.coded(name),))
        return Head(*rows[0]) if rows else None

    def enter(self, name: str) -> Head:
        """Lock an assessment until the transaction ends, creating it if necessary, and return the end of its chain."""
        head = self.head(name, locking=self.locking)
        if head is None:  # rolled back with the transaction
            statement = "INSERT INTO {at}assessments (name) VALUES (?) ON CONFLICT DO NOTHING"
            self.run(statement, (self.coded(name),))
            head = self.head(name, locking=self.locking)
        assert head is not None  # rows are never removed
        return head

    def following(self, name: str, after: int, most: int | None = None) -> tuple[bytes, list[Row], Head | None]:
        """Return the hash before the rows, the rows after the first `after`, and the end of the chain.

        A single statement, so that the result is consistent. The end is None if there are no rows at all.
        """
        statement = (
            "SELECT e.number, e.kind, e.body, e.key, e.hash, a.id, a.n_events, a.last_hash "
            "FROM {at}assessments a JOIN {at}events e ON e.assessment = a.id "
            f"WHERE {self.same_name} AND e.number >= ? ORDER BY e.number{'' if most is None else ' LIMIT ?'}"
        )
        first = max(0, after - 1)
        values = (self.coded(name), first, *(() if most is None else (most + after - first,)))
        results = self.run(statement, values)
        rows = [self._row(*columns[:5]) for columns in results]
        head = Head(*results[0][5:]) if results else None
        return (rows[0].hash, rows[1:], head) if after and rows else (b"", rows, head)

    def numbered(self, name: str, numbers: Sequence[int]) -> list[tuple[bytes, Row]]:
        """Return the rows with these numbers, oldest first, each with the hash of the row before it."""
        rows: list[tuple[bytes, Row]] = []
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            rows += self._with_hashes(name, f"AND e.number IN ({', '.join('?' * len(some))}) ORDER BY e.number", some)
        return rows

    def newest(self, name: str, most: int, before: int, without: Sequence[str]) -> list[tuple[bytes, Row]]:
        """Return the newest rows before a number, without some kinds, each with the hash of the row before it."""
        kinds = f"AND e.kind NOT IN ({', '.join('?' * len(without))}) " if without else ""
        return self._with_hashes(
            name, f"AND e.number < ? {kinds}ORDER BY e.number DESC LIMIT ?", (before, *without, most)
        )

    def _with_hashes(self, name: str, condition: str, values: Sequence[Any]) -> list[tuple[bytes, Row]]:
        statement = (
            "SELECT e.number, e.kind, e.body, e.key, e.hash, p.hash FROM {at}assessments a "
            "JOIN {at}events e ON e.assessment = a.id "
            "LEFT JOIN {at}events p ON p.assessment = e.assessment AND p.number = e.number - 1 "
            f"WHERE {self.same_name} {condition}"
        )
        results = self.run(statement, (self.coded(name), *values))
        return [(before or b"", self._row(*columns)) for *columns, before in results]

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
        rows = self.run(statement, (self.coded(name),))
        return Snapshot(*rows[0]) if rows else None

    def rows(self, assessment: int, first: int, before: int) -> list[Row]:
        """Return the rows of events with `first` <= number < `before`."""
        statement = (
            "SELECT number, kind, body, key, hash FROM {at}events "
            "WHERE assessment = ? AND number >= ? AND number < ? ORDER BY number"
        )
        return [self._row(*columns) for columns in self.run(statement, (assessment, first, before))]

    def all_rows(self, assessment: int) -> list[Row]:
        """Return all rows of an assessment, including rows with invalid numbers."""
        return self.rows(assessment, -(2**31), 2**31 - 1)

    def keyed(self, assessment: int, key: str) -> Row | None:
        """Return the row of the event with an idempotency key; None if there is none."""
        statement = f"SELECT number, kind, body, key, hash FROM {{at}}events WHERE assessment = ? AND {self.same_key}"
        rows = self.run(statement, (assessment, self.coded(key)))
        return self._row(*rows[0]) if rows else None

    def piece(self, name: str) -> bytes | None:
        """Return a piece of the pool; None if it is missing or does not match the hash in its name."""
        rows = self.run("SELECT data FROM {at}pieces WHERE name = ?", (name,))
        data = rows[0][0] if rows else None
        return data if isinstance(data, bytes) and name_of(data) == name else None

    def write(
        self, assessment: int, pieces: Mapping[str, bytes], rows: Sequence[Row], state: bytes | None = None
    ) -> None:
        """Add pieces and events, and update the end of the chain; `state` is a snapshot after the last row."""
        if pieces:  # sorted, so that two writers of the same pieces cannot deadlock
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
