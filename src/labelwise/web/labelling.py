"""Routes of those who label: ask, tell, skip, undo, withdraw, renew, release."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from labelwise.assessment import Said, Ticket
from labelwise.assessment.slips import Slip
from labelwise.errors import NotFoundError
from labelwise.pool import keys_of
from labelwise.web import bodies
from labelwise.web.access import Labeller, SignedIn
from labelwise.web.content import parts_of, picture, plain_value
from labelwise.web.front_desk import FrontDesk

router = APIRouter(tags=["labelling"])
RESERVED = "dghqsuz"  # keys of the page's own actions
REASONS = ["broken or unreadable", "none of the classes fits", "more than one class fits", "should not be labelled"]
_SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def _desk(request: Request) -> FrontDesk:
    desk: FrontDesk = request.app.state.desk
    return desk


def _out(request: Request, ticket: Ticket, was: Slip | None = None) -> dict[str, Any]:
    """Give what a labeller sees of a ticket."""
    has_images = request.app.state.settings.images is not None
    parts = parts_of(ticket.item, ticket.number, has_images=has_images)
    classes = _desk(request).assessment.pool.classes
    before = None
    if was is not None:
        label = None if was.label is None else classes[was.label]
        before = {"status": was.status, "label": label, "reason": _desk(request).reason(was)}
    return {
        "ticket": ticket.number,
        "id": plain_value(ticket.item.get("id")),
        "content": [part | {"value": plain_value(part["value"])} for part in parts],
        "until": ticket.until,
        "prediction": ticket.prediction,
        "was": before,
    }


@router.get("/api/assessment", response_model=bodies.AssessmentOut)
def assessment(request: Request, me: SignedIn) -> dict[str, Any]:
    """Give what a page must know before it starts: classes and their keys, and who is signed in."""
    desk, access = _desk(request), request.app.state.access
    setup, pool = desk.assessment.setup, desk.assessment.pool
    sees = access.can_see_answer(me)
    return {
        "id": desk.id,
        "name": desk.name,
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
        "seconds": desk.assessment.ledger.seconds.share,
    }


@router.post("/api/ask", response_model=bodies.Asked)
def ask(request: Request, body: bodies.Asking, me: Labeller) -> dict[str, Any]:
    """Hand out the items to label next; each is held for you until its lease ends."""
    tickets, why = _desk(request).ask(body.n, labeller=me.name, tab=body.tab)
    return {"tickets": [_out(request, ticket) for ticket in tickets], "why": why}


@router.post("/api/tell", response_model=bodies.Heard)
def tell(request: Request, body: bodies.Telling, me: Labeller) -> dict[str, Any]:
    """Take the label of a ticket; once this is answered, it is kept for good."""
    desk = _desk(request)
    said = Said(body.ticket, desk.label_named(body.label), labeller=me.name, key=body.key)
    is_new, n_labels = desk.hear(said, item=body.item, labeller=me.name, is_owner=me.role == "owner")
    return {"is_new": is_new, "n_labels": n_labels}


@router.post("/api/skip", response_model=bodies.Heard)
def skip(request: Request, body: bodies.Skipping, me: Labeller) -> dict[str, Any]:
    """Pass an item by, with a reason; or say that you looked and do not know."""
    said = Said(body.ticket, None, body.reason, body.is_unknown, me.name, body.key)
    is_new, n_labels = _desk(request).hear(said, item=body.item, labeller=me.name, is_owner=me.role == "owner")
    return {"is_new": is_new, "n_labels": n_labels}


@router.post("/api/undo", response_model=bodies.Again)
def undo(request: Request, body: bodies.Undoing, me: Labeller) -> dict[str, Any]:
    """Take back your newest label or skip, and hand its item out again: the belief returns exactly."""
    ticket, was = _desk(request).undo(labeller=me.name, tab=body.tab)
    return {"ticket": _out(request, ticket, was)}


@router.post("/api/withdraw", response_model=bodies.Again)
def withdraw(request: Request, body: bodies.Withdrawing, me: Labeller) -> dict[str, Any]:
    """Take back what was said of any ticket of yours; an owner may of anybody's."""
    ticket, was = _desk(request).withdraw(
        body.ticket, item=body.item, labeller=me.name, is_owner=me.role == "owner", again=body.again, tab=body.tab
    )
    return {"ticket": None if ticket is None else _out(request, ticket, was)}


@router.post("/api/renew", response_model=bodies.Held)
def renew(request: Request, body: bodies.Holding, me: Labeller) -> dict[str, Any]:
    """Say that a window is still open, and hold its tickets on."""
    held, lost = _desk(request).renew(body.items(), labeller=me.name, tab=body.tab)
    return {"held": held, "lost": lost}


@router.post("/api/release", response_model=bodies.Done)
def release(request: Request, body: bodies.Holding, me: Labeller) -> dict[str, Any]:
    """Give tickets back unlabelled: their items can be asked again."""
    _desk(request).release(body.items(), labeller=me.name)
    return {}


@router.get("/api/tickets/{ticket}", response_model=bodies.TicketOut)
def ticket(request: Request, ticket: Annotated[int, Path(ge=0, le=2**31 - 1)], me: Labeller) -> dict[str, Any]:
    """Give a ticket that you hold once more, after a reload say."""
    return _out(request, _desk(request).ticket(ticket, labeller=me.name, is_owner=me.role == "owner"))


@router.get(
    "/api/tickets/{ticket}/image/{column}",
    response_class=Response,
    responses={200: {"content": {"image/*": {}}, "description": "The picture."}},
)
def image(request: Request, ticket: Annotated[int, Path(ge=0, le=2**31 - 1)], column: str, me: Labeller) -> Response:
    """Send a picture of a ticket's item, from the folder that the server was started with."""
    root = request.app.state.settings.images
    held = _desk(request).ticket(ticket, labeller=me.name, is_owner=me.role == "owner")
    value = held.item.get(column) if column != "id" else None
    if root is None or not isinstance(value, str):
        raise NotFoundError("There is no such picture in the folder.")
    data, kind = picture(root, value)
    headers = {"content-security-policy": _SANDBOX, "cache-control": "private, max-age=3600"}
    return Response(data, media_type=kind, headers=headers)
