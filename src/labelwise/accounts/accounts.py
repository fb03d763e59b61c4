"""The accounts of a store: who may sign in to its server, and with which role."""

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
_BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # direction controls can make a name look like another


@dataclass(frozen=True)
class Account:
    """A user account.

    Attributes
    ----------
    name : the name to sign in with.
    role : "viewer", "labeller" or "owner".
    changed : Unix time of the last change of password or role; ignored in comparisons.
    """

    name: str
    role: str
    changed: float = field(default=0.0, compare=False)


class Accounts(Sessions):
    """The accounts of a store, and their sessions.

    Passwords are stored as argon2id hashes. Every change to an account is recorded in the audit trail, and ends the
    sessions of that account.

    Parameters
    ----------
    store : the store of the accounts.
    by : who makes the changes, for the audit trail.
    clock : function that returns the Unix time.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> with tempfile.TemporaryDirectory() as folder, lw.open_store(f"{folder}/spring.lw") as store:
    ...     accounts = lw.accounts.Accounts(store, by="ann")
    ...     accounts.add("ann", "owner", "correct horse")
    ...     print(accounts.check("ann", "wrong horse"), accounts.check("ann", "correct horse").role)
    ...     token = accounts.begin("ann", "owner", seconds=3600)
    ...     print(accounts.session_of(token).name, lw.accounts.Audit(store).entries()[0].what)
    None owner
    ann account added
    """

    def add(self, name: str, role: str, password: str) -> None:
        """Add an account; the name of a removed account can be used again.

        Raises
        ------
        ArgumentError : if the name, role or password is invalid.
        ConflictError : if an account with that name, or one that looks like it, exists.
        """
        check_name(name)
        check_one_of(role, "role", ROLES)
        check_password(password)
        password_hash = hashed(password)

        def write(tables: Tables, now: float) -> None:
            current = role_in(tables, name, tables.locking)
            if current not in (None, REMOVED):
                raise ConflictError(
                    f"Account {shown(name)} already exists in '{self._store.label}'. Change it with `labelwise user "
                    "password` or `labelwise user role`, or choose another name."
                )
            twin = next((a.name for a in _all(tables) if a.name != name and _skeleton(a.name) == _skeleton(name)), None)
            if twin is not None:
                raise ConflictError(
                    f"The name {shown(name)} looks like the account {shown(twin)} in '{self._store.label}'. Choose a "
                    "name that cannot be confused with another."
                )
            if current == REMOVED:
                _set(tables, name, role=role, password=password_hash, changed=now)
            else:
                statement = "INSERT INTO {at}accounts (name, role, password, changed) VALUES (?, ?, ?, ?)"
                tables.run(statement, (tables.coded(name), role, password_hash, now))

        self._change(write, "account added", name=name, role=role)

    def remove(self, name: str) -> None:
        """Remove an account and end its sessions; the last owner cannot be removed."""

        def write(tables: Tables, now: float) -> None:
            if self._role(tables, name, tables.locking) == "owner":
                self._check_not_last(tables, name, "removed")
            _set(tables, name, role=REMOVED, password="", changed=now)

        self._change(write, "account removed", name=name)

    def set_password(self, name: str, password: str) -> None:
        """Change the password of an account and end its sessions."""
        check_password(password)
        password_hash = hashed(password)

        def write(tables: Tables, now: float) -> None:
            self._role(tables, name, tables.locking)
            _set(tables, name, password=password_hash, changed=now)

        self._change(write, "password changed", name=name)

    def set_role(self, name: str, role: str) -> None:
        """Change the role of an account and end its sessions; the last owner must stay an owner."""
        check_one_of(role, "role", ROLES)

        def write(tables: Tables, now: float) -> None:
            if self._role(tables, name, tables.locking) == "owner" and role != "owner":
                self._check_not_last(tables, name, f"made a {role}")
            _set(tables, name, role=role, changed=now)

        self._change(write, "role changed", name=name, role=role)

    def all(self) -> list[Account]:
        """Return all accounts, sorted by name."""
        return self._store.read(_all)

    def account(self, name: str) -> Account:
        """Return the account with a name; raise NotFoundError if there is none."""
        check_whole(name)

        def query(tables: Tables) -> Account:
            self._role(tables, name)
            stored = _stored(tables, name)
            assert stored is not None  # its role was read in the same transaction
            return stored[0]

        return self._store.read(query, is_one_look=True)

    def check(self, name: str, password: str) -> Account | None:
        """Return the account if the password is correct, else None.

        A failure takes equally long whether or not the account exists, so that timing does not reveal names.
        """
        stored = self._store.read(lambda tables: _stored(tables, name)) if _is_encodable(name) else None
        if not is_right(password, None if stored is None else stored[1]) or stored is None:
            return None
        account, old_hash = stored
        if is_outdated(old_hash):
            new_hash = hashed(password)

            def write(tables: Tables) -> None:  # unless the password was changed in the meantime
                statement = f"UPDATE {{at}}accounts SET password = ? WHERE {tables.same_name} AND password = ?"
                tables.run(statement, (new_hash, tables.coded(name), old_hash))

            self._store.change(write)
        return account

    def _change(self, write: Callable[[Tables, float], None], what: str, *, name: str, **about: Any) -> None:
        """Change an account, end its sessions and record the change in the audit trail, in one transaction."""
        check_whole(name)
        now = float(self._clock())
        line = drafted(self._by, what, {"name": name} | about)

        def change(tables: Tables) -> None:
            hold(tables)  # lock, so that the last two owners cannot both be removed concurrently
            write(tables, now)
            end_in(tables, name)
            noted(tables, now, line)

        self._store.change(change)

    def _role(self, tables: Tables, name: str, locking: str = "") -> str:
        role = role_in(tables, name, locking)
        if role is None or role == REMOVED:
            names = [account.name for account in _all(tables)]
            way_out = hint(name, names) if names else "Add it with `labelwise user add`."
            raise NotFoundError(f"There is no account {shown(name)} in '{self._store.label}'. {way_out}")
        return role

    def _check_not_last(self, tables: Tables, name: str, what: str) -> None:
        [[n_owners]] = tables.run("SELECT count(*) FROM {at}accounts WHERE role = ?", ("owner",))
        if n_owners == 1:
            raise ConflictError(
                f"{shown(name)} is the only owner of '{self._store.label}' and cannot be {what}. Make another account "
                "an owner first with `labelwise user role`."
            )


