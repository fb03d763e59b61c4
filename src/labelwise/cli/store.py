"""`labelwise store`: looking after what keeps the labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelwise.cli import options
from labelwise.cli.command import group
from labelwise.cli.progress import Progress

if TYPE_CHECKING:
    from labelwise.store.salvage import Salvaged


def verify(
    store: options.Store,
    pool: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also compare with this file of predictions; else with the one of `new`."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Check that nothing was edited, removed or reordered.

    Recomputes every hash and the belief, checks the audit trail, and compares the file of predictions with the one that
    `new` read. Leaves with 1 if anything is not as it was written.

    \b
    Examples:
      labelwise store verify spring.lw
      labelwise store verify spring.lw --pool predictions.csv --json
    """
    from labelwise.accounts import Audit
    from labelwise.checks import counted
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say
    from labelwise.cli.store_verification import problems_of

    with store_at(store) as kept:
        found = {name: problems_of(kept, name, pool) for name in kept.names()}
        trail = Audit(kept).problems()
    lines = [f"{name}: {problem}" for name, problems in found.items() for problem in problems] + trail
    whole = f"{counted(len(found), 'assessment')}: all as written."
    say({"is_whole": not lines, "problems": found, "trail": trail}, "\n".join(lines) or whole, as_json=as_json)
    if lines:
        raise typer.Exit(1)


def backup(
    store: options.Store,
    out: Annotated[Path, typer.Argument(metavar="COPY", help="The file to write.")],
    as_json: options.Json = False,
) -> None:
    """Copy a whole store to a file, even while others write.

    Of a PostgreSQL store all assessments are copied into one file; the server has `pg_dump` for everything else, such
    as accounts and the audit trail.

    \b
    Examples:
      labelwise store backup spring.lw copy.lw
    """
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say
    from labelwise.errors import ConflictError

    with store_at(store) as kept:
        if out.exists():
            raise ConflictError(f"'{out}' exists already, and is not overwritten. Give another name.")
        kept.backup(out)
    say({"copy": str(out)}, f"Copied to '{out}'.", as_json=as_json)


