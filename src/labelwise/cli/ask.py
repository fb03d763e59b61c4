"""`labelwise ask`: the items to label next."""

from __future__ import annotations

from typing import Annotated

import typer

from labelwise.cli import options


def ask(
    store: options.Store,
    n: Annotated[int, typer.Option("-n", metavar="N", help="How many items.", min=1)] = 1,
    labeller: options.Labeller = "",
    name: options.Name = None,
    format: Annotated[str, typer.Option(metavar="FORMAT", help="csv, json or jsonl.")] = "csv",
    out: options.Out = None,
    as_json: options.Json = False,
) -> None:
    """Hand out the items to label next, as a table to fill in.

    Fill in `label`; where an item cannot be labelled write the reason into `skip`, or 'unknown' if you looked and do
    not know. A ticket is held for its labeller until its lease ends. What the classifier said is not in the table.

    \b
    Examples:
      labelwise ask spring.lw -n 20 -o to_label.csv
      labelwise ask spring.lw -n 5 --labeller ann --json
    """
    from labelwise.checks import check_one_of
    from labelwise.cli.label_file import ticket_cell
    from labelwise.cli.opening import opened
    from labelwise.cli.output import as_document, check_writable, write_out
    from labelwise.errors import ConflictError
    from labelwise.pool.frame import csv_text

    kind = "json" if as_json else format
    check_one_of(kind, "--format", ["csv", "json", "jsonl"])
    with opened(store, name) as assessment:
        check_writable(out)
        tickets = assessment.ask(n, labeller=labeller)
        if not tickets:
            from labelwise.report.status import why_no_more

            raise ConflictError(f"There is nothing to hand out: {why_no_more(assessment)}")
        own = assessment.id
        rows = [ticket.to_data() for ticket in tickets]
        for row in rows:
            row.setdefault("assessment", own)
        if kind == "json":
            classes = list(assessment.pool.classes)
            text = as_document({"classes": classes, "tickets": rows})
        elif kind == "jsonl":
            text = "".join(as_document(row) + "\n" for row in rows)
        else:
            columns = ["ticket", "id", *assessment.pool.content, *assessment.setup.show]
            columns += [] if assessment.setup.is_blind else ["prediction"]
            filled = {column: [ticket_cell(row[column]) for row in rows] for column in dict.fromkeys(columns)}
            empty = [""] * len(rows)
            named = {} if "assessment" in filled else {"assessment": [own] * len(rows)}
            text = csv_text({**filled, **named, "label": empty, "skip": empty})
        write_out(text, out)
    if len(tickets) < n:
        from labelwise.report.status import why_no_more

        n_labels = sum(not assessment.ledger.slip(ticket.number).is_second for ticket in tickets)
        typer.echo(f"Only {len(tickets):,} of {n:,}: {why_no_more(assessment, n_labels)}", err=True)
