"""Routes of those who label: ask, tell, skip, undo, withdraw, renew, release."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from labelwise.assessment import Said, Ticket
from labelwise.assessment.ticket_table import TicketRecord
from labelwise.errors import NotFoundError
from labelwise.pool.keys import keys_of
from labelwise.web import schemas
from labelwise.web.access import Labeller, SignedIn
from labelwise.web.content import parts_of, picture, plain_value
from labelwise.web.write_queue import WriteQueue

router = APIRouter(tags=["labelling"])
RESERVED = "dghqsuz"  # keys of the page's own actions
REASONS = ["broken or unreadable", "none of the classes fits", "more than one class fits", "should not be labelled"]
_SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def _queue(request: Request) -> WriteQueue:
    queue: WriteQueue = request.app.state.queue
    return queue


def _out(request: Request, ticket: Ticket, was: TicketRecord | None = None) -> dict[str, Any]:
    """Return what a labeller sees of a ticket."""
    has_images = request.app.state.settings.images is not None
    parts = parts_of(ticket.item, ticket.number, has_images=has_images)
    classes = _queue(request).assessment.pool.classes
    before = None
    if was is not None:
        label = None if was.label is None else classes[was.label]
        before = {"status": was.status, "label": label, "reason": _queue(request).reason(was)}
    return {
        "ticket": ticket.number,
        "id": plain_value(ticket.item.get("id")),
        "content": [part | {"value": plain_value(part["value"])} for part in parts],
        "until": ticket.until,
        "prediction": ticket.prediction,
        "was": before,
    }


@router.get("/api/assessment", response_model=schemas.AssessmentOut)
def assessment(request: Request, me: SignedIn) -> dict[str, Any]:
    """Return what a page must know before it starts: classes and their keys, and who is signed in."""
    queue, access = _queue(request), request.app.state.access
    setup, pool = queue.assessment.setup, queue.assessment.pool
    sees = access.can_see_answer(me)
    return {
        "id": queue.id,
        "name": queue.name,
        "pool": pool.source,
        "question": str(setup.question) if sees else None,
        "classes": list(pool.classes),
        "keys": keys_of(pool.classes, RESERVED),
        "is_blind": setup.is_blind,
        "lease": setup.lease,
        "level": setup.level,
        "stop": str(setup.stop),
        "guidelines": request.app.state.settings.guidelines,
        "me": {"name": me.name, "role": me.role},
        "can_see_answer": sees,
        "n_items": pool.n_items,
        "reasons": REASONS,
        "seconds": queue.assessment.ledger.seconds.share,
    }


@router.post("/api/ask", response_model=schemas.TicketsOut)
def ask(request: Request, body: schemas.Asking, me: Labeller) -> dict[str, Any]:
    """Hand out the items to label next; each is held for you until its lease ends."""
    tickets, why = _queue(request).ask(body.n, labeller=me.name, tab=body.tab)
    return {"tickets": [_out(request, ticket) for ticket in tickets], "why": why}


@router.post("/api/tell", response_model=schemas.Heard)
def tell(request: Request, body: schemas.Telling, me: Labeller) -> dict[str, Any]:
    """Take the label of a ticket; it is saved for good before the response is sent."""
    queue = _queue(request)
    said = Said(body.ticket, queue.label_named(body.label), labeller=me.name, key=body.key)
    is_new, n_labels = queue.hear(said, item=body.item, labeller=me.name, is_owner=me.role == "owner")
    return {"is_new": is_new, "n_labels": n_labels}


@router.post("/api/skip", response_model=schemas.Heard)
def skip(request: Request, body: schemas.Skipping, me: Labeller) -> dict[str, Any]:
    """Pass an item by, with a reason; or say that you looked and do not know."""
    said = Said(body.ticket, None, body.reason, body.is_unknown, me.name, body.key)
    is_new, n_labels = _queue(request).hear(said, item=body.item, labeller=me.name, is_owner=me.role == "owner")
    return {"is_new": is_new, "n_labels": n_labels}


@router.post("/api/undo", response_model=schemas.Again)
def undo(request: Request, body: schemas.Undoing, me: Labeller) -> dict[str, Any]:
    """Take back your newest label or skip, and hand its item out again: the belief returns exactly."""
    ticket, was = _queue(request).undo(labeller=me.name, tab=body.tab)
    return {"ticket": _out(request, ticket, was)}


@router.post("/api/withdraw", response_model=schemas.Again)
def withdraw(request: Request, body: schemas.Withdrawing, me: Labeller) -> dict[str, Any]:
    """Take back what was said of any ticket of yours; an owner may of anybody's."""
    ticket, was = _queue(request).withdraw(
        body.ticket, item=body.item, labeller=me.name, is_owner=me.role == "owner", again=body.again, tab=body.tab
    )
    return {"ticket": None if ticket is None else _out(request, ticket, was)}


@router.post("/api/renew", response_model=schemas.Held)
def renew(request: Request, body: schemas.Holding, me: Labeller) -> dict[str, Any]:
    """Renew the leases of the tickets of a window that is still open."""
    held, lost = _queue(request).renew(body.items(), labeller=me.name, tab=body.tab)
    return {"held": held, "lost": lost}


@router.post("/api/release", response_model=schemas.Done)
def release(request: Request, body: schemas.Holding, me: Labeller) -> dict[str, Any]:
    """Return tickets back unlabelled: their items can be asked again."""
    _queue(request).release(body.items(), labeller=me.name)
    return {}


@router.get("/api/tickets/{ticket}", response_model=schemas.TicketOut)
def ticket(request: Request, ticket: Annotated[int, Path(ge=0, le=2**31 - 1)], me: Labeller) -> dict[str, Any]:
    """Return a ticket that you hold once more, after a reload say."""
    return _out(request, _queue(request).ticket(ticket, labeller=me.name, is_owner=me.role == "owner"))


@router.get(
    "/api/tickets/{ticket}/image/{column}",
    response_class=Response,
    responses={200: {"content": {"image/*": {}}, "description": "The picture."}},
)
def image(request: Request, ticket: Annotated[int, Path(ge=0, le=2**31 - 1)], column: str, me: Labeller) -> Response:
    """Send a picture of a ticket's item, from the folder that the server was started with."""
    root = request.app.state.settings.images
    held = _queue(request).ticket(ticket, labeller=me.name, is_owner=me.role == "owner")
    value = held.item.get(column) if column != "id" else None
    if root is None or not isinstance(value, str):
        raise NotFoundError("There is no such picture in the folder.")
    data, kind = picture(root, value)
    headers = {"content-security-policy": _SANDBOX, "cache-control": "private, max-age=3600"}
    return Response(data, media_type=kind, headers=headers)
