"""Authentication and authorisation: cookies, access keys, roles, and the dependency that every route declares."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
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
from labelwise.web.addresses import origin_of
from labelwise.web.middleware import Rates, RefusedError
from labelwise.web.settings import Settings

DAYS = 30  # lifetime of a session
LINK_SECONDS = 3600.0  # lifetime of a sign-in link
_CACHE_SECONDS = 5.0  # before a session is looked up in the store again
_MOST_CACHED = 10_000  # sessions
_LONGEST_NAME, _LONGEST_PASSWORD = 100, 1_000  # characters
_MOST_WAITING = 16  # sign-ins waiting for their password check, which takes 0.1 s on purpose
_MOST_FROM_ONE = 12  # of them from one address, which a whole team may share


class SignInNeededError(Exception):
    """Raised when somebody who is not signed in requests a page."""


@dataclass(frozen=True)
class _Cached:
    session: Session | None
    read: float


class Access:
    """Sessions, and what each of them may do.

    Parameters
    ----------
    store : holds accounts, sessions and the audit trail.
    settings : the server's settings.
    is_blind : whether the answer is hidden from labellers.
    forgotten : called when sessions may have ended.
    """

    def __init__(
        self, store: Store, settings: Settings, *, is_blind: bool, forgotten: Callable[[], None] = lambda: None
    ) -> None:
        self._forgotten = forgotten
        self._store = store
        self.accounts, self.audit = Accounts(store), Audit(store)
        self._settings, self._is_blind = settings, is_blind
        self._cache: dict[bytes, _Cached] = {}
        self._tries = Rates(per_second=1 / 30, burst=10)  # per name and address
        self._tries_from = Rates(per_second=1.0, burst=100)  # per address, which a whole team may share
        self._failures = Rates(per_second=1 / 60, burst=50)  # per name, except from addresses it has signed in from
        self._trusted: set[bytes] = set()  # hashes of address and name of successful sign-ins since the start
        # a single thread, so that a flood of sign-ins neither delays labellers nor uses all cores
        self._checking = ThreadPoolExecutor(1, thread_name_prefix="labelwise-passwords")
        self._waiting: Counter[str] = Counter()  # sign-ins by address
        self._notes = Rates(per_second=1 / 10, burst=1_000)  # of refused sign-ins in the audit trail
        self._notes_from = Rates(per_second=1 / 60, burst=60)  # the same per address
        self._n_unnoted = 0

    def session_of(self, request: Request) -> Session | None:
        """Return the session of a request, preferring a person's to a share link's; None if there is none."""
        return next(iter(self.sessions_of(request)), None)

    def sessions_of(self, request: Request) -> list[Session]:
        """Return the sessions of a request: that of its access key, or those of its person and share-link cookies."""
        now, sessions = time.monotonic(), []
        for token, kind in self._tokens(request):
            digest = _digest(token)
            cached = self._cache.get(digest)
            if cached is None or now - cached.read > _CACHE_SECONDS:
                cached = _Cached(self._valid(self.accounts.session_of(token)), now)
                if len(self._cache) > _MOST_CACHED:  # made-up tokens go first, or a flood of them would cost everybody
                    known = {key: one for key, one in list(self._cache.items()) if one.session is not None}
                    self._cache = known if len(known) < _MOST_CACHED else {}
                self._cache[digest] = cached
            session = cached.session
            if session is not None and session.until > time.time() and session.kind == kind:
                sessions.append(session)
        return sessions

    def _valid(self, session: Session | None) -> Session | None:
        """Return the session, or None if other machines can reach the server and the person has no account.

        The link printed by a local server starts a session of a month, which must not be valid once it serves a team.
        """
        if session is None or session.kind != "session" or self._settings.is_local:
            return session
        return session if any(one.name == session.name for one in self.accounts.all()) else None

    def knows(self, request: Request) -> bool:
        """Return whether the sessions of a request are cached, so that the store need not be read."""
        cached = [self._cache.get(_digest(token)) for token, _ in self._tokens(request)]
        return all(one is not None and time.monotonic() - one.read < _CACHE_SECONDS - 0.5 for one in cached)

    def _tokens(self, request: Request) -> list[tuple[str, str]]:
        return self._tokens_in(request.headers.get("authorization", ""), request.cookies)

    def _tokens_in(self, authorization: str, cookies: dict[str, str]) -> list[tuple[str, str]]:
        """Return the tokens of a request, each with the kind of session it may stand for."""
        scheme, _, key = authorization.partition(" ")
        if scheme.lower() == "bearer":
            tokens = [(key.strip(), "key")]
        else:
            names = {"session": self._settings.cookie, "share": self._settings.share_cookie}
            tokens = [(cookies.get(name, ""), kind) for kind, name in names.items()]
        return [(token, kind) for token, kind in tokens if token and len(token) <= 200 and token.isascii()]

    def accounts_by(self, session: Session) -> Accounts:
        """Return the accounts; changes are recorded in the audit trail as made by the session's person."""
        return Accounts(self._store, by=session.name)

    def close(self) -> None:
        """Stop the thread that checks passwords."""
        self._checking.shutdown(wait=False, cancel_futures=True)

    def forget(self) -> None:
        """Clear the cache, so that every session, including those of open event streams, is looked up again."""
        self._cache.clear()
        self._forgotten()

    async def signed_in(self, request: Request) -> list[Session]:
        """Return the sessions of a request; raise if there is none."""
        # reading the store may block, so only a cached lookup runs in the event loop
        is_cached = self.knows(request)
        sessions = self.sessions_of(request) if is_cached else await asyncio.to_thread(self.sessions_of, request)
        if not sessions:
            if request.method == "GET" and not request.url.path.startswith("/api/"):
                raise SignInNeededError
            raise RefusedError(401, "Sign in first.")
        return sessions

    def can_see_answer(self, session: Session) -> bool:
        """Return whether a person may see the answer: its groups may reveal the classifier's predictions."""
        return session.role != "labeller" or not self._is_blind

    def link(self) -> str:
        """Return the path of a one-time link that signs the owner in."""
        token = self.accounts.begin(self._settings.labeller, "owner", seconds=LINK_SECONDS, kind="link")
        return f"/link/{token}"

    def spend(self, token: str) -> str | None:
        """Sign in with a one-time link and return the session's token; None if the link is invalid or used."""
        session = self.accounts.spend(token) if token.isascii() else None
        if session is None:
            return None
        self.audit.note(session.name, "signed in", by="link")
        return self._new_session(session.name, session.role)

    async def sign_in(self, name: str, password: str, client: str, *, is_open: bool = False) -> str | None:
        """Sign in with name and password and return the session's token; None if they do not match.

        Parameters
        ----------
        client : the address that the request comes from.
        is_open : whether the browser is signed in as this name; then failures from elsewhere do not lock it out.
        """
        if len(name) > _LONGEST_NAME or len(password) > _LONGEST_PASSWORD:
            return None
        site = origin_of(client)
        # the address first: a flood of invented names must not push the counts of real ones out
        if not self._tries_from.allows(site) or not self._tries.allows(f"{site} {name}"):
            raise RefusedError(429, "Too many sign-in attempts. Try again in 30 seconds.", wait=30)
        origin = _digest(f"{site} {name}")
        is_known = is_open or origin in self._trusted
        if not is_known and not self._failures.has_left(name):
            raise RefusedError(429, "Too many sign-in attempts for this name. Try again in a minute.", wait=60)
        n_most = 2 * _MOST_WAITING if is_known else _MOST_WAITING  # strangers do not fill the line for those we know
        if self._waiting.total() >= n_most or (not is_known and self._waiting[site] >= _MOST_FROM_ONE):
            raise RefusedError(429, "Too many people are signing in at once. Try again in a few seconds.", wait=5)
        self._waiting[site] += 1
        try:
            loop = asyncio.get_running_loop()
            account = await loop.run_in_executor(self._checking, self._checked, name, password, client)
        finally:
            self._waiting[site] -= 1
            self._waiting += Counter()  # drop addresses without any
        if account is None:
            self._failures.allows(name)
            return None
        self._trusted.add(origin)
        return await asyncio.to_thread(self._new_session, account.name, account.role)

    def _checked(self, name: str, password: str, client: str) -> Account | None:
        account = self.accounts.check(name, password)
        if account is not None:
            self.audit.note(name[:100], "signed in", by="password", client=client)
        elif self._notes_from.allows(origin_of(client)) and self._notes.allows(""):
            unnoted = {"unnoted_before": self._n_unnoted} if self._n_unnoted else {}
            self._n_unnoted = 0
            self.audit.note(name[:100], "sign-in refused", by="password", client=client, **unnoted)
        else:  # a stranger must not fill the store
            self._n_unnoted += 1
        return account

    def caller_of(self, headers: dict[str, str]) -> str | None:
        """Return an identifier of the caller if their session or key is cached, else None."""
        now = time.time()
        for token, _ in self._tokens_in(headers.get("authorization", ""), cookie_parser(headers.get("cookie", ""))):
            cached = self._cache.get(_digest(token))
            if cached is not None and cached.session is not None and cached.session.until > now:
                return _digest(token).hex()
        return None

    def _new_session(self, name: str, role: str) -> str:
        return self.accounts.begin(name, role, seconds=DAYS * 86_400.0, kind="session")

    def put_cookie(self, request: Request, response: Response, token: str, *, is_share: bool = False) -> None:
        """Set the session cookie, which scripts cannot read and other sites cannot use.

        A share link has its own cookie, so that opening one does not sign a labeller out.
        """
        response.set_cookie(
            self._settings.share_cookie if is_share else self._settings.cookie, token, max_age=DAYS * 86_400,
            httponly=True, samesite="strict", secure=request.url.scheme == "https", path="/",
        )  # fmt: skip

    def sign_out(self, request: Request, response: Response) -> None:
        """End the session of a request."""
        session, token = self.session_of(request), request.cookies.get(self._settings.cookie, "")
        if session is not None and session.kind == "session":  # a stranger must not have everybody's looked up again
            self.accounts.end(token)
            self.audit.note(session.name, "signed out")
            self.forget()
        for name in (self._settings.cookie, self._settings.share_cookie):
            response.delete_cookie(name, path="/")


