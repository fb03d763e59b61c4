"""`labelwise new`: the beginning of an assessment."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.progress import Progress
from labelwise.cli.request import Request, takes_request

Predictions = Annotated[
    Path, typer.Argument(metavar="PREDICTIONS", help="Parquet, CSV, TSV, JSON lines, NPZ, NPY: no labels needed.")
]


@takes_request
def new(
    store: options.Store,
    predictions: Predictions,
    request: Request,
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the assessment in the store.")] = "main",
    second_opinions: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Share of the items to be labelled by two people.", min=0, max=1),
    ] = 0.0,
    as_json: options.Json = False,
) -> None:
    """Begin an assessment: ask a question about a pool.

    A pool is a file of predictions whose labels are not known. The store holds all that is needed from here on: the
    pool, the set-up, and every label. It is a file, or a team's PostgreSQL database. Of several stopping rules the
    first that is met counts.

    \b
    Examples:
      labelwise new spring.lw predictions.parquet --scores 's*' --question worst --top 3
      labelwise new group.lw predictions.csv --by region --question compare --compare north south --sure 0.9
      labelwise new both.lw new.parquet --scores 's*' --against old.parquet --question versus --target pool
      labelwise new every.lw predictions.csv --question estimate --width 0.2 --budget 500
      labelwise new team.lw predictions.csv --second-opinions 0.1
    """
    from labelwise.assessment import Assessment
    from labelwise.cli.output import say
    from labelwise.cli.setups import setup_of
    from labelwise.errors import ArgumentError, ConflictError
    from labelwise.report.outcome import settings_of
    from labelwise.report.table import percent
    from labelwise.store import open_store
    from labelwise.store.opening import shown_place

    if ":" in request.metric:
        raise ArgumentError(
            f"`--metric {request.metric}` is a function of yours, which a store cannot bring along. Assess it from "
            "Python."
        )
    with Progress() as progress:
        setup = setup_of(request, predictions, progress.rows)
        progress.step("writing")
        setup.check(setup.start())  # what cannot be asked is refused before there is a file
        place = shown_place(store)
        with open_store(store) as kept:
            if name in kept.names():
                raise ConflictError(
                    f"'{place}' has an assessment {name!r} already. Go on with it, or give the new one another --name."
                )
            assessment = Assessment.of(setup, journal=kept.journal(name))
            assessment.want_second_opinions(second_opinions)
            named = f" --name {name}" if len(kept.names()) > 1 else ""
    n_open = int(assessment.n_open.sum())
    few = f", of which {n_open:,} can change the answer" if n_open < setup.pool.n_items else ""
    left_out = f"  {setup.groups.left_out}\n" if setup.groups.left_out else ""
    seen = "" if setup.is_blind else "; labellers see the prediction"
    seen += f"; {percent(second_opinions)} of the items to be labelled twice" if second_opinions else ""
    document = {
        "store": place,
        "name": name,
        "question": str(setup.question),
        "stop": str(setup.stop),
        "can_be_asked": n_open,
        "left_out": setup.groups.left_out,
        "second_opinions": second_opinions,
        "settings": settings_of(assessment),
    }
    text = (
        f"{setup.question}\n"
        f"  {setup.pool.n_items:,} items in {setup.groups.n_groups:,} groups by {setup.groups.rule}{few}\n{left_out}"
        f"  stop when {setup.stop}; policy {setup.policy.name}, target {setup.target}, seed {setup.seed}{seen}\n"
        f"Next: labelwise ask {quote(place)}{named} -n 20 -o to_label.csv"
    )
    say(document, text, as_json=as_json)
