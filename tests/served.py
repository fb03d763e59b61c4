"""A server of the tests' own: a small assessment with pictures, an application, people signed in, and its routes."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.routing import APIRoute
from starlette.testclient import TestClient

import labelwise as lw
from labelwise.web import Settings
from labelwise.web.app import make_app
from patience import limit

BASE = "http://127.0.0.1:8765"
PASSWORD = "correct horse"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
CLASSES = ("cat", "dog", "emu")


def new_assessment(store, *, n: int = 60, name: str = "main", **options: Any) -> lw.Assessment:
    """Begin an assessment whose items have a text and a picture."""
    pool = lw.pool_from_arrays(
        predicted=[CLASSES[k % 3] for k in range(n)],
        ids=[f"i{k}" for k in range(n)],
        classes=CLASSES,
        columns={"text": [f"about {k}" for k in range(n)], "file": [f"{k}.png" for k in range(n)]},
        content=["text", "file"],
    )
    options = {"question": lw.Worst(), "seed": 1, **options}
    return lw.Assessment(pool, lw.by_prediction(pool), journal=store.journal(name), **options)


@dataclass
class House:
    """A store with its application, and ways in."""

    store: Any
    where: str
    folder: Path
    app: Any
    client: TestClient

    def signed_in(self, name: str = "ann", role: str = "labeller", *, kind: str = "session") -> TestClient:
        """Return a browser in which somebody is signed in."""
        token = lw.accounts.Accounts(self.store).begin(name, role, seconds=3600, kind=kind)
        browser = TestClient(self.app, BASE, follow_redirects=False, headers={"origin": BASE, **self.page_of(name)})
        browser.cookies.set(self.app.state.settings.cookie, token)
        browser.token = token
        return browser

    def page_of(self, name: str) -> dict[str, str]:
        """Return the headers by which a page says whose it is, and of which assessment."""
        return {"labelwise-assessment": self.app.state.queue.id, "labelwise-labeller": quote(name)}

    def events(self) -> list[Any]:
        """What the journal holds."""
        return self.store.journal("main").events()


def open_house(folder: Path, **options: Any):
    pictures = folder / "pictures"
    pictures.mkdir()
    for k in range(60):
        (pictures / f"{k}.png").write_bytes(PIXEL)
    where = str(folder / "spring.lw")
    with lw.open_store(where) as store:
        new_assessment(store, **options)
        settings = Settings(where, name="main", images=pictures, guidelines="Look twice.")
        app = make_app(store, settings)
        with TestClient(app, BASE, follow_redirects=False, headers={"origin": BASE}) as client:
            yield House(store, where, folder, app, client)


def routes_of(app: Any) -> list[tuple[str, APIRoute]]:
    """Return every route with its method; anything else that is mounted would be a hole."""
    found = []
    for route in app.routes:
        inner = getattr(route, "original_router", None)  # how newer versions of FastAPI keep what was included
        found += [route] if inner is None else inner.routes
    assert all(isinstance(route, APIRoute) for route in found)
    return [(method, route) for route in found for method in sorted(route.methods)]


def path_of(route):
    return route.path.format(ticket="0", column="file", kind="groups", name="ann", token="x" * 43)


def sent(browser, method, path):
    return browser.request(method, path, json={} if method == "POST" else None)


class Running:
    """A server as its users start it, in a process of its own."""

    def __init__(self, where: str, *options: str, port: int = 0) -> None:
        self.where, self._options = where, options
        self.start(port)

    def start(self, port: int) -> None:
        """Start it, and wait until it says where it is."""
        words = ["serve", self.where, "--port", str(port), "--no-browser", "--json", *self._options]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "labelwise", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(self.process.stderr.read())
        self.link = json.loads(line)["url"]
        self.base = self.link.split("/link/")[0].rstrip("/")
        self.port = int(self.base.rsplit(":", 1)[1])

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, float, str]:
        """Send a signal; give the exit code, the seconds that leaving took, and what was written to standard error."""
        began = time.monotonic()
        self.process.send_signal(how)
        _, errors = self.process.communicate(timeout=limit(20))
        return self.process.returncode, time.monotonic() - began, errors

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGKILL)


def key_of(where: str, name: str, role: str = "labeller") -> str:
    """Return an access key for tools."""
    with lw.open_store(where) as store:
        return lw.accounts.Accounts(store).begin(name, role, seconds=3600, kind="key")
