"""One SQLite file that keeps the events of many assessments, safely.

Write-ahead log and full synchronisation: an append that returned is on disk. Events are only ever added, and each
carries a hash over itself and the one before, so that an edited, removed or reordered row shows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import Any

from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError, of_store
from labelwise.store.migrations import APPLICATION_ID, MIGRATIONS
from labelwise.store.store import PATIENCE, Found, Store
from labelwise.store.tables import Tables


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
        with self._explained():
            self._connection = sqlite3.connect(
                self.path, timeout=patience, isolation_level=None, check_same_thread=False
            )
            try:
                self._tables = SqliteTables(self._connection)
                self._check_ours(may_be_empty=create)  # before anything in the file changes
                self._write_ahead(patience)
                self._connection.execute("PRAGMA synchronous=FULL")
                self._connection.execute("PRAGMA foreign_keys=ON")
                self._migrate()
            except BaseException:
                self._connection.close()
                raise

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
        is_cut = has_tables and self.path.stat().st_size % self._pragma("page_size") > 0
        if is_cut or (not has_tables and not may_be_empty):
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
            raise of_store(_explanation(error, self.path.name)) from error


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


class SqliteTables(Tables):
    """The tables of a file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement, and give its rows."""
        return self._connection.execute(statement.format(at=""), values).fetchall()

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once a row."""
        self._connection.executemany(statement.format(at=""), rows)
