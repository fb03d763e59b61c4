"""`labelwise review`: second opinions, how far labellers agree, and what they dispute."""

from __future__ import annotations

from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.command import group

Share = Annotated[
    float, typer.Option(metavar="SHARE", help="Share of the items, from 0 (no more) to 1 (all).", min=0, max=1)
]
ItemId = Annotated[str, typer.Argument(metavar="ID", help="Id of the item.")]
ClassLabel = Annotated[str, typer.Argument(metavar="LABEL", help="The class it has.")]
Decider = Annotated[str, typer.Option("--labeller", metavar="WHO", help="Who decides.")]


def request(store: options.Store, share: Share, name: options.Name = None, as_json: options.Json = False) -> None:
    """Request second opinions on a share of the items.

    These are labelled by two people, to see how far they agree. Whoever asks by name (`--labeller`) first gets items of
    the share that somebody else labelled; a ticket does not say so. Which items these are depends on ids and seed
    alone. Second opinions never change the answer.

    \b
    Examples:
      labelwise review request spring.lw --share 0.1
    """
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say
    from labelwise.report.table import percent

    with opened(store, name) as assessment:
        assessment.want_second_opinions(share)
    text = f"{percent(share)} of the items are to be labelled twice, by people with different names."
    say({"share": share}, text if share else "No more second opinions are asked for.", as_json=as_json)


def agreement(
    store: options.Store,
    name: options.Name = None,
    level: Annotated[
        float | None, typer.Option(metavar="P", help="Probability of the intervals; the assessment's unless given.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show how far labellers agree, as a share and as kappa.

    Both have intervals, and every pair of labellers is listed. What people said is compared, not what was settled. It
    is Cohen's kappa if the same two people labelled all items that were labelled twice, else Fleiss'.

    \b
    Examples:
      labelwise review agreement spring.lw
      labelwise review agreement spring.lw --level 0.9 --json
    """
    from labelwise.assessment import agreement_of
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say
    from labelwise.report.agreement import agreement_document, render_agreement

    with opened(store, name) as assessment:
        document = agreement_document(agreement_of(assessment, level=level))
    say(document, render_agreement(document), as_json=as_json)


def disputes(store: options.Store, name: options.Name = None, as_json: options.Json = False) -> None:
    """List the items on which two labellers disagree.

    Oldest first; what has been settled since is left out.

    \b
    Examples:
      labelwise review disputes spring.lw
      labelwise review disputes spring.lw --json
    """
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say
    from labelwise.report.agreement import disputes_document, render_disputes

    with opened(store, name) as assessment:
        found = disputes_document(assessment)
    say({"disputes": found}, render_disputes(found), as_json=as_json)


def settle(
    store: options.Store,
    item: ItemId,
    label: ClassLabel,
    labeller: Decider = "",
    name: options.Name = None,
    as_json: options.Json = False,
) -> None:
    """Decide which class a disputed item has.

    That label counts from now on, and the history keeps what was said.

    \b
    Examples:
      labelwise review settle spring.lw i3 cat --labeller eve
    """
    from labelwise.checks import shown
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say

    with opened(store, name) as assessment:
        classes = {str(known): known for known in assessment.pool.classes}
        ids = {str(known): known for known in assessment.pool.all_ids().tolist()}
        found, decided = ids.get(item, item), classes.get(label, label)
        assessment.settle(found, decided, labeller=labeller)
        n_left = len(assessment.disputes())
    document = {"id": found, "label": decided, "labeller": labeller, "disputes": n_left}
    say(document, f"Item {shown(found)} is settled as {shown(decided)}; {n_left:,} in dispute.", as_json=as_json)


app = group(
    "review",
    "Request second opinions, see agreement, settle disputes.",
    {"request": request, "agreement": agreement, "disputes": disputes, "settle": settle},
)
