"""Sessions on a store's server: tokens that expire, of which only the hash is stored."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from labelwise.accounts.audit import drafted, hold, noted
from labelwise.checks import check_one_of, check_positive, shown
from labelwise.errors import ConflictError
from labelwise.store.journal import check_whole
from labelwise.store.store import Store
from labelwise.store.tables import Tables

ROLES = ("viewer", "labeller", "owner")
"""Roles in increasing order of rights."""
KINDS = ("session", "key", "link", "share")
"""A signed-in browser, an API key, a one-time sign-in link, a read-only link."""
REMOVED = "removed"  # role of a removed account; its row stays, so that no new session can use the name


@dataclass(frozen=True)
class Session:
    """The session that a token identifies.

    Attributes
    ----------
    name : name of the user.
    role : "viewer", "labeller" or "owner".
    kind : "session", "key", "link" or "share".
    until : Unix time at which it expires.
    """

    name: str
    role: str
    kind: str
    until: float


class Sessions:
    """The sessions of a store; base class of `Accounts`.

    A token has 256 random bits and is returned once; the store keeps only its SHA-256 hash.

    Parameters
    ----------
    store : the store of the sessions.
    by : who makes the changes, for the audit trail.
    clock : function that returns the Unix time.
    """

    def __init__(self, store: Store, *, by: str = "", clock: Callable[[], float] = time.time) -> None:
        check_whole(by)
        self._store, self._by, self._clock = store, by, clock

    def begin(self, name: str, role: str, *, seconds: float, kind: str = "session") -> str:
        """Begin a session and return its token; expired sessions are deleted.

        An account with that name is not required; if there is one, the role must not exceed the account's role.
        Keys, links and shares are recorded in the audit trail.

        Parameters
        ----------
        name : name of the user.
        role : role of the session.
        seconds : duration.
        kind : "session", "key", "link" (for `spend`) or "share".

        Raises
        ------
        ConflictError : if the account was removed, or has a lower role.
        """
        check_whole(name)
        check_one_of(role, "role", ROLES)
        check_one_of(kind, "kind", KINDS)
        check_positive(seconds, "seconds")
        token = secrets.token_urlsafe(32)
        now = float(self._clock())
        until = now + float(seconds)
        line = drafted(self._by, f"{kind} made", {"name": name, "role": role, "until": until})

        def write(tables: Tables) -> None:
            if kind != "session":
                hold(tables)  # always lock the audit trail first, to avoid deadlocks
            self._check_role(name, role, role_in(tables, name, tables.sharing))
            tables.run(
                "DELETE FROM {at}sessions WHERE hash IN "
                f"(SELECT hash FROM {{at}}sessions WHERE until <= ?{tables.skipping})",
                (now,),
            )
            tables.run(
                "INSERT INTO {at}sessions (hash, name, role, kind, until, began) VALUES (?, ?, ?, ?, ?, ?)",
                (_hash(token), tables.coded(name), role, kind, until, now),
            )
            if kind != "session":
                noted(tables, now, line)

        self._store.change(write)
        return token

    def session_of(self, token: str) -> Session | None:
        """Return the session of a token; None if it is unknown or expired, or its account now has a lower role."""
        now = float(self._clock())
        return self._store.read(lambda tables: _session(tables, token, now))

    def sessions(self) -> list[Session]:
        """Return the sessions, keys, links and shares that have not expired, sorted by name."""
        now = float(self._clock())

        def query(tables: Tables) -> list[Session]:
            statement = "SELECT name, role, kind, until FROM {at}sessions WHERE until > ? ORDER BY name, kind, until"
            rows = tables.run(statement, (now,))
            return [Session(str(tables.decoded(name)), role, kind, until) for name, role, kind, until in rows]

        return self._store.read(query)

    def spend(self, token: str) -> Session | None:
        """Return the session of a sign-in link and end it, so that it works only once; None if it is invalid."""
        now = float(self._clock())

        def write(tables: Tables) -> Session | None:
            session = _session(tables, token, now, tables.locking)
            if session is None or session.kind != "link":
                return None
            tables.run("DELETE FROM {at}sessions WHERE hash = ?", (_hash(token),))
            return session

        return self._store.change(write)

    def end(self, token: str) -> bool:
        """End a session and return whether it existed; if it is a key, link or share, record it in the audit trail."""
        now = float(self._clock())

        def write(tables: Tables) -> bool:
            statement = "SELECT name, role, kind FROM {at}sessions WHERE hash = ?"
            rows = tables.run(statement, (_hash(token),))
            is_noted = bool(rows) and rows[0][2] != "session"
            if is_noted:
                hold(tables)
            # read again under the lock: another process may have ended the session in the meantime
            rows = tables.run(f"{statement}{tables.locking}", (_hash(token),))
            if not rows:
                return False
            tables.run("DELETE FROM {at}sessions WHERE hash = ?", (_hash(token),))
            if is_noted:
                name, role, kind = rows[0]
                noted(tables, now, drafted(self._by, f"{kind} ended", {"name": tables.decoded(name), "role": role}))
            return True

        return self._store.change(write)

    def end_all(self, name: str | None = None, kind: str | None = None) -> int:
        """End all sessions, or those of a name or kind; record it in the audit trail, and return their number."""
        if name is not None:
            check_whole(name)
        if kind is not None:
            check_one_of(kind, "kind", KINDS)
        now = float(self._clock())

        def write(tables: Tables) -> int:
            hold(tables)
            n_ended = end_in(tables, name, kind)
            if n_ended:
                noted(tables, now, drafted(self._by, "sessions ended", {"name": name, "kind": kind, "count": n_ended}))
            return n_ended

        return self._store.change(write)

    def _check_role(self, name: str, role: str, own: str | None) -> None:
        if own == REMOVED:
            raise ConflictError(
                f"The account {shown(name)} was removed from '{self._store.label}'. Add it again with `labelwise user "
                "add`, or choose another name."
            )
        if not _may(role, own):
            raise ConflictError(
                f"The account {shown(name)} is a {own} and cannot act as {role}. Change it with `labelwise user role`."
            )


def role_in(tables: Tables, name: str, locking: str = "") -> str | None:
    """Return the role of an account; None if there never was an account with that name."""
    statement = f"SELECT role FROM {{at}}accounts WHERE {tables.same_name}{locking}"
    rows = tables.run(statement, (tables.coded(name),))
    return str(rows[0][0]) if rows else None


def end_in(tables: Tables, name: str | None = None, kind: str | None = None) -> int:
    """End sessions within the current transaction, and return their number."""
    conditions: list[str] = []
    values: list[Any] = []
    if name is not None:
        conditions.append(tables.same_name)
        values.append(tables.coded(name))
    if kind is not None:
        conditions.append("kind = ?")
        values.append(kind)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    [[n_ended]] = tables.run(f"SELECT count(*) FROM {{at}}sessions{where}", values)
    tables.run(f"DELETE FROM {{at}}sessions{where}", values)
    return int(n_ended)


def _session(tables: Tables, token: str, now: float, locking: str = "") -> Session | None:
    statement = f"SELECT name, role, kind, until FROM {{at}}sessions WHERE hash = ?{locking}"
    rows: Sequence[Any] = tables.run(statement, (_hash(token),))
    if not rows or not now < rows[0][3]:
        return None
    coded, role, kind, until = rows[0]
    name = str(tables.decoded(coded))
    return Session(name, role, kind, until) if _may(role, role_in(tables, name)) else None


def _may(role: str, own: str | None) -> bool:
    """Return whether an account with role `own` may act as `role`; a name without an account always may."""
    return own is None or (own in ROLES and ROLES.index(role) <= ROLES.index(own))


def _hash(token: str) -> bytes:
    """Return the stored hash of a token; text that cannot be encoded gets a hash that matches no token."""
    return hashlib.sha256(token.encode(errors="replace")).digest()
