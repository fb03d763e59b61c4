"""Middleware for every route: checks of host, origin, body size and rate, security headers, and the access log."""

from __future__ import annotations

import json
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from labelwise.web.addresses import origin_of
from labelwise.web.settings import Settings

MOST_BYTES = 2**16  # per request body: labels and sign-ins are short, and parsing a long body would block the server
_PIECE = 2**16  # bytes of a response that are sent before the reader has read what came before
MOST_HEADER_BYTES = 2**14  # of a request's headers: ours take one or two kilobytes
_MOST_CALLERS = 10_000  # whose rates are tracked
_SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with "no-referrer", browsers send forms without an Origin, and we refuse those
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class RefusedError(Exception):
    """Raised to refuse a request, with its HTTP status, a message, and a code for clients."""

    def __init__(self, status: int, sentence: str, code: str = "refused", *, wait: int | None = None) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.code = status, sentence, code
        self.wait = wait if wait is not None or status != 429 else 1
        """Seconds after which to try again, for the Retry-After header."""


_TOO_LARGE = RefusedError(413, f"The request body must not exceed {MOST_BYTES:,} bytes.")


class Middleware:
    """ASGI middleware that refuses unwanted requests and adds security headers to responses."""

    def __init__(self, app: ASGIApp, settings: Settings, rates: Rates | None = None) -> None:
        self._app, self._settings = app, settings
        self._rates = rates or Rates(per_second=100.0, burst=400.0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # WebSockets are not supported
        began = time.monotonic()
        status = 500
        body = _Body(receive)

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if body.is_too_large:
                return  # the 413 response is sent instead
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _with_headers(message.get("headers", []), self._settings.is_https)
            for piece in _pieces(message):
                await send(piece)

        try:
            self._check(scope)
            await _check_signed_in(scope)
            await self._app(scope, body.receive, send_with_headers)
            if body.is_too_large:
                raise _TOO_LARGE
        except RefusedError as refusal:
            status = refusal.status
            body.is_too_large = False
            await _refuse(refusal, send_with_headers)
        finally:
            if self._settings.has_log:
                print(log_line(scope, status, time.monotonic() - began), file=sys.stderr, flush=True)

    def _check(self, scope: Scope) -> None:
        headers = _headers(scope)
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not self._settings.answers_to(headers.get("host", "")):
            raise RefusedError(400, "This server does not answer to that host name. Start it with --allow-host NAME.")
        self._check_site(scope, headers)
        if "content-length" in headers and "transfer-encoding" in headers:  # request smuggling
            raise RefusedError(400, "A request must not have both Content-Length and Transfer-Encoding headers.")
        size = headers.get("content-length", "0")
        if not size.isdigit() or int(size) > MOST_BYTES:
            raise _TOO_LARGE
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADER_BYTES:
            raise RefusedError(431, f"The request headers must not exceed {MOST_HEADER_BYTES:,} bytes.")
        if not self._rates.allows(_caller(scope, headers)):
            raise RefusedError(429, "Too many requests. Try again in a second.")

    def _check_site(self, scope: Scope, headers: dict[str, str]) -> None:
        """Refuse cross-site requests, except for following a link to a page (CSRF protection)."""
        site, is_safe = headers.get("sec-fetch-site"), scope["method"] in _SAFE
        cross_site = RefusedError(403, "Requests from other sites are not allowed.")
        if site is not None and site not in ("same-origin", "none"):
            is_navigation = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
            if not (is_safe and is_navigation):
                raise cross_site
        if is_safe:
            return
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != headers["host"]:
            raise cross_site
        has_key = headers.get("authorization", "").lower().startswith("bearer ")
        if site is None and origin is None and not has_key:
            raise RefusedError(403, "Requests that change something need an Origin header or an access key.")


def _pieces(message: Message) -> Iterator[Message]:
    """Split a long body, so that somebody who does not read it has a piece in memory, and not all of it."""
    body = message.get("body", b"")
    if len(body) <= _PIECE:
        yield message
        return
    for start in range(0, len(body), _PIECE):
        has_more = start + _PIECE < len(body) or message.get("more_body", False)
        yield {**message, "body": body[start : start + _PIECE], "more_body": has_more}


def _caller(scope: Scope, headers: dict[str, str]) -> str:
    """Return the key for rate limiting: the caller's session if it is cached, else the client's address.

    Unknown cookies must not be keys: a client could evade the limit by inventing a new one for each request.
    """
    app = scope.get("app")
    access = getattr(app.state, "access", None) if app is not None else None
    caller = None if access is None else access.caller_of(headers)
    return caller or origin_of(str((scope.get("client") or ("",))[0]))


async def _check_signed_in(scope: Scope) -> None:
    """Refuse writes without a session before reading the body: parsing JSON costs the server more than the sender."""
    app = scope.get("app")
    access = getattr(app.state, "access", None) if app is not None else None
    if access is not None and scope["method"] not in _SAFE and scope["path"].startswith("/api/"):
        await access.signed_in(Request(scope))


def _netloc(origin: str) -> str | None:
    try:
        url = urlsplit(origin)
    except ValueError:  # for example "http://["
        return None
    return url.netloc if url.scheme in ("http", "https") else None


class _Body:
    """Counter of the bytes of a body, whose Content-Length may be missing or wrong."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._n_bytes, self.is_too_large = receive, 0, False

    async def receive(self) -> Message:
        message = await self._receive()
        self._n_bytes += len(message.get("body", b""))
        if self._n_bytes > MOST_BYTES:
            self.is_too_large = True  # the app may catch the error; its response is then not sent
            raise _TOO_LARGE
        return message


class Rates:
    """Token-bucket rate limiter with one bucket per caller.

    Examples
    --------
    >>> rates = Rates(per_second=1.0, burst=2.0, clock=lambda: 0.0)
    >>> [rates.allows("ann") for _ in range(3)], rates.allows("bob")
    ([True, True, False], True)
    """

    def __init__(self, *, per_second: float, burst: float, clock: Any = time.monotonic) -> None:
        self._per_second, self._burst, self._clock = per_second, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def has_left(self, caller: str) -> bool:
        """Return whether one more request would be allowed, without counting it."""
        return self._now_left(caller, self._clock()) >= 1

    def _now_left(self, caller: str, now: float) -> float:
        left, since = self._left.get(caller, (self._burst, now))
        return min(self._burst, left + (now - since) * self._per_second)

    def allows(self, caller: str) -> bool:
        """Return whether one more request is allowed, and count it if so; refused requests use no token."""
        now = self._clock()
        left = self._now_left(caller, now)
        self._left[caller] = (left - 1 if left >= 1 else left, now)
        self._left.move_to_end(caller)
        if len(self._left) > _MOST_CALLERS:
            self._left.popitem(last=False)
        return left >= 1


def log_line(scope: Scope, status: int, seconds: float) -> str:
    """Return a line for the access log, without query strings, tokens of links and control characters.

    Examples
    --------
    >>> log_line({"method": "GET", "path": "/link/s3cret", "client": ("127.0.0.1", 5)}, 303, 0.0123)
    '127.0.0.1 GET /link/... 303 12 ms'
    """
    path = scope["path"]
    for secret in ("/link/", "/share/"):
        path = f"{secret}..." if path.startswith(secret) else path
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in path[:200])
    client = (scope.get("client") or ("-",))[0]
    return f"{client} {scope['method']} {shown} {status} {1000 * seconds:.0f} ms"


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _with_headers(headers: list[tuple[bytes, bytes]], is_https: bool) -> list[tuple[bytes, bytes]]:
    present = {name.lower() for name, _ in headers}
    defaults = _HEADERS | ({"strict-transport-security": "max-age=31536000"} if is_https else {})
    return [*headers, *((n.encode(), v.encode()) for n, v in defaults.items() if n.encode() not in present)]


async def _refuse(refusal: RefusedError, send: Send) -> None:
    body = json.dumps({"error": refusal.sentence, "code": refusal.code}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"retry-after", str(refusal.wait).encode())] if refusal.wait is not None else []
    headers += [(b"connection", b"close")] if refusal.status in (400, 401, 413) else []  # the body was not read
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
