"""`labelwise ticket`: what is rarely done to a single ticket."""

from __future__ import annotations

from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.command import group

TicketNumber = Annotated[int, typer.Argument(metavar="TICKET", help="Number of the ticket.", min=0)]
Who = Annotated[str | None, typer.Option("--labeller", metavar="WHO", help="Who says so; else who was asked.")]


def skip(
    store: options.Store,
    ticket: TicketNumber,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why.")] = "",
    unknown: Annotated[bool, typer.Option("--unknown", help="You looked, and do not know.")] = False,
    labeller: Who = None,
    name: options.Name = None,
    as_json: options.Json = False,
) -> None:
    """Skip an item: it is not asked again.

    The answer says how many items were skipped.

    \b
    Examples:
      labelwise ticket skip spring.lw 3 --reason 'image is broken'
      labelwise ticket skip spring.lw 4 --unknown
    """
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say

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
    """Withdraw what was told or skipped on a ticket.

    The belief returns exactly to what it was; the history keeps both.

    \b
    Examples:
      labelwise ticket withdraw spring.lw 3
      labelwise ticket withdraw spring.lw 3 --again --json
    """
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say

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
      labelwise ticket renew spring.lw 3
    """
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say
    from labelwise.report.history import when

    with opened(store, name) as assessment:
        until = when(assessment.renew(ticket))
    say({"ticket": ticket, "until": until}, f"Ticket {ticket} is held until {until}.", as_json=as_json)


app = group(
    "ticket",
    "Skip, withdraw or renew a single ticket.",
    {"skip": skip, "withdraw": withdraw, "renew": renew},
)