def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A file such as spring.lw, or postgresql://...")],
    target: Annotated[str, typer.Argument(metavar="TO", help="Likewise; created if it is not there.")],
    name: options.Name = None,
    new_name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="What to call it there, if not the same.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Copy one assessment to another store.

    The copy has the same events in the same order with the same hashes; it is complete, or there is none. From a file
    to a team's PostgreSQL database (postgresql://USER@HOST/DATABASE), back, or to another file. It is verified before
    and after. A name that is taken is refused; under another name (--as) the hashes are new, for they cover the name.

    \b
    Examples:
      labelwise store copy spring.lw archive.lw
      labelwise store copy spring.lw archive.lw --name main --as spring --json
    """
    from labelwise.checks import counted, shown
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say
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


def history(
    store: options.Store,
    name: options.Name = None,
    rows: Annotated[int, typer.Option(metavar="N", help="Newest events to print; 0 for all.", min=0)] = 50,
    as_json: options.Json = False,
) -> None:
    """List what was asked and said: by whom, and when.

    Oldest first, including what was withdrawn.

    \b
    Examples:
      labelwise store history spring.lw
      labelwise store history spring.lw --rows 0 --json
    """
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say
    from labelwise.report.history import history_of
    from labelwise.report.status import render_history

    with opened(store, name) as assessment:
        newest = history_of(assessment, most=rows or None)
        n_events = assessment.ledger.n_events
    say({"events": newest, "n_events": n_events}, render_history(newest, n_events), as_json=as_json)


def audit(
    store: options.Store,
    rows: Annotated[int, typer.Option(metavar="N", help="Newest entries to print; 0 for all.", min=0)] = 50,
    as_json: options.Json = False,
) -> None:
    """List who changed accounts, made keys or signed in, and when.

    This is the audit trail, oldest entry first. Every entry is tied to the one before; `labelwise store verify` finds
    what was edited or removed.

    \b
    Examples:
      labelwise store audit spring.lw
      labelwise store audit spring.lw --rows 0 --json
    """
    from dataclasses import asdict

    from labelwise.accounts import Audit
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import as_document, printable, say
    from labelwise.report.history import when
    from labelwise.report.table import cell_name, table

    with store_at(store) as kept:
        trail = Audit(kept)
        newest = trail.entries(newest=True, most=rows or None)[::-1]
        n_entries = newest[-1].number if newest else 0
    entries = [asdict(entry) | {"at": when(entry.at)} for entry in newest]
    cells = [
        [str(one.number), when(one.at), cell_name(one.who), cell_name(one.what), printable(as_document(one.about))]
        for one in newest
    ]
    text = table(["", "at", "who", "what", "about"], cells, left=5) if cells else "No entry yet."
    if len(entries) < n_entries:
        text += f"\n  The newest {len(entries)} of {n_entries}; --rows 0 shows all."
    say({"entries": entries, "n_entries": n_entries}, text, as_json=as_json)


def close(store: options.Store, name: options.Name = None, as_json: options.Json = False) -> None:
    """End an assessment; its answer can still be read.

    Nothing more is asked or told.

    \b
    Examples:
      labelwise store close spring.lw
    """
    from labelwise.checks import counted
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say

    with opened(store, name) as assessment:
        assessment.close()
        n_labels = len(assessment.ledger.label_of)
    say({"status": "closed", "labels": n_labels}, f"Closed with {counted(n_labels, 'label')}.", as_json=as_json)


def import_(
    store: options.Store,
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="CSV, JSON or JSON lines; '-' for standard input.")],
    drawn_at_random: Annotated[
        bool,
        typer.Option("--drawn-at-random", help="Your word that these items were drawn at random within each group."),
    ] = False,
    labeller: options.Labeller = "import",
    name: options.Name = None,
    as_json: options.Json = False,
) -> None:
    """Import labels from elsewhere, by item id.

    Rows have `id` and `label`. All of them are imported or, if one is wrong, none. Labels of items that somebody picked
    (the hard ones, the complaints) would make every interval wrong.

    \b
    Examples:
      labelwise store import spring.lw known.csv --drawn-at-random
    """
    from labelwise.checks import counted, shown
    from labelwise.cli.label_file import class_of, records
    from labelwise.cli.opening import opened
    from labelwise.cli.output import read_in, say
    from labelwise.errors import DataError

    if not drawn_at_random:
        raise DataError(
            "Labels that were not drawn at random within each group make intervals wrong, and are not imported. Say "
            "--drawn-at-random if they were."
        )
    rows = records(read_in(labels), labels.name, ["id", "label"])
    with opened(store, name) as assessment:
        classes = {str(known): known for known in assessment.pool.classes}
        ids = {str(known): known for known in assessment.pool.all_ids().tolist()}
        found = {}
        for row, entry in enumerate(rows, start=1):
            said = str(entry["id"])
            item = ids.get(said, ids.get(said.removeprefix("'")))
            if item is None:
                raise DataError(f"Row {row}: Item {shown(said)} is not in the pool. Nothing was imported.")
            if item in found:
                raise DataError(f"Row {row}: Item {shown(said)} comes twice. Nothing was imported.")
            found[item] = class_of(str(entry["label"]), classes, row, "imported")
        assessment.import_labels(found, were_drawn_at_random=drawn_at_random, labeller=labeller)
    say({"imported": len(found)}, f"{counted(len(found), 'label')} imported.", as_json=as_json)


def salvage(
    store: Annotated[Path, typer.Argument(metavar="DAMAGED", help="The damaged file, which is left as it is.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The new store; must not be there yet.")],
    labels: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Where to write the labels that are not in the new store.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Save what is sound in a damaged file into a new store.

    The new store has all events up to the first damage. Every event carries a hash over itself and the one before, so
    that damage shows. Labels beyond the first damage, or of a pool that is damaged itself, go to --labels. Accounts are
    not saved: add them anew.

    \b
    Examples:
      labelwise store salvage spring.lw -o sound.lw --labels beyond.csv
    """
    from labelwise.cli.output import say, writing
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


app = group(
    "store",
    "Verify, back up, copy, close or repair what keeps the labels.",
    {
        "verify": verify,
        "backup": backup,
        "copy": copy,
        "history": history,
        "audit": audit,
        "close": close,
        "import": import_,
        "salvage": salvage,
    },
)
