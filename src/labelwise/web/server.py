"""Running the application: a socket, a link to open, and a quick end."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

from labelwise.accounts import Accounts
from labelwise.checks import shown
from labelwise.errors import ArgumentError, ConflictError, LabelwiseError, NotFoundError
from labelwise.store import open_store
from labelwise.web.settings import ANYWHERE, PATIENCE, Settings

_GRACE = 2  # seconds that open requests get to end


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve an assessment until the process is told to end.

    Parameters
    ----------
    settings : what to serve, and where.
    ready : called with the address to open, which signs the owner in once if nobody has an account.
    """
    try:
        import uvicorn

        from labelwise.web.app import make_app
        from labelwise.web.connections import LimitedSocket, limited_protocol, most_connections
        from labelwise.web.middleware import MOST_HEADER_BYTES
    except ImportError as error:
        raise LabelwiseError(
            f"The page needs FastAPI and others ({error}). Install them with `pip install 'labelwise[web]'`."
        ) from None
    if settings.images is not None and not settings.images.is_dir():
        raise NotFoundError(f"The folder '{settings.images}' does not exist. Check --images.")
    if (settings.certificate is None) != (settings.private_key is None):
        raise ArgumentError("Give both --certificate and --private-key, or neither.")
    for proxy in settings.proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise ArgumentError(
                f"--proxy takes an address or a network, such as 10.0.0.7 or 172.16.0.0/12, but {shown(proxy)} is "
                "neither. Name what your proxy connects from."
            ) from None
    with open_store(settings.where, create=False, patience=PATIENCE) as store:
        name = store.named(settings.name)
        if not settings.is_local and not any(one.role == "owner" for one in Accounts(store).all()):
            through = " through --proxy" if settings.proxies else ""
            raise ConflictError(
                f"Others can reach '{settings.host}'{through}, so that people must sign in. Add an owner first: "
                "`labelwise user add STORE NAME --role owner`."
            )
        most = most_connections()
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        with _listening(settings, LimitedSocket(family, most=most, is_proxy=settings.is_proxy)) as listening:
            settings = replace(settings, name=name, port=listening.getsockname()[1])
            app = make_app(store, settings)
            path = app.state.access.link() if settings.is_local else "/"
            config = uvicorn.Config(
                app, http=limited_protocol(most=most, is_proxy=settings.is_proxy), ws="none",
                loop="asyncio",  # another loop would accept connections without our socket's limits
                h11_max_incomplete_event_size=MOST_HEADER_BYTES, log_level="error", access_log=False,
                server_header=False, timeout_graceful_shutdown=_GRACE, timeout_keep_alive=30,
                ssl_certfile=settings.certificate, ssl_keyfile=settings.private_key,
                proxy_headers=bool(settings.proxies), forwarded_allow_ips=",".join(settings.proxies),
            )  # fmt: skip

            class Server(uvicorn.Server):
                """A server that says when it is there, and sends listeners away when it ends."""

                async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                    await super().startup(sockets)
                    self._warm = asyncio.gather(
                        app.state.live.progress(), app.state.script.file(), return_exceptions=True
                    )  # takes seconds, and the first reader is not to wait for it
                    ready(_address(settings) + path)

                def handle_exit(self, sig: int, frame: FrameType | None) -> None:
                    app.state.live.leave()
                    ended_by.append(sig)
                    self.force_exit = len(ended_by) > 1  # who asks twice does not wait for open requests
                    self.should_exit = True

            ended_by: list[int] = []
            Server(config).run(sockets=[listening])
            if signal.SIGINT in ended_by:
                raise KeyboardInterrupt


def _listening(settings: Settings, listening: socket.socket) -> socket.socket:
    """Take the port, or say that it is taken."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        raise ConflictError(
            f"Port {settings.port} of '{settings.host}' cannot be had ({error.strerror}). Name another with --port, or "
            "--port 0 for any that is free."
        ) from None
    except OverflowError:
        listening.close()
        raise ArgumentError(f"A port lies between 0 and 65535, but is {settings.port}.") from None
    return listening


def _address(settings: Settings) -> str:
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    if settings.host in ANYWHERE:
        shown = socket.gethostname()
    return f"{'https' if settings.is_https else 'http'}://{shown}:{settings.port}"
