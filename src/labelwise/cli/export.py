"""`labelwise export`: the labels that count, as a table."""

from __future__ import annotations

from typing import Annotated

import typer

from labelwise.cli import options


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
    """Write the labels that count, one row per item.

    As CSV, or as Parquet if the name of the file ends so. A label that was settled has the status 'settled', and who
    settled it. Text that a spreadsheet would take for a formula gets an apostrophe before it in CSV.

    \b
    Examples:
      labelwise export spring.lw -o labels.csv
      labelwise export spring.lw -o labels.parquet --with-predictions
      labelwise export spring.lw --with-opinions --json
    """
    from labelwise.checks import counted
    from labelwise.cli.opening import opened
    from labelwise.cli.output import as_document, write_out, writing
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
