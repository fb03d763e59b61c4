"""Liveness: one look after a change, told to all who listen; slow listeners get the newest only."""

import asyncio
import contextlib
import json
from concurrent.futures import Future

import pytest

from labelwise.web import event_stream as module
from labelwise.web.event_stream import EventStream
from patience import limit


class Looker:
    """A reader that says what it is told to say, and counts how often it was asked."""

    def __init__(self):
        self.version, self.n_looks, self.n_forecasts, self.is_away, self.is_met = 0, 0, 0, False, False

    def look(self, what):
        done = Future()
        if what == "forecast":
            self.n_forecasts += 1
            done.set_result({"n": 10 * self.version, "low": 0, "high": 99})
            return done
        self.n_looks += 1
        if self.is_away:
            done.set_exception(OSError("the store is away"))
        else:
            about = {"version": self.version, "at": self.n_looks, "is_met": self.is_met, "is_spent": False}
            done.set_result(about)
        return done


def run(scene):
    """Play a scene with a live and its looker."""

    async def played():
        looker = Looker()
        live = EventStream(looker)
        await live.start()
        try:
            return await asyncio.wait_for(scene(live, looker), limit(20))
        finally:
            await live.stop()

    return asyncio.run(played())


async def until(is_so):
    """Wait for an event of the loop; `run` sets the limit."""
    while not is_so():
        await asyncio.sleep(0.01)


async def next_version(stream, other_than=None):
    async for piece in stream:
        if piece.startswith(b"event: progress"):
            version = json.loads(piece.split(b"data: ")[1])["version"]
            if version != other_than:
                return version
    return None


def test_every_listener_hears_of_a_change_within_a_second():
    async def scene(live, looker):
        streams = [live.stream(lambda: True) for _ in range(7)]
        assert [await next_version(stream) for stream in streams] == [0] * 7
        looker.version = 1
        live.stir()
        loop = asyncio.get_running_loop()
        began = loop.time()
        assert [await next_version(stream, 0) for stream in streams] == [1] * 7
        assert loop.time() - began < limit(1)

    run(scene)


def test_what_others_write_to_the_store_is_noticed_without_a_word():
    async def scene(live, looker):
        stream = live.stream(lambda: True)
        await next_version(stream)
        looker.version = 5
        assert await next_version(stream, 0) == 5

    run(scene)


def test_nobody_is_told_what_has_not_changed_and_nobody_looks_for_nobody(monkeypatch):
    monkeypatch.setattr(module, "_POLL", 0.05)

    async def scene(live, looker):
        await asyncio.sleep(0.3)
        assert looker.n_looks == 0
        stream = live.stream(lambda: True)
        await next_version(stream)
        forecast = None
        while forecast is None:
            forecast = json.loads((await anext(stream)).split(b"data: ")[1])["more"]
        waiting, before = asyncio.ensure_future(next_version(stream)), looker.n_looks
        await until(lambda: looker.n_looks >= before + 3)
        assert not waiting.done()
        waiting.cancel()

    run(scene)


def test_a_slow_listener_gets_the_newest():
    async def scene(live, looker):
        stream = live.stream(lambda: True)
        await next_version(stream)
        for version in (1, 2, 3):
            looker.version = version
            live.stir()
            await asyncio.sleep(0.4)
        assert await next_version(stream) == 3

    run(scene)


def test_a_store_that_is_away_for_a_while_ends_no_stream():
    async def scene(live, looker):
        stream = live.stream(lambda: True)
        await next_version(stream)
        looker.is_away, looker.version = True, 1
        live.stir()
        await asyncio.sleep(0.3)
        looker.is_away = False
        assert await next_version(stream, 0) == 1

    run(scene)


def test_who_may_listen_no_longer_is_sent_away(monkeypatch):
    monkeypatch.setattr(module, "_BEAT", 0.05)

    async def scene(live, looker):
        return [piece async for piece in live.stream(lambda: False)]

    pieces = run(scene)
    assert pieces[-1] == b": still here\n\n"


@pytest.mark.parametrize("way", ["end_streams", "leave"])
def test_all_streams_end_when_the_server_does(way):
    async def scene(live, looker):
        stream = live.stream(lambda: True)
        await next_version(stream)
        getattr(live, way)()
        assert await next_version(stream) is None

    run(scene)


def test_labels_still_to_expect_are_forecast_once_a_version_and_not_when_the_rule_is_met():
    async def scene(live, looker):
        looker.version = 3
        assert (await live.progress())["more"] is None
        await until(lambda: live._foretold == 3)
        for _ in range(3):
            assert (await live.progress())["more"] == {"n": 30, "low": 0, "high": 99}
        assert looker.n_forecasts == 1
        looker.version, looker.is_met = 4, True
        assert (await live.progress())["more"] is None
        await asyncio.sleep(0.1)
        assert looker.n_forecasts == 1

    run(scene)


def test_who_may_listen_no_longer_is_sent_away_however_much_there_is_to_send(monkeypatch):
    monkeypatch.setattr(module, "_CHECK", 0.05)

    async def scene(live, looker):
        heard = []
        async for piece in live.stream(lambda: len(heard) < 3):
            if piece.startswith(b"event"):
                heard.append(piece)
            looker.version += 1  # there is always something new
            live.stir()
        return len(heard)

    assert run(scene) >= 3


def test_a_stream_ends_when_its_session_does(monkeypatch):
    monkeypatch.setattr(module, "_CHECK", 3_600.0)
    monkeypatch.setattr(module, "_BEAT", 3_600.0)

    async def scene(live, looker):
        sessions = {"ann", "bob"}
        ann, bob = (live.stream(lambda name=name: name in sessions) for name in ("ann", "bob"))
        for stream in (ann, bob):
            await next_version(stream)
        sessions.remove("ann")
        live.recheck()
        assert await next_version(ann) is None
        looker.version = 5
        live.stir()
        assert await next_version(bob, 0) == 5

    run(scene)


def test_a_recheck_loses_no_change():
    async def scene(live, looker):
        stream = live.stream(lambda: True)
        assert await next_version(stream) == 0
        for queue in live._listeners:
            module._put(queue, {"version": 1, "at": 1})
        live._recheck()
        assert await next_version(stream) == 1

    run(scene)


def test_a_listener_has_only_so_many_streams(monkeypatch):
    monkeypatch.setattr(module, "_MOST_STREAMS", 2)

    async def scene(live, looker):
        streams = [live.stream(lambda: True, listener="10.0.0.1 share reader") for _ in range(2)]
        for stream in streams:
            await next_version(stream)
        assert not live.has_room("10.0.0.1 share reader")
        assert live.has_room("10.0.0.2 share reader")
        await streams[0].aclose()
        assert live.has_room("10.0.0.1 share reader")

    run(scene)


def test_a_task_that_misses_a_cancellation_does_not_keep_the_server_from_leaving():
    """`asyncio.wait_for` of Python 3.11 can lose it, when what it waits for happens at the same moment."""

    async def deaf():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        await asyncio.sleep(60)

    async def run():
        stream = EventStream(None)
        stream._task = asyncio.create_task(deaf())
        await asyncio.sleep(0)
        await asyncio.wait_for(stream.stop(), limit(10))
        assert stream._task.done()

    asyncio.run(run())
