"""Connections that strangers hold: how many, and how long one may take to say what it wants."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 20.0  # seconds to send a whole request
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


def limited_protocol(*, most: int, per_address: int = PER_ADDRESS, patience: float = PATIENCE) -> type[H11Protocol]:
    """Return a protocol for uvicorn that closes connections beyond its limits, and those that never finish a request.

    Parameters
    ----------
    most, per_address : connections at the same time, of all and of one address.
    patience : seconds from the first byte of a request, or from connecting, to its last byte.
    """
    n_open: Counter[str] = Counter()

    class Protocol(H11Protocol):
        """A connection with a deadline."""

        _deadline: asyncio.TimerHandle | None = None
        _address: str | None = None

        def connection_made(self, transport: Any) -> None:
            """Take a connection, or close it at once if there are too many."""
            address = str((transport.get_extra_info("peername") or ("",))[0])
            if n_open.total() >= most or n_open[address] >= per_address:
                transport.abort()
                return
            self._address = address
            n_open[address] += 1
            super().connection_made(transport)
            self._deadline = self.loop.call_later(patience, self._too_late)

        def connection_lost(self, exc: Exception | None) -> None:
            """Forget a connection."""
            if self._address is None:
                return  # it was never taken
            n_open[self._address] -= 1
            if not n_open[self._address]:
                del n_open[self._address]
            self._cancel()
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

        def _cancel(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _too_late(self) -> None:
            self._deadline = None
            self.transport.abort()

    return Protocol
