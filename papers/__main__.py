"""`python -m papers`: tables and figures of the papers, published values beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwise.cli import options
from labelwise.cli.main import run
from labelwise.cli.progress import Progress

_HEAD = (
    "# The papers, reproduced\n\nPublished values of Ji, Logan, Smyth and Steyvers (AAAI 2021 with its supplement, its "
    "preprint of 2020, and the workshop paper of 2019) beside ours. A row agrees if ours lies within its bound: three "
    "standard errors (of ours, and of the published value where it comes from few runs: chance), 3 % of the published "
    "value, and its rounding. Where the published code does other than the paper says, both protocols are played. "
    "Where the authors' predictions are not to be had, a stand-in is played and only directions are compared. Written "
    "by `python -m papers`."
)


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Table (3 ... 11) or figure (fig3, ...); all unless named."),
    ] = None,
    data: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the prediction sets.")] = Path("data"),
    runs: Annotated[int, typer.Option(metavar="N", help="Runs of each row; the papers say 1,000.", min=10)] = 1_000,
    seed: options.Seed = 0,
    jobs: Annotated[int, typer.Option(metavar="N", help="Threads.", min=1)] = 2,
    frames: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write what figures draw there, one Parquet file each.")
    ] = None,
    charts: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Draw there what is reproduced, one SVG file each.")
    ] = None,
    out: options.Out = None,
    as_json: options.Json = False,
) -> None:
    """Reproduce tables and figures of the papers: published value, ours, its standard error, and whether they agree.

    Where the published code does other than the paper says, both protocols are played.

    \b
    Names:
      3 4 5 6 7 8 9 10 11 fig3         of the AAAI paper
      preprint-table-2                 of the preprint
      supplement-reliability -ece-posterior -ece-error -scatter -rankings -differences -ttts -baselines
        -prior-strength -ece-prior-strength -uniform-informed
      workshop-fig1 ... workshop-fig10

    \b
    Examples:
      python -m papers 3 --data data --runs 10
      python -m papers 3 8 --data data --runs 10 --json
      python -m papers workshop-fig4 --data data --runs 10 --charts figures
    """
    from labelwise.checks import check_one_of
    from labelwise.cli.output import as_document, check_writable, write_out, writing
    from papers import REPRODUCTIONS, Sources, Study
    from papers.markdown import render_reproduction

    chosen = names or list(REPRODUCTIONS)
    for name in chosen:
        check_one_of(name, "NAME", list(REPRODUCTIONS))
    check_writable(out)
    with Progress() as progress:
        study = Study(Sources(data), runs, seed, jobs, progress.step)
        found = [REPRODUCTIONS[name](study) for name in chosen]
    if frames is not None:
        with writing(frames):
            frames.mkdir(parents=True, exist_ok=True)
            for one in found:
                if one.frame is not None:
                    one.frame.save(frames / f"{one.name}.parquet")
    if charts is not None:
        from papers.drawings import drawn

        with writing(charts):
            charts.mkdir(parents=True, exist_ok=True)
            for one in found:
                drawn(one).save(charts / f"{one.name}.svg")
    if as_json:
        write_out(as_document({"reproductions": [one.to_data() for one in found]}), out)
        return
    write_out("\n\n".join([_HEAD, *(render_reproduction(one) for one in found)]) + "\n", out)


def main() -> None:
    """Run the command, with the error messages and exit codes of `labelwise`."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(reproduce)
    run(typer.main.get_command(app), "python -m papers")


if __name__ == "__main__":
    main()
