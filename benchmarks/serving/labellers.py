"""Labellers without a browser: each asks, tells and asks again, over one connection, for so many seconds.

Run as a process of its own, so that it takes nothing from the server but its share of the machine.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from uuid import uuid4


class Line:
    """One kept-alive connection; opened anew when it breaks, and patient while nobody answers."""

    def __init__(self, port: int, key: str) -> None:
        self._port, self._key, self._assessment = port, key, ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.n_broken = 0

    async def post(self, path: str, body: dict) -> tuple[int, dict, float]:
        """Send until there is an answer, and give it with the seconds that its own try took."""
        if not self._assessment:
            self._assessment = (await self._call("GET", "/api/assessment", b""))[1]["id"]
        return await self._call("POST", path, json.dumps(body).encode())

    async def _call(self, method: str, path: str, data: bytes) -> tuple[int, dict, float]:
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self._port}\r\nauthorization: Bearer {self._key}\r\n"
            f"labelwise-assessment: {self._assessment}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        ).encode()
        while True:
            began = time.perf_counter()
            try:
                status, answer = await asyncio.wait_for(self._try(head + data), 70)
                return status, answer, time.perf_counter() - began
            except (TimeoutError, OSError, EOFError, ValueError):
                self.n_broken += 1
                self._streams = None
                await asyncio.sleep(0.2)

    async def _try(self, sent: bytes) -> tuple[int, dict]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(sent)
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:"))
        return int(lines[0].split()[1]), json.loads(await reader.readexactly(length))


async def labeller(port: int, key: str, think: float, until: float, found: dict) -> None:
    """Label like somebody with a page open: three tickets in hand, one more asked for after every label."""
    line, rng, tab = Line(port, key), random.Random(key), str(uuid4())
    hand: list[tuple[int, object]] = []
    while time.monotonic() < until:
        if len(hand) < 3:
            status, answer, seconds = await line.post("/api/ask", {"n": 3 - len(hand), "tab": tab})
            note(found, "ask", status, seconds)
            if status != 200 or not answer["tickets"]:
                await asyncio.sleep(0.5)
                continue
            hand += [(ticket["ticket"], ticket["id"]) for ticket in answer["tickets"]]
        if think:
            await asyncio.sleep(rng.uniform(0.5, 1.5) * think)
        (ticket, item), label = hand.pop(0), rng.randrange(10)
        body = {"ticket": ticket, "item": item, "label": label, "key": str(uuid4())}
        status, answer, seconds = await line.post("/api/tell", body)
        note(found, "tell", status, seconds)
        if status == 200:
            found["told"].append([ticket, label, bool(answer["is_new"])])
    found["broken"] += line.n_broken


def note(found: dict, what: str, status: int, seconds: float) -> None:
    """Keep how long a request took, and how it ended."""
    found["seconds"][what].append(seconds)
    found["statuses"][str(status)] = found["statuses"].get(str(status), 0) + 1


async def main() -> None:
    """Read the keys from standard input, label, and write what happened to standard output."""
    wanted = json.load(sys.stdin)
    found: dict = {"seconds": {"ask": [], "tell": []}, "statuses": {}, "told": [], "broken": 0}
    until = time.monotonic() + wanted["seconds"]
    await asyncio.gather(*(labeller(wanted["port"], key, wanted["think"], until, found) for key in wanted["keys"]))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
