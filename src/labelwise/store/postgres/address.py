"""The address of a PostgreSQL store, which is never shown with its password."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from labelwise.checks import shown
from labelwise.errors import ArgumentError

SCHEMA = "labelwise"
_LONGEST = 63  # bytes of a name; PostgreSQL truncates longer ones
_SCHEMES = ("postgresql://", "postgres://")
_SECRETS = ("password", "passfile", "sslpassword", "sslkey", "scram_client_key", "scram_server_key")
_SHOWN = ("host", "port", "user", "dbname", "service")
_DEFAULTS = {
    "application_name": "labelwise",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "target_session_attrs": "read-write",  # of several hosts, the one that accepts writes
}


def is_address(where: object) -> bool:
    """Return whether a text is the address of a PostgreSQL database and not a path.

    Examples
    --------
    >>> is_address("postgresql://ann@db/team"), is_address("spring.lw")
    (True, False)
    """
    return isinstance(where, str) and where.startswith(_SCHEMES)


@dataclass(frozen=True)
class Address:
    """The address of a store.

    Attributes
    ----------
    schema : the schema of the tables.
    label : the address for display, without secrets.
    """

    label: str
    schema: str
    _url: str = field(repr=False)

    @classmethod
    def of(cls, url: str, schema: str | None = None) -> Address:
        """Parse an address; `?schema=NAME` selects the schema.

        Examples
        --------
        >>> Address.of("postgresql://ann:secret@db/team?schema=spring&sslmode=require")
        Address(label='postgresql://ann@db/team?schema=spring', schema='spring')
        """
        base, _, query = url.partition("?")
        options = _options(query)
        wanted = schema or next((unquote(value) for key, value in reversed(options) if key == "schema"), SCHEMA)
        if "\x00" in wanted or len(wanted.encode()) > _LONGEST or wanted.startswith("pg_"):
            raise ArgumentError(f"`schema` must be a valid PostgreSQL name, but is {shown(wanted)}.")
        # options are passed on unchanged, because libpq has its own decoding rules, such as for '+'
        rest = "&".join(f"{key}={value}" for key, value in options if key != "schema")
        return cls(_label(base, options, wanted), wanted, f"{base}?{rest}" if rest else base)

    def parameters(self) -> dict[str, Any]:
        """Return libpq's connection parameters.

        Raises
        ------
        ArgumentError : if the address is invalid; the message omits libpq's, which may contain the password.
        """
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

        try:
            return _DEFAULTS | conninfo_to_dict(self._url)
        except ProgrammingError:
            raise ArgumentError(
                f"'{self.label}' is not a valid address. Write postgresql://USER@HOST:PORT/DATABASE, with special "
                "characters as %XX."
            ) from None

    def quoted(self) -> str:
        """Return the schema as a quoted SQL identifier."""
        name = self.schema.replace('"', '""')
        return f'"{name}"'

    def scrubbed(self, text: str) -> str:
        """Replace every secret of the address in a text by ***."""
        base, _, query = self._url.partition("?")
        login, at, _ = base.partition("://")[2].rpartition("@")
        secrets = {login.partition(":")[2]} if at else set()
        secrets |= {value for key, value in _options(query) if key in _SECRETS}
        for secret in {*secrets, *map(unquote, secrets)} - {""}:
            text = text.replace(secret, "***")
        return text


def _options(query: str) -> list[tuple[str, str]]:
    """Split the query of an address into keys and values, without decoding them."""
    parts = [part.partition("=") for part in query.split("&") if part]
    return [(key, value) for key, _, value in parts]


def _label(base: str, options: list[tuple[str, str]], schema: str) -> str:
    scheme, _, rest = base.partition("://")
    login, at, host = rest.rpartition("@")  # the last @, because a password may contain one
    if "[" not in host:  # text after a colon that is not a port may be part of a password that contains a question mark
        host = re.sub(r":(?!\d+(?:[,/]|$))[^,/]*", "", host)
    more = [f"{key}={value}" for key, value in options if key in _SHOWN]
    more += [f"schema={schema}"] if schema != SCHEMA else []
    return f"{scheme}://{login.partition(':')[0]}{at}{host}{'?' if more else ''}{'&'.join(more)}"
