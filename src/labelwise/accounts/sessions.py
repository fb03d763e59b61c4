"""Who is signed in to a server of a store: tokens that end by themselves, kept by their hash alone."""

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
"""What an account may do, each one more than the one before."""
KINDS = ("session", "key", "link", "share")
"""A browser that is signed in, a key for tools, a link to sign in by once, a link to look by."""
REMOVED = "removed"  # the role of an account that is gone; its name stays taken, so that no session of it can begin


@dataclass(frozen=True)
class Session:
    """What a token stands for.

    Attributes
    ----------
    name : of whoever it was given to.
    role : what they may do by it: "viewer", "labeller" or "owner".
    kind : "session", "key", "link" or "share".
    until : when it ends, in seconds since 1970.
    """

    name: str
    role: str
    kind: str
    until: float


class Sessions:
    """The sessions of a store; `Accounts` are these with accounts.

    A token has 256 random bits and is given once; the store keeps only its SHA-256.

    Parameters
    ----------
    store : where they are kept.
    by : who makes the changes, for the audit trail.
    clock : gives the time, in seconds since 1970.
    """

    def __init__(self, store: Store, *, by: str = "", clock: Callable[[], float] = time.time) -> None:
        check_whole(by)
        self._store, self._by, self._clock = store, by, clock

    def begin(self, name: str, role: str, *, seconds: float, kind: str = "session") -> str:
        """Begin a session, and give its token; those that ended are cleared away.

        There need not be an account of that name. If there is, the role may not be above its own; if it was removed,
        nothing begins. Anything but a session is noted in the audit trail.

        Parameters
        ----------
        name : whose it is.
        role : what they may do by it.
        seconds : how long it lasts.
        kind : "session", "key", "link" (for `spend`) or "share".

        Raises
        ------
        ConflictError : if the account was removed, or may not do as much.
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
                hold(tables)  # the trail first, as everywhere: two must not wait for each other in a circle
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
        """Give what a token stands for; None if it is not known, or has ended, or its account has less rights now."""
        now = float(self._clock())
        return self._store.read(lambda tables: _found(tables, token, now))

    def sessions(self) -> list[Session]:
        """Return the sessions, keys, links and shares that have not ended, by name."""
        now = float(self._clock())

        def look(tables: Tables) -> list[Session]:
            statement = "SELECT name, role, kind, until FROM {at}sessions WHERE until > ? ORDER BY name, kind, until"
            rows = tables.run(statement, (now,))
            return [Session(str(tables.decoded(name)), role, kind, until) for name, role, kind, until in rows]

        return self._store.read(look)

    def spend(self, token: str) -> Session | None:
        """Give what a link stands for and end it, for exactly one of all who ask; None if it is no link, or ended."""
        now = float(self._clock())

        def write(tables: Tables) -> Session | None:
            found = _found(tables, token, now, tables.locking)
            if found is None or found.kind != "link":
                return None
            tables.run("DELETE FROM {at}sessions WHERE hash = ?", (_hash(token),))
            return found

        return self._store.change(write)

    def end(self, token: str) -> bool:
        """End a session, and say whether there was one; the end of a key, link or share is noted in the trail."""
        now = float(self._clock())

        def write(tables: Tables) -> bool:
            statement = "SELECT name, role, kind FROM {at}sessions WHERE hash = ?"
            found = tables.run(statement, (_hash(token),))
            is_noted = bool(found) and found[0][2] != "session"
            if is_noted:
                hold(tables)
            found = tables.run(f"{statement}{tables.locking}", (_hash(token),))
            if not found:
                return False
            tables.run("DELETE FROM {at}sessions WHERE hash = ?", (_hash(token),))
            if is_noted:
                kept, role, kind = found[0]
                noted(tables, now, drafted(self._by, f"{kind} ended", {"name": tables.decoded(kept), "role": role}))
            return True

        return self._store.change(write)

    def end_all(self, name: str | None = None, kind: str | None = None) -> int:
        """End all sessions, or those of a name or kind, and give how many; noted in the audit trail."""
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
                f"The account {shown(name)} is a {own}, and cannot act as {role}. Change it with `labelwise user role`."
            )


def role_in(tables: Tables, name: str, locking: str = "") -> str | None:
    """Give the role of an account; None if there was never one of that name."""
    statement = f"SELECT role FROM {{at}}accounts WHERE {tables.same_name}{locking}"
    found = tables.run(statement, (tables.coded(name),))
    return str(found[0][0]) if found else None


def end_in(tables: Tables, name: str | None = None, kind: str | None = None) -> int:
    """End sessions inside a transaction, and give how many."""
    wheres: list[str] = []
    values: list[Any] = []
    if name is not None:
        wheres.append(tables.same_name)
        values.append(tables.coded(name))
    if kind is not None:
        wheres.append("kind = ?")
        values.append(kind)
    where = f" WHERE {' AND '.join(wheres)}" if wheres else ""
    [[n_ended]] = tables.run(f"SELECT count(*) FROM {{at}}sessions{where}", values)
    tables.run(f"DELETE FROM {{at}}sessions{where}", values)
    return int(n_ended)


def _found(tables: Tables, token: str, now: float, locking: str = "") -> Session | None:
    statement = f"SELECT name, role, kind, until FROM {{at}}sessions WHERE hash = ?{locking}"
    found: Sequence[Any] = tables.run(statement, (_hash(token),))
    if not found or not now < found[0][3]:
        return None
    kept, role, kind, until = found[0]
    name = str(tables.decoded(kept))
    return Session(name, role, kind, until) if _may(role, role_in(tables, name)) else None


def _may(role: str, own: str | None) -> bool:
    """Say whether an account of one role may act as another; a name without an account may."""
    return own is None or (own in ROLES and ROLES.index(role) <= ROLES.index(own))


def _hash(token: str) -> bytes:
    """Give what is kept of a token; what cannot be one finds nothing, as any other that is wrong."""
    return hashlib.sha256(token.encode(errors="replace")).digest()