def check_name(name: str) -> None:
    """Raise ArgumentError for a name that is empty, too long or has control characters.

    Examples
    --------
    >>> check_name("")
    Traceback (most recent call last):
    ...
    labelwise.errors.ArgumentError: An account name must not be empty. Choose one of up to 100 characters.
    """
    check_whole(name)
    if not name.strip():
        raise ArgumentError(f"An account name must not be empty. Choose one of up to {_LONGEST} characters.")
    if len(name) > _LONGEST:
        raise ArgumentError(
            f"An account name may have up to {_LONGEST} characters, but {shown(name)} has {len(name):,}. "
            "Choose a shorter one."
        )
    wrong = next((c for c in name if unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in _BIDI), None)
    if wrong is not None:
        raise ArgumentError(f"The name {shown(name)} contains a control character ({wrong!a}). Remove it.")


def _skeleton(name: str) -> str:
    """Return a name in a form that is equal for look-alikes: NFKC, case-folded, with white space collapsed."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in text)


def _all(tables: Tables) -> list[Account]:
    statement = "SELECT name, role, changed FROM {at}accounts WHERE role <> ? ORDER BY name"
    return [Account(str(tables.decoded(name)), role, at) for name, role, at in tables.run(statement, (REMOVED,))]


def _stored(tables: Tables, name: str) -> tuple[Account, str] | None:
    """Return an account and its password hash; None if there is no such account."""
    statement = f"SELECT role, changed, password FROM {{at}}accounts WHERE {tables.same_name} AND role <> ?"
    rows = tables.run(statement, (tables.coded(name), REMOVED))
    return (Account(name, rows[0][0], rows[0][1]), rows[0][2]) if rows else None


def _set(tables: Tables, name: str, **values: Any) -> None:
    """Update columns of an account; column names are interpolated, so they must not come from users."""
    columns = ", ".join(f"{column} = ?" for column in values)
    statement = f"UPDATE {{at}}accounts SET {columns} WHERE {tables.same_name}"
    tables.run(statement, (*values.values(), tables.coded(name)))
