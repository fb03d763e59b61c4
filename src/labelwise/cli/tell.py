"""`labelwise tell`: labels that come back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwise.cli import options

LabelFile = Annotated[Path, typer.Argument(metavar="LABELS", help="CSV, JSON or JSON lines; '-' for standard input.")]


def tell(
    store: options.Store,
    labels: LabelFile,
    labeller: Annotated[
        str | None, typer.Option("--labeller", metavar="WHO", help="Who says so; else who was asked.")
    ] = None,
    name: options.Name = None,
    as_json: options.Json = False,
) -> None:
    """Take labels from a filled-in table.

    All rows count or, if one of them is wrong, none. Rows have `ticket` and `label`, and may have `skip`, `labeller`
    and `key`. Rows without a label are left for later. If a row has `id` or `assessment`, as `ask` writes them, they
    must be those of its ticket. The same file can be sent again: what was told before in the same words counts once.

    \b
    Examples:
      labelwise tell spring.lw labelled.csv
      labelwise ask spring.lw -n 5 --json | my-labeller | labelwise tell spring.lw -
    """
    from labelwise.checks import counted
    from labelwise.cli.label_file import read_labelled
    from labelwise.cli.opening import opened
    from labelwise.cli.output import read_in, say

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
