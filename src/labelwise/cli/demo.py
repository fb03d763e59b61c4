"""`labelwise demo`: the whole loop on a real classifier, from the plan to the report."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelwise.cli import options
from labelwise.cli.progress import Progress
from labelwise.cli.serve import Port

if TYPE_CHECKING:
    from labelwise.assessment import Assessment, Journal, Result, Setup
    from labelwise.beliefs import Belief
    from labelwise.datasets import Digits
    from labelwise.policies import Policy

_BATCH = 5  # labels between two looks at the answer
_DRAWS = 4_000  # of a look; a last one takes more
_AT_RANDOM = 3  # times that the digits are labelled at random for comparison
_WORLDS = 6  # imagined for the plan


def demo(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for demo.lw, report.html, digits.csv and images.")
    ] = Path(),
    seed: options.Seed = 1,
    opens: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the report in a browser; asks unless said.")
    ] = None,
    served: Annotated[bool, typer.Option("--serve", help="Label the digits yourself, in a browser.")] = False,
    port: Port = 8765,
    as_json: options.Json = False,
) -> None:
    """Show the whole loop on a real classifier, from plan to report.

    The classifier is trained on 100 of scikit-learn's handwritten digits and predicts the other 1,697. A simulated
    labeller, who knows the truth, tells what is asked. Takes about a minute and needs no network. With --serve you
    are the labeller: the page opens on the same question, and what you label is kept in own.lw.

    \b
    Examples:
      labelwise demo
      labelwise demo --out try --seed 7 --no-open --json
      labelwise demo --serve --out own
    """
    from labelwise.cli.demo_classifier import trained
    from labelwise.cli.output import as_document, put, writing

    if served:
        _serve_own(out, seed, port, opens=opens is not False, as_json=as_json)
        return
    began = time.monotonic()

    def tell(text: str) -> None:
        if not as_json:
            put(text)

    store, report = out / "demo.lw", out / "report.html"
    _check_free(store)
    with Progress() as progress:
        progress.step("training a classifier")
        digits = trained()
        with writing(out):
            digits.write(out)
        tell(
            f"A classifier, trained on {digits.n_trained} handwritten digits, has read {digits.pool.n_items:,} others. "
            "Which digit is it worst at, and how good is it on the whole?\n"
        )
        setup = _setup(digits, seed)
        planned = _planned(setup, progress)
        tell(f"Plan    {planned}")
        result, answered, document = _assessed(digits, setup, store, report, progress)
        tell(f"Answer  {answered}")
        tell(f"Truth   {_truth(digits, setup, result)}")
        at_random = _at_random(digits, setup, progress)
    spent = sorted(at_random)[len(at_random) // 2]
    compared = (
        f"Labelled at random, the same certainty took {spent:,} labels (the middle of {_AT_RANDOM} times): "
        f"{spent / result.n_labels:.1f} times as many."
    )
    tell(f"Random  {compared}\n")
    tell(f"The report is {report}, the assessment {store} (try `labelwise answer {store}`); predictions and truth are")
    tell(f"in {out / 'digits.csv'}. All of it took {time.monotonic() - began:.0f} seconds.")
    if as_json:
        put(as_document(document | {"plan": planned, "at_random": at_random, "report": str(report)}))
    _offer(report, opens, is_quiet=as_json)


def _serve_own(out: Path, seed: int, port: int, *, opens: bool, as_json: bool) -> None:
    """Open the page on the digits; begun once, gone on with later."""
    from labelwise.assessment import Assessment
    from labelwise.cli.demo_classifier import trained
    from labelwise.cli.label import login_name
    from labelwise.cli.output import writing
    from labelwise.cli.serve import run
    from labelwise.store import SqliteStore
    from labelwise.web import Settings

    store = out / "own.lw"
    if not store.exists():
        with Progress() as progress:
            progress.step("training a classifier")
            digits = trained()
            with writing(out):
                digits.write(out)
            with SqliteStore(store) as kept:
                Assessment.of(_setup(digits, seed), journal=kept.journal("main"))
    words = "Say which digit you see. Skip what nobody could read."
    settings = Settings(str(store), port=port, images=out, guidelines=words, labeller=login_name() or "owner")
    run(settings, opens=opens, as_json=as_json)


def _check_free(store: Path) -> None:
    from labelwise.errors import ConflictError

    if store.exists():
        raise ConflictError(f"'{store}' is there already. Remove it, or give another folder with --out.")


def _setup(digits: Digits, seed: int, policy: Policy | None = None) -> Setup:
    from labelwise.assessment import Setup
    from labelwise.groups import by_prediction
    from labelwise.questions import Worst

    setup = Setup(by_prediction(digits.pool), Worst(), seed, target="pool")
    return setup if policy is None else replace(setup, policy=policy)


def _planned(setup: Setup, progress: Progress) -> str:
    from labelwise.assessment import plan

    return plan(setup, what_if=[0.0], n_worlds=_WORLDS, limit=setup.pool.n_items, step=progress.step).sentence()


def _assessed(
    digits: Digits, setup: Setup, store: Path, report: Path, progress: Progress
) -> tuple[Result, str, dict[str, Any]]:
    """Assess on disk until the rule is met, and write the report."""
    from labelwise.cli.output import write_out
    from labelwise.report import report_of
    from labelwise.report.outcome import outcome
    from labelwise.store import SqliteStore

    kept = SqliteStore(store)
    try:
        assessment, result = _played(digits, setup, kept.journal("main"), progress, _BATCH)
        progress.step("writing the report")
        title = "How good is a classifier of handwritten digits?"
        write_out(report_of(assessment, title=title, source=str(store)).html(), report)
        return result, _answered(result, assessment.belief), outcome(assessment, result)
    finally:
        kept.close()


def _played(
    digits: Digits, setup: Setup, journal: Journal | None, progress: Progress, n_asked: int
) -> tuple[Assessment, Result]:
    """Ask and tell until the rule is met, looking at the answer after so many labels."""
    from labelwise.assessment import Assessment

    assessment = Assessment.of(setup, journal=journal)
    while True:
        result = assessment.answer(n_draws=_DRAWS)
        if result.may_stop or result.is_spent:
            result = assessment.answer()  # as anybody who asks later will see it
            if result.may_stop or result.is_spent:
                return assessment, result
        words = f"{setup.policy.name}: {result.answer.sentence}"
        progress.share(words, result.n_labels, digits.pool.n_items)
        for ticket in assessment.ask(n_asked, labeller="demo"):
            assessment.tell(ticket, digits.truth[str(ticket.item["id"])])


def _at_random(digits: Digits, setup: Setup, progress: Progress) -> list[int]:
    """Count the labels that random choice needs, a few times; it is looked at less often, to save the reader's time."""
    from labelwise.policies import RandomItem

    setups = [_setup(digits, setup.seed + k, RandomItem()) for k in range(_AT_RANDOM)]
    return [_played(digits, one, None, progress, 4 * _BATCH)[1].n_labels for one in setups]


