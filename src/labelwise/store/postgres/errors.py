"""Translation of PostgreSQL's errors to messages with a way out, and without passwords."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError, of_store

if TYPE_CHECKING:
    import psycopg

    from labelwise.store.postgres.address import Address

# The server's messages may be in any language, so only codes are used once there is a connection. Without one, libpq
# gives no code, and messages that are not recognised are shown unchanged.
_PASSING = (
    "57P01",  # admin_shutdown
    "57P02",  # crash_shutdown
    "57P03",  # cannot_connect_now: the server is starting up
    "57P05",  # idle_session_timeout
    "25P03",  # idle_in_transaction_session_timeout
    "25006",  # read_only_sql_transaction: another server has taken over
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
)
_STARTING = ("the database system is", "server closed the connection", "too many clients", "connection slots are")
_LOGIN = ("authentication failed", "no password supplied", "password is missing", "role ", "pg_hba.conf")


def is_passing(error: psycopg.Error, connection: psycopg.Connection | None) -> bool:
    """Return whether an error is transient, so that a retry can succeed."""
    if connection is not None and (connection.closed or connection.broken):
        return True
    code = code_of(error)
    return code in _PASSING or code.startswith("08") or (not code and type(error).__name__ == "OperationalError")


def code_of(error: BaseException | None) -> str:
    """Return the server's code of an error, or of the error that caused it; "" if there is none.

    Statements are pipelined: if one fails, leaving the pipeline may fail too, which must not hide the cause.
    """
    while error is not None:
        code = getattr(error, "sqlstate", None)
        if code:
            return str(code)
        error = error.__context__
    return ""


def is_starting(error: psycopg.Error) -> bool:
    """Return whether the server exists but does not accept connections yet."""
    return any(words in str(error) for words in _STARTING)


def is_final(error: psycopg.Error) -> bool:
    """Return whether a connection error is permanent, so that waiting cannot help."""
    message = str(error)
    return any(words in message for words in _LOGIN) or _lacks_database(message)


def _lacks_database(message: str) -> bool:
    return 'database "' in message and "does not exist" in message


def refused(error: psycopg.Error, address: Address) -> LabelwiseError:
    """Return the error for a failed connection."""
    return of_store(_refused(error, address))


def _refused(error: psycopg.Error, address: Address) -> LabelwiseError:
    message, label = str(error), address.label
    if _lacks_database(message):
        return NotFoundError(f"There is no database at '{label}'. Create it with `createdb`, or correct the address.")
    if any(words in message for words in _LOGIN):
        return LabelwiseError(
            f"'{label}' rejected the user or password. Set the password with PGPASSWORD or ~/.pgpass."
        )
    if "read-only" in message or "hot standby" in message:
        return LabelwiseError(f"'{label}' is a read-only standby. Use the address of the primary server.")
    if "could not translate host name" in message or "Name or service not known" in message:
        return NotFoundError(f"The host name in '{label}' is unknown. Correct the address.")
    reasons = ("refused", "No such file or directory", "timeout expired", "timed out", "unreachable")
    if any(words in message for words in reasons):
        return NotFoundError(f"No PostgreSQL server answers at '{label}'. Start it, or correct the address.")
    return LabelwiseError(f"'{label}' cannot be opened: {_line(message, address)}.")


def explained(error: psycopg.Error, address: Address) -> LabelwiseError:
    """Return the error for a failed statement."""
    return of_store(_explained(error, address))


def _explained(error: psycopg.Error, address: Address) -> LabelwiseError:
    code, label = code_of(error), address.label
    if code == "55P03":
        return ConflictError(f"Another writer has locked '{label}' for too long; nothing was changed. Try again.")
    if code == "53100":
        return LabelwiseError(f"The disk is full; nothing was written to '{label}'. Free some space and try again.")
    if code == "42501":
        return LabelwiseError(
            f"You do not have permission to write to '{label}'. Ask its owner to create the schema for you (CREATE "
            f"SCHEMA {address.quoted()} AUTHORIZATION you), or to grant you access to its tables."
        )
    if code in ("42P01", "42703", "3F000"):
        return DataError(
            f"The tables in '{label}' are damaged, or were not created by labelwise. Restore them from a backup."
        )
    if code in _PASSING or not code:
        return LabelwiseError(f"The connection to '{label}' was lost; nothing was changed. Try again.")
    return LabelwiseError(f"'{label}' could not be read or written: {_line(str(error), address)}.")


def unknown(address: Address) -> LabelwiseError:
    """Return the error for a commit of labels whose outcome is unknown."""
    return of_store(
        LabelwiseError(
            f"The connection to '{address.label}' was lost during a write and could not be restored. Check "
            "with `labelwise store history` whether the write succeeded, or repeat it: the same label or key counts "
            "only once."
        )
    )


def unsure(address: Address) -> LabelwiseError:
    """Return the error for any other commit whose outcome is unknown; repeating it would count twice."""
    return of_store(
        LabelwiseError(
            f"The connection to '{address.label}' was lost during a write and could not be restored. Check with "
            "`labelwise status` or `labelwise store audit` whether the write succeeded before you try again."
        )
    )


def _line(message: str, address: Address) -> str:
    first = next((line for line in message.splitlines() if line.strip()), "no reason was given")
    return address.scrubbed(first.strip().rstrip("."))
