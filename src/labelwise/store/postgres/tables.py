"""The tables in a PostgreSQL schema, and an assessment of them that is held for writing."""

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

_IDLE = "5min"  # then the server ends a transaction whose client is gone without a word


@cache
def _phrased(statement: str, schema: str) -> bytes:
    """Write a statement as psycopg wants it."""
    at = f"{schema}.".replace("%", "%%")
    return statement.replace("%", "%%").replace("?", "%s").format(at=at).encode()


def begun(patience: float) -> str:
    """Give the statements that begin a transaction; its settings end with it, as poolers want it.

    A commit is acknowledged when it is on disk, and on the standby if the server waits for one.
    """
    return (
        "BEGIN ISOLATION LEVEL READ COMMITTED; "
        f"SET LOCAL lock_timeout = {max(1, round(1000 * patience))}; "
        f"SET LOCAL idle_in_transaction_session_timeout = '{_IDLE}'; "
        "SELECT set_config('synchronous_commit', 'on', true) "
        "WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')"
    )


class PostgresTables(Tables):
    """The tables of a schema, over one connection."""

    locking: ClassVar[str] = " FOR UPDATE"
    sharing: ClassVar[str] = " FOR SHARE"
    skipping: ClassVar[str] = " FOR UPDATE SKIP LOCKED"
    same_name: ClassVar[str] = "sha256(name) = sha256(?)"
    same_key: ClassVar[str] = "sha256(key) = sha256(?)"

    def __init__(self, connection: psycopg.Connection, schema: str) -> None:
        self._connection, self._schema = connection, schema

    def coded(self, text: str | None) -> bytes | None:
        """Give a name or key as bytes."""
        return None if text is None else text.encode()

    def decoded(self, kept: bytes | None) -> str | None:
        """Give a name or key back from its bytes."""
        return None if kept is None else bytes(kept).decode()

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement, and give its rows."""
        with self._connection.cursor(binary=True) as cursor:
            cursor.execute(_phrased(statement, self._schema), values)
            return cursor.fetchall() if cursor.description else []

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once a row."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_phrased(statement, self._schema), rows)


class HeldTables(PostgresTables):
    """An assessment held for writing, that outlives its connection.

    If the connection is lost, a new one takes hold of the assessment again, and goes on if nobody has written
    meanwhile. What was written is sent with the commit, in one go; if the answer to that is lost, the new connection
    waits for the old one to end, looks whether the events are there, and sends them again if they are not.
    """

    def __init__(self, connections: Connections, schema: str, name: str) -> None:
        self._connections, self._name = connections, name
        self._pieces: Mapping[str, bytes] = {}
        self._rows: Sequence[Row] = ()
        self._state: bytes | None = None
        self._schema = schema
        self._base = self._hold()

    def enter(self, name: str) -> Head:
        """Give where the assessment ended when it was taken hold of."""
        return self._base

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement, over another connection if this one is lost."""
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
        """Note what is to be sent with the commit."""
        self._pieces, self._rows, self._state = pieces, rows, state

    def commit(self) -> None:
        """Send what was written, and be sure of how that ended."""
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
        """Give the connection back; what was not committed is taken back."""
        self._connections.give(self._connection)

    def _hold(self) -> Head:
        """Take hold of the assessment over a new connection, patiently."""

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
        """Raise what an error means, unless it is that the connection was lost and there is patience left."""
        passes = is_passing(error, self._connection)
        if passes:
            self._connections.drop(self._connection)
        if not passes or not waits.another():
            address = self._connections.address
            raise (unknown(address) if passes and is_sent else explained(error, address)) from error

    def _go_on(self, now: Head) -> None:
        if now[1:] != self._base[1:]:
            raise OvertakenError(
                f"Somebody else wrote to '{self._connections.address.label}' while the connection was lost; nothing "
                "was changed. Try again."
            )
        self._base = now  # its number may be another one, if it was to begin

    def _send(self) -> None:
        with _in_one_go(self._connection):
            sender = PostgresTables(self._connection, self._schema)
            sender.write(self._base.id, self._pieces, self._rows, self._state)
            self._connection.execute("COMMIT")

    def _has_landed(self, now: Head) -> bool:
        """Say whether the last event to be written is there, in its place."""
        if not self._rows:
            return True  # nothing that could be lost
        last = self._rows[-1]
        found = PostgresTables(self._connection, self._schema).rows(now.id, last.number, last.number + 1)
        return [row.hash for row in found] == [last.hash]


@contextmanager
def _in_one_go(connection: psycopg.Connection) -> Iterator[None]:
    """Send all statements before waiting for an answer, where the library can."""
    import psycopg

    if not psycopg.Pipeline.is_supported():
        yield
        return
    with connection.pipeline():
        yield
