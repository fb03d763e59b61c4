"""`labelwise plan`: how many labels it will take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.progress import Progress
from labelwise.cli.request import Request, takes_request


@takes_request
def plan(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Predictions, or the store (a file or postgresql://...) of an assessment that is under way.",
        ),
    ],
    request: Request,
    name: options.Name = None,
    against_policy: Annotated[
        list[str] | None,
        typer.Option(metavar="POLICY", help="Further policy to play (repeatable); random-item unless given."),
    ] = None,
    over_confidence: Annotated[
        list[float] | None,
        typer.Option(metavar="X", help="What if accuracy lies so far below the scores (repeatable)? 0, 0.05 and 0.1."),
    ] = None,
    worlds: Annotated[int, typer.Option(metavar="N", help="Imagined worlds to play.", min=2, hidden=True)] = 12,
    limit: Annotated[
        int, typer.Option(metavar="N", help="Labels after which a world is given up.", min=1, hidden=True)
    ] = 5_000,
    as_json: options.Json = False,
) -> None:
    """Estimate how many labels an assessment will need.

    Each policy is played on imagined truth. Before any label, it is imagined from the scores alone; --over-confidence
    says what if they promise too much. From a store, from from what is believed now.

    \b
    Examples:
      labelwise plan predictions.parquet --scores 's*' --question worst --target pool --seed 1
      labelwise plan predictions.csv --by region --question compare --compare north south --against-policy random-group
      labelwise plan spring.lw --json
    """
    from labelwise.assessment import plan as planned
    from labelwise.cli.opening import opened
    from labelwise.cli.output import say
    from labelwise.cli.setups import policy_named, setup_of
    from labelwise.errors import ArgumentError
    from labelwise.report.planning import plan_document, render_plan
    from labelwise.store.opening import is_store

    others = [policy_named(said, "--against-policy") for said in against_policy or ["random-item"]]
    with Progress() as progress:
        if is_store(file):
            if request.given():
                raise ArgumentError(
                    f"A plan of a store goes on with its own question; leave {', '.join(request.given())} out."
                )
            with opened(file, name) as assessment:
                found = assessment.plan(others, n_worlds=worlds, limit=limit, step=progress.step)
                question, stop, groups = assessment.question, assessment.setup.stop, assessment.groups
        else:
            setup = setup_of(request, Path(file), progress.rows)
            what_if = over_confidence or [0.0, 0.05, 0.1]
            found = planned(setup, others, what_if=what_if, n_worlds=worlds, limit=limit, step=progress.step)
            question, stop, groups = setup.question, setup.stop, setup.groups
    document = plan_document(found, question, stop, groups.left_out)
    say(document, render_plan(document), as_json=as_json)
