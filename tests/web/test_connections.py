"""Connections of strangers: half-sent requests end by themselves, and nobody takes all there are."""

import asyncio
import socket

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from labelwise.web.connections import LimitedSocket, limited_protocol, most_connections
from patience import limit

WHOLE = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"


async def app(scope, receive, send):
    if scope.get("path") == "/long":
        await PlainTextResponse("x" * 2**24)(scope, receive, send)
    elif scope["type"] == "http":
        body = await Request(scope, receive).body()
        await PlainTextResponse(f"in {len(body)}")(scope, receive, send)


def served(scene, ws="none", **limits):
    """Play a scene against a server with these limits."""

    async def played():
        protocol = limited_protocol(**limits)
        config = uvicorn.Config(app, port=0, log_level="critical", lifespan="off", http=protocol, ws=ws)
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


def test_an_answer_that_is_never_read_is_not_kept_for_ever():
    async def scene(port):
        asking = socket.socket()
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asking.connect(("127.0.0.1", port))
        asking.sendall(WHOLE.replace(b"/", b"/long", 1))
        reader, writer = await asyncio.open_connection(sock=asking, limit=1024)  # reads no more than that ahead
        await asyncio.sleep(1.0)
        try:
            return len(await reader.read())
        except ConnectionError:
            return 0
        finally:
            writer.close()

    assert served(scene, most=10, per_address=10, patience=0.3) < 2**24


def test_an_answer_that_is_read_slowly_arrives_whole():
    async def scene(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(WHOLE.replace(b"/", b"/long", 1))
        await reader.readuntil(b"\r\n\r\n")
        n = 0
        for _ in range(10):
            n += len(await reader.read(2**18))
            await asyncio.sleep(0.02)
        while n < 2**24:
            n += len(await reader.read(2**20))
        writer.close()
        return n

    assert served(scene, most=10, per_address=10, patience=limit(5)) == 2**24


def test_connections_of_a_proxy_are_of_many_people():
    async def scene(port):
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        await asyncio.sleep(0.1)
        found = await said(port, WHOLE.replace(b"host: x", b"host: x\r\nconnection: close"))
        for _, writer in held:
            writer.close()
        return found

    limits = {"most": 10, "per_address": 3, "patience": limit(10)}
    assert served(scene, **limits) == b""
    assert served(scene, is_proxy="127.0.0.1".__eq__, **limits).startswith(b"HTTP/1.1 200")


class WebSocket(asyncio.Protocol):
    """What uvicorn hands a connection to where a library for WebSockets is installed."""

    def __init__(self, **_):
        self.transport = None

    def connection_made(self, transport):
        transport.close()

    def data_received(self, data):
        pass


def test_an_upgraded_connection_does_not_count_for_ever():
    upgrade = WHOLE.replace(b"host: x", b"host: x\r\nconnection: upgrade, close\r\nupgrade: websocket")

    async def scene(port):
        return [await said(port, upgrade) for _ in range(5)]

    found = served(scene, ws=WebSocket, most=10, per_address=3, patience=limit(10))
    assert all(answer.startswith(b"HTTP/1.1 200") for answer in found)


@pytest.mark.parametrize("limits", [{"most": 3, "per_address": 10}, {"most": 10, "per_address": 3}], ids=str)
def test_connections_without_a_handshake_are_counted(limits):
    with LimitedSocket(socket.AF_INET, **limits) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        strangers = [socket.create_connection(listening.getsockname()) for _ in range(5)]
        accepted = [listening.accept()[0] for _ in range(3)]
        for _ in range(2):
            with pytest.raises(ConnectionAbortedError):
                listening.accept()
        accepted.pop().close()
        strangers.append(socket.create_connection(listening.getsockname()))
        accepted.append(listening.accept()[0])
        for connection in accepted + strangers:
            connection.close()


def test_there_are_some_connections_everywhere():
    assert most_connections() >= 100