def _digest(token: str) -> bytes:
    """Return a hash of a token, so that tokens themselves are not kept in memory."""
    return sha256(token.encode()).digest()


def _access(request: Request) -> Access:
    access: Access = request.app.state.access
    return access


async def _signed_in(request: Request) -> list[Session]:
    return await _access(request).signed_in(request)


def _check_page(request: Request, session: Session) -> None:
    """Raise if the request comes from a page of another assessment or another person.

    A page may stay open while another assessment is served from the same address, or while somebody else signs in in
    another tab. Its labels must not be recorded there.
    """
    assessment = request.headers.get("labelwise-assessment")
    if assessment is None:
        raise RefusedError(422, "The Labelwise-Assessment header is missing. Set it to the id from /api/assessment.")
    if assessment != request.app.state.queue.id:
        raise RefusedError(
            409, "This server now serves another assessment; nothing was changed. Reload the page.", "other-assessment"
        )
    labeller = request.headers.get("labelwise-labeller")
    if labeller is None and session.kind == "session":
        raise RefusedError(422, "The Labelwise-Labeller header is missing. Set it to your name, percent-encoded.")
    if labeller is not None and unquote(labeller) != session.name:
        raise RefusedError(
            409, "Somebody else has signed in in this browser; nothing was changed. Sign in again.", "other-labeller"
        )


def _needs(check: Callable[[Access, Session], bool], sentence: str) -> Callable[..., Any]:
    """Return a FastAPI dependency that admits sessions passing the check and refuses others with the sentence."""

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
    "The answer is hidden from labellers, because it may reveal the classifier's predictions.",
)
DECLARATIONS = (anybody_signed_in, a_labeller, an_owner, a_reader)
SignedIn = Annotated[Session, Depends(anybody_signed_in)]
Labeller = Annotated[Session, Depends(a_labeller)]
Owner = Annotated[Session, Depends(an_owner)]
Seer = Annotated[Session, Depends(a_reader)]


def sign_in_path(path: str) -> str:
    """Return the path of the sign-in page that redirects to a path afterwards.

    Examples
    --------
    >>> sign_in_path("/dashboard"), sign_in_path("//evil.example")
    ('/sign-in?next=%2Fdashboard', '/sign-in')
    """
    return f"/sign-in?next={quote(path, safe='')}" if safe_path(path) not in ("", "/") else "/sign-in"


def safe_path(path: str) -> str:
    """Return the path if it stays on this server, else an empty string."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if is_ours and len(path) < 200 else ""
