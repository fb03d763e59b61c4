"""Routes of those who read: progress, the answer, charts, who labelled, agreement, and the stream of changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import StreamingResponse

from labelwise.accounts import Session
from labelwise.web.access import Labeller, Owner, Seer, SignedIn
from labelwise.web.addresses import origin_of
from labelwise.web.answer_worker import blind_view
from labelwise.web.json_response import Document
from labelwise.web.middleware import RefusedError

router = APIRouter(tags=["answer"], default_response_class=Document)
_Theme = Annotated[Literal["light", "dark"], Query()]


async def _look(request: Request, what: str, **options: Any) -> Document:
    """Request a document from the answer worker without blocking other requests."""
    return Document(await asyncio.wrap_future(request.app.state.reader.look(what, **options)))


@router.get("/api/progress")
async def progress(request: Request, me: SignedIn) -> Document:
    """Return the progress: labels so far, the number that the stopping rule checks, labels still to expect."""
    found = await request.app.state.live.progress()
    n_mine = await asyncio.to_thread(request.app.state.queue.n_settled, me.name)
    return Document(_view(request, me)(found) | {"n_mine": n_mine})


def _view(request: Request, me: Session) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return what is left of progress for somebody: counts alone for labellers who are kept from the answer."""
    return dict if request.app.state.access.can_see_answer(me) else blind_view


@router.get("/api/stream", response_class=StreamingResponse)
async def stream(request: Request, me: SignedIn) -> StreamingResponse:
    """Send progress as server-sent events whenever something has changed."""
    state = request.app.state

    def may_listen() -> bool:
        return any(one.name == me.name for one in state.access.sessions_of(request))

    listener = f"{origin_of(request.client.host if request.client else '')} {me.kind} {me.name}"
    if not state.live.has_room(listener):
        raise RefusedError(429, "Too many pages are open. Close some of them.", wait=30)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    events = state.live.stream(may_listen, _view(request, me), listener)
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


@router.get("/api/answer")
async def answer(request: Request, me: Seer) -> Document:
    """Return the answer: one sentence, every group with its interval and what that promises, whether to stop."""
    return await _look(request, "answer")


@router.get("/api/charts")
async def charts(request: Request, me: Seer) -> Document:
    """Return the kinds of charts that are available now."""
    return await _look(request, "charts")


@router.get("/api/charts/{kind}")
async def chart(
    request: Request, kind: Annotated[str, Path(max_length=40)], me: Seer, theme: _Theme = "light"
) -> Document:
    """Return a chart as a Vega-Lite description, with its numbers."""
    return await _look(request, "chart", kind=kind, theme=theme)


@router.get("/api/labellers")
async def labellers(request: Request, me: Seer) -> Document:
    """Return how many items each labeller labelled."""
    return await _look(request, "labellers")


@router.get("/api/agreement")
async def agreement(request: Request, me: Seer) -> Document:
    """Return how far labellers agree on items that two of them labelled."""
    return await _look(request, "agreement")


@router.get("/api/skipped")
async def skipped(request: Request, me: Owner) -> Document:
    """List the items that were skipped."""
    return await _look(request, "skipped")


@router.get("/api/history")
async def history(
    request: Request,
    me: Labeller,
    before: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Document:
    """List events, newest first: your own, or everybody's for an owner."""
    who = None if me.role == "owner" else me.name
    return await _look(request, "history", before=before, limit=limit, labeller=who)
