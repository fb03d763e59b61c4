"""`open_store`: open a store by the path of a file or the address of a database."""

from __future__ import annotations

from pathlib import Path

from labelwise.errors import ArgumentError
from labelwise.files import is_database
from labelwise.store.postgres import PostgresStore, is_address
from labelwise.store.postgres.address import Address
from labelwise.store.sqlite import SqliteStore
from labelwise.store.store import PATIENCE, Store


def open_store(where: str | Path, *, create: bool = True, is_known: bool = False, patience: float = PATIENCE) -> Store:
    """Open the store at a path, or at the address of a PostgreSQL database.

    Parameters
    ----------
    where : a path such as "spring.lw", or an address such as "postgresql://ann@db.example/team".
    create : whether to create a store if there is none.
    is_known : whether the store is known to exist, so that an unreachable server is waited for.
    patience : seconds to wait for another writer, or for an unreachable server.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> with tempfile.TemporaryDirectory() as folder, lw.open_store(f"{folder}/spring.lw") as store:
    ...     store.names()
    []
    """
    if is_address(where):
        return PostgresStore(str(where), create=create, is_known=is_known, patience=patience)
    if isinstance(where, str) and "://" in where:
        scheme = where.partition("://")[0]
        raise ArgumentError(
            f"A store is a file or postgresql://USER@HOST/DATABASE, but this address starts with '{scheme}://'."
        )
    return SqliteStore(where, create=create, patience=patience)


def shown_place(where: str | Path) -> str:
    """Return a path or address for display, without the password.

    Examples
    --------
    >>> shown_place("postgresql://ann:secret@db/team")
    'postgresql://ann@db/team'
    """
    return Address.of(str(where)).label if is_address(where) else str(Path(where))


def is_store(where: str | Path) -> bool:
    """Return whether this is the address of a database, or a file whose first bytes are those of a store.

    Examples
    --------
    >>> is_store("no such file"), is_store("postgresql://db/team")
    (False, True)
    """
    return is_address(where) or is_database(where)
