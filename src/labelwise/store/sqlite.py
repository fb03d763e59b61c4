"""One SQLite file that keeps the events of many assessments, safely.

Write-ahead log and full synchronisation: an append that returned is on disk. Events are only ever added, and each
carries a hash over itself and the one before, so that an edited, removed or reordered row shows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from time import monotonic, sleep

from labelwise.assessment import Assessment
from labelwise.assessment.events import Event, event_of
from labelwise.assessment.journal import name_of
from labelwise.checks import hint, listing
from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError
from labelwise.store.chain import link
from labelwise.store.migrations import APPLICATION_ID, MIGRATIONS

_MAGIC = b"SQLite format 3\x00"
PATIENCE = 60.0  # seconds to wait for another writer


def is_store(path: str | Path) -> bool:
    """Say whether a file is a store, by its first bytes.

    Examples
    --------
    >>> is_store("no such file")
    False
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


class SqliteStore:
    """A file with the events of many assessments.

    Parameters
    ----------
    path : the file; made if it is not there and `create` says so.
    create : whether to make a new file.
    patience : seconds to wait for another writer.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> from pathlib import Path
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 9 + ["dog"] * 9)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = lw.SqliteStore(Path(folder) / "spring.lw")
    ...     assessment = lw.Assessment(
    ...         pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=store.journal("first")
    ...     )
    ...     for ticket in assessment.ask(3):
    ...         assessment.tell(ticket, "cat")
    ...     print(store.names(), store.verify("first"))
    ...     store.close()
    ['first'] []
    """

    def __init__(self, path: str | Path, *, create: bool = True, patience: float = PATIENCE) -> None:
        self.path = Path(path)
        if not create and not self.path.is_file():
            raise NotFoundError(f"'{self.path}' does not exist. Check the path, or make it with `labelwise new`.")
        if not self.path.parent.is_dir():
            raise NotFoundError(f"The folder '{self.path.parent}' does not exist. Make it first.")
        self._lock = RLock()
        with self._explained():
            self._connection = sqlite3.connect(
                self.path, timeout=patience, isolation_level=None, check_same_thread=False
            )
            try:
                self._check_ours(may_be_empty=create)  # before anything in the file changes
                self._write_ahead(patience)
                self._connection.execute("PRAGMA synchronous=FULL")
                self._connection.execute("PRAGMA foreign_keys=ON")
                self._migrate()
            except BaseException:
                self._connection.close()
                raise

    def journal(self, name: str = "main") -> SqliteJournal:
        """Give the journal of an assessment; there is one in the file once something is written to it."""
        return SqliteJournal(self, name)

    def open(self, name: str | None = None) -> Assessment:
        """Go on with an assessment that is in the file, pool and set-up included; the only one unless named."""
        names = self.names()
        if name is None:
            if len(names) != 1:
                several = f"{len(names)} assessments: {listing(names)}. Name one with --name"
                raise NotFoundError(f"'{self.path.name}' has {several if names else 'no assessment'}.")
            name = names[0]
        if name not in names:
            raise NotFoundError(f"There is no assessment {name!r} in '{self.path.name}'. {hint(name, names)}")
        return Assessment.reopen(self.journal(name))

    def names(self) -> list[str]:
        """Name the assessments in the file, oldest first."""
        with self._explained():
            rows = self._connection.execute("SELECT name FROM assessments ORDER BY id").fetchall()
        return [name for (name,) in rows]

    def verify(self, name: str) -> list[str]:
        """Recompute the chain of an assessment's events, and name every row that does not fit; empty if all is well."""
        query = "SELECT number, kind, body, key, hash FROM events WHERE assessment = ? ORDER BY number"
        problems: list[str] = []
        before = b""
        with self._explained():
            rows = self._connection.execute(query, (self._id_of(name),)).fetchall()
            (count,) = self._connection.execute("SELECT n_events FROM assessments WHERE name = ?", (name,)).fetchone()
            problems += self._wrong_pieces(rows[0][2] if rows else "{}")
        for expected, (number, kind, body, key, found) in enumerate(rows):
            if number != expected:
                problems.append(f"Event {expected} is missing: event {number} stands in its place.")
                break
            before = link(before, name, number, kind, body, key)
            if before != found:
                problems.append(f"Event {number} ({kind}) is not what was written.")
                before = found
        if not problems and len(rows) != count:
            problems.append(f"There are {len(rows)} events, but {count} were written.")
        return problems

    def _wrong_pieces(self, opened: str) -> list[str]:
        """Name the pieces of the pool that are missing or not what was written."""
        try:
            names = json.loads(opened)["setup"]["pool"]["pieces"]
        except (ValueError, KeyError, TypeError):
            return []  # an edited event: its own hash tells
        return [f"Piece {name} of the pool is not what was written." for name in names if not self._is_whole(name)]

    def _is_whole(self, name: str) -> bool:
        row = self._connection.execute("SELECT data FROM pieces WHERE name = ?", (name,)).fetchone()
        return row is not None and name_of(row[0]) == name

    def backup(self, path: str | Path) -> None:
        """Copy the file to another place, whole and sound, while others may be writing."""
        try:
            copy = sqlite3.connect(path)
            with copy:
                self._connection.backup(copy)
            copy.close()
        except sqlite3.Error as error:
            raise _explanation(error, str(path)) from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _check_ours(self, *, may_be_empty: bool) -> None:
        """Refuse a database of somebody else's, one from the future, and one that is empty where there must be one."""
        self._connection.execute("BEGIN")  # one look: another process may be making the tables
        version, application = (self._pragma(name) for name in ("user_version", "application_id"))
        has_tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
        self._connection.execute("COMMIT")
        if has_tables and application != APPLICATION_ID:
            raise DataError(f"'{self.path.name}' is a database, but not one of labelwise. Check the path.")
        if not has_tables and not may_be_empty:
            raise DataError(f"'{self.path.name}' is not a labelwise file, or a damaged one. Restore it from a backup.")
        if version > len(MIGRATIONS):
            raise DataError(
                f"'{self.path.name}' was written by a newer labelwise (form {version}, this one knows "
                f"{len(MIGRATIONS)}). Update labelwise to open it."
            )

    def _write_ahead(self, patience: float) -> None:
        """Switch to the write-ahead log; SQLite itself does not wait for others here, so that we do."""
        deadline = monotonic() + patience
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                    raise
                sleep(0.01)

    def _migrate(self) -> None:
        """Bring the file to the newest form, one numbered step after the other."""
        if self._pragma("user_version") == len(MIGRATIONS):
            return
        with self.transaction():
            for number in range(self._pragma("user_version"), len(MIGRATIONS)):  # another process may have been faster
                for statement in MIGRATIONS[number]:
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version={number + 1}")
            self._connection.execute(f"PRAGMA application_id={APPLICATION_ID}")

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _id_of(self, name: str) -> int:
        row = self._connection.execute("SELECT id FROM assessments WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise NotFoundError(f"There is no assessment {name!r} in '{self.path.name}'.")
        return int(row[0])

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the file for writing; all that is written is kept together, or nothing of it."""
        with self._lock, self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite says into a sentence with the way out."""
        try:
            yield
        except sqlite3.Error as error:
            raise _explanation(error, self.path.name) from error


def _explanation(error: sqlite3.Error, name: str) -> LabelwiseError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ConflictError(f"'{name}' is held by another writer for too long; nothing was changed. Try again.")
    if primary == sqlite3.SQLITE_FULL:
        return LabelwiseError(f"The disk is full; nothing was written to '{name}'. Make room, and try again.")
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return LabelwiseError(f"'{name}' cannot be written here. Check the rights of the file and of its folder.")
    if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return DataError(f"'{name}' is not a labelwise file, or a damaged one. Restore it from a backup.")
    return LabelwiseError(f"'{name}' could not be read or written: {error}.")


class SqliteJournal:
    """The events of one assessment in a file, and the pieces of its pool."""

    is_lasting = True

    def __init__(self, store: SqliteStore, name: str) -> None:
        self._store, self.name = store, name

    @contextmanager
    def writing(self) -> Iterator[_SqlitePage]:
        """Hold the journal open for writing."""
        with self._store.transaction() as connection:
            yield _SqlitePage(connection, self.name)

    def events(self, after: int = 0, most: int | None = None) -> list[Event]:
        """Give the events after the first so many, or the first of them."""
        with self._store._lock, self._store._explained():
            return _events(self._store._connection, self.name, after, most)

    def piece(self, name: str) -> bytes:
        """Give a piece of the pool that was kept."""
        with self._store._lock, self._store._explained():
            row = self._store._connection.execute("SELECT data FROM pieces WHERE name = ?", (name,)).fetchone()
        if row is None or name_of(row[0]) != name:
            raise DataError(f"'{self._store.path.name}' is damaged: a piece of the pool is missing or was changed.")
        return bytes(row[0])

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()


def _events(connection: sqlite3.Connection, name: str, after: int, most: int | None = None) -> list[Event]:
    query = (
        "SELECT kind, body FROM events WHERE assessment = (SELECT id FROM assessments WHERE name = ?) "
        "AND number >= ? ORDER BY number LIMIT ?"
    )
    rows = connection.execute(query, (name, after, -1 if most is None else most))
    return [event_of(kind, body) for kind, body in rows]


class _SqlitePage:
    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection, self._name = connection, name
        query = "SELECT id, n_events, last_hash FROM assessments WHERE name = ?"
        row = connection.execute(query, (name,)).fetchone()
        if row is None:  # a page that fails takes this back too
            connection.execute("INSERT INTO assessments (name) VALUES (?)", (name,))
            row = connection.execute(query, (name,)).fetchone()
        self._id, self._number, self._before = row

    def events(self, after: int) -> list[Event]:
        return [] if after == self._number else _events(self._connection, self._name, after)

    def keep(self, piece: bytes) -> str:
        name = name_of(piece)
        self._connection.execute("INSERT INTO pieces (name, data) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, piece))
        return name

    def append(self, event: Event, key: str | None = None) -> None:
        body = event.body()
        self._before = link(self._before, self._name, self._number, event.kind, body, key)
        self._connection.execute(
            "INSERT INTO events (assessment, number, kind, body, key, hash) VALUES (?, ?, ?, ?, ?, ?)",
            (self._id, self._number, event.kind, body, key, self._before),
        )
        self._number += 1
        self._connection.execute(
            "UPDATE assessments SET n_events = ?, last_hash = ? WHERE id = ?", (self._number, self._before, self._id)
        )

    def keyed(self, key: str) -> Event | None:
        query = "SELECT kind, body FROM events WHERE assessment = ? AND key = ?"
        row = self._connection.execute(query, (self._id, key)).fetchone()
        return None if row is None else event_of(*row)
