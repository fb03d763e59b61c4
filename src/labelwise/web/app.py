"""The web application: its parts, its routes, and how errors leave it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from labelwise import __version__
from labelwise.errors import ConflictError, LabelwiseError, NotFoundError
from labelwise.store import Store
from labelwise.web import schemas, static
from labelwise.web.access import Access, Labeller, SignInNeededError, sign_in_path
from labelwise.web.answer_worker import AnswerProcesses
from labelwise.web.event_stream import EventStream
from labelwise.web.middleware import Middleware, RefusedError
from labelwise.web.routes import answer, label, owner, page
from labelwise.web.settings import Settings
from labelwise.web.write_queue import NotYoursError, WriteQueue

_STATUS: dict[type[LabelwiseError], int] = {NotFoundError: 404, ConflictError: 409, NotYoursError: 403}
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.Answered, "description": words}
    for status, words in {
        400: "Not understood.",
        401: "Not signed in.",
        403: "Not allowed.",
        404: "Not there.",
        409: "Contradicts what has happened.",
        413: "Too large.",
        422: "Not as it should be.",
        429: "Too often.",
        503: "Not now.",
    }.items()
}


def make_app(store: Store, settings: Settings) -> FastAPI:
    """Make the application for an assessment of a store.

    Parameters
    ----------
    store : open; whoever opened it closes it.
    settings : what the server is started with.
    """
    app = FastAPI(
        title="labelwise", version=__version__, openapi_url=None, docs_url=None, redoc_url=None, lifespan=_lifespan,
        description="Hands out the items to label next, takes labels, and says what is known.",
    )  # fmt: skip
    state = app.state
    state.settings = settings
    state.reader = AnswerProcesses(settings.where, settings.name)
    state.live = EventStream(state.reader)
    state.queue = WriteQueue(store, settings.name, changed=state.live.stir)
    state.access = Access(store, settings, is_blind=state.queue.assessment.setup.is_blind, forgotten=state.live.recheck)
    state.files, state.script = static.read_files(), static.ChartScript(state.reader)
    for part in (page, static):
        app.include_router(part.router)
    for part in (label, answer, owner):
        app.include_router(part.router, responses=_ERRORS)
    app.add_api_route("/api/openapi.json", _description, include_in_schema=False)
    app.add_middleware(Middleware, settings=settings)
    for kind, handler in _HANDLERS.items():
        app.add_exception_handler(kind, handler)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    await app.state.live.start()
    try:
        yield
    finally:
        await app.state.live.stop()
        app.state.reader.close()
        app.state.access.close()


def _description(request: Request, me: Labeller) -> JSONResponse:
    """Describe the interface for tools (OpenAPI)."""
    return JSONResponse(request.app.openapi())


def _is_page(request: Request) -> bool:
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


def _said(request: Request, status: int, sentence: str, code: str = "refused", *, wait: int | None = None) -> Response:
    """Return an error in one sentence: as a page for people, as JSON for tools."""
    if _is_page(request):
        me = request.app.state.access.session_of(request) if status not in (401, 503) else None
        return page.rendered(request, "error", me=me, status=status, sentence=sentence)
    wait = 2 if status == 503 else wait
    headers = None if wait is None else {"retry-after": str(wait)}
    return JSONResponse({"error": sentence, "code": code}, status, headers=headers)


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return _said(request, error.status, error.sentence, error.code, wait=error.wait)


def _wrong(request: Request, error: Exception) -> Response:
    if isinstance(error, LabelwiseError) and error.is_of_store:  # its message may name an address: for the log alone
        print(f"The store cannot be used: {error}", file=sys.stderr, flush=True)
        return _said(request, 503, "The store cannot be reached at the moment; nothing was changed. Try again soon.")
    found = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), None)
    if found is None:
        found = 422 if isinstance(error, ValueError) else 503  # a store that cannot be written, a disk that is full
    return _said(request, found, str(error))


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return _said(request, 422, f"{where or 'The request'}: {first['msg']}.")


def _by_status(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentences = {404: "There is nothing here.", 405: "This is not how it is asked for."}
    response = _said(request, error.status_code, sentences.get(error.status_code, "The request cannot be read."))
    response.headers.update(error.headers or {})
    return response


def _sign_in(request: Request, error: Exception) -> Response:
    return RedirectResponse(sign_in_path(request.url.path), 303)


def _reader_died(request: Request, error: Exception) -> Response:
    return _said(request, 503, "The answer is being worked out anew. Try again in a moment.")


_HANDLERS: dict[type[Exception], Any] = {
    RefusedError: _refused,
    LabelwiseError: _wrong,
    RequestValidationError: _invalid,
    HTTPException: _by_status,
    SignInNeededError: _sign_in,
    BrokenProcessPool: _reader_died,
}
