"""A store in one SQLite file.

With a write-ahead log and full synchronisation, an append is on disk when it returns. Events are append-only, and each
has a hash over itself and the event before, so that edited, removed or reordered rows are detected.
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

_IDLE = 1.0  # seconds without a write before the write-ahead log is moved into the file
_STATISTICS = {  # which ANALYZE adds
    ("table", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("table", "sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
}


class SqliteStore(Store):
    """A file with the events of any number of assessments.

    Parameters
    ----------
    path : path of the file.
    create : whether to create the file if it does not exist.
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
                NotFoundError(f"'{self.path}' does not exist. Check the path, or create it with `labelwise new`.")
            )
        if not self.path.parent.is_dir():
            raise NotFoundError(f"The folder '{self.path.parent}' does not exist. Create it first.")
        self._lock = RLock()
        self._checkpoints = _Checkpoints(self._checkpoint)
        with self._explained():
            if create:
                _create_private(self.path)
            self._is_read_only = _is_read_only(self.path)
            self._connection = _connect(self.path, patience, is_read_only=self._is_read_only)
            try:
                self._connection.execute("PRAGMA trusted_schema=OFF")
                self._tables = SqliteTables(self._connection)
                self._check_schema(may_be_empty=create)  # before changing anything in the file
                if not self._is_read_only:
                    self._prepare(patience)
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self, patience: float) -> None:
        self._enable_wal(patience)
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("PRAGMA foreign_keys=ON")
        self._migrate()
        self._checkpoint()  # a killed process may have left events in the write-ahead log

    def read(self, call: Callable[[Tables], Found], *, is_one_look: bool = False) -> Found:
        """Call a function with the tables; with `is_one_look`, all its statements see the same state."""
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
        """Lock the file for writing."""
        with self.transaction():
            yield self._tables

    @contextmanager
    def whole(self) -> Iterator[Tables]:
        """Lock the file for a long write."""
        with self.transaction():
            yield self._tables

    def change(self, call: Callable[[Tables], Found]) -> Found:
        """Call a function with the tables in a write transaction."""
        with self.transaction():
            return call(self._tables)

    def backup(self, path: str | Path) -> None:
        """Write a consistent copy of the file, even while others are writing."""
        if Path(path).exists():
            raise ConflictError(f"'{path}' already exists and is not overwritten. Choose another name.")
        try:
            with contextlib.suppress(OSError):  # SQLite says what is wrong
                _create_private(Path(path))
            copy = sqlite3.connect(path)
            with copy:
                self._connection.backup(copy)
            copy.close()
        except sqlite3.Error as error:
            raise of_store(_explanation(error, str(path))) from error

    def close(self) -> None:
        """Close the file, after moving the write-ahead log into it unless others still have it open."""
        self._checkpoints.end()
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._checkpoint()
        self._connection.close()

    def _checkpoint(self) -> bool:
        """Move the write-ahead log into the file, and return whether all of it was moved."""
        with self._lock:
            if self._connection.in_transaction or self._is_read_only:
                return self._is_read_only
            is_busy, n_logged, n_moved = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return not is_busy and n_logged == n_moved

    def _check_schema(self, *, may_be_empty: bool) -> None:
        """Refuse a database that is empty, damaged, too new, or was not created by labelwise."""
        self._connection.execute("BEGIN")  # a consistent read, as another process may be creating the tables
        version, application = (self._pragma(name) for name in ("user_version", "application_id"))
        schema = _schema(self._connection)
        self._connection.execute("COMMIT")
        has_tables = bool(schema)
        if has_tables and application != APPLICATION_ID:
            raise DataError(f"'{self.path.name}' is a database, but not a labelwise store. Check the path.")
        is_truncated = has_tables and self.path.stat().st_size % self._pragma("page_size") > 0
        if is_truncated:
            raise _damaged(self.path.name)
        if not has_tables and not may_be_empty:
            raise _not_a_store(self.path.name)
        if version > len(MIGRATIONS):
            raise DataError(
                f"'{self.path.name}' was written by a newer version of labelwise (schema version {version}; this one "
                f"supports up to {len(MIGRATIONS)}). Update labelwise to open it."
            )
        difference = schema ^ _expected_schema(version)
        if difference:
            kind, name, _ = min(difference)
            raise DataError(
                f"The schema of '{self.path.name}' was modified: the {kind} {shown(name)} was added, changed or "
                "removed. The file may be malicious; restore it from a backup."
            )

    def _enable_wal(self, patience: float) -> None:
        """Switch to the write-ahead log, retrying while the file is busy because SQLite does not wait here itself."""
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
        """Apply the migrations that the file lacks."""
        if self._pragma("user_version") == len(MIGRATIONS):
            return
        with self.transaction():
            # read the version again under the lock: another process may have migrated the file in the meantime
            for number in range(self._pragma("user_version"), len(MIGRATIONS)):
                for statement in MIGRATIONS[number]:
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version={number + 1}")
            self._connection.execute(f"PRAGMA application_id={APPLICATION_ID}")

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Begin a write transaction, committed at the end or rolled back on an error."""
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
        """Translate SQLite's errors to labelwise errors."""
        try:
            yield
        except sqlite3.Error as error:
            raise of_store(_explanation(error, self.path.name)) from error
        except UnicodeDecodeError as error:  # from a name in a damaged schema
            raise of_store(_damaged(self.path.name)) from error


