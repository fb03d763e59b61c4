"""`labelwise user`: the accounts of a store, for its server."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.command import group
from labelwise.cli.label import login_name

_MOST = 10_000  # bytes of a password that are read
_DAY = 86_400  # seconds

AccountName = Annotated[str, typer.Argument(metavar="NAME", help="The name of the account.")]
Role = Annotated[
    str, typer.Option(metavar="ROLE", help="viewer (looks), labeller (labels too) or owner (may do everything).")
]
PasswordStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input, not from the terminal.")
]


def add(
    store: options.Store,
    name: AccountName,
    role: Role = "labeller",
    password_stdin: PasswordStdin = False,
    as_json: options.Json = False,
) -> None:
    """Add an account to a store.

    The password is asked for twice; only its hash is kept.

    \b
    Examples:
      cat password.txt | labelwise user add spring.lw ann --role owner --password-stdin
    """
    from labelwise.accounts import Accounts
    from labelwise.accounts.accounts import check_name
    from labelwise.accounts.sessions import ROLES
    from labelwise.checks import check_one_of, shown
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say

    with store_at(store) as kept:
        check_name(name)
        check_one_of(role, "--role", ROLES)
        Accounts(kept, by=_by()).add(name, role, _password(password_stdin))
    say({"name": name, "role": role}, f"Added {shown(name)} as {role}.", as_json=as_json)


def list_(store: options.Store, as_json: options.Json = False) -> None:
    """List the accounts of a store and their roles.

    \b
    Examples:
      labelwise user list spring.lw
      labelwise user list spring.lw --json
    """
    from labelwise.accounts import Accounts
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say
    from labelwise.report.history import when
    from labelwise.report.table import cell_name, table

    with store_at(store) as kept:
        found = [(one.name, one.role, when(one.changed)) for one in Accounts(kept).all()]
    rows = [[cell_name(name), role, changed] for name, role, changed in found]
    document = {"accounts": [{"name": name, "role": role, "changed": changed} for name, role, changed in found]}
    text = table(["name", "role", "changed"], rows, left=3) if rows else "No account yet. Add one: labelwise user add."
    say(document, text, as_json=as_json)


def remove(store: options.Store, name: AccountName, as_json: options.Json = False) -> None:
    """Remove an account.

    Its sessions and keys end. What its user did stays.

    \b
    Examples:
      labelwise user remove spring.lw bob
    """
    from labelwise.accounts import Accounts
    from labelwise.checks import shown
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say

    with store_at(store) as kept:
        Accounts(kept, by=_by()).remove(name)
    say({"removed": name}, f"Removed {shown(name)}; their sessions and keys ended.", as_json=as_json)


def password(
    store: options.Store, name: AccountName, password_stdin: PasswordStdin = False, as_json: options.Json = False
) -> None:
    """Change the password of an account.

    Its sessions and keys end.

    \b
    Examples:
      cat password.txt | labelwise user password spring.lw bob --password-stdin
    """
    from labelwise.accounts import Accounts
    from labelwise.checks import shown
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say

    with store_at(store) as kept:
        accounts = Accounts(kept, by=_by())
        accounts.account(name)  # what is not there is said before anything is asked
        accounts.set_password(name, _password(password_stdin))
    text = f"Changed the password of {shown(name)}; their sessions and keys ended."
    say({"name": name, "changed": "password"}, text, as_json=as_json)


def role(
    store: options.Store,
    name: AccountName,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="viewer, labeller or owner.")],
    as_json: options.Json = False,
) -> None:
    """Change the role of an account.

    Its sessions and keys end. The last owner stays one.

    \b
    Examples:
      labelwise user role spring.lw bob owner
    """
    from labelwise.accounts import Accounts
    from labelwise.checks import shown
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say

    with store_at(store) as kept:
        Accounts(kept, by=_by()).set_role(name, role)
    text = f"{shown(name)} is {'an' if role == 'owner' else 'a'} {role} now; their sessions and keys ended."
    say({"name": name, "role": role}, text, as_json=as_json)


def key(
    store: options.Store,
    name: AccountName,
    days: Annotated[float, typer.Option(metavar="N", help="How long it is good for.", min=0.001, max=36_500)] = 365,
    as_json: options.Json = False,
) -> None:
    """Make an access key for tools, with the rights of an account.

    It is shown this once. A tool sends it as `Authorization: Bearer KEY`. It ends after so many days, or as soon as the
    account's password or role changes.

    \b
    Examples:
      labelwise user key spring.lw bob --days 30
    """
    from labelwise.accounts import Accounts
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say
    from labelwise.report.history import when

    with store_at(store) as kept:
        accounts = Accounts(kept, by=_by())
        account = accounts.account(name)
        token = accounts.begin(name, account.role, seconds=days * _DAY, kind="key")
        found = accounts.session_of(token)
    until = when(found.until) if found else None
    say({"name": name, "role": account.role, "key": token, "until": until}, token, as_json=as_json)


def sessions(store: options.Store, as_json: options.Json = False) -> None:
    """List who is signed in, with which keys and links.

    Access keys and share links that have not ended.

    \b
    Examples:
      labelwise user sessions spring.lw
    """
    from labelwise.accounts import Accounts
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say
    from labelwise.report.history import when
    from labelwise.report.table import cell_name, table

    with store_at(store) as kept:
        found = [(one.name, one.role, one.kind, when(one.until)) for one in Accounts(kept).sessions()]
    columns = ["name", "role", "kind", "until"]
    rows = [[cell_name(name), *rest] for name, *rest in found]
    text = table(columns, rows, left=4) if rows else "Nobody is signed in."
    say({"sessions": [dict(zip(columns, one, strict=True)) for one in found]}, text, as_json=as_json)


def revoke(store: options.Store, name: AccountName, as_json: options.Json = False) -> None:
    """End all sessions and access keys of a name.

    At once, whether or not it has an account; the account stays.

    \b
    Examples:
      labelwise user revoke spring.lw bob
    """
    from labelwise.accounts import Accounts
    from labelwise.checks import counted, shown
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say

    with store_at(store) as kept:
        n_ended = Accounts(kept, by=_by()).end_all(name)
    say({"name": name, "ended": n_ended}, f"Ended {counted(n_ended, 'session')} of {shown(name)}.", as_json=as_json)


def _by() -> str:
    """Say who changes accounts; a login name is not the name of an account."""
    return f"{login_name()} (command line)".strip()


def _password(from_stdin: bool) -> str:
    """Get a password: a line from a pipe, or asked for twice at a terminal."""
    from getpass import getpass

    from labelwise.accounts.passwords import check_password
    from labelwise.errors import ArgumentError

    if from_stdin:
        raw = sys.stdin.buffer.read(_MOST)
        try:
            found = raw.decode().removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError:
            raise ArgumentError("The password is not text in UTF-8. Save it as UTF-8.") from None
        check_password(found)
        return found
    if not sys.stdin.isatty():
        raise ArgumentError("A password is asked for at a terminal. Give --password-stdin to read it from a pipe.")
    found = getpass("Password: ", sys.stderr)
    check_password(found)
    if getpass("Again: ", sys.stderr) != found:
        raise ArgumentError("The two passwords are not the same; nothing was changed. Try again.")
    return found


app = group(
    "user",
    "Manage who may sign in to the server of a store.",
    {
        "add": add,
        "list": list_,
        "remove": remove,
        "password": password,
        "role": role,
        "key": key,
        "sessions": sessions,
        "revoke": revoke,
    },
)
