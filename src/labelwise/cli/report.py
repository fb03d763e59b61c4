"""`labelwise report`: one file for a reader who was not there; of two stores, whether the classifier got better."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.progress import Progress


def report(
    stores: Annotated[
        list[str],
        typer.Argument(
            metavar="STORE...",
            help="One store (spring.lw or postgresql://...); or two, the one before and the one after.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="An html, md or json file; HTML to '-' if not given."),
    ] = None,
    format: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="html, md or json, whatever the file is called.")
    ] = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="Title of the report.")] = "",
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="Which assessment of the file; repeated for two stores."),
    ] = None,
    charts: Annotated[bool, typer.Option("--charts/--no-charts", help="Draw charts, or say them in words.")] = True,
    forecast: Annotated[
        bool, typer.Option("--forecast/--no-forecast", help="Say how many more labels to expect (takes seconds).")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Write a report of one assessment, or compare two.

    It has question, answer, charts, every number with what it promises, what was assumed, and how to redo it. The page
    needs no network and runs no script, and the same store gives the same bytes. Of two stores the report says whether
    the classifier of the second is better, as a whole and group by group. --json is --format json.

    \b
    Examples:
      labelwise report spring.lw -o report.html
      labelwise report spring.lw -o report.md --title 'Spring 2026'
      labelwise report spring.lw autumn.lw -o better.html
      labelwise report spring.lw --json
    """
    from contextlib import ExitStack

    from labelwise.checks import check_one_of
    from labelwise.cli.opening import opened
    from labelwise.cli.output import check_writable, printable, write_out
    from labelwise.errors import ArgumentError
    from labelwise.report import comparison_of, report_of
    from labelwise.report.report import FORMATS, format_of
    from labelwise.store.opening import shown_place

    if len(stores) > 2:
        raise ArgumentError(f"A report is of one store or of two, but {len(stores)} are given. Leave some out.")
    if name is not None and len(name) != len(stores):
        raise ArgumentError("Give `--name` as often as there are stores, in their order, or not at all.")
    if format is not None:
        check_one_of(format, "--format", FORMATS)
    is_shown = out is None or str(out) == "-"
    chosen = "json" if as_json else format or ("html" if out is None or is_shown else format_of(out))
    with ExitStack() as stack:
        progress = stack.enter_context(Progress())
        progress.step("reading")
        names: list[str | None] = [*name] if name else [None] * len(stores)
        found = [stack.enter_context(opened(*pair)) for pair in zip(stores, names, strict=True)]
        check_writable(out)
        if len(found) == 1:
            made = report_of(
                found[0], title=title, source=shown_place(stores[0]), with_forecast=forecast, step=progress.step
            )
        else:
            called = _told_apart([shown_place(store) for store in stores], name)
            made = comparison_of(found[0], found[1], names=called, title=title, step=progress.step)
        progress.step("drawing")
        text = made.write(chosen, with_charts=charts)
    write_out(text, out)
    if out is not None and not is_shown:
        typer.echo(printable(f"'{out}': {made.document['headline']}"), err=True)


def _told_apart(stores: list[str], names: list[str] | None) -> tuple[str, str]:
    """Return two names: of the files, with the assessments' own where the files are the same."""
    one, other = (Path(store).stem for store in stores)
    if one != other:
        return one, other
    if names is not None and names[0] != names[1]:
        return names[0], names[1]
    return stores[0], stores[1] if stores[0] != stores[1] else f"{stores[1]} again"
