"""`labelwise serve`: the labelling page and the live dashboard in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwise.cli import options

Port = Annotated[int, typer.Option(metavar="N", help="Port; 0 for any that is free.", min=0, max=65535)]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")]


def serve(
    store: options.Store,
    name: options.Name = None,
    host: Annotated[str, typer.Option(metavar="HOST", help="Address to listen at; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Port = 8765,
    browser: Browser = True,
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder that the pictures of items are in; else none is shown.")
    ] = None,
    guidelines: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Text that says how to label, for the side panel.")
    ] = None,
    labeller: Annotated[
        str | None, typer.Option(metavar="WHO", help="Who you are; your login name unless given.")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Further name of this server, of a proxy say (repeatable).", hidden=True),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="Address of a proxy whose X-Forwarded headers are trusted (repeatable).",
            hidden=True,
        ),
    ] = None,
    certificate: Annotated[Path | None, typer.Option(metavar="FILE", help="Certificate, for https.")] = None,
    private_key: Annotated[Path | None, typer.Option(metavar="FILE", help="Its private key.")] = None,
    log: Annotated[
        bool, typer.Option("--log", help="Write a line per request to standard error.", hidden=True)
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Label in a browser, alone or as a team.

    Opens a page on which people label what is asked for, and a dashboard on which the answer moves as they do. Only
    this machine can reach it unless you name a --host or a --proxy; then people sign in with accounts, which
    `labelwise user add` makes. The printed link signs you in once, as the owner. Every label is kept at once: the
    server can be killed and started again, and labellers go on.

    \b
    Examples:
      labelwise serve spring.lw
      labelwise serve spring.lw --port 0 --no-browser --images photos
      labelwise serve postgresql://ann@db.example/team --host 0.0.0.0
    """
    from labelwise.cli.label import login_name
    from labelwise.cli.output import read_in
    from labelwise.web import Settings

    settings = Settings(
        where=store, name=name, host=host, port=port, images=images,
        guidelines="" if guidelines is None else read_in(guidelines),
        labeller=(login_name() if labeller is None else labeller) or "owner",
        hosts=tuple(allow_host or ()), proxies=tuple(proxy or ()),
        certificate=certificate, private_key=private_key, has_log=log,
    )  # fmt: skip
    run(settings, opens=browser, as_json=as_json)


def run(settings: object, *, opens: bool, as_json: bool) -> None:
    """Serve until interrupted, and say where."""
    import webbrowser

    from labelwise.cli.output import as_document
    from labelwise.web import Settings, serve

    assert isinstance(settings, Settings)

    def ready(address: str) -> None:
        once = " It signs you in once." if settings.is_local else ""
        words = (
            f"Label at {address}\n{'' if not once else once.strip() + ' '}Ctrl-C ends the server; every label is kept."
        )
        typer.echo(as_document({"url": address}) if as_json else words)
        if not (settings.is_local or settings.is_https or settings.proxies):
            typer.echo(
                "Warning: Passwords and labels cross the network unencrypted. Give --certificate and --private-key, or "
                "put a proxy with https in front and name it with --proxy.",
                err=True,
            )
        if opens:
            webbrowser.open(address)

    serve(settings, ready)
