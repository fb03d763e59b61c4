"""`labelwise answer`: what is known, how surely, and whether that is enough."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from labelwise.cli import options

TARGET_NOT_MET = 5


def answer(
    store: options.Store,
    name: options.Name = None,
    rows: options.Rows = 20,
    forecast: Annotated[
        bool, typer.Option("--forecast/--no-forecast", help="Say how many more labels to expect (takes seconds).")
    ] = True,
    draws: options.Draws = 10_000,
    as_json: options.Json = False,
) -> None:
    """Show what is known now, how surely, and whether it is enough.

    Leaves with 0 if the stopping rule is met and with 5 if not, so that it can gate a pipeline.

    \b
    Examples:
      labelwise answer spring.lw
      labelwise answer spring.lw --no-forecast --json
    """
    from labelwise.cli.opening import opened
    from labelwise.cli.output import has_unicode, say
    from labelwise.report.outcome import outcome, render_outcome

    with opened(store, name) as assessment:
        result = assessment.answer(n_draws=draws)
        document = outcome(assessment, result, with_forecast=forecast)
    width = shutil.get_terminal_size((160, 24)).columns
    text = render_outcome(document, rows=rows, width=width, unicode=has_unicode())
    say(document, text, as_json=as_json)
    if not result.verdict.is_met:
        raise typer.Exit(TARGET_NOT_MET)
