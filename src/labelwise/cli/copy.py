"""`labelwise copy`: an assessment from one store to another, exactly."""

from __future__ import annotations

from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.progress import Progress

Source = Annotated[str, typer.Argument(metavar="FROM", help="A file such as spring.lw, or postgresql://...")]
Target = Annotated[str, typer.Argument(metavar="TO", help="Likewise; made if it is not there.")]


def copy(
    source: Source,
    target: Target,
    name: options.Name = None,
    new_name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="What to call it there, if not the same.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Copy an assessment to another store: same events, same order, same hashes; all of it, or nothing.

    From a file to a team's PostgreSQL database (postgresql://USER@HOST/DATABASE), back, or to another file. It is
    verified before and after. A name that is taken is refused; under another name (--as) the hashes are new, for they
    cover the name.

    \b
    Examples:
      labelwise copy spring.lw archive.lw
      labelwise copy spring.lw archive.lw --name main --as spring --json
    """
    from labelwise.checks import counted, shown
    from labelwise.cli.stores import say, store_at
    from labelwise.store import copy_assessment, open_store
    from labelwise.store.opening import shown_place

    with Progress() as progress, store_at(source) as there:
        found = there.named(name)  # what is not there is said before anything is made
        with open_store(target) as here:
            copied = copy_assessment(
                there, here, found, new_name=new_name, step=lambda done, n: progress.share("copying", done, n)
            )
    place = shown_place(target)
    document = {"store": place, "name": copied.name, "events": copied.n_events, "hash": copied.last_hash}
    text = (
        f"{counted(copied.n_events, 'event')} of {shown(found)} copied to '{place}' as {shown(copied.name)}, verified."
    )
    say(document, text, as_json=as_json)
