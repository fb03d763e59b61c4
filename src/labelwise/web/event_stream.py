"""Liveness: one look at the assessment after a change, told to all who listen."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable
from time import monotonic
from typing import Any

from labelwise.web.answer_worker import AnswerProcesses

_POLL = 0.5  # seconds between looks when this server knows of no change: others may write to the store too
_REST = 0.1  # seconds between the end of a look and the next one
_BEAT = 15.0  # seconds between signs of life
_LOOK: dict[str, Any] = {}  # put into a queue to wake its listener; nothing is sent
_MOST_STREAMS = 100  # of one name from one address: pages of a whole team that has the same share link
_CHECK = 5.0  # seconds after which a listener must show again that it may listen


class EventStream:
    """Tells listeners how an assessment stands whenever something has changed.

    Parameters
    ----------
    reader : looks at the assessment.
    """

    def __init__(self, reader: AnswerProcesses) -> None:
        self._reader = reader
        self._listeners: set[asyncio.Queue[dict[str, Any] | None]] = set()
        self._stirred = asyncio.Event()
        self._n_of: Counter[str] = Counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._newest: dict[str, Any] | None = None
        self._task: asyncio.Task[None] | None = None
        self._more: dict[str, Any] | None = None  # labels still to expect, as far as is known
        self._ended = -math.inf  # when sessions last ended
        self._foretold = -1  # the version that it was worked out for
        self._foretelling: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End the task and all streams."""
        self.end_streams()
        for task in (self._task, self._foretelling):
            while task is not None and not task.done():
                task.cancel()  # once may be too little: `wait_for` of Python 3.11 can lose it to what it waited for
                await asyncio.wait([task], timeout=_POLL)

    def end_streams(self) -> None:
        """Send every listener away."""
        for queue in self._listeners:
            _put(queue, None)

    def leave(self) -> None:
        """Send every listener away, from any thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.end_streams)

    def recheck(self) -> None:
        """Make every listener prove again that it may listen, because sessions have ended; callable from any thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended
                self._loop.call_soon_threadsafe(self._recheck)

    def _recheck(self) -> None:
        self._ended = monotonic()
        for queue in self._listeners:
            if queue.empty():  # else it is about to wake, and must not miss what it wakes for
                queue.put_nowait(_LOOK)

    def stir(self) -> None:
        """Announce that something has changed; callable from any thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended
                self._loop.call_soon_threadsafe(self._stirred.set)

    async def progress(self) -> dict[str, Any]:
        """Return the current progress, and start a forecast if it needs a new one."""
        found: dict[str, Any] = await asyncio.wrap_future(self._reader.look("progress"))
        needs_more = not (found["is_met"] or found["is_spent"])
        if needs_more and self._foretold != found["version"] and self._foretelling is None:
            self._foretelling = asyncio.create_task(self._foretell(found["version"]))
        return found | {"more": self._more if needs_more else None}

    async def _foretell(self, version: int) -> None:
        """Compute a forecast; it takes seconds, and listeners see the previous one meanwhile."""
        try:
            self._more = await asyncio.wrap_future(self._reader.look("forecast"))
            self._foretold = version
        except Exception:  # a store that is away: tried again with the next look
            await asyncio.sleep(1.0)
        finally:
            self._foretelling = None

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stirred.wait(), _POLL)
            self._stirred.clear()
            if not self._listeners:
                await asyncio.sleep(_POLL)
                continue
            began = monotonic()
            try:
                found = await self.progress()
            except Exception:  # the store may be away for a while; listeners see that nothing comes
                await asyncio.sleep(1.0)
                continue
            if _told(found) != _told(self._newest):
                self._newest = found
                for queue in self._listeners:
                    _put(queue, found)
            await asyncio.sleep(max(_REST, monotonic() - began))  # at most half of a core

    def has_room(self, listener: str) -> bool:
        """Return whether a listener may have one more stream."""
        return self._n_of[listener] < _MOST_STREAMS

    async def stream(
        self,
        may_listen: Callable[[], bool],
        view: Callable[[dict[str, Any]], dict[str, Any]] = dict,
        listener: str = "",
    ) -> AsyncIterator[bytes]:
        """Yield server-sent events until the listener leaves or may listen no longer.

        Parameters
        ----------
        may_listen : asked every few seconds, however much there is to send.
        view : what the listener may see; nothing is sent when that has not changed.
        listener : who it is, so that their streams can be counted.
        """
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(1)
        self._listeners.add(queue)
        self._n_of[listener] += 1
        self._stirred.set()
        sent, checked = None, monotonic()
        try:
            yield b"retry: 2000\n\n"
            found = self._newest
            while True:
                if found is not None and _told(view(found)) != sent:
                    sent = _told(view(found))
                    yield _event(view(found))
                try:
                    found = await asyncio.wait_for(queue.get(), _BEAT)
                except TimeoutError:
                    found = None
                    yield b": still here\n\n"
                else:
                    if found is None:
                        return
                if checked <= self._ended or monotonic() - checked >= min(_BEAT, _CHECK):
                    checked = monotonic()
                    if not await asyncio.to_thread(may_listen):
                        return
                found = None if found is _LOOK else found
        finally:
            self._listeners.discard(queue)
            self._n_of[listener] -= 1
            if not self._n_of[listener]:
                del self._n_of[listener]


def _put(queue: asyncio.Queue[dict[str, Any] | None], found: dict[str, Any] | None) -> None:
    """Leave the newest only: a slow listener misses what is out of date."""
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(found)


def _told(found: dict[str, Any] | None) -> Any:
    return None if found is None else {key: value for key, value in found.items() if key != "at"}


def _event(found: dict[str, Any]) -> bytes:
    return f"event: progress\ndata: {json.dumps(found)}\n\n".encode()