class _Checkpoints:
    """A thread that moves the write-ahead log into the file after a second without writes.

    A copy of an idle store's main file is then complete, and no label has to wait for two disk writes.
    """

    def __init__(self, checkpoint: Callable[[], bool]) -> None:
        self._checkpoint = checkpoint
        self._written, self._has_ended = Event(), False
        self._thread: Thread | None = None

    def note(self) -> None:
        """Record that something was written."""
        self._written.set()
        if self._thread is None:
            self._thread = Thread(target=self._run, daemon=True, name="labelwise-checkpoints")
            self._thread.start()

    def end(self) -> None:
        """Stop the thread."""
        self._has_ended = True
        self._written.set()

    def _run(self) -> None:
        while self._written.wait() and not self._has_ended:
            self._written.clear()
            if self._written.wait(_IDLE):  # not idle yet
                continue
            with contextlib.suppress(sqlite3.Error):
                if not self._checkpoint():
                    self._written.set()  # a reader still needs the log: try again later


def _is_read_only(path: Path) -> bool:
    """Return whether this user cannot write to an existing file or its folder."""
    return path.is_file() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _connect(path: Path, patience: float, *, is_read_only: bool) -> sqlite3.Connection:
    """Connect to a file; to a read-only one in a mode that creates no files next to it."""
    options: dict[str, Any] = {"timeout": patience, "isolation_level": None, "check_same_thread": False}
    if not is_read_only:
        return sqlite3.connect(path, **options)
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:  # not immutable: another user is writing, or the log was copied too
        return sqlite3.connect(uri, uri=True, **options)
    return sqlite3.connect(f"{uri}&immutable=1", uri=True, **options)


def _create_private(path: Path) -> None:
    """Create an empty file that only its owner can read, unless it exists; items and labels may be confidential."""
    with contextlib.suppress(FileExistsError, PermissionError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    # names of SQLite's own (sqlite_...) are compared too: a file can have a trigger with such a name
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master")
    return {(str(kind), str(name), str(sql)) for kind, name, sql in rows} - _STATISTICS


@cache
def _expected_schema(version: int) -> set[tuple[str, str, str]]:
    """Return the schema of a version; anything else is refused, because triggers and views could run code."""
    with contextlib.closing(sqlite3.connect(":memory:")) as fresh:
        for statements in MIGRATIONS[:version]:
            for statement in statements:
                fresh.execute(statement)
        return _schema(fresh)


def _explanation(error: sqlite3.Error, name: str) -> LabelwiseError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ConflictError(f"Another writer has locked '{name}' for too long; nothing was changed. Try again.")
    if primary == sqlite3.SQLITE_FULL:
        return LabelwiseError(f"The disk is full; nothing was written to '{name}'. Free some space and try again.")
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return LabelwiseError(f"'{name}' cannot be written. Check the permissions of the file and its folder.")
    if primary == sqlite3.SQLITE_NOTADB:
        return _not_a_store(name)
    if primary == sqlite3.SQLITE_CORRUPT:
        return _damaged(name)
    return LabelwiseError(f"'{name}' could not be read or written: {error}.")


def _not_a_store(name: str) -> DataError:
    return DataError(f"'{name}' is not a labelwise file, or is damaged. Restore it from a backup.")


def _damaged(name: str) -> DataError:
    return DataError(
        f"'{name}' is damaged. Restore it from a backup, or recover the intact part with `labelwise store salvage`."
    )


class SqliteTables(Tables):
    """The tables of an SQLite file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows."""
        return self._connection.execute(statement.format(at=""), values).fetchall()

    def snapshot(self, name: str) -> Snapshot | None:
        """Return the snapshot of an assessment; None if there is none.

        A read-only file of an older version has no table of snapshots.
        """
        has_table = self.run("SELECT 1 FROM sqlite_master WHERE name = 'snapshots'")
        return super().snapshot(name) if has_table else None

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once per row."""
        self._connection.executemany(statement.format(at=""), rows)
