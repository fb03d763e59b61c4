"""One SQLite file that keeps the events of many assessments, safely.

Write-ahead log and full synchronisation: an append that returned is on disk. Events are only ever added, and each
carries a hash over itself and the one before, so that an edited, removed or reordered row shows.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Event, RLock, Thread
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

from labelwise.checks import shown
from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError, of_store
from labelwise.store.migrations import APPLICATION_ID, MIGRATIONS
from labelwise.store.store import PATIENCE, Found, Store
from labelwise.store.tables import Snapshot, Tables

_IDLE = 1.0  # seconds without a write after which the log is moved into the file


class SqliteStore(Store):
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
        self.label, self.folder = self.path.name, self.path.parent
        if not create and not self.path.is_file():
            raise of_store(
                NotFoundError(f"'{self.path}' does not exist. Check the path, or make it with `labelwise new`.")
            )
        if not self.path.parent.is_dir():
            raise NotFoundError(f"The folder '{self.path.parent}' does not exist. Make it first.")
        self._lock = RLock()
        self._checkpoints = _Checkpoints(self._checkpoint)
        with self._explained():
            if create:
                _create_private(self.path)
            self._is_fixed = _cannot_change(self.path)
            self._connection = _connected(self.path, patience, is_fixed=self._is_fixed)
            try:
                self._connection.execute("PRAGMA trusted_schema=OFF")
                self._tables = SqliteTables(self._connection)
                self._check_ours(may_be_empty=create)  # before anything in the file changes
                if not self._is_fixed:
                    self._prepare(patience)
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self, patience: float) -> None:
        self._write_ahead(patience)
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("PRAGMA foreign_keys=ON")
        self._migrate()
        self._checkpoint()  # what a killed process left in the log

    def read(self, call: Callable[[Tables], Found], *, is_one_look: bool = False) -> Found:
        """Read with the tables, several statements as one look if so wished."""
        with self._lock, self._explained():
            if not is_one_look or self._connection.in_transaction:
                return call(self._tables)
            self._connection.execute("BEGIN")
            try:
                return call(self._tables)
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def held(self, name: str) -> Iterator[Tables]:
        """Hold the file for writing."""
        with self.transaction():
            yield self._tables

    @contextmanager
    def whole(self) -> Iterator[Tables]:
        """Hold the file for writing, for long."""
        with self.transaction():
            yield self._tables

    def change(self, call: Callable[[Tables], Found]) -> Found:
        """Write with the tables while the file is held."""
        with self.transaction():
            return call(self._tables)

    def backup(self, path: str | Path) -> None:
        """Copy the file to another place, whole and sound, while others may be writing."""
        try:
            copy = sqlite3.connect(path)
            with copy:
                self._connection.backup(copy)
            copy.close()
        except sqlite3.Error as error:
            raise of_store(_explanation(error, str(path))) from error

    def close(self) -> None:
        """Let go of the file; all that was written is then in the file itself, unless others have it open still."""
        self._checkpoints.end()
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._checkpoint()
        self._connection.close()

    def _checkpoint(self) -> bool:
        """Move what is in the write-ahead log into the file, and say whether that was possible for all of it."""
        with self._lock:
            if self._connection.in_transaction or self._is_fixed:
                return self._is_fixed
            is_busy, n_logged, n_moved = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return not is_busy and n_logged == n_moved

    def _check_ours(self, *, may_be_empty: bool) -> None:
        """Refuse a database of somebody else's, one from the future, and one that is empty where there must be one."""
        self._connection.execute("BEGIN")  # one look: another process may be making the tables
        version, application = (self._pragma(name) for name in ("user_version", "application_id"))
        schema = _schema(self._connection)
        self._connection.execute("COMMIT")
        has_tables = bool(schema)
        if has_tables and application != APPLICATION_ID:
            raise DataError(f"'{self.path.name}' is a database, but not one of labelwise. Check the path.")
        is_cut = has_tables and self.path.stat().st_size % self._pragma("page_size") > 0
        if is_cut:
            raise _damaged(self.path.name)
        if not has_tables and not may_be_empty:
            raise _not_ours(self.path.name)
        if version > len(MIGRATIONS):
            raise DataError(
                f"'{self.path.name}' was written by a newer labelwise (form {version}, this one knows "
                f"{len(MIGRATIONS)}). Update labelwise to open it."
            )
        strange = schema ^ _expected_schema(version)
        if strange:
            kind, name, _ = min(strange)
            raise DataError(
                f"'{self.path.name}' is not as labelwise made it: the {kind} {shown(name)} was added, changed or "
                "removed. It may be harmful; restore it from a backup."
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
            self._checkpoints.note()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite says into a sentence with the way out."""
        try:
            yield
        except sqlite3.Error as error:
            raise of_store(_explanation(error, self.path.name)) from error
        except UnicodeDecodeError as error:  # of a name in the schema
            raise of_store(_damaged(self.path.name)) from error


class _Checkpoints:
    """Moves the write-ahead log into the file once nobody has written for a second.

    A copy of the file alone is then whole while it is idle, without every label waiting for the disk twice.
    """

    def __init__(self, checkpoint: Callable[[], bool]) -> None:
        self._checkpoint = checkpoint
        self._written, self._has_ended = Event(), False
        self._thread: Thread | None = None

    def note(self) -> None:
        """Note that something was written."""
        self._written.set()
        if self._thread is None:
            self._thread = Thread(target=self._run, daemon=True, name="labelwise-checkpoints")
            self._thread.start()

    def end(self) -> None:
        """End the thread."""
        self._has_ended = True
        self._written.set()

    def _run(self) -> None:
        while self._written.wait() and not self._has_ended:
            self._written.clear()
            if self._written.wait(_IDLE):  # somebody goes on writing
                continue
            with contextlib.suppress(sqlite3.Error):
                if not self._checkpoint():
                    self._written.set()  # a reader still needs the log: again in a while


def _cannot_change(path: Path) -> bool:
    """Return whether a file is on a read-only medium, or where this user may only read."""
    return path.is_file() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _connected(path: Path, patience: float, *, is_fixed: bool) -> sqlite3.Connection:
    """Connect to a file; to one that cannot change, so that nothing is written beside it."""
    options: dict[str, Any] = {"timeout": patience, "isolation_level": None, "check_same_thread": False}
    if not is_fixed:
        return sqlite3.connect(path, **options)
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:  # another user writes, or the log was copied along
        return sqlite3.connect(address, uri=True, **options)
    return sqlite3.connect(f"{address}&immutable=1", uri=True, **options)


def _create_private(path: Path) -> None:
    """Make an empty file that only its owner can read, unless there is one: items and labels may be confidential."""
    with contextlib.suppress(FileExistsError, PermissionError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    return {(str(kind), str(name), str(sql)) for kind, name, sql in rows}


@cache
def _expected_schema(version: int) -> set[tuple[str, str, str]]:
    """Return what the database of a form has: nothing else may stand there, least of all a trigger or a view."""
    with contextlib.closing(sqlite3.connect(":memory:")) as fresh:
        for statements in MIGRATIONS[:version]:
            for statement in statements:
                fresh.execute(statement)
        return _schema(fresh)


def _explanation(error: sqlite3.Error, name: str) -> LabelwiseError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ConflictError(f"'{name}' is held by another writer for too long; nothing was changed. Try again.")
    if primary == sqlite3.SQLITE_FULL:
        return LabelwiseError(f"The disk is full; nothing was written to '{name}'. Make room, and try again.")
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return LabelwiseError(f"'{name}' cannot be written here. Check the rights of the file and of its folder.")
    if primary == sqlite3.SQLITE_NOTADB:
        return _not_ours(name)
    if primary == sqlite3.SQLITE_CORRUPT:
        return _damaged(name)
    return LabelwiseError(f"'{name}' could not be read or written: {error}.")


def _not_ours(name: str) -> DataError:
    return DataError(f"'{name}' is not a labelwise file, or a damaged one. Restore it from a backup.")


def _damaged(name: str) -> DataError:
    return DataError(
        f"'{name}' is damaged. Restore it from a backup, or keep what is sound with `labelwise store salvage`."
    )


class SqliteTables(Tables):
    """The tables of a file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement, and give its rows."""
        return self._connection.execute(statement.format(at=""), values).fetchall()

    def snapshot(self, name: str) -> Snapshot | None:
        """Return the snapshot of an assessment; None if there is none, or in an old file that cannot be changed."""
        has_table = self.run("SELECT 1 FROM sqlite_master WHERE name = 'snapshots'")
        return super().snapshot(name) if has_table else None

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once a row."""
        self._connection.executemany(statement.format(at=""), rows)
