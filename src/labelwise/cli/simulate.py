"""`labelwise simulate`: policies compared on a pool whose labels are known."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.progress import Progress
from labelwise.cli.request import Request, takes_request

_IDLE = (
    "--content", "--show", "--sure", "--width", "--mean-width", "--overall-width", "--price", "--stop-at-all",
    "--lease", "--show-prediction", "--compare", "--margin", "--rival", "--against",
)  # fmt: skip


def _tell(progress: Progress, name: str, n_runs: int, done: int) -> None:
    progress.step(f"{name}: {done:,} of {n_runs:,} runs")


@takes_request
def simulate(
    file: options.File,
    request: Request,
    label: options.Label = "label",
    against_policy: Annotated[
        list[str] | None,
        typer.Option(metavar="POLICY", help="Further policy to play (repeatable); random-item unless given."),
    ] = None,
    runs: Annotated[int, typer.Option(metavar="N", help="Runs of each policy.", min=1)] = 100,
    jobs: Annotated[int, typer.Option(metavar="N", help="Threads.", min=1)] = 1,
    exact: Annotated[bool, typer.Option("--exact", help="Drive real assessments: slow, and plays everything.")] = False,
    out: options.Out = None,
    as_json: options.Json = False,
) -> None:
    """Play policies many times over on a pool whose labels are known, and say which finds the answer with fewer.

    For worst and best: how high the true groups rank, and how often all are named. For estimate: the error, and which
    part of the intervals hold the truth. --budget ends every run; --out writes all scores (CSV or Parquet).

    \b
    Examples:
      labelwise simulate predictions.parquet --scores 's*' --question worst --runs 50 --seed 1
      labelwise simulate predictions.parquet --scores 's*' --question estimate --budget 100 --json
    """
    from labelwise.cli.setups import policy_named, setup_of
    from labelwise.cli.stores import say, writing
    from labelwise.errors import ArgumentError
    from labelwise.pool import Frame
    from labelwise.questions import Compare, Estimate, Versus
    from labelwise.report import render_simulation, simulation_document
    from labelwise.simulation import Scenario, coverage, reciprocal_rank, rmse, success, width
    from labelwise.simulation import simulate as played

    idle = [option for option in request.said() if option in _IDLE]
    if idle:
        raise ArgumentError(f"A simulation has no use for {', '.join(idle)}; leave it out.")
    with Progress() as progress:
        setup = setup_of(request, file, progress.rows, label=label)
        question = setup.question
        if isinstance(question, (Compare, Versus)):
            raise ArgumentError("A simulation plays `--question` worst, best and estimate.")
        is_estimate = isinstance(question, Estimate)
        scores = [rmse, coverage(setup.level), width(setup.level)] if is_estimate else []
        scores += [] if is_estimate else [reciprocal_rank(question.plays), success(question.plays)]
        policies = [setup.policy, *(policy_named(p, "--against-policy") for p in against_policy or ["random-item"])]
        found = []
        for policy in {policy.name: policy for policy in policies}.values():
            scenario = Scenario(setup.groups, question, policy, setup.prior, request.budget or 0)
            moments = None
            if is_estimate:
                moments = sorted({max(1, round(scenario.budget * part / 20)) for part in range(1, 21)})
            found.append(
                played(
                    scenario, scores, n_runs=runs, at=moments, seed=setup.seed, jobs=jobs,
                    engine="exact" if exact else "compiled",
                    step=partial(_tell, progress, policy.name, runs),
                )
            )  # fmt: skip
    document = simulation_document(found)
    if out is not None:
        rows = document["rows"]
        with writing(out):
            Frame({name: [row[name] for row in rows] for name in rows[0]}).save(out)
    say(document, render_simulation(found), as_json=as_json)
