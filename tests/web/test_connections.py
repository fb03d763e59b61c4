"""Connections of strangers: half-sent requests end by themselves, and nobody takes all there are."""

import asyncio

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from labelwise.web.connections import limited_protocol, most_connections
from patience import limit

WHOLE = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"


async def app(scope, receive, send):
    if scope["type"] == "http":
        body = await Request(scope, receive).body()
        await PlainTextResponse(f"in {len(body)}")(scope, receive, send)


def served(scene, **limits):
    """Play a scene against a server with these limits."""

    async def played():
        config = uvicorn.Config(app, port=0, log_level="critical", lifespan="off", http=limited_protocol(**limits))
        server = uvicorn.Server(config)
        task = asyncio.ensure_future(server._serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            return await asyncio.wait_for(scene(port), limit(20))
        finally:
            server.should_exit = True
            await task

    return asyncio.run(played())


async def said(port, *pieces, pause=0.0):
    """Send pieces, and return all that comes back until the server closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize(
    "pieces",
    [
        [], [b"GET / HT"], [b"GET / HTTP/1.1\r\nhost: x\r\n"],
        [b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf"],
    ],
    ids=["nothing", "half a line", "half the headers", "half the body"],
)  # fmt: skip
def test_a_request_that_is_never_finished_is_closed(pieces):
    async def scene(port):
        return await said(port, *pieces)

    assert served(scene, most=10, per_address=10, patience=0.3) == b""


def test_a_second_request_that_is_never_finished_is_closed_too():
    async def scene(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(WHOLE)
        first = await reader.readuntil(b"in 0")
        writer.write(b"GET / HTTP/1.1\r\n")
        try:
            return first, await reader.read()
        except ConnectionError:
            return first, b""
        finally:
            writer.close()

    first, second = served(scene, most=10, per_address=10, patience=0.3)
    assert first.startswith(b"HTTP/1.1 200")
    assert second == b""


def test_a_slow_but_whole_request_is_answered():
    pieces = (b"POST / HTTP/1.1\r\nhost: x\r\n", b"connection: close\r\ncontent-length: 4\r\n\r\n", b"wh", b"ol")

    async def scene(port):
        return await said(port, *pieces, pause=0.05)

    assert b"in 4" in served(scene, most=10, per_address=10, patience=limit(2))


@pytest.mark.parametrize("limits", [{"most": 3, "per_address": 10}, {"most": 10, "per_address": 3}], ids=str)
def test_connections_beyond_the_limit_are_closed_and_counted_no_longer(limits):
    async def scene(port):
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        await asyncio.sleep(0.1)
        refused = await said(port, WHOLE)
        for _, writer in held:
            writer.close()
        found = b""
        while not found:  # until the server has noticed
            await asyncio.sleep(0.05)
            found = await said(port, WHOLE.replace(b"host: x", b"host: x\r\nconnection: close"))
        return refused, found

    refused, found = served(scene, patience=limit(10), **limits)
    assert refused == b""
    assert found.startswith(b"HTTP/1.1 200")


def test_there_are_some_connections_everywhere():
    assert most_connections() >= 100
