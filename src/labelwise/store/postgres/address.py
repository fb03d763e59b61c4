"""The address of a PostgreSQL store, and how it is shown: never with a password."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from labelwise.checks import shown
from labelwise.errors import ArgumentError

SCHEMA = "labelwise"
_LONGEST = 63  # bytes of a name; PostgreSQL would cut it
_SCHEMES = ("postgresql://", "postgres://")
_SECRETS = ("password", "passfile", "sslpassword", "sslkey", "scram_client_key", "scram_server_key")
_SHOWN = ("host", "port", "user", "dbname", "service")
_DEFAULTS = {
    "application_name": "labelwise",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "target_session_attrs": "read-write",  # of several hosts, the one that takes writes
}


def is_address(where: object) -> bool:
    """Say whether a text is the address of a PostgreSQL database, and not a path.

    Examples
    --------
    >>> is_address("postgresql://ann@db/team"), is_address("spring.lw")
    (True, False)
    """
    return isinstance(where, str) and where.startswith(_SCHEMES)


@dataclass(frozen=True)
class Address:
    """Where a store is.

    Attributes
    ----------
    schema : the schema that holds its tables.
    label : the address as it may be shown.
    """

    label: str
    schema: str
    _url: str = field(repr=False)

    @classmethod
    def of(cls, url: str, schema: str | None = None) -> Address:
        """Read an address; `?schema=NAME` names a schema of its own.

        Examples
        --------
        >>> Address.of("postgresql://ann:secret@db/team?schema=spring&sslmode=require")
        Address(label='postgresql://ann@db/team?schema=spring', schema='spring')
        """
        base, _, query = url.partition("?")
        words = _words(query)
        wanted = schema or next((unquote(value) for word, value in reversed(words) if word == "schema"), SCHEMA)
        if "\x00" in wanted or len(wanted.encode()) > _LONGEST or wanted.startswith("pg_"):
            raise ArgumentError(f"`schema` must be a name that PostgreSQL allows, but is {shown(wanted)}.")
        # each word as it was written: libpq has rules of its own, such as for '+'
        rest = "&".join(f"{word}={value}" for word, value in words if word != "schema")
        return cls(_label(base, words, wanted), wanted, f"{base}?{rest}" if rest else base)

    def parameters(self) -> dict[str, Any]:
        """Give what libpq needs to connect.

        Raises
        ------
        ArgumentError : if it is not an address; without what it says, which may be a password.
        """
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

        try:
            return _DEFAULTS | conninfo_to_dict(self._url)
        except ProgrammingError:
            raise ArgumentError(
                f"'{self.label}' cannot be read as an address. Write postgresql://USER@HOST:PORT/DATABASE, and special "
                "characters as %XX."
            ) from None

    def quoted(self) -> str:
        """Give the schema as it stands in a statement."""
        name = self.schema.replace('"', '""')
        return f'"{name}"'

    def scrubbed(self, text: str) -> str:
        """Take every secret of the address out of a text."""
        base, _, query = self._url.partition("?")
        login, at, _ = base.partition("://")[2].rpartition("@")
        secrets = {login.partition(":")[2]} if at else set()
        secrets |= {value for word, value in _words(query) if word in _SECRETS}
        for secret in {*secrets, *map(unquote, secrets)} - {""}:
            text = text.replace(secret, "***")
        return text


def _words(query: str) -> list[tuple[str, str]]:
    """Split what stands after the question mark."""
    parts = [part.partition("=") for part in query.split("&") if part]
    return [(word, value) for word, _, value in parts]


def _label(base: str, words: list[tuple[str, str]], schema: str) -> str:
    scheme, _, rest = base.partition("://")
    login, at, place = rest.rpartition("@")  # a password may have an @ of its own
    if "[" not in place:  # what stands after a colon and is no port may be a password with a question mark in it
        place = re.sub(r":(?!\d+(?:[,/]|$))[^,/]*", "", place)
    more = [f"{word}={value}" for word, value in words if word in _SHOWN]
    more += [f"schema={schema}"] if schema != SCHEMA else []
    return f"{scheme}://{login.partition(':')[0]}{at}{place}{'?' if more else ''}{'&'.join(more)}"
