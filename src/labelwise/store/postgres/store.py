"""A store in a schema of a PostgreSQL database, for a team.

Writers to the same assessment wait for each other. An append is on the server's disk when it returns.
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

OLDEST = 12  # oldest supported server version
_LOCK = 0x6C776973  # "lwis": first key of the advisory lock for migrations


class PostgresStore(Store):
    """A PostgreSQL database with the events of any number of assessments, shared by a team.

    A restart of the server is waited for: no label is lost, and none counts twice.

    Parameters
    ----------
    address : such as "postgresql://ann@db.example/team"; missing parts come from libpq's environment (PGHOST,
        PGPASSWORD, ~/.pgpass). `?schema=NAME` selects the schema.
    schema : schema of the tables; "labelwise" unless given here or in the address.
    create : whether to create the tables if there are none.
    patience : seconds to wait for another writer, or for an unreachable server.
    is_known : whether the server is known to exist, so that it is waited for even before its first answer.

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
            import psycopg  # noqa: F401  # to check that it is installed
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
        """Call a function with the tables, retrying if the connection is lost.

        With `is_one_look`, all its statements see the same state of the database.
        """

        def query(connection: psycopg.Connection) -> Found:
            tables = PostgresTables(connection, self._schema)
            if not is_one_look:
                return call(tables)
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            result = call(tables)
            connection.execute("COMMIT")
            return result

        return self._connections.patiently(query)

    @contextmanager
    def held(self, name: str) -> Iterator[Tables]:
        """Lock an assessment for writing, reconnecting as often as necessary."""
        tables = HeldTables(self._connections, self._schema, name)
        try:
            yield tables
            tables.commit()
        finally:
            tables.end()

    @contextmanager
    def whole(self) -> Iterator[Tables]:
        """Begin a long transaction, which is rolled back if the connection is lost."""
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
        """Call a function with the tables in one transaction, retrying if the connection is lost before the commit."""
        import psycopg

        waits = Waits(self._connections.patience)
        while True:
            connection = self._begin()
            try:
                result = call(PostgresTables(connection, self._schema))
                self._commit(connection)
                return result
            except psycopg.Error as error:
                passes = is_passing(error, connection)
                if passes:
                    self._connections.drop(connection)
                if not passes or not waits.another():
                    raise explained(error, self._address) from error
            finally:
                self._connections.give(connection)

    def _begin(self) -> psycopg.Connection:
        """Begin a transaction on a connection that the caller releases."""

        def begin(connection: psycopg.Connection) -> psycopg.Connection:
            connection.execute(begun(self._connections.patience))
            return connection

        return self._connections.patiently(begin, keeps=True)

    def _commit(self, connection: psycopg.Connection) -> None:
        """Commit; if the connection is lost, ask the server for the outcome, and raise only if it was not committed."""
        import psycopg

        [[number]] = PostgresTables(connection, self._schema).run("SELECT txid_current_if_assigned()")
        try:
            connection.execute("COMMIT")
        except psycopg.Error as error:
            if not is_passing(error, connection) or not self._was_committed(number):
                raise

    def _was_committed(self, number: int | None) -> bool:
        """Query the outcome of a transaction whose connection was lost."""
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
        """Copy all assessments to a new SQLite file, even while others are writing."""
        from labelwise.store.copy import copy_assessment
        from labelwise.store.sqlite import SqliteStore

        if Path(path).exists():
            raise ConflictError(f"'{path}' already exists and is not overwritten. Choose another name.")
        part = Path(f"{path}.part")  # an interrupted backup must not look complete
        try:
            with SqliteStore(part) as copy:
                for name in self.names():
                    copy_assessment(self, copy, name)
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the connections."""
        self._connections.close()

    def __repr__(self) -> str:
        return f"<PostgresStore at '{self.label}'>"

    def _prepare(self, connection: psycopg.Connection, create: bool) -> None:
        """Check the server's version and encoding, and migrate the tables."""
        version = connection.info.server_version
        if version < 10_000 * OLDEST:
            raise LabelwiseError(
                f"'{self.label}' is PostgreSQL {version // 10_000}; at least {OLDEST} is required. Update the server."
            )
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise LabelwiseError(
                f"The encoding of '{self.label}' is {encoding}, but must be UTF8. Create a database with "
                "`createdb --encoding UTF8 --template template0`."
            )
        form = self._form(connection)
        if form == 0 and not create:
            raise NotFoundError(f"There is no assessment at '{self.label}' yet. Create one with `labelwise new`.")
        if form < len(MIGRATIONS):
            self._migrate(connection)

    def _form(self, connection: psycopg.Connection) -> int:
        """Return the schema version, 0 if there are no tables; refuse unknown tables and newer versions."""
        tables = PostgresTables(connection, self._schema)
        query = "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?"
        names = {name for (name,) in tables.run(query, (self._address.schema,))}
        if names and "form" not in names:
            raise DataError(
                f"Schema '{self._address.schema}' at '{self.label}' has tables that labelwise did not create. Choose "
                "another one with ?schema=NAME."
            )
        form = int(tables.run("SELECT max(number) FROM {at}form")[0][0] or 0) if names else 0
        if form > len(MIGRATIONS):
            raise DataError(
                f"'{self.label}' was written by a newer version of labelwise (schema version {form}; this one supports "
                f"up to {len(MIGRATIONS)}). Update labelwise to open it."
            )
        return form

    def _migrate(self, connection: psycopg.Connection) -> None:
        """Apply the migrations that the tables lack."""
        connection.execute(begun(self._connections.patience))
        # one process at a time: CREATE ... IF NOT EXISTS may fail if two run it concurrently
        code = zlib.crc32(self._address.schema.encode()) - 2**31
        connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (_LOCK, code))
        tables = PostgresTables(connection, self._schema)
        if self._form(connection) == 0:  # read again under the lock: another process may have migrated meanwhile
            if not tables.run("SELECT 1 FROM pg_namespace WHERE nspname = ?", (self._address.schema,)):
                connection.execute(f"CREATE SCHEMA {self._schema}".encode())
            tables.run("CREATE TABLE {at}form (number integer PRIMARY KEY)")
        for number in range(self._form(connection), len(MIGRATIONS)):
            for statement in MIGRATIONS[number]:
                tables.run(statement)
            tables.run("INSERT INTO {at}form VALUES (?)", (number + 1,))
        connection.execute("COMMIT")
