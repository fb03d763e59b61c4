"""Connections to a server: lent one at a time, kept for the next call, and made anew with patience."""

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
_SHORTEST, _LONGEST = 0.02, 0.5  # seconds between two tries
_SILENCE, _PROBE = 5.0, 3  # seconds until a server is asked whether it still answers, and that it has to do so
Found = TypeVar("Found")


class Connections:
    """The connections of a store.

    A server that restarts is waited for, once it has answered; one that never did is an error at once. One that stops
    answering without a word, which no setting of a connection notices, is noticed by the watch.
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
        """Give a connection that nobody else uses."""
        with self._lock:
            if self._is_closed:
                raise LabelwiseError(f"'{self.address.label}' was closed. Open it again.")
            kept = self._idle.pop() if self._idle else None
        connection = self._connect() if kept is None else kept
        self._watch.begin(connection)
        return connection

    def give(self, connection: psycopg.Connection) -> None:
        """Take a connection back, whatever state it is in."""
        import psycopg

        idle, begun = psycopg.pq.TransactionStatus.IDLE, psycopg.pq.TransactionStatus
        try:
            if connection.info.transaction_status in (begun.INTRANS, begun.INERROR):
                connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()
        self._watch.end(connection)
        with self._lock:
            is_sound = not connection.closed and connection.info.transaction_status == idle
            if is_sound and not self._is_closed and len(self._idle) < _KEPT:
                self._idle.append(connection)
                return
        connection.close()

    def drop(self, connection: psycopg.Connection) -> None:
        """Close a connection that failed, and the idle ones, which are as old."""
        self._watch.end(connection)
        with self._lock:
            old, self._idle = self._idle, []
        for one in (connection, *old):
            one.close()

    def close(self) -> None:
        """Close all connections; those that are lent are closed when they come back."""
        with self._lock:
            old, self._idle, self._is_closed = self._idle, [], True
        self._watch.close()
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

    def _answers(self) -> bool:
        """Return whether the server answers a new connection."""
        import psycopg

        try:
            psycopg.connect(**self._parameters | {"connect_timeout": str(_PROBE)}, autocommit=True).close()
        except psycopg.Error as error:
            return bool(error.sqlstate) or is_starting(error)  # whatever it says, it says something
        return True


class _Watch:
    """Looks after connections that are lent, and cuts those of a server that no longer answers.

    A server that is frozen acknowledges what it is sent and says nothing more: whoever reads would wait for ever. A
    statement may take long for good reasons, so that the server is asked over another connection.
    """

    def __init__(self, answers: Callable[[], bool]) -> None:
        self._answers = answers
        self._since: dict[psycopg.Connection, float] = {}  # when it was lent, or the server last answered
        self._changed = Condition()
        self._thread: Thread | None = None
        self._is_closed = False

    def begin(self, connection: psycopg.Connection) -> None:
        """Look after a connection."""
        with self._changed:
            self._since[connection] = monotonic()
            if self._thread is None:
                self._thread = Thread(target=self._run, daemon=True, name="labelwise-watch")
                self._thread.start()
            self._changed.notify()

    def end(self, connection: psycopg.Connection) -> None:
        """Look after it no longer."""
        with self._changed:
            self._since.pop(connection, None)

    def close(self) -> None:
        """End the thread."""
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
        """Wait, and return the connections that were lent for long; None at the end."""
        with self._changed:
            if not self._since:
                self._changed.wait_for(lambda: self._since or self._is_closed)
            else:
                self._changed.wait(max(0.1, min(self._since.values()) + _SILENCE - monotonic()))
            if self._is_closed:
                return None
            return [one for one, since in self._since.items() if monotonic() - since >= _SILENCE]


def _cut(connection: psycopg.Connection) -> None:
    """Break a connection off, so that whoever waits for an answer gets an error."""
    import psycopg

    with contextlib.suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


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