def _answered(result: Result, belief: Belief) -> str:
    import numpy as np

    from labelwise.beliefs.belief import AccuracyBelief
    from labelwise.metrics import overall_accuracy

    answer = result.answer
    worst = answer.posterior.names.index(answer.named[0])
    low, high = answer.posterior.low[worst], answer.posterior.high[worst]
    whole = overall_accuracy(AccuracyBelief.of(belief), target="pool", rng=np.random.default_rng(0))
    return (
        f"After {result.n_labels:,} labels: {result.sentence()}.\n"
        f"        Believed: {answer.sentence}.\n"
        f"        Its accuracy is {answer.posterior.mean[worst]:.2f}, 95 % interval {low:.2f} to {high:.2f}; on the "
        f"whole {whole.mean[0]:.3f}, {whole.low[0]:.3f} to {whole.high[0]:.3f}."
    )


def _truth(digits: Digits, setup: Setup, result: Result) -> str:
    """Say what is so, which nobody would know outside a demo."""
    import numpy as np

    groups = setup.groups
    told = np.array([digits.truth[str(name)] for name in digits.pool.all_ids()])
    hit = np.asarray(digits.pool.classes)[digits.pool.prediction] == told
    accuracy = np.bincount(groups.of_item, hit, minlength=groups.n_groups) / groups.n_items
    worst = int(np.argmin(accuracy))
    return (
        f"With all {len(hit):,} labels, the worst is {groups.names[worst]} (accuracy {accuracy[worst]:.2f}), and the "
        f"whole {hit.mean():.3f}."
    )


def _offer(report: Path, opens: bool | None, *, is_quiet: bool) -> None:
    """Open the report if that is wanted; ask only a person at a terminal."""
    import sys
    import webbrowser

    if opens is None:
        is_person = sys.stdin.isatty() and sys.stdout.isatty() and not is_quiet
        opens = is_person and typer.confirm("Open the report?", default=True)
    if opens:
        webbrowser.open(report.resolve().as_uri())
