"""Connections that strangers hold: how many, and how long one may take to say what it wants and to read the answer."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from labelwise.web.addresses import origin_of

PATIENCE = 20.0  # seconds to send a whole request, and to read what was sent in answer before more is sent
PER_ADDRESS = 400  # connections: a team behind one router, a few for each of its browsers
_SPARE = 200  # files that the server itself may have open


def most_connections() -> int:
    """Return how many connections the system allows, after asking for as many as it may give."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):
            pass
    return max(100, (65_536 if soft == resource.RLIM_INFINITY else soft) - _SPARE)


class LimitedSocket(socket.socket):
    """A listening socket that closes connections beyond its limits as it accepts them.

    A protocol hears of a connection only after its TLS handshake. Who never begins one would not be counted, and each
    takes a third of a megabyte.

    Parameters
    ----------
    family : of the addresses.
    most, per_address : connections at the same time, of all and of one address.
    is_proxy : whether an address is a proxy's, whose connections are of many people.
    """

    def __init__(
        self,
        family: socket.AddressFamily,
        *,
        most: int,
        per_address: int = PER_ADDRESS,
        is_proxy: Callable[[str], bool] = lambda address: False,
    ) -> None:
        # named as TCP: asyncio turns the delay of small packets off only for those, and it is 40 ms a request
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._most, self._per_address, self._is_proxy = most, per_address, is_proxy
        self._n_open: Counter[str] = Counter()

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; raise ConnectionAbortedError, which asyncio expects, after closing one too many."""
        connection, peer = super().accept()
        address = origin_of(str(peer[0]))
        is_too_many = self._n_open[address] >= self._per_address and not self._is_proxy(str(peer[0]))
        if is_too_many or self._n_open.total() >= self._most:
            connection.close()
            raise ConnectionAbortedError
        self._n_open[address] += 1
        return _Counted(connection, self._n_open, address), peer


class _Counted(socket.socket):
    """An accepted connection that is counted until it is closed."""

    def __init__(self, connection: socket.socket, n_open: Counter[str], address: str) -> None:
        family, kind, protocol = connection.family, connection.type, connection.proto
        super().__init__(family, kind, protocol, connection.detach())
        self._n_open, self._address = n_open, address

    def close(self) -> None:
        """Close the connection, and count it no longer."""
        if self.fileno() >= 0:
            self._n_open[self._address] -= 1
            if not self._n_open[self._address]:
                del self._n_open[self._address]
        super().close()


def limited_protocol(
    *,
    most: int,
    per_address: int = PER_ADDRESS,
    patience: float = PATIENCE,
    is_proxy: Callable[[str], bool] = lambda address: False,
) -> type[H11Protocol]:
    """Return a protocol for uvicorn that closes connections beyond its limits, and those that keep it waiting.

    Parameters
    ----------
    most, per_address : connections at the same time, of all and of one address.
    patience : seconds from the first byte of a request, or from connecting, to its last byte; and for what was sent to
        be read before more is sent.
    is_proxy : whether an address is a proxy's, whose connections are of many people.
    """
    n_open: Counter[str] = Counter()

    class Protocol(H11Protocol):
        """A connection with deadlines for reading and writing."""

        _deadline: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None
        _address: str | None = None

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.ws_protocol_class = None  # a WebSocket would leave with its connection counted for ever

        def connection_made(self, transport: Any) -> None:
            """Take a connection, or close it at once if there are too many."""
            peer = str((transport.get_extra_info("peername") or ("",))[0])
            address = origin_of(peer)
            is_too_many = n_open[address] >= per_address and not is_proxy(peer)
            if is_too_many or n_open.total() >= most:
                transport.abort()
                return
            self._address = address
            n_open[address] += 1
            super().connection_made(transport)
            transport.set_write_buffer_limits(high=1)  # so that `pause_writing` is called whenever something is unread
            self._deadline = self.loop.call_later(patience, self._too_late)

        def connection_lost(self, exc: Exception | None) -> None:
            """Forget a connection."""
            if self._address is None:
                return  # it was never taken
            n_open[self._address] -= 1
            if not n_open[self._address]:
                del n_open[self._address]
            self._cancel()
            self._cancel_unread()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            """Read on, and see whether the request is whole."""
            if self._address is None:
                return
            super().data_received(data)
            state = self.conn.their_state
            is_partial = state is h11.SEND_BODY or (state is h11.IDLE and bool(self.conn.trailing_data[0]))
            if not is_partial:
                self._cancel()
            elif self._deadline is None:
                self._deadline = self.loop.call_later(patience, self._too_late)

        def pause_writing(self) -> None:
            """Wait until what was sent is read, but not for ever."""
            super().pause_writing()
            if self._unread is None:
                self._unread = self.loop.call_later(patience, self.transport.abort)

        def resume_writing(self) -> None:
            """Go on: it was read."""
            self._cancel_unread()
            super().resume_writing()

        def _cancel(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _cancel_unread(self) -> None:
            if self._unread is not None:
                self._unread.cancel()
                self._unread = None

        def _too_late(self) -> None:
            self._deadline = None
            self.transport.abort()

    return Protocol
