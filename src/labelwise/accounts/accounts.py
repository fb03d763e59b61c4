"""The accounts of a store: who may sign in to its server, and as what."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from labelwise.accounts.audit import drafted, hold, noted
from labelwise.accounts.passwords import check_password, hashed, is_outdated, is_right
from labelwise.accounts.sessions import REMOVED, ROLES, Sessions, end_in, role_in
from labelwise.checks import check_one_of, hint, shown
from labelwise.errors import ArgumentError, ConflictError, NotFoundError
from labelwise.store.journal import check_whole
from labelwise.store.tables import Tables

_LONGEST = 100  # characters of a name
_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # make a name look like another one


@dataclass(frozen=True)
class Account:
    """Somebody who may sign in.

    Attributes
    ----------
    name : as it is typed to sign in.
    role : "viewer", "labeller" or "owner".
    changed : when password or role were last changed, in seconds since 1970; two accounts are the same without it.
    """

    name: str
    role: str
    changed: float = field(default=0.0, compare=False)


class Accounts(Sessions):
    """The accounts of a store, and who is signed in.

    Passwords are kept as argon2id hashes. Every change is noted in the audit trail, and ends the sessions of the
    account it is about.

    Parameters
    ----------
    store : where they are kept.
    by : who makes the changes, for the audit trail.
    clock : gives the time, in seconds since 1970.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> with tempfile.TemporaryDirectory() as folder, lw.open_store(f"{folder}/spring.lw") as store:
    ...     accounts = lw.Accounts(store, by="ann")
    ...     accounts.add("ann", "owner", "correct horse")
    ...     print(accounts.check("ann", "wrong horse"), accounts.check("ann", "correct horse").role)
    ...     token = accounts.begin("ann", "owner", seconds=3600)
    ...     print(accounts.session_of(token).name, lw.Audit(store).entries()[0].what)
    None owner
    ann account added
    """

    def add(self, name: str, role: str, password: str) -> None:
        """Add an account; a name that was removed can be added again.

        Raises
        ------
        ArgumentError : if the name, role or password cannot be one.
        ConflictError : if there is an account of that name.
        """
        check_name(name)
        check_one_of(role, "role", ROLES)
        check_password(password)
        kept = hashed(password)

        def write(tables: Tables, now: float) -> None:
            own = role_in(tables, name, tables.locking)
            if own not in (None, REMOVED):
                raise ConflictError(
                    f"There is an account {shown(name)} in '{self._store.label}' already. Change it with `labelwise "
                    "user password` or `labelwise user role`, or choose another name."
                )
            twin = next((one.name for one in _all(tables) if one.name != name and _seen(one.name) == _seen(name)), None)
            if twin is not None:
                raise ConflictError(
                    f"The name {shown(name)} looks like {shown(twin)}, which has an account in '{self._store.label}'. "
                    "Choose one that nobody can take for another."
                )
            if own == REMOVED:
                _set(tables, name, role=role, password=kept, changed=now)
            else:
                statement = "INSERT INTO {at}accounts (name, role, password, changed) VALUES (?, ?, ?, ?)"
                tables.run(statement, (tables.coded(name), role, kept, now))

        self._change(write, "account added", name=name, role=role)

    def remove(self, name: str) -> None:
        """Remove an account, and end its sessions; the last owner stays."""

        def write(tables: Tables, now: float) -> None:
            if self._role(tables, name, tables.locking) == "owner":
                self._check_not_last(tables, name, "removed")
            _set(tables, name, role=REMOVED, password="", changed=now)

        self._change(write, "account removed", name=name)

    def set_password(self, name: str, password: str) -> None:
        """Give an account another password, and end its sessions."""
        check_password(password)
        kept = hashed(password)

        def write(tables: Tables, now: float) -> None:
            self._role(tables, name, tables.locking)
            _set(tables, name, password=kept, changed=now)

        self._change(write, "password changed", name=name)

    def set_role(self, name: str, role: str) -> None:
        """Give an account another role, and end its sessions; the last owner stays one."""
        check_one_of(role, "role", ROLES)

        def write(tables: Tables, now: float) -> None:
            if self._role(tables, name, tables.locking) == "owner" and role != "owner":
                self._check_not_last(tables, name, f"made a {role}")
            _set(tables, name, role=role, changed=now)

        self._change(write, "role changed", name=name, role=role)

    def all(self) -> list[Account]:
        """Give the accounts, by name."""
        return self._store.read(_all)

    def account(self, name: str) -> Account:
        """Give the account of a name that is there."""
        check_whole(name)

        def look(tables: Tables) -> Account:
            self._role(tables, name)
            found = _kept(tables, name)
            assert found is not None  # its role was there in the same look
            return found[0]

        return self._store.read(look, is_one_look=True)

    def check(self, name: str, password: str) -> Account | None:
        """Give the account if the password is right; None takes as long whether or not there is such an account."""
        found = self._store.read(lambda tables: _kept(tables, name)) if _is_whole(name) else None
        if not is_right(password, None if found is None else found[1]) or found is None:
            return None
        account, kept = found
        if is_outdated(kept):
            fresh = hashed(password)

            def write(tables: Tables) -> None:  # unless it was changed meanwhile
                statement = f"UPDATE {{at}}accounts SET password = ? WHERE {tables.same_name} AND password = ?"
                tables.run(statement, (fresh, tables.coded(name), kept))

            self._store.change(write)
        return account

    def _change(self, write: Callable[[Tables, float], None], what: str, *, name: str, **about: Any) -> None:
        """Change an account, end its sessions, and note it, all together or not at all."""
        check_whole(name)
        now = float(self._clock())
        line = drafted(self._by, what, {"name": name} | about)

        def change(tables: Tables) -> None:
            hold(tables)  # so that of two owners not both can be removed at once
            write(tables, now)
            end_in(tables, name)
            noted(tables, now, line)

        self._store.change(change)

    def _role(self, tables: Tables, name: str, locking: str = "") -> str:
        role = role_in(tables, name, locking)
        if role is None or role == REMOVED:
            names = [account.name for account in _all(tables)]
            known = hint(name, names) if names else "Add it with `labelwise user add`."
            raise NotFoundError(f"There is no account {shown(name)} in '{self._store.label}'. {known}")
        return role

    def _check_not_last(self, tables: Tables, name: str, what: str) -> None:
        [[n_owners]] = tables.run("SELECT count(*) FROM {at}accounts WHERE role = ?", ("owner",))
        if n_owners == 1:
            raise ConflictError(
                f"{shown(name)} is the only owner of '{self._store.label}', and cannot be {what}. Make another account "
                "an owner first with `labelwise user role`."
            )


def check_name(name: str) -> None:
    """Refuse a name that nobody could type or tell from another.

    Examples
    --------
    >>> check_name("")
    Traceback (most recent call last):
    ...
    labelwise.errors.ArgumentError: The name of an account must not be empty. Give one of up to 100 characters.
    """
    check_whole(name)
    if not name.strip():
        raise ArgumentError(f"The name of an account must not be empty. Give one of up to {_LONGEST} characters.")
    if len(name) > _LONGEST:
        raise ArgumentError(
            f"The name of an account may have up to {_LONGEST} characters, but {shown(name)} has {len(name):,}. "
            "Choose a shorter one."
        )
    wrong = next((c for c in name if unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in _TURNING), None)
    if wrong is not None:
        raise ArgumentError(f"The name {shown(name)} has a control character in it ({wrong!a}). Take it out.")


def _seen(name: str) -> str:
    """Return a name as people tell it from others: without case, outer space and the many forms of one character."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _is_whole(text: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in text)


def _all(tables: Tables) -> list[Account]:
    statement = "SELECT name, role, changed FROM {at}accounts WHERE role <> ? ORDER BY name"
    return [Account(str(tables.decoded(name)), role, at) for name, role, at in tables.run(statement, (REMOVED,))]


def _kept(tables: Tables, name: str) -> tuple[Account, str] | None:
    """Give an account with the hash of its password."""
    statement = f"SELECT role, changed, password FROM {{at}}accounts WHERE {tables.same_name} AND role <> ?"
    found = tables.run(statement, (tables.coded(name), REMOVED))
    return (Account(name, found[0][0], found[0][1]), found[0][2]) if found else None


def _set(tables: Tables, name: str, **values: Any) -> None:
    """Change columns of an account; their names are ours."""
    columns = ", ".join(f"{column} = ?" for column in values)
    statement = f"UPDATE {{at}}accounts SET {columns} WHERE {tables.same_name}"
    tables.run(statement, (*values.values(), tables.coded(name)))
