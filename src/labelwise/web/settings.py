"""What a server is started with."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path

PORT = 8765
PATIENCE = 10.0  # seconds to wait for the store: the page keeps what could not be told, and sends it again
ANYWHERE = ("0.0.0.0", "::")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True)
class Settings:
    """What a server is started with.

    Attributes
    ----------
    where, name : the store, and which of its assessments; the only one if None.
    host, port : where it listens.
    labeller : what the person who opens the sign-in link is called.
    images : the folder that pictures come from; nothing outside it is ever read.
    guidelines : how to label, for the side panel.
    hosts : further names that the server answers to, of a proxy in front of it say.
    proxies : addresses of proxies in front of it, whose word on the client's address and on https is taken.
    certificate, private_key : files for https.
    has_log : whether to write a line a request to standard error.

    Examples
    --------
    >>> Settings("spring.lw").is_local, Settings("spring.lw", host="0.0.0.0").is_local
    (True, False)
    >>> Settings("spring.lw", proxies=("127.0.0.1",)).is_local
    False
    """

    where: str
    name: str | None = None
    host: str = "127.0.0.1"
    port: int = PORT
    labeller: str = "owner"
    images: Path | None = None
    guidelines: str = ""
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    certificate: Path | None = None
    private_key: Path | None = None
    has_log: bool = False

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server: neither its address nor a proxy lets others in."""
        return _bracketed(self.host) in _LOOPBACK and not self.proxies

    @property
    def is_https(self) -> bool:
        """Whether the server itself speaks https."""
        return self.certificate is not None

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers do not tell ports apart, so that the name must."""
        return f"labelwise-{self.port}"

    @property
    def share_cookie(self) -> str:
        """The name of the cookie of a share link, beside that of a person."""
        return f"labelwise-share-{self.port}"

    def is_proxy(self, address: str) -> bool:
        """Return whether an address is one of the proxies, or in a network of them.

        Examples
        --------
        >>> settings = Settings("spring.lw", proxies=("10.0.0.7", "172.16.0.0/12"))
        >>> [settings.is_proxy(address) for address in ("10.0.0.7", "172.17.0.2", "10.0.0.8", "")]
        [True, True, False, False]
        """
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in ipaddress.ip_network(proxy) for proxy in self.proxies)

    def answers_to(self, host: str) -> bool:
        """Return whether a Host header may name this server.

        A name that anybody can point here (DNS rebinding) must not; an address in digits cannot be pointed anywhere.

        Examples
        --------
        >>> settings = Settings("spring.lw", hosts=("label.example",))
        >>> [settings.answers_to(host) for host in ("127.0.0.1:8765", "label.example", "evil.example", "10.0.0.7")]
        [True, True, False, False]
        """
        name = _name(host)
        if name is None:
            return False
        if name in _LOOPBACK or name in {_bracketed(known.lower()) for known in (*self.hosts, self.host)}:
            return True
        if self.host in ANYWHERE and name == socket.gethostname().lower():
            return True
        return not self.is_local and _is_address(name)


def _name(host: str) -> str | None:
    """Return the name of a Host header without its port; None if it is not one."""
    name, colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not colon:
        name = host
    elif not (port.isascii() and port.isdigit() and len(port) <= 5):
        return None
    is_plain = name.isascii() and name.isprintable() and not set(name) & set(" /\\@?#,;%")
    return name.lower() if name and is_plain else None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
