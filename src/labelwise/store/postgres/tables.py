"""The tables in a PostgreSQL schema, and an assessment locked for writing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from labelwise.assessment.journal import OvertakenError
from labelwise.errors import LabelwiseError
from labelwise.store.postgres.connections import Connections, Waits
from labelwise.store.postgres.errors import explained, is_passing, unknown
from labelwise.store.tables import Head, Row, Tables

if TYPE_CHECKING:
    import psycopg

_IDLE = "5min"  # until the server ends the transaction of a client that disappeared


@cache
def _phrased(statement: str, schema: str) -> bytes:
    """Convert a statement to psycopg's placeholders."""
    at = f"{schema}.".replace("%", "%%")
    return statement.replace("%", "%%").replace("?", "%s").format(at=at).encode()


def begun(patience: float) -> str:
    """Return the statements that begin a transaction; settings are local to it, because poolers share connections.

    A commit is acknowledged when it is on disk, and on a synchronous standby if the server has one.
    """
    return (
        "BEGIN ISOLATION LEVEL READ COMMITTED; "
        f"SET LOCAL lock_timeout = {max(1, round(1000 * patience))}; "
        f"SET LOCAL idle_in_transaction_session_timeout = '{_IDLE}'; "
        "SELECT set_config('synchronous_commit', 'on', true) "
        "WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')"
    )


class PostgresTables(Tables):
    """The tables of a schema over one connection."""

    locking: ClassVar[str] = " FOR UPDATE"
    sharing: ClassVar[str] = " FOR SHARE"
    skipping: ClassVar[str] = " FOR UPDATE SKIP LOCKED"
    same_name: ClassVar[str] = "sha256(name) = sha256(?)"
    same_key: ClassVar[str] = "sha256(key) = sha256(?)"

    def __init__(self, connection: psycopg.Connection, schema: str) -> None:
        self._connection, self._schema = connection, schema

    def coded(self, text: str | None) -> bytes | None:
        """Encode a name or key as bytes."""
        return None if text is None else text.encode()

    def decoded(self, kept: bytes | None) -> str | None:
        """Decode a name or key from bytes."""
        return None if kept is None else bytes(kept).decode()

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows."""
        with self._connection.cursor(binary=True) as cursor:
            cursor.execute(_phrased(statement, self._schema), values)
            return cursor.fetchall() if cursor.description else []

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once per row."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_phrased(statement, self._schema), rows)


class HeldTables(PostgresTables):
    """An assessment locked for writing that survives the loss of its connection.

    A new connection locks the assessment again, and continues if nobody else has written in the meantime. All writes
    are sent together with the commit. If the answer to the commit is lost, the new connection waits until the old
    transaction has ended, checks whether the events were stored, and sends them again if not.
    """

    def __init__(self, connections: Connections, schema: str, name: str) -> None:
        self._connections, self._name = connections, name
        self._pieces: Mapping[str, bytes] = {}
        self._rows: Sequence[Row] = ()
        self._state: bytes | None = None
        self._schema = schema
        self._base = self._hold()

    def enter(self, name: str) -> Head:
        """Return the end of the chain at the time of locking."""
        return self._base

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement, reconnecting if the connection is lost."""
        import psycopg

        waits = Waits(self._connections.patience)
        while True:
            try:
                return super().run(statement, values)
            except psycopg.Error as error:
                self._lost(error, waits)
                self._go_on(self._hold())

    def write(
        self, assessment: int, pieces: Mapping[str, bytes], rows: Sequence[Row], state: bytes | None = None
    ) -> None:
        """Remember the writes, which are sent with the commit."""
        self._pieces, self._rows, self._state = pieces, rows, state

    def commit(self) -> None:
        """Send the writes and commit, retrying until the outcome is known."""
        import psycopg

        waits = Waits(self._connections.patience)
        is_lost = False
        while True:
            try:
                if is_lost:
                    now = self._hold_again()
                    if self._has_landed(now):
                        return
                    self._go_on(now)
                self._send()
                return
            except psycopg.Error as error:
                self._lost(error, waits, is_sent=True)
                is_lost = True

    def end(self) -> None:
        """Release the connection; an uncommitted transaction is rolled back."""
        self._connections.give(self._connection)

    def _hold(self) -> Head:
        """Lock the assessment over a new connection, waiting for the server if necessary."""

        def take(connection: psycopg.Connection) -> Head:
            connection.execute(begun(self._connections.patience))
            self._connection = connection
            return PostgresTables(connection, self._schema).enter(self._name)

        return self._connections.patiently(take, keeps=True)

    def _hold_again(self) -> Head:
        try:
            return self._hold()
        except LabelwiseError as error:
            raise unknown(self._connections.address) from error

    def _lost(self, error: psycopg.Error, waits: Waits, *, is_sent: bool = False) -> None:
        """Raise the translated error, unless the connection was lost and there is time for another attempt."""
        passes = is_passing(error, self._connection)
        if passes:
            self._connections.drop(self._connection)
        if not passes or not waits.another():
            address = self._connections.address
            raise (unknown(address) if passes and is_sent else explained(error, address)) from error

    def _go_on(self, now: Head) -> None:
        if now[1:] != self._base[1:]:
            raise OvertakenError(
                f"Another writer changed '{self._connections.address.label}' while the connection was lost; nothing "
                "was written. Try again."
            )
        self._base = now  # its id may have changed, if the assessment was not committed yet

    def _send(self) -> None:
        with _pipelined(self._connection):
            sender = PostgresTables(self._connection, self._schema)
            sender.write(self._base.id, self._pieces, self._rows, self._state)
            self._connection.execute("COMMIT")

    def _has_landed(self, now: Head) -> bool:
        """Return whether the last event was stored."""
        if not self._rows:
            return True  # there was nothing to store
        last = self._rows[-1]
        rows = PostgresTables(self._connection, self._schema).rows(now.id, last.number, last.number + 1)
        return [row.hash for row in rows] == [last.hash]


@contextmanager
def _pipelined(connection: psycopg.Connection) -> Iterator[None]:
    """Send all statements before waiting for answers, if libpq supports pipelines."""
    import psycopg

    if not psycopg.Pipeline.is_supported():
        yield
        return
    with connection.pipeline():
        yield
