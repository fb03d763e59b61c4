"""A connection pool that reconnects when a connection is lost, until patience runs out."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from threading import Condition, Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from labelwise.errors import LabelwiseError
from labelwise.store.postgres.address import Address
from labelwise.store.postgres.errors import explained, is_final, is_passing, is_starting, refused

if TYPE_CHECKING:
    import psycopg

_KEPT = 4  # idle connections
_SHORTEST, _LONGEST = 0.02, 0.5  # seconds between two attempts
_SILENCE, _PROBE = 5.0, 3  # seconds before a silent server is probed, and timeout of the probe
Found = TypeVar("Found")


class Connections:
    """The connections of a store.

    A server that answered before is waited for; one that never answered is an error at once. A server that freezes,
    which no connection setting detects, is detected by the watch.
    """

    def __init__(self, address: Address, patience: float, *, has_answered: bool = False) -> None:
        self.address, self.patience = address, patience
        self._parameters: dict[str, Any] = address.parameters()
        self._idle: list[psycopg.Connection] = []
        self._lock = Lock()
        self._watch = _Watch(self._answers)
        self._has_answered = has_answered
        self._is_closed = False

    def take(self) -> psycopg.Connection:
        """Acquire a connection that nobody else uses."""
        with self._lock:
            if self._is_closed:
                raise LabelwiseError(f"'{self.address.label}' was closed. Open it again.")
            idle = self._idle.pop() if self._idle else None
        connection = self._connect() if idle is None else idle
        self._watch.begin(connection)
        return connection

    def give(self, connection: psycopg.Connection) -> None:
        """Release a connection, in whatever state it is."""
        import psycopg

        status = psycopg.pq.TransactionStatus
        try:
            if connection.info.transaction_status in (status.INTRANS, status.INERROR):
                connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()
        self._watch.end(connection)
        with self._lock:
            is_usable = not connection.closed and connection.info.transaction_status == status.IDLE
            if is_usable and not self._is_closed and len(self._idle) < _KEPT:
                self._idle.append(connection)
                return
        connection.close()

    def drop(self, connection: psycopg.Connection) -> None:
        """Close a connection that failed, and the idle ones, which have probably failed too."""
        self._watch.end(connection)
        with self._lock:
            old, self._idle = self._idle, []
        for one in (connection, *old):
            one.close()

    def close(self) -> None:
        """Close all connections; those in use are closed when they are released."""
        with self._lock:
            old, self._idle, self._is_closed = self._idle, [], True
        self._watch.close()
        for one in old:
            one.close()

    def patiently(self, call: Callable[[psycopg.Connection], Found], *, keeps: bool = False) -> Found:
        """Call a function with a connection, retrying with a new one if it is lost.

        With `keeps`, the caller releases the connection.
        """
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
                # no prepared statements, which poolers that share connections would mix up
                connection = psycopg.connect(**self._parameters, autocommit=True, prepare_threshold=None)
                self._has_answered = True
                return connection
            except psycopg.Error as error:
                may_come = is_starting(error) or (self._has_answered and not is_final(error))
                if not may_come or not waits.another():
                    raise refused(error, self.address) from None

    def _answers(self) -> bool:
        """Return whether the server answers a new connection."""
        import psycopg

        try:
            psycopg.connect(**self._parameters | {"connect_timeout": str(_PROBE)}, autocommit=True).close()
        except psycopg.Error as error:
            return bool(error.sqlstate) or is_starting(error)  # an error from the server is an answer
        return True


class _Watch:
    """A thread that monitors the connections in use, and cuts them if the server no longer answers.

    The kernel of a frozen server still acknowledges packets, so a reader would wait forever. A statement may be slow
    for good reasons, so the server is probed over another connection.
    """

    def __init__(self, answers: Callable[[], bool]) -> None:
        self._answers = answers
        self._since: dict[psycopg.Connection, float] = {}  # when it was acquired, or the server last answered
        self._changed = Condition()
        self._thread: Thread | None = None
        self._is_closed = False

    def begin(self, connection: psycopg.Connection) -> None:
        """Start to monitor a connection."""
        with self._changed:
            self._since[connection] = monotonic()
            if self._thread is None:
                self._thread = Thread(target=self._run, daemon=True, name="labelwise-watch")
                self._thread.start()
            self._changed.notify()

    def end(self, connection: psycopg.Connection) -> None:
        """Stop monitoring a connection."""
        with self._changed:
            self._since.pop(connection, None)

    def close(self) -> None:
        """Stop the thread."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _run(self) -> None:
        while (silent := self._next()) is not None:
            if not silent:
                continue
            has_answered = self._answers()
            with self._changed:
                for connection in silent:
                    if connection in self._since and has_answered:
                        self._since[connection] = monotonic()
                    elif self._since.pop(connection, None) is not None:
                        _cut(connection)

    def _next(self) -> list[psycopg.Connection] | None:
        """Wait, and return the connections that have been silent for too long; None once closed."""
        with self._changed:
            if not self._since:
                self._changed.wait_for(lambda: self._since or self._is_closed)
            else:
                self._changed.wait(max(0.1, min(self._since.values()) + _SILENCE - monotonic()))
            if self._is_closed:
                return None
            return [one for one, since in self._since.items() if monotonic() - since >= _SILENCE]


def _cut(connection: psycopg.Connection) -> None:
    """Shut down a connection's socket, so that a thread waiting for an answer gets an error."""
    import psycopg

    with contextlib.suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as duplicate:
        duplicate.shutdown(socket.SHUT_RDWR)


class Waits:
    """Exponential backoff between attempts, until patience runs out."""

    def __init__(self, patience: float) -> None:
        self._deadline = monotonic() + patience
        self._next = _SHORTEST

    def another(self) -> bool:
        """Wait and return True, or return False if patience has run out."""
        if monotonic() >= self._deadline:
            return False
        sleep(self._next)
        self._next = min(2 * self._next, _LONGEST)
        return True
