"""What PostgreSQL says, as one sentence with the way out; never with a password."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError, of_store

if TYPE_CHECKING:
    import psycopg

    from labelwise.store.postgres.address import Address

# The server may speak any language, so that only codes are relied upon once there is a connection; without one libpq
# gives no code, and what is not understood is shown as it is.
_PASSING = (
    "57P01",  # the server shuts down
    "57P02",  # it crashed
    "57P03",  # it starts up
    "57P05",  # it ended a session that was idle
    "25P03",  # it ended a transaction that was idle
    "25006",  # it has become read-only: another one has taken over
    "40001",  # two transactions could not be put in order
    "40P01",  # two transactions waited for each other
)
_STARTING = ("the database system is", "server closed the connection", "too many clients", "connection slots are")
_LOGIN = ("authentication failed", "no password supplied", "password is missing", "role ", "pg_hba.conf")


def is_passing(error: psycopg.Error, connection: psycopg.Connection | None) -> bool:
    """Say whether an error is one of the connection or the moment, so that trying again can help."""
    if connection is not None and (connection.closed or connection.broken):
        return True
    code = code_of(error)
    return code in _PASSING or code.startswith("08") or (not code and type(error).__name__ == "OperationalError")


def code_of(error: BaseException | None) -> str:
    """Give the server's code of an error, or of the one during which it came up; "" if the server said nothing.

    Statements are sent in one go: when the first fails, leaving may fail too, and must not hide why.
    """
    while error is not None:
        code = getattr(error, "sqlstate", None)
        if code:
            return str(code)
        error = error.__context__
    return ""


def is_starting(error: psycopg.Error) -> bool:
    """Say whether there is a server, but not quite yet."""
    return any(words in str(error) for words in _STARTING)


def is_final(error: psycopg.Error) -> bool:
    """Say whether no waiting will make a server let us in."""
    said = str(error)
    return any(words in said for words in _LOGIN) or _lacks_database(said)


def _lacks_database(said: str) -> bool:
    return 'database "' in said and "does not exist" in said


def refused(error: psycopg.Error, address: Address) -> LabelwiseError:
    """Say why there is no connection."""
    return of_store(_refused(error, address))


def _refused(error: psycopg.Error, address: Address) -> LabelwiseError:
    said, label = str(error), address.label
    if _lacks_database(said):
        return NotFoundError(f"There is no database at '{label}'. Make it with `createdb`, or correct the address.")
    if any(words in said for words in _LOGIN):
        return LabelwiseError(
            f"'{label}' does not let you in: wrong user or password. Give the password by PGPASSWORD or ~/.pgpass."
        )
    if "read-only" in said or "hot standby" in said:
        return LabelwiseError(f"'{label}' takes no writes: it follows another server. Use the address of that one.")
    if "could not translate host name" in said or "Name or service not known" in said:
        return NotFoundError(f"The server of '{label}' is not known by that name. Correct the address.")
    reasons = ("refused", "No such file or directory", "timeout expired", "timed out", "unreachable")
    if any(words in said for words in reasons):
        return NotFoundError(f"No PostgreSQL server answers at '{label}'. Start it, or correct the address.")
    return LabelwiseError(f"'{label}' cannot be opened: {_line(said, address)}.")


def explained(error: psycopg.Error, address: Address) -> LabelwiseError:
    """Say why a statement failed."""
    return of_store(_explained(error, address))


def _explained(error: psycopg.Error, address: Address) -> LabelwiseError:
    code, label = code_of(error), address.label
    if code == "55P03":
        return ConflictError(f"'{label}' is held by another writer for too long; nothing was changed. Try again.")
    if code == "53100":
        return LabelwiseError(f"The disk is full; nothing was written to '{label}'. Make room, and try again.")
    if code == "42501":
        return LabelwiseError(
            f"You may not write to '{label}'. Have its owner make the schema for you (CREATE SCHEMA {address.quoted()} "
            "AUTHORIZATION you), or grant you its tables."
        )
    if code in ("42P01", "42703", "3F000"):
        return DataError(f"The tables in '{label}' are not those of labelwise, or damaged. Restore them from a backup.")
    if code in _PASSING or not code:
        return LabelwiseError(f"The connection to '{label}' was lost; nothing was changed. Try again.")
    return LabelwiseError(f"'{label}' could not be read or written: {_line(str(error), address)}.")


def unknown(address: Address) -> LabelwiseError:
    """Say that a commit was sent, and that no server came back to say how it ended."""
    return of_store(
        LabelwiseError(
            f"The connection to '{address.label}' was lost while writing, and did not come back. See with `labelwise "
            "history` whether it was kept, or tell it again: under the same key, or in the same words, it counts once."
        )
    )


def unsure(address: Address) -> LabelwiseError:
    """Say the same of a change that is not one of labels, which would count again."""
    return of_store(
        LabelwiseError(
            f"The connection to '{address.label}' was lost while writing, and did not come back. See with `labelwise "
            "status` or `labelwise audit` whether it was kept, before you try again."
        )
    )


def _line(said: str, address: Address) -> str:
    first = next((line for line in said.splitlines() if line.strip()), "no reason was given")
    return address.scrubbed(first.strip().rstrip("."))
