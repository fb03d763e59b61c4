"""A schema of a PostgreSQL database that keeps the events of many assessments, for a team.

Writers of one assessment wait for each other, those of two do not. An append that returned is on the server's disk.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError
from labelwise.store.postgres.address import Address
from labelwise.store.postgres.connections import Connections, Waits
from labelwise.store.postgres.errors import explained, is_passing, unsure
from labelwise.store.postgres.migrations import MIGRATIONS
from labelwise.store.postgres.tables import HeldTables, PostgresTables, begun
from labelwise.store.store import PATIENCE, Found, Store
from labelwise.store.tables import Tables

if TYPE_CHECKING:
    import psycopg

OLDEST = 12  # version of the server
_LOCK = 0x6C776973  # "lwis": of those who make the tables


class PostgresStore(Store):
    """A PostgreSQL database with the events of many assessments, shared by a team.

    A server that restarts is waited for: nothing that was told is lost, and nothing counts twice.

    Parameters
    ----------
    address : such as "postgresql://ann@db.example/team"; what it leaves out comes from libpq's environment (PGHOST,
        PGPASSWORD, ~/.pgpass). `?schema=NAME` names the schema.
    schema : the schema of the tables, "labelwise" unless given here or in the address.
    create : whether to make the tables if there are none.
    patience : seconds to wait for another writer, or for a server that went away.
    is_known : whether the server is known to be there, so that it is waited for even if it has not answered here yet.

    Examples
    --------
    >>> import labelwise as lw
    >>> lw.PostgresStore("postgresql://ann:secret@localhost:1/team")
    Traceback (most recent call last):
    ...
    labelwise.errors.NotFoundError: No PostgreSQL server answers at 'postgresql://ann@localhost:1/team'. Start it, or
    correct the address.
    """

    def __init__(
        self,
        address: str,
        *,
        schema: str | None = None,
        create: bool = True,
        patience: float = PATIENCE,
        is_known: bool = False,
    ) -> None:
        self._address = Address.of(address, schema)
        self.label, self.folder = self._address.label, Path()
        self._schema = self._address.quoted()
        try:
            import psycopg  # noqa: F401  # to see whether it is there
        except ImportError as error:
            raise LabelwiseError(
                f"A PostgreSQL store needs psycopg ({error}). Install it with `pip install 'labelwise[postgres]'`."
            ) from None
        self._connections = Connections(self._address, patience, has_answered=is_known)
        try:
            self._connections.patiently(lambda connection: self._prepare(connection, create))
        except BaseException:
            self._connections.close()
            raise

    def read(self, call: Callable[[Tables], Found], *, is_one_look: bool = False) -> Found:
        """Read with the tables, several statements as one look if so wished; again if the connection is lost."""

        def look(connection: psycopg.Connection) -> Found:
            tables = PostgresTables(connection, self._schema)
            if not is_one_look:
                return call(tables)
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            found = call(tables)
            connection.execute("COMMIT")
            return found

        return self._connections.patiently(look)

    @contextmanager
    def held(self, name: str) -> Iterator[Tables]:
        """Hold an assessment for writing, over as many connections as it takes."""
        tables = HeldTables(self._connections, self._schema, name)
        try:
            yield tables
            tables.commit()
        finally:
            tables.end()

    @contextmanager
    def whole(self) -> Iterator[Tables]:
        """Begin a long transaction; if the connection is lost, nothing of it is kept."""
        import psycopg

        connection = self._begin()
        try:
            tables = PostgresTables(connection, self._schema)
            yield tables
            self._commit(connection)
        except psycopg.Error as error:
            raise explained(error, self._address) from error
        finally:
            self._connections.give(connection)

    def change(self, call: Callable[[Tables], Found]) -> Found:
        """Write with the tables in one transaction; again if the connection is lost and nothing of it was kept."""
        import psycopg

        waits = Waits(self._connections.patience)
        while True:
            connection = self._begin()
            try:
                found = call(PostgresTables(connection, self._schema))
                self._commit(connection)
                return found
            except psycopg.Error as error:
                passes = is_passing(error, connection)
                if passes:
                    self._connections.drop(connection)
                if not passes or not waits.another():
                    raise explained(error, self._address) from error
            finally:
                self._connections.give(connection)

    def _begin(self) -> psycopg.Connection:
        """Begin a transaction over a connection that the caller gives back."""

        def begin(connection: psycopg.Connection) -> psycopg.Connection:
            connection.execute(begun(self._connections.patience))
            return connection

        return self._connections.patiently(begin, keeps=True)

    def _commit(self, connection: psycopg.Connection) -> None:
        """Commit; if the answer is lost, ask whether it was kept, and raise only if it was not."""
        import psycopg

        [[number]] = PostgresTables(connection, self._schema).run("SELECT txid_current_if_assigned()")
        try:
            connection.execute("COMMIT")
        except psycopg.Error as error:
            if not is_passing(error, connection) or not self._was_committed(number):
                raise

    def _was_committed(self, number: int | None) -> bool:
        """Ask how a transaction ended whose connection was lost, patiently."""
        waits = Waits(self._connections.patience)
        try:
            while waits.another():
                [[status]] = self.read(lambda tables: tables.run("SELECT txid_status(?)", (number,)))
                if status != "in progress":
                    return bool(status == "committed")
        except LabelwiseError as error:
            raise unsure(self._address) from error
        raise unsure(self._address)

    def backup(self, path: str | Path) -> None:
        """Copy all assessments to a new file, sound, while others may be writing."""
        from labelwise.store.copy import copy_assessment
        from labelwise.store.sqlite import SqliteStore

        if Path(path).exists():
            raise ConflictError(f"'{path}' exists already, and is not overwritten. Give another name.")
        part = Path(f"{path}.part")  # what is killed in the middle does not look like a backup
        try:
            with SqliteStore(part) as copy:
                for name in self.names():
                    copy_assessment(self, copy, name)
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the connections."""
        self._connections.close()

    def __repr__(self) -> str:
        return f"<PostgresStore at '{self.label}'>"

    def _prepare(self, connection: psycopg.Connection, create: bool) -> None:
        """Check that the server will do, and bring the tables to the newest form."""
        version = connection.info.server_version
        if version < 10_000 * OLDEST:
            raise LabelwiseError(
                f"'{self.label}' is PostgreSQL {version // 10_000}; at least {OLDEST} is needed. Update the server."
            )
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise LabelwiseError(
                f"The database '{self.label}' is encoded as {encoding}, and cannot keep every text. Make one with "
                "`createdb --encoding UTF8 --template template0`."
            )
        form = self._form(connection)
        if form == 0 and not create:
            raise NotFoundError(f"There is no assessment at '{self.label}' yet. Make one with `labelwise new`.")
        if form < len(MIGRATIONS):
            self._migrate(connection)

    def _form(self, connection: psycopg.Connection) -> int:
        """Give the number of the tables' form, 0 if there are none; refuse somebody else's, and those of the future."""
        tables = PostgresTables(connection, self._schema)
        named = "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?"
        found = {name for (name,) in tables.run(named, (self._address.schema,))}
        if found and "form" not in found:
            raise DataError(
                f"Schema '{self._address.schema}' at '{self.label}' has tables that are not of labelwise. Name another "
                "one with ?schema=NAME."
            )
        form = int(tables.run("SELECT max(number) FROM {at}form")[0][0] or 0) if found else 0
        if form > len(MIGRATIONS):
            raise DataError(
                f"'{self.label}' was written by a newer labelwise (form {form}, this one knows {len(MIGRATIONS)}). "
                "Update labelwise to open it."
            )
        return form

    def _migrate(self, connection: psycopg.Connection) -> None:
        """Bring the tables to the newest form, one numbered step after the other."""
        connection.execute(begun(self._connections.patience))
        # one at a time: CREATE ... IF NOT EXISTS fails if two run it at once
        code = zlib.crc32(self._address.schema.encode()) - 2**31
        connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (_LOCK, code))
        tables = PostgresTables(connection, self._schema)
        if self._form(connection) == 0:  # another process may have been faster
            if not tables.run("SELECT 1 FROM pg_namespace WHERE nspname = ?", (self._address.schema,)):
                connection.execute(f"CREATE SCHEMA {self._schema}".encode())
            tables.run("CREATE TABLE {at}form (number integer PRIMARY KEY)")
        for number in range(self._form(connection), len(MIGRATIONS)):
            for statement in MIGRATIONS[number]:
                tables.run(statement)
            tables.run("INSERT INTO {at}form VALUES (?)", (number + 1,))
        connection.execute("COMMIT")
