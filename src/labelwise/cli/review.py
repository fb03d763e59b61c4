"""Several labellers: `seconds`, `agreement`, `disputes`, `settle`."""

from __future__ import annotations

from typing import Annotated

import typer

from labelwise.cli import options

Share = Annotated[
    float, typer.Option(metavar="SHARE", help="Share of the items, from 0 (no more) to 1 (all).", min=0, max=1)
]
ItemId = Annotated[str, typer.Argument(metavar="ID", help="Id of the item.")]
ClassLabel = Annotated[str, typer.Argument(metavar="LABEL", help="The class it has.")]
Decider = Annotated[str, typer.Option("--labeller", metavar="WHO", help="Who decides.")]


def seconds(store: options.Store, share: Share, name: options.Name = None, as_json: options.Json = False) -> None:
    """Wish for second opinions: have a share of the items labelled by two people, to see how far they agree.

    Whoever asks by name (`--labeller`) first gets items of the share that somebody else labelled; a ticket does not say
    so. Which items these are depends on ids and seed alone. Second opinions never change the answer.

    \b
    Examples:
      labelwise seconds spring.lw --share 0.1
    """
    from labelwise.cli.stores import opened, say
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
    """Say how far labellers agree: the share of items, and kappa, both with intervals, and every pair of labellers.

    What people said is compared, not what was settled. It is Cohen's kappa if the same two people labelled all items
    that were labelled twice, else Fleiss'.

    \b
    Examples:
      labelwise agreement spring.lw
      labelwise agreement spring.lw --level 0.9 --json
    """
    from labelwise.assessment import agreement_of
    from labelwise.cli.stores import opened, say
    from labelwise.report.agreement import agreement_document, render_agreement

    with opened(store, name) as assessment:
        document = agreement_document(agreement_of(assessment, level=level))
    say(document, render_agreement(document), as_json=as_json)


def disputes(store: options.Store, name: options.Name = None, as_json: options.Json = False) -> None:
    """List the items of which two labellers said different things, and that nobody settled since; oldest first.

    \b
    Examples:
      labelwise disputes spring.lw
      labelwise disputes spring.lw --json
    """
    from labelwise.cli.stores import opened, say
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
    """Decide which class a labelled item has: that label counts from now on, and the history keeps what was said.

    \b
    Examples:
      labelwise settle spring.lw i3 cat --labeller eve
    """
    from labelwise.checks import shown
    from labelwise.cli.stores import opened, say

    with opened(store, name) as assessment:
        classes = {str(known): known for known in assessment.pool.classes}
        ids = {str(known): known for known in assessment.pool.all_ids().tolist()}
        found, decided = ids.get(item, item), classes.get(label, label)
        assessment.settle(found, decided, labeller=labeller)
        n_left = len(assessment.disputes())
    document = {"id": found, "label": decided, "labeller": labeller, "disputes": n_left}
    say(document, f"Item {shown(found)} is settled as {shown(decided)}; {n_left:,} in dispute.", as_json=as_json)
