"""`labelwise status`: how the assessments of a store stand."""

from __future__ import annotations

from labelwise.cli import options


def status(store: options.Store, as_json: options.Json = False) -> None:
    """List the assessments of a store and how far they are.

    Question, labels, who labelled how many, and what is with labellers.

    \b
    Examples:
      labelwise status spring.lw
    """
    from labelwise.cli.opening import store_at
    from labelwise.cli.output import say
    from labelwise.report.status import render_status, status_of
    from labelwise.store.opening import shown_place

    with store_at(store) as kept:
        found = [{"name": name} | status_of(kept.open(name)) for name in kept.names()]
    say({"store": shown_place(store), "assessments": found}, render_status(found), as_json=as_json)
