"""Handing items out and taking labels in: `ask`, `tell`, `skip`, `withdraw`, `renew`, `import`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwise.cli import options

TicketNumber = Annotated[int, typer.Argument(metavar="TICKET", help="Number of the ticket.", min=0)]
LabelFile = Annotated[Path, typer.Argument(metavar="LABELS", help="CSV, JSON or JSON lines; '-' for standard input.")]
Who = Annotated[str | None, typer.Option("--labeller", metavar="WHO", help="Who says so; else who was asked.")]


def ask(
    store: options.Store,
    n: Annotated[int, typer.Option("-n", metavar="N", help="How many items.", min=1)] = 1,
    labeller: options.Labeller = "",
    name: options.Name = None,
    format: Annotated[str, typer.Option(metavar="FORMAT", help="csv, json or jsonl.")] = "csv",
    out: options.Out = None,
    as_json: options.Json = False,
) -> None:
    """Hand out the items to label next, as a table with an empty column for the label.

    Fill in `label`; where an item cannot be labelled write the reason into `skip`, or 'unknown' if you looked and do
    not know. A ticket is held for its labeller until its lease ends. What the classifier said is not in the table.

    \b
    Examples:
      labelwise ask spring.lw -n 20 -o to_label.csv
      labelwise ask spring.lw -n 5 --labeller ann --json
    """
    from labelwise.checks import check_one_of
    from labelwise.cli.label_file import ticket_cell
    from labelwise.cli.stores import as_document, check_writable, opened, write_out
    from labelwise.errors import ConflictError
    from labelwise.pool import Frame
    from labelwise.report.status import why_no_more

    kind = "json" if as_json else format
    check_one_of(kind, "--format", ["csv", "json", "jsonl"])
    with opened(store, name) as assessment:
        check_writable(out)
        tickets = assessment.ask(n, labeller=labeller)
        if not tickets:
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
            text = Frame({**filled, **named, "label": empty, "skip": empty}).to_csv()
        write_out(text, out)
    if len(tickets) < n:
        n_labels = sum(not assessment.ledger.slip(ticket.number).is_second for ticket in tickets)
        typer.echo(f"Only {len(tickets):,} of {n:,}: {why_no_more(assessment, n_labels)}", err=True)


def tell(
    store: options.Store,
    labels: LabelFile,
    labeller: Who = None,
    name: options.Name = None,
    as_json: options.Json = False,
) -> None:
    """Take labels: all rows of the file or, if one of them is wrong, none.

    Rows have `ticket` and `label`, and may have `skip`, `labeller` and `key`. Rows without a label are left for later.
    If a row has `id` or `assessment`, as `ask` writes them, they must be those of its ticket.
    The same file can be sent again: what was told before in the same words counts once.

    \b
    Examples:
      labelwise tell spring.lw labelled.csv
      labelwise ask spring.lw -n 5 --json | my-labeller | labelwise tell spring.lw -
    """
    from labelwise.checks import counted
    from labelwise.cli.label_file import read_labelled
    from labelwise.cli.stores import opened, read_in, say

    text = read_in(labels)
    with opened(store, name) as assessment:
        found = read_labelled(text, labels.name, assessment.pool.classes, labeller)
        found.check(assessment)
        n_new = assessment.tell_all(found.said, rows=found.rows, may_repeat=True)
        n_labels = len(assessment.ledger.label_of)
    counts = {"told": n_new, "before": len(found.said) - n_new, "left_for_later": found.n_empty, "labels": n_labels}
    more = (
        [f"{counts['before']:,} {'was' if counts['before'] == 1 else 'were'} told before"] if counts["before"] else []
    )
    more += [f"{counted(found.n_empty, 'row')} without a label left for later"] if found.n_empty else []
    whole = f"{n_new:,} told, {counted(n_labels, 'label')} in all"
    say(counts, "; ".join([whole, *more]) + ".", as_json=as_json)


def skip(
    store: options.Store,
    ticket: TicketNumber,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why.")] = "",
    unknown: Annotated[bool, typer.Option("--unknown", help="You looked, and do not know.")] = False,
    labeller: Who = None,
    name: options.Name = None,
    as_json: options.Json = False,
) -> None:
    """Pass an item by: it is not asked again, and the answer says how many were.

    \b
    Examples:
      labelwise skip spring.lw 3 --reason 'image is broken'
      labelwise skip spring.lw 4 --unknown
    """
    from labelwise.cli.stores import opened, say

    with opened(store, name) as assessment:
        assessment.skip(ticket, reason, is_unknown=unknown, labeller=labeller)
    status = "unknown" if unknown else "skipped"
    say({"ticket": ticket, "status": status}, f"Ticket {ticket} is {status}.", as_json=as_json)


def withdraw(
    store: options.Store,
    ticket: TicketNumber,
    again: Annotated[bool, typer.Option("--again", help="Hand the item out once more, under a new number.")] = False,
    labeller: Who = None,
    name: options.Name = None,
    as_json: options.Json = False,
) -> None:
    """Take back what was told or skipped on a ticket: the belief returns exactly, the history keeps both.

    \b
    Examples:
      labelwise withdraw spring.lw 3
      labelwise withdraw spring.lw 3 --again --json
    """
    from labelwise.cli.stores import opened, say

    with opened(store, name) as assessment:
        assessment.withdraw(ticket, labeller=labeller)
        fresh = assessment.ask_again(ticket, labeller=labeller) if again else None
    more = "" if fresh is None else f" Its item is out again as ticket {fresh.number}."
    document = {"ticket": ticket, "status": "withdrawn", "again": None if fresh is None else fresh.to_data()}
    say(document, f"Ticket {ticket} is withdrawn.{more}", as_json=as_json)


def renew(store: options.Store, ticket: TicketNumber, name: options.Name = None, as_json: options.Json = False) -> None:
    """Hold a ticket for another lease from now.

    \b
    Examples:
      labelwise renew spring.lw 3
    """
    from labelwise.cli.stores import opened, say
    from labelwise.report.history import when

    with opened(store, name) as assessment:
        until = when(assessment.renew(ticket))
    say({"ticket": ticket, "until": until}, f"Ticket {ticket} is held until {until}.", as_json=as_json)


def import_(
    store: options.Store,
    labels: LabelFile,
    drawn_at_random: Annotated[
        bool,
        typer.Option("--drawn-at-random", help="Your word that these items were drawn at random within each group."),
    ] = False,
    labeller: options.Labeller = "import",
    name: options.Name = None,
    as_json: options.Json = False,
) -> None:
    """Take labels from elsewhere, by item id: rows have `id` and `label`. All or, if one is wrong, none.

    Labels of items that somebody picked (the hard ones, the complaints) would make every interval wrong.

    \b
    Examples:
      labelwise import spring.lw known.csv --drawn-at-random
    """
    from labelwise.checks import counted, shown
    from labelwise.cli.label_file import class_of, records
    from labelwise.cli.stores import opened, read_in, say
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
