"""`labelwise card`: how often intervals cover, by how one looks at them."""

from __future__ import annotations

from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.progress import Progress


def card(
    runs: Annotated[
        int, typer.Option(metavar="N", help="Runs of each cell; a fifth of them for the learned prior.", min=10)
    ] = 2_000,
    seed: options.Seed = 0,
    level: options.Level = 0.95,
    out: options.Out = None,
    as_json: options.Json = False,
) -> None:
    """Simulate how often each kind of interval covers: at one look, when narrow enough, at every look, at the worst.

    Takes half a minute. Wants no data: groups, labels and an over-confident classifier are made up, as the card says.
    --out writes a page in Markdown.

    \b
    Examples:
      labelwise card --runs 50
      labelwise card --runs 50 --seed 1 --level 0.9 --json
    """
    from labelwise.cli.stores import check_writable, say, write_out
    from labelwise.report.card import card_document, card_page, render_card
    from labelwise.simulation import coverage_card

    check_writable(out)
    with Progress() as progress:
        found = coverage_card(n_runs=runs, level=level, seed=seed, step=progress.step)
    if out is not None:
        write_out(card_page(found), out)
    if out is None or str(out) != "-":
        say(card_document(found), render_card(found), as_json=as_json)
