"""Connections to a server: lent one at a time, kept for the next call, and made anew with patience."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from labelwise.errors import LabelwiseError
from labelwise.store.postgres.address import Address
from labelwise.store.postgres.errors import explained, is_final, is_passing, is_starting, refused

if TYPE_CHECKING:
    import psycopg

_KEPT = 4  # idle connections
_SHORTEST, _LONGEST = 0.02, 0.5  # seconds between two tries
Found = TypeVar("Found")


class Connections:
    """The connections of a store.

    A server that restarts is waited for, once it has answered; one that never did is an error at once.
    """

    def __init__(self, address: Address, patience: float, *, has_answered: bool = False) -> None:
        self.address, self.patience = address, patience
        self._parameters: dict[str, Any] = address.parameters()
        self._idle: list[psycopg.Connection] = []
        self._lock = Lock()
        self._has_answered = has_answered
        self._is_closed = False

    def take(self) -> psycopg.Connection:
        """Give a connection that nobody else uses."""
        with self._lock:
            if self._is_closed:
                raise LabelwiseError(f"'{self.address.label}' was closed. Open it again.")
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def give(self, connection: psycopg.Connection) -> None:
        """Take a connection back, whatever state it is in."""
        import psycopg

        idle, begun = psycopg.pq.TransactionStatus.IDLE, psycopg.pq.TransactionStatus
        try:
            if connection.info.transaction_status in (begun.INTRANS, begun.INERROR):
                connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()
        with self._lock:
            is_sound = not connection.closed and connection.info.transaction_status == idle
            if is_sound and not self._is_closed and len(self._idle) < _KEPT:
                self._idle.append(connection)
                return
        connection.close()

    def drop(self, connection: psycopg.Connection) -> None:
        """Close a connection that failed, and the idle ones, which are as old."""
        with self._lock:
            old, self._idle = self._idle, []
        for one in (connection, *old):
            one.close()

    def close(self) -> None:
        """Close all connections; those that are lent are closed when they come back."""
        with self._lock:
            old, self._idle, self._is_closed = self._idle, [], True
        for one in old:
            one.close()

    def patiently(self, call: Callable[[psycopg.Connection], Found], *, keeps: bool = False) -> Found:
        """Call with a connection, again with another one if it is lost; `keeps` leaves it with the caller."""
        import psycopg

        waits = Waits(self.patience)
        while True:
            connection = self.take()
            try:
                found = call(connection)
            except psycopg.Error as error:
                passes = is_passing(error, connection)
                self.drop(connection)
                if not passes or not waits.another():
                    raise explained(error, self.address) from error
            except BaseException:
                self.give(connection)
                raise
            else:
                if not keeps:
                    self.give(connection)
                return found

    def _connect(self) -> psycopg.Connection:
        import psycopg

        waits = Waits(self.patience)
        while True:
            try:
                # no prepared statements: poolers that share connections would mix them up
                connection = psycopg.connect(**self._parameters, autocommit=True, prepare_threshold=None)
                self._has_answered = True
                return connection
            except psycopg.Error as error:
                may_come = is_starting(error) or (self._has_answered and not is_final(error))
                if not may_come or not waits.another():
                    raise refused(error, self.address) from None


class Waits:
    """Waits between tries, each longer than the one before, until patience ends."""

    def __init__(self, patience: float) -> None:
        self._deadline = monotonic() + patience
        self._next = _SHORTEST

    def another(self) -> bool:
        """Wait, and say whether to try again."""
        if monotonic() >= self._deadline:
            return False
        sleep(self._next)
        self._next = min(2 * self._next, _LONGEST)
        return True
