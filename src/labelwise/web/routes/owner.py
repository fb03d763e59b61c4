"""Routes of owners: export and report, disputes, second opinions, accounts, the share link, the audit trail."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from labelwise.checks import shown
from labelwise.errors import NotFoundError
from labelwise.pool import ClassName, Frame, Pool
from labelwise.report.history import when
from labelwise.web import schemas
from labelwise.web.access import Access, Owner
from labelwise.web.content import plain_value
from labelwise.web.json_response import Document, written

router = APIRouter(tags=["owner"])
_SHARE_SECONDS = 90 * 86_400.0
_KINDS = {"html": "text/html", "md": "text/markdown", "json": "application/json", "csv": "text/csv"}


def _access(request: Request) -> Access:
    access: Access = request.app.state.access
    return access


async def _look(request: Request, what: str, **options: Any) -> Any:
    return await asyncio.wrap_future(request.app.state.reader.look(what, **options))


def _download(text: str, name: str, kind: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(text.encode(errors="replace"), media_type=f"{_KINDS[kind]}; charset=utf-8", headers=headers)


def _files(*kinds: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": "The file.", "content": {_KINDS[kind]: {} for kind in kinds}}}


@router.get("/api/export", response_class=Response, responses=_files("csv", "json"))
async def export(request: Request, me: Owner, format: Annotated[Literal["csv", "json"], Query()] = "csv") -> Response:
    """Download the labels that count, one row per item."""
    rows = await _look(request, "export")
    await asyncio.to_thread(_access(request).audit.note, me.name, "exported labels", format=format)
    if format == "json":
        return _download(written({"labels": rows}), "labels", "json")
    columns = ["id", "label", "status", "reason", "labeller", "at", "ticket", "prediction", "confidence", "group"]
    return _download(Frame({name: [row[name] for row in rows] for name in columns}).to_csv(), "labels", "csv")


@router.get("/api/report", response_class=Response, responses=_files("html", "md", "json"))
async def report(
    request: Request, me: Owner, format: Annotated[Literal["html", "md", "json"], Query()] = "html"
) -> Response:
    """Download the report."""
    text = await _look(request, "report", format=format)
    await asyncio.to_thread(_access(request).audit.note, me.name, "downloaded the report", format=format)
    return _download(text, "report", format)


@router.get("/api/disputes", response_class=Document)
async def disputes(request: Request, me: Owner) -> Document:
    """List the items that two labellers disagree about."""
    return Document(await _look(request, "disputes", has_images=request.app.state.settings.images is not None))


@router.post("/api/settle", response_model=schemas.Done)
def settle(request: Request, body: schemas.Settling, me: Owner) -> dict[str, Any]:
    """Decide which label an item has that labellers disagree about."""
    queue = request.app.state.queue
    label = queue.label_named(body.label)
    item = _known_id(queue.assessment.pool, body.item)
    queue.do(lambda assessment: assessment.settle(item, label, labeller=me.name, key=body.key))
    return {}


def _known_id(pool: Pool, item: str | int | float) -> ClassName:
    """Return the id of an item as the pool has it: dates came as text."""
    found = next((known for known in pool.all_ids().tolist() if str(plain_value(known)) == str(item)), None)
    if found is None:
        raise NotFoundError(f"There is no item {shown(item)}.")
    return found


@router.post("/api/seconds", response_model=schemas.Seconding)
def seconds(request: Request, body: schemas.Seconding, me: Owner) -> dict[str, Any]:
    """Request a second label for a share of the items."""
    request.app.state.queue.do(lambda assessment: assessment.want_second_opinions(body.share))
    _access(request).audit.note(me.name, "wished for second opinions", share=body.share)
    return {"share": body.share}


@router.post("/api/close", response_model=schemas.Done)
def close(request: Request, me: Owner) -> dict[str, Any]:
    """End the assessment: nothing more is asked or told."""
    request.app.state.queue.do(lambda assessment: assessment.close())
    return {}


@router.get("/api/users", response_model=schemas.People)
def users(request: Request, me: Owner) -> dict[str, Any]:
    """List who may sign in."""
    found = _access(request).accounts.all()
    return {"users": [{"name": one.name, "role": one.role} for one in found]}


@router.post("/api/users", response_model=schemas.Me, status_code=201)
def add_user(request: Request, body: schemas.NewAccount, me: Owner) -> dict[str, Any]:
    """Create an account."""
    _access(request).accounts_by(me).add(body.name, body.role, body.password)
    return {"name": body.name, "role": body.role}


@router.delete("/api/users/{name}", response_model=schemas.Done)
def remove_user(request: Request, name: Annotated[str, Path(max_length=100)], me: Owner) -> dict[str, Any]:
    """Remove an account and end its sessions; its labels stay."""
    _access(request).accounts_by(me).remove(name)
    _access(request).forget()
    return {}


@router.post("/api/share", response_model=schemas.Link)
def share(request: Request, me: Owner) -> dict[str, Any]:
    """Make a link to the dashboard for reading only, without items; it is shown once and lasts 90 days."""
    token = _access(request).accounts_by(me).begin("reader", "viewer", seconds=_SHARE_SECONDS, kind="share")
    return {"url": f"/share/{token}"}


@router.delete("/api/share", response_model=schemas.Done)
def end_shares(request: Request, me: Owner) -> dict[str, Any]:
    """End all share links."""
    _access(request).accounts_by(me).end_all(kind="share")
    _access(request).forget()
    return {}


@router.get("/api/audit", response_class=Document)
def audit(request: Request, me: Owner, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Document:
    """List who did what when besides labelling, newest first; labels are in the history."""
    found = _access(request).audit.entries(most=limit, newest=True)
    return Document({"entries": [asdict(entry) | {"at": when(entry.at)} for entry in found]})
