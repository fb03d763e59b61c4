"""Who may do what: cookies and access keys, roles, and the declaration that every route carries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any
from urllib.parse import quote, unquote

from fastapi import Depends, Request
from fastapi.responses import Response
from starlette.requests import cookie_parser

from labelwise.accounts import Account, Accounts, Audit, Session
from labelwise.store import Store
from labelwise.web.middleware import Rates, RefusedError
from labelwise.web.settings import Settings

DAYS = 30  # that a sign-in lasts
LINK_SECONDS = 3600.0  # that a sign-in link waits to be used
_REMEMBERED = 5.0  # seconds that a session is trusted before the store is asked again
_LONGEST_NAME, _LONGEST_PASSWORD = 100, 1_000  # characters
_MOST_WAITING = 16  # sign-ins that wait for their password to be checked: it takes a tenth of a second on purpose


class SignInNeededError(Exception):
    """A page was asked for by somebody who is not signed in."""


@dataclass(frozen=True)
class _Known:
    session: Session | None
    asked: float


class Access:
    """Knows who is who.

    Parameters
    ----------
    store : keeps accounts, sessions and the audit trail.
    settings : what the server was started with.
    is_blind : whether labellers are kept from the answer.
    forgotten : called when sessions may have ended.
    """

    def __init__(
        self, store: Store, settings: Settings, *, is_blind: bool, forgotten: Callable[[], None] = lambda: None
    ) -> None:
        self._forgotten = forgotten
        self._store = store
        self.accounts, self.audit = Accounts(store), Audit(store)
        self._settings, self._is_blind = settings, is_blind
        self._known: dict[bytes, _Known] = {}
        self._tries = Rates(per_second=1 / 30, burst=10)  # of a name from one address
        self._tries_from = Rates(per_second=1.0, burst=100)  # of an address, which a whole team may share
        self._failures = Rates(per_second=1 / 60, burst=50)  # of a name from all addresses but those it signed in from
        self._trusted: set[bytes] = set()  # name and address of those who signed in since the server started
        # one thread of its own: a flood of sign-ins keeps neither labellers nor all cores waiting
        self._checking, self._n_waiting = ThreadPoolExecutor(1, thread_name_prefix="labelwise-passwords"), 0

    def session_of(self, request: Request) -> Session | None:
        """Return the session of a request, of a person before that of a share link; None if it carries none."""
        return next(iter(self.sessions_of(request)), None)

    def sessions_of(self, request: Request) -> list[Session]:
        """Return the sessions of a request: of an access key, or of a person and of a share link by their cookies."""
        now, found = time.monotonic(), []
        for token, kind in self._tokens(request):
            name = _name(token)
            known = self._known.get(name)
            if known is None or now - known.asked > _REMEMBERED:
                known = _Known(self._valid(self.accounts.session_of(token)), now)
                if len(self._known) > 10_000:
                    self._known.clear()
                self._known[name] = known
            session = known.session
            if session is not None and session.until > time.time() and session.kind == kind:
                found.append(session)
        return found

    def _valid(self, session: Session | None) -> Session | None:
        """Drop sessions of people without an account where others can reach the server.

        A printed link signs its owner in on this machine, for a month; that must not open a server for a team.
        """
        if session is None or session.kind != "session" or self._settings.is_local:
            return session
        return session if any(one.name == session.name for one in self.accounts.all()) else None

    def knows(self, request: Request) -> bool:
        """Return whether the sessions of a request are remembered, so that the store need not be asked."""
        known = [self._known.get(_name(token)) for token, _ in self._tokens(request)]
        return all(one is not None and time.monotonic() - one.asked < _REMEMBERED - 0.5 for one in known)

    def _tokens(self, request: Request) -> list[tuple[str, str]]:
        return self._tokens_in(request.headers.get("authorization", ""), request.cookies)

    def _tokens_in(self, authorization: str, cookies: dict[str, str]) -> list[tuple[str, str]]:
        """Return the tokens of a request, each with the kind of session that may come that way."""
        word, _, key = authorization.partition(" ")
        if word.lower() == "bearer":
            found = [(key.strip(), "key")]
        else:
            names = {"session": self._settings.cookie, "share": self._settings.share_cookie}
            found = [(cookies.get(name, ""), kind) for kind, name in names.items()]
        return [(token, kind) for token, kind in found if token and len(token) <= 200 and token.isascii()]

    def accounts_by(self, session: Session) -> Accounts:
        """Give the accounts, changes to which are noted as made by whoever is signed in."""
        return Accounts(self._store, by=session.name)

    def close(self) -> None:
        """End the thread that checks passwords."""
        self._checking.shutdown(wait=False, cancel_futures=True)

    def forget(self) -> None:
        """Ask the store about every session anew, those of open event streams included."""
        self._known.clear()
        self._forgotten()

    async def signed_in(self, request: Request) -> list[Session]:
        """Return the sessions of a request, and refuse one that has none."""
        # most are known; a look at the store may take long
        is_known = self.knows(request)
        sessions = self.sessions_of(request) if is_known else await asyncio.to_thread(self.sessions_of, request)
        if not sessions:
            if request.method == "GET" and not request.url.path.startswith("/api/"):
                raise SignInNeededError
            raise RefusedError(401, "Sign in first.")
        return sessions

    def can_see_answer(self, session: Session) -> bool:
        """Say whether the answer may be shown: it names groups, which tell a labeller what the classifier said."""
        return session.role != "labeller" or not self._is_blind

    def link(self) -> str:
        """Give the path of a link that signs the owner in, once."""
        token = self.accounts.begin(self._settings.labeller, "owner", seconds=LINK_SECONDS, kind="link")
        return f"/link/{token}"

    def spend(self, token: str) -> str | None:
        """Sign in with a link; None if it was used or never was."""
        session = self.accounts.spend(token) if token.isascii() else None
        if session is None:
            return None
        self.audit.note(session.name, "signed in", by="link")
        return self._begun(session.name, session.role)

    async def sign_in(self, name: str, password: str, client: str, *, is_open: bool = False) -> str | None:
        """Sign in with name and password; None if they do not match.

        Parameters
        ----------
        client : the address that the request comes from.
        is_open : whether the browser has an open session of this name, so that others who guess do not keep it out.
        """
        if len(name) > _LONGEST_NAME or len(password) > _LONGEST_PASSWORD:
            return None
        if not self._tries.allows(f"{client} {name}") or not self._tries_from.allows(client):
            raise RefusedError(429, "Too many tries. Wait half a minute, and try again.", wait=30)
        known = _name(f"{client} {name}")
        if not is_open and known not in self._trusted and not self._failures.has_left(name):
            raise RefusedError(429, "Too many tries for this name. Wait a minute, and try again.", wait=60)
        if self._n_waiting >= _MOST_WAITING:
            raise RefusedError(429, "Too many people sign in at once. Wait a few seconds, and try again.", wait=5)
        self._n_waiting += 1
        try:
            loop = asyncio.get_running_loop()
            account = await loop.run_in_executor(self._checking, self._checked, name, password, client)
        finally:
            self._n_waiting -= 1
        if account is None:
            self._failures.allows(name)
            return None
        self._trusted.add(known)
        return await asyncio.to_thread(self._begun, account.name, account.role)

    def _checked(self, name: str, password: str, client: str) -> Account | None:
        account = self.accounts.check(name, password)
        self.audit.note(name[:100], "signed in" if account else "sign-in refused", by="password", client=client)
        return account

    def caller_of(self, headers: dict[str, str]) -> str | None:
        """Return a name for whoever sends a request, if their session or key is known already; None for strangers."""
        now = time.time()
        for token, _ in self._tokens_in(headers.get("authorization", ""), cookie_parser(headers.get("cookie", ""))):
            known = self._known.get(_name(token))
            if known is not None and known.session is not None and known.session.until > now:
                return _name(token).hex()
        return None

    def _begun(self, name: str, role: str) -> str:
        return self.accounts.begin(name, role, seconds=DAYS * 86_400.0, kind="session")

    def put_cookie(self, request: Request, response: Response, token: str, *, is_share: bool = False) -> None:
        """Set the browser's cookie, which scripts cannot read and other sites cannot use.

        A share link has a cookie of its own, so that opening one does not sign a labeller out.
        """
        response.set_cookie(
            self._settings.share_cookie if is_share else self._settings.cookie, token, max_age=DAYS * 86_400,
            httponly=True, samesite="strict", secure=request.url.scheme == "https", path="/",
        )  # fmt: skip

    def sign_out(self, request: Request, response: Response) -> None:
        """End the session of a request."""
        session, token = self.session_of(request), request.cookies.get(self._settings.cookie, "")
        if session is not None and session.kind == "session":
            self.accounts.end(token)
            self.audit.note(session.name, "signed out")
        self.forget()
        for name in (self._settings.cookie, self._settings.share_cookie):
            response.delete_cookie(name, path="/")


def _name(token: str) -> bytes:
    """Give what a token is known by: not the token itself."""
    return sha256(token.encode()).digest()


def _access(request: Request) -> Access:
    found: Access = request.app.state.access
    return found


async def _signed_in(request: Request) -> list[Session]:
    return await _access(request).signed_in(request)


def _check_page(request: Request, session: Session) -> None:
    """Refuse to change anything for a page of another assessment or of another person.

    Serving another assessment from the same address, or signing in as somebody else in another tab, leaves pages open
    whose labels belong elsewhere. What they say is to stay with them.
    """
    assessment = request.headers.get("labelwise-assessment")
    if assessment is None:
        raise RefusedError(422, "Name the assessment in a Labelwise-Assessment header; /api/assessment has its id.")
    if assessment != request.app.state.queue.id:
        raise RefusedError(
            409, "Another assessment is served here now; nothing was changed. Load the page again.", "other-assessment"
        )
    labeller = request.headers.get("labelwise-labeller")
    if labeller is None and session.kind == "session":
        raise RefusedError(422, "Name yourself in a Labelwise-Labeller header, percent-encoded.")
    if labeller is not None and unquote(labeller) != session.name:
        raise RefusedError(
            409, "Somebody else is signed in in this browser now; nothing was changed. Sign in again.", "other-labeller"
        )


def _needs(check: Callable[[Access, Session], bool], sentence: str) -> Callable[..., Any]:
    """Make a declaration: who may call a route."""

    async def checked(request: Request, sessions: Annotated[list[Session], Depends(_signed_in)]) -> Session:
        session = next((one for one in sessions if check(_access(request), one)), None)
        if session is None:
            raise RefusedError(403, sentence)
        if request.method not in ("GET", "HEAD"):
            _check_page(request, session)
        return session

    return checked


anybody_signed_in = _needs(lambda access, me: True, "")
a_labeller = _needs(lambda access, me: me.role in ("labeller", "owner"), "Only labellers can do this.")
an_owner = _needs(lambda access, me: me.role == "owner", "Only an owner can do this.")
a_reader = _needs(
    lambda access, me: access.can_see_answer(me),
    "The answer is kept from labellers, for it may tell them what the classifier said.",
)
DECLARATIONS = (anybody_signed_in, a_labeller, an_owner, a_reader)
SignedIn = Annotated[Session, Depends(anybody_signed_in)]
Labeller = Annotated[Session, Depends(a_labeller)]
Owner = Annotated[Session, Depends(an_owner)]
Seer = Annotated[Session, Depends(a_reader)]


def sign_in_path(path: str) -> str:
    """Give the path of the sign-in page that leads back to where somebody wanted to go.

    Examples
    --------
    >>> sign_in_path("/dashboard"), sign_in_path("//evil.example")
    ('/sign-in?next=%2Fdashboard', '/sign-in')
    """
    return f"/sign-in?next={quote(path, safe='')}" if safe_path(path) not in ("", "/") else "/sign-in"


def safe_path(path: str) -> str:
    """Give a path of this server; empty if it leads anywhere else."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if is_ours and len(path) < 200 else ""
