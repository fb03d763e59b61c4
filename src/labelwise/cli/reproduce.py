"""`labelwise reproduce`: the papers' tables, published value beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.progress import Progress

_HEAD = (
    "# The papers, reproduced\n\nPublished values of Ji, Logan, Smyth and Steyvers (AAAI 2021) beside ours, from the "
    "authors' own predictions. A row agrees if ours lies within its bound: three standard errors of ours, 3 % of the "
    "published value, and its rounding. Written by `labelwise reproduce`."
)


def reproduce(
    tables: Annotated[list[str] | None, typer.Argument(metavar="[TABLE]...", help="3, 6, 8; all unless named.")] = None,
    data: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the prediction sets.")] = Path("data"),
    runs: Annotated[int, typer.Option(metavar="N", help="Runs of each row; the papers say 1,000.", min=10)] = 1_000,
    seed: options.Seed = 0,
    jobs: Annotated[int, typer.Option(metavar="N", help="Threads.", min=1)] = 2,
    out: options.Out = None,
    as_json: options.Json = False,
) -> None:
    """Reproduce tables of the papers: published value, ours, its standard error, and whether they agree.

    Where the published code does other than the paper says, both protocols are played.

    \b
    Examples:
      labelwise reproduce 3 --data data --runs 10
      labelwise reproduce 3 8 --data data --runs 10 --json
    """
    from labelwise.checks import check_one_of
    from labelwise.cli.stores import as_document, check_writable, write_out
    from labelwise.report import render_reproduction
    from labelwise.reproduce import TABLES, Sources

    chosen = tables or list(TABLES)
    for name in chosen:
        check_one_of(name, "TABLE", list(TABLES))
    check_writable(out)
    with Progress() as progress:
        found = [TABLES[name](Sources(data), runs, seed, jobs, progress.step) for name in chosen]
    if as_json:
        write_out(as_document({"tables": [one.to_data() for one in found]}), out)
        return
    write_out("\n\n".join([_HEAD, *(render_reproduction(one) for one in found)]) + "\n", out)
