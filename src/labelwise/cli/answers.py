"""What an assessment says: `answer`, `status`, `history`, `export`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from labelwise.cli import options

TARGET_NOT_MET = 5


def answer(
    store: options.Store,
    name: options.Name = None,
    rows: options.Rows = 20,
    forecast: Annotated[
        bool, typer.Option("--forecast/--no-forecast", help="Say how many more labels to expect (takes seconds).")
    ] = True,
    draws: options.Draws = 10_000,
    as_json: options.Json = False,
) -> None:
    """Say what is known now, how surely, and whether that is enough.

    Leaves with 0 if the stopping rule is met and with 5 if not, so that it can gate a pipeline.

    \b
    Examples:
      labelwise answer spring.lw
      labelwise answer spring.lw --no-forecast --json
    """
    from labelwise.cli.stores import has_unicode, opened, say
    from labelwise.report.outcome import outcome, render_outcome

    with opened(store, name) as assessment:
        result = assessment.answer(n_draws=draws)
        document = outcome(assessment, result, with_forecast=forecast)
    width = shutil.get_terminal_size((160, 24)).columns
    text = render_outcome(document, rows=rows, width=width, unicode=has_unicode())
    say(document, text, as_json=as_json)
    if not result.verdict.is_met:
        raise typer.Exit(TARGET_NOT_MET)


def status(store: options.Store, as_json: options.Json = False) -> None:
    """List the assessments of a store: question, labels, who labelled how many, what is with labellers.

    \b
    Examples:
      labelwise status spring.lw
    """
    from labelwise.cli.stores import say, store_at
    from labelwise.report.status import render_status, status_of
    from labelwise.store.opening import shown_place

    with store_at(store) as kept:
        found = [{"name": name} | status_of(kept.open(name)) for name in kept.names()]
    say({"store": shown_place(store), "assessments": found}, render_status(found), as_json=as_json)


def history(
    store: options.Store,
    name: options.Name = None,
    rows: Annotated[int, typer.Option(metavar="N", help="Newest events to print; 0 for all.", min=0)] = 50,
    as_json: options.Json = False,
) -> None:
    """List the events, oldest first: who was asked what and said what when, what was taken back included.

    \b
    Examples:
      labelwise history spring.lw
      labelwise history spring.lw --rows 0 --json
    """
    from labelwise.cli.stores import opened, say
    from labelwise.report.history import history_of
    from labelwise.report.status import render_history

    with opened(store, name) as assessment:
        newest = history_of(assessment, most=rows or None)
        n_events = assessment.ledger.n_events
    say({"events": newest, "n_events": n_events}, render_history(newest, n_events), as_json=as_json)


def export(
    store: options.Store,
    out: options.Out = None,
    name: options.Name = None,
    with_predictions: Annotated[
        bool, typer.Option("--with-predictions", help="Add prediction, confidence and group of each item.")
    ] = False,
    with_opinions: Annotated[
        bool, typer.Option("--with-opinions", help="Add what was said first and second of each item, and by whom.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Write the labels that count, one row an item: CSV, or Parquet if the file is named so.

    A label that was settled has the status 'settled', and who settled it. Text that a spreadsheet would take for a
    formula gets an apostrophe before it in CSV.

    \b
    Examples:
      labelwise export spring.lw -o labels.csv
      labelwise export spring.lw -o labels.parquet --with-predictions
      labelwise export spring.lw --with-opinions --json
    """
    from labelwise.checks import counted
    from labelwise.cli.stores import as_document, opened, write_out, writing
    from labelwise.pool import Frame
    from labelwise.report.history import labels_of

    with opened(store, name) as assessment:
        found = labels_of(assessment, with_predictions=with_predictions, with_opinions=with_opinions)
    if as_json:
        write_out(as_document({"labels": found}), out)
        return
    columns = ["id", "label", "status", "reason", "labeller", "at", "ticket"]
    columns += ["first_label", "first_labeller", "second_label", "second_labeller"] if with_opinions else []
    columns += ["prediction", "confidence", "group"] if with_predictions else []
    frame = Frame({column: [row[column] for row in found] for column in columns})
    if out is not None and out.suffix == ".parquet":
        with writing(out):
            frame.save(out)
    else:
        write_out(frame.to_csv(), out)
    if out is not None and str(out) != "-":
        typer.echo(f"{counted(len(found), 'row')} in '{out}'.", err=True)


def close(store: options.Store, name: options.Name = None, as_json: options.Json = False) -> None:
    """End an assessment: nothing more is asked or told, and its answer can still be read.

    \b
    Examples:
      labelwise close spring.lw
    """
    from labelwise.checks import counted
    from labelwise.cli.stores import opened, say

    with opened(store, name) as assessment:
        assessment.close()
        n_labels = len(assessment.ledger.label_of)
    say({"status": "closed", "labels": n_labels}, f"Closed with {counted(n_labels, 'label')}.", as_json=as_json)


def verify(
    store: options.Store,
    pool: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also compare with this file of predictions; else with the one of `new`."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Recompute every hash and the belief, and see whether the file of predictions is still the same.

    The audit trail is looked at too. Leaves with 1 if anything was edited, removed or reordered, or if the predictions
    changed since `new`.

    \b
    Examples:
      labelwise verify spring.lw
      labelwise verify spring.lw --pool predictions.csv --json
    """
    from labelwise.accounts import Audit
    from labelwise.checks import counted
    from labelwise.cli.stores import say, store_at
    from labelwise.cli.verifying import problems_of

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
    """Copy a store to another file, whole and sound, while others may be writing.

    Of a PostgreSQL store all assessments are copied into one file; the server has `pg_dump` for everything else, such
    as accounts and the audit trail.

    \b
    Examples:
      labelwise backup spring.lw copy.lw
    """
    from labelwise.cli.stores import say, store_at
    from labelwise.errors import ConflictError

    with store_at(store) as kept:
        if out.exists():
            raise ConflictError(f"'{out}' exists already, and is not overwritten. Give another name.")
        kept.backup(out)
    say({"copy": str(out)}, f"Copied to '{out}'.", as_json=as_json)
