"""`labelwise store`: rare work on the file itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelwise.cli import options

if TYPE_CHECKING:
    from labelwise.store.salvage import Salvaged

app = typer.Typer(
    name="store",
    help="Work on the file that keeps the labels: save what is sound in a damaged one.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command(no_args_is_help=True)
def salvage(
    store: Annotated[Path, typer.Argument(metavar="DAMAGED", help="The damaged file, which is left as it is.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The new store; must not be there yet.")],
    labels: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Where to write the labels that are not in the new store.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Save what is sound in a damaged file: a new store with all events up to the first damage.

    Every event carries a hash over itself and the one before, so that damage shows. Labels beyond the first damage, or
    of a pool that is damaged itself, go to --labels. Accounts are not saved: add them anew.

    \b
    Examples:
      labelwise store salvage spring.lw -o sound.lw --labels beyond.csv
    """
    from labelwise.cli.stores import say, writing
    from labelwise.files import check_target, write_file
    from labelwise.pool import Frame
    from labelwise.report.history import when
    from labelwise.store.salvage import salvage as saved

    if labels is not None:
        with writing(labels):
            check_target(labels)
    found = saved(store, out)
    rows = [{"assessment": one.name, **label} for one in found for label in one.labels]
    if labels is not None:
        columns = ["assessment", "id", "item", "label", "labeller", "at", "ticket", "event"]
        for row in rows:
            row["at"] = when(row["at"])
        with writing(labels):
            write_file(labels, Frame({column: [row[column] for row in rows] for column in columns}).to_csv())
    document = {
        "store": str(out),
        "assessments": [
            {
                "name": one.name,
                "events": one.n_kept,
                "later": one.n_later,
                "lost": one.n_lost,
                "labels": len(one.labels),
            }
            for one in found
        ],
    }
    say(document, "\n".join(_sentence(one, labels) for one in found), as_json=as_json)


def _sentence(one: Salvaged, labels: Path | None) -> str:
    from labelwise.checks import counted, shown

    text = f"{shown(one.name)}: {counted(one.n_kept, 'event')} kept, {counted(one.n_lost, 'event')} damaged."
    if not one.labels:
        return text
    place = f"in '{labels}'" if labels is not None else "not written: give --labels FILE"
    return f"{text} {counted(len(one.labels), 'label')} beyond the damage {place}."
