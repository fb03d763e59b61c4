"""`labelwise study`: policies, priors and intervals, tried where the truth is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from labelwise.cli import options
from labelwise.cli.command import group
from labelwise.cli.progress import Progress
from labelwise.cli.request import Request, takes_request

if TYPE_CHECKING:
    from labelwise.assessment import Setup
    from labelwise.questions import Question
    from labelwise.simulation import Engine, Scenario

_IDLE = (
    "--content", "--show", "--sure", "--width", "--mean-width", "--overall-width", "--price", "--stop",
    "--stop-at-all", "--lease", "--show-prediction", "--rival", "--against",
)  # fmt: skip
# intervals are slow to score, and labels until a verdict want to be exact
_MOMENTS = {"Estimate": 20, "Overall": 20, "Compare": 400}


@takes_request
def simulate(
    file: options.File,
    request: Request,
    label: options.Label = "label",
    against_policy: Annotated[
        list[str] | None,
        typer.Option(metavar="POLICY", help="Further policy to play (repeatable); random-item unless given."),
    ] = None,
    against_prior: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PRIOR",
            help="Further prior, played with every policy (repeatable): flat[:X] or informed[:X], X its strength, or "
            "9,1.",
        ),
    ] = None,
    also_question: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUESTION",
            help="Further question, played with every policy and prior (repeatable): estimate, overall, worst[:M], "
            "best[:M] or compare; the other options hold for it too.",
        ),
    ] = None,
    runs: Annotated[int, typer.Option(metavar="N", help="Runs of each policy, prior and question.", min=1)] = 100,
    jobs: Annotated[int, typer.Option(metavar="N", help="Threads.", min=1, hidden=True)] = 1,
    exact: Annotated[
        bool, typer.Option("--exact", help="Drive real assessments: slow, for what is not compiled.", hidden=True)
    ] = False,
    out: options.Out = None,
    as_json: options.Json = False,
) -> None:
    """Play policies many times over on a pool with known labels.

    This shows which policy needs fewer labels. For worst and best: how high the true groups rank, and how often all are
    named. For estimate: the error, and which part of the intervals hold the truth. For compare: labels until the
    verdict is decided, and how often it is right. --budget ends every run; --out writes all scores (CSV or Parquet).
    Interrupted, it gives what is finished.

    \b
    Examples:
      labelwise study simulate predictions.parquet --scores 's*' --question worst --runs 50 --seed 1
      labelwise study simulate predictions.parquet --scores 's*' --question estimate --budget 100 --json
      labelwise study simulate predictions.csv --by region --question compare --compare north south --margin 0.1
      labelwise study simulate predictions.csv --policy top-two --against-policy thompson --against-prior informed
      labelwise study simulate predictions.csv --also-question estimate --budget 100 -o all.csv
    """
    from labelwise.cli.output import check_writable, say, write_out, writing
    from labelwise.pool import Frame
    from labelwise.report.simulation import interruption_of, render_simulation, simulation_document
    from labelwise.simulation import scores_for
    from labelwise.simulation import simulate as played
    from labelwise.simulation.runner import check_playable

    _check(request, also_question or [])
    check_writable(out)
    engine: Engine = "exact" if exact else "compiled"
    found = []
    with Progress() as progress:
        setup, scenarios = _scenarios(request, file, label, against_policy, against_prior, also_question, progress)
        if not exact:
            scenarios = _compiled(scenarios, request)
        for scenario in scenarios:
            check_playable(scenario, scores_for(scenario.question, setup.level), engine)
        try:
            for scenario in scenarios:
                found.append(
                    played(
                        scenario, scores_for(scenario.question, setup.level), n_runs=runs, at=_moments(scenario),
                        seed=setup.seed, jobs=jobs, engine=engine, step=partial(_tell, progress, scenario.name, runs),
                    )
                )  # fmt: skip
                if found[-1].was_interrupted:
                    raise KeyboardInterrupt
            interruption = None
        except KeyboardInterrupt:
            if not found:
                raise
            interruption = interruption_of(found, runs, len(scenarios))
    document = simulation_document(found, interruption)
    if out is not None:
        rows = document["rows"]
        frame = Frame({name: [row[name] for row in rows] for name in rows[0]})
        if out.suffix == ".parquet":
            with writing(out):
                frame.save(out)
        else:
            write_out(frame.to_csv(), out)
    if out is None or str(out) != "-":
        say(document, render_simulation(found, interruption), as_json=as_json)
    if interruption is not None:
        raise typer.Exit(130)


def _tell(progress: Progress, name: str, n_runs: int, done: int) -> None:
    progress.step(f"{name}: {done:,} of {n_runs:,} runs")


def _check(request: Request, also: list[str]) -> None:
    """Refuse what no simulation can do."""
    from labelwise.errors import ArgumentError

    if "versus" in [request.question, *also] or request.metric == "lead":
        raise ArgumentError(
            "A simulation does not play two classifiers against each other; ask estimate, overall, worst, best or "
            "compare."
        )
    idle = [option for option in request.given() if option in _IDLE]
    if idle:
        raise ArgumentError(f"A simulation has no use for {', '.join(idle)}; leave it out.")


def _scenarios(
    request: Request,
    file: options.File,
    label: str,
    against_policy: list[str] | None,
    against_prior: list[str] | None,
    also_question: list[str] | None,
    progress: Progress,
) -> tuple[Setup, list[Scenario]]:
    """Return every policy with every prior for every question, each once."""
    from labelwise.assessment.defaults import default_policy, default_prior
    from labelwise.cli.setups import policy_named, prior_worded, question_of, requests_of, setup_of
    from labelwise.simulation import Scenario

    others = [policy_named(said, "--against-policy") for said in against_policy or ["random-item"]]
    more = [prior_worded(said, "--against-prior") for said in against_prior or []]
    first, *rest = requests_of(request, also_question or [])
    setup = setup_of(first, file, progress.rows, label=label)
    questions = [setup.question, *(question_of(one, setup.question.metric) for one in rest)]
    found = {}
    for question in questions:
        # what an assessment of this question would take
        own = setup.policy if request.policy is not None else default_policy(question)
        start = setup.prior if request.says_prior else default_prior(question)
        for policy in [own, *others]:
            for prior in [start, *more]:
                one = Scenario(
                    setup.groups, question, policy, prior, int(request.rules.get("budget", 0)), target=setup.target
                )
                if more:
                    one = replace(one, name=f"{one.policy_name} ({one.prior_name})")
                found[question, one.name] = one
    return setup, list(found.values())


def _compiled(scenarios: list[Scenario], request: Request) -> list[Scenario]:
    """Fall back to what the compiled engine plays where it does not play a default, and say so.

    All scenarios of a question fall back together: scores about different targets could not be compared.
    """
    found: dict[tuple[Question, str], Scenario] = {}
    notes = set()
    for question in dict.fromkeys(scenario.question for scenario in scenarios):
        some = [scenario for scenario in scenarios if scenario.question == question]
        for others in _alternatives(some, request):
            if all(_is_compiled(other) for other in others):
                break
        else:
            others = some  # refused later, in a sentence
        for was, one in zip(some, others, strict=True):
            if one.policy_name != was.policy_name:
                notes.add(f"with {one.policy_name}, the search for the answer without that for its proof")
            if one.prior_name != was.prior_name:
                notes.add(f"with the {one.prior_name} prior")
            if one.target != was.target:
                notes.add(f"about the {one.target}")
            found.setdefault((question, one.name), one)
    if notes:
        typer.echo(f"Note: Simulated {'; '.join(sorted(notes))}. --exact plays the defaults.", err=True)
    return list(found.values())


def _alternatives(scenarios: list[Scenario], request: Request) -> Iterator[list[Scenario]]:
    """Yield the scenarios of a question, then others that differ in defaults, the most alike first."""
    yield scenarios
    for keeps_prior in (True, False):
        for keeps_target in (True, False):
            yield [_alternative(scenario, request, keeps_prior, keeps_target) for scenario in scenarios]


def _alternative(scenario: Scenario, request: Request, keeps_prior: bool, keeps_target: bool) -> Scenario:
    """Return the scenario with other defaults; what was asked for is kept."""
    from labelwise.assessment.defaults import default_prior
    from labelwise.policies.prove import search_of

    question = scenario.question
    policy = scenario.policy if request.policy is not None else search_of(scenario.policy, question)
    is_asked = request.says_prior or keeps_prior or scenario.prior != default_prior(question)
    prior = scenario.prior if is_asked else question.metric.own_prior
    target = scenario.target if request.target is not None or keeps_target else "population"
    other = replace(scenario, policy=policy, prior=prior, target=target, name="")
    is_of_prior = scenario.name != scenario.policy_name
    return replace(other, name=f"{other.policy_name} ({other.prior_name})") if is_of_prior else other


def _is_compiled(scenario: Scenario) -> bool:
    from labelwise.errors import UnanswerableError
    from labelwise.simulation.runner import check_playable

    try:
        check_playable(scenario, [], "compiled")
    except UnanswerableError:
        return False
    return True


def _moments(scenario: Scenario) -> list[int] | None:
    """Return the label counts at which a scenario is scored; None for the usual hundred."""
    n_moments = _MOMENTS.get(type(scenario.question).__name__)
    if n_moments is None:
        return None
    return sorted({max(1, round(scenario.budget * part / n_moments)) for part in range(1, n_moments + 1)})


def card(
    runs: Annotated[
        int, typer.Option(metavar="N", help="Runs of each cell; a fifth of them for the learned prior.", min=10)
    ] = 2_000,
    seed: options.Seed = 0,
    level: options.Level = 0.95,
    out: options.Out = None,
    as_json: options.Json = False,
) -> None:
    """Simulate how often each kind of interval covers the truth.

    At one look, when narrow enough, at every look, and of the worst group. Takes half a minute and needs no data:
    groups, labels and an over-confident classifier are made up, as the card says. --out writes a page in Markdown.

    \b
    Examples:
      labelwise study card --runs 50
      labelwise study card --runs 50 --seed 1 --level 0.9 --json
    """
    from labelwise.cli.output import check_writable, say, write_out
    from labelwise.report.card import card_document, card_page, render_card
    from labelwise.simulation import coverage_card

    check_writable(out)
    with Progress() as progress:
        found = coverage_card(n_runs=runs, level=level, seed=seed, step=progress.step)
    if out is not None:
        write_out(card_page(found), out)
    if out is None or str(out) != "-":
        say(card_document(found), render_card(found), as_json=as_json)


app = group(
    "study",
    "Simulate policies, and how often intervals cover.",
    {"simulate": simulate, "card": card},
    bare=("card",),
)
