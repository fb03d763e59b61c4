"""The pages: shells that the scripts fill, and the ways in and out."""

from __future__ import annotations

import asyncio
from functools import cache
from importlib.resources import files
from typing import Annotated, Any
from urllib.parse import parse_qs

import jinja2
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from labelwise.accounts import Session
from labelwise.web.access import Access, Labeller, Owner, Seer, SignedIn, safe_path
from labelwise.web.middleware import RefusedError

router = APIRouter(include_in_schema=False)
_TITLES = {
    "label": "Label", "dashboard": "Dashboard", "history": "History", "disputes": "Disputes", "people": "People",
    "sign_in": "Sign in", "error": "Sorry", "opening": "Opening",
}  # fmt: skip


class _Templates(jinja2.BaseLoader):
    """Templates from inside the package, wherever it is installed."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, None, None]:
        return files("labelwise.web").joinpath("templates", template).read_text("utf-8"), None, None


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(loader=_Templates(), autoescape=True, undefined=jinja2.StrictUndefined)


def rendered(request: Request, page: str, *, me: Session | None, status: int = 200, **more: Any) -> HTMLResponse:
    """Fill a template."""
    state = request.app.state
    sees = me is not None and state.access.can_see_answer(me)

    def static(name: str) -> str:
        return f"/static/{name}?v={state.files[name].tag}" if name in state.files else f"/static/{name}"

    text = _environment().get_template(f"{page}.html").render(
        title=_TITLES[page], page=page, me=None if me is None else {"name": me.name, "role": me.role},
        assessment=state.queue.name, pool=state.queue.assessment.pool.source if me is not None else "",
        assessment_id=state.queue.id, can_see_answer=sees, static=static, status=status, **more,
    )  # fmt: skip
    return HTMLResponse(text, status)


@router.get("/")
def label(request: Request, me: SignedIn) -> Response:
    """Show the labelling page; who may only read is shown the dashboard."""
    if me.role == "viewer":
        return RedirectResponse("/dashboard", 303)
    return rendered(request, "label", me=me)


@router.get("/dashboard")
def dashboard(request: Request, me: Seer) -> Response:
    """Show the dashboard."""
    return rendered(request, "dashboard", me=me)


@router.get("/history")
def history(request: Request, me: Labeller) -> Response:
    """Show what was said, to be taken back or corrected."""
    return rendered(request, "history", me=me)


@router.get("/disputes")
def disputes(request: Request, me: Owner) -> Response:
    """Show what labellers disagree about."""
    return rendered(request, "disputes", me=me)


@router.get("/people")
def people(request: Request, me: Owner) -> Response:
    """Show who labels, who may sign in, and the audit trail."""
    return rendered(request, "people", me=me)


@router.get("/sign-in")
def sign_in_page(request: Request, next: Annotated[str, Query(max_length=500)] = "") -> Response:
    """Show the sign-in form."""
    return _form(request, next=safe_path(next))


def _form(request: Request, *, next: str, error: str = "", status: int = 200) -> Response:
    access: Access = request.app.state.access
    has_users = bool(access.accounts.all())
    return rendered(request, "sign_in", me=None, status=status, error=error, next=next, has_users=has_users)


async def _fields(request: Request) -> dict[str, str]:
    """Read a plain form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise RefusedError(415, "Send a form.")
    try:
        found = parse_qs((await request.body()).decode(), keep_blank_values=True, max_num_fields=10)
    except ValueError:
        raise RefusedError(400, "The form cannot be read.") from None
    return {name: values[0] for name, values in found.items()}


@router.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """Sign in with name and password."""
    fields = await _fields(request)
    access: Access = request.app.state.access
    name, password = fields.get("name", ""), fields.get("password", "")
    next, client = safe_path(fields.get("next", "")), request.client.host if request.client else ""
    session = await asyncio.to_thread(access.session_of, request)
    is_open = session is not None and session.kind == "session" and session.name == name
    token = await access.sign_in(name, password, client, is_open=is_open)
    if token is None:
        sentence = "Name and password do not fit."
        return await asyncio.to_thread(_form, request, next=next, error=sentence, status=401)
    response = RedirectResponse(next or "/", 303)
    access.put_cookie(request, response, token)
    return response


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """End the session."""
    response = RedirectResponse("/sign-in", 303)
    request.app.state.access.sign_out(request, response)
    return response


@router.get("/link/{token}")
def link(request: Request, token: str) -> Response:
    """Sign in with the link that the server printed; it works once."""
    access: Access = request.app.state.access
    response = rendered(request, "opening", me=None, path="/")
    own = access.session_of(request)
    if own is not None and own.kind == "session":  # a reload of the link
        return response
    begun = access.spend(token)
    if begun is None:
        raise RefusedError(403, "This link was used before, or is out of date. Start the server again for a new one.")
    access.put_cookie(request, response, begun)
    return response


@router.get("/share/{token}")
def shared(request: Request, token: str) -> Response:
    """Open the dashboard for reading only."""
    access: Access = request.app.state.access
    session = access.accounts.session_of(token) if token.isascii() else None
    if session is None or session.kind != "share":
        raise RefusedError(403, "This link is out of date. Ask the owner for a new one.")
    response = rendered(request, "opening", me=None, path="/dashboard")
    access.put_cookie(request, response, token, is_share=True)
    return response
