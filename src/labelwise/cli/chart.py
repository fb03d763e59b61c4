"""`labelwise chart`: a picture of an assessment, or of a pool whose labels are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from labelwise.cli import member_options, options
from labelwise.cli.progress import Progress

Source = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="A store (spring.lw or postgresql://...), or a file of predictions with labels."
    ),
]


def chart(
    file: Source,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="groups, reliability, curve, ece, scatter, ranks, difference, confusion or cost; of a store also "
            "progress and allocation; of an ensemble uncertainty.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="An svg, png, pdf, html or json file; SVG to '-' if not given."
        ),
    ] = None,
    theme: Annotated[str, typer.Option(metavar="THEME", help="light or dark.")] = "light",
    name: options.Name = None,
    goal: Annotated[float | None, typer.Option(metavar="X", help="A value to reach, as a line.")] = None,
    group: Annotated[str | None, typer.Option(metavar="GROUP", help="Draw this group alone.")] = None,
    compare: options.ComparePair = None,
    margin: Annotated[float, typer.Option(metavar="X", help="Differences up to this count as equal.")] = 0.05,
    scores: options.Scores = None,
    predicted: options.Predicted = None,
    confidence: options.Confidence = None,
    label: options.Label = "label",
    id: options.Id = None,
    classes: options.Classes = None,
    logits: options.Logits = False,
    normalise: options.Normalise = False,
    format: options.Format = None,
    member: options.Member = None,
    member_scores: options.MemberScores = None,
    by: options.By = None,
    map: options.Map = None,
    min_items: options.MinItems = 1,
    pool_rare: options.PoolRare = False,
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="METRIC", help="accuracy, bias, ece, recall ... as for measure.")
    ] = None,
    positive: options.Positive = None,
    bins: options.Bins = 15,
    equal_mass: options.EqualMass = False,
    cost: options.Cost = None,
    prior: member_options.PriorName = None,
    strength: options.Strength = None,
    target: options.TargetName = "population",
    level: options.Level = 0.95,
    draws: options.Draws = 10_000,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Draw an assessment, or a pool whose labels are known.

    The name of the file says what is written; a page (html) holds picture, words and numbers, and needs no network.
    --json prints the numbers that are drawn.

    \b
    Examples:
      labelwise chart spring.lw -o groups.svg
      labelwise chart spring.lw --kind progress -o progress.png --theme dark
      labelwise chart spring.lw --kind allocation --json
      labelwise chart predictions.parquet --scores 's*' --kind reliability -o reliability.html
      labelwise chart predictions.csv --predicted pred --by region --goal 0.9 -o regions.pdf
    """
    from labelwise.checks import check_one_of
    from labelwise.cli.drawing import Wish, drawn_pool, drawn_store, is_drawn_store
    from labelwise.cli.output import as_document, printable, put
    from labelwise.cli.pools import Columns, GroupRule, PoolReader, prior_named
    from labelwise.plots.chart import check_format
    from labelwise.plots.theme import THEMES

    check_one_of(theme, "--theme", THEMES)
    is_shown = out is None or str(out) == "-"
    if out is not None and not is_shown:
        check_format(out)
    rule = GroupRule(tuple(by or ()), map, bins, "mass" if equal_mass else "width", min_items, pool_rare)
    wish = Wish(kind, goal, group, compare, margin, metric, positive, cost, bins, rule.equal)
    with Progress() as progress:
        progress.step("drawing")
        if is_drawn_store(file):
            words: dict[str, Any] = {
                "--scores": scores,
                "--predicted": predicted,
                "--confidence": confidence,
                "--by": by,
            }
            words |= {"--map": map, "--member": member, "--member-scores": member_scores, "--prior": prior}
            words |= {"--strength": strength, "--min-items": min_items > 1, "--pool-rare": pool_rare}
            found = drawn_store(file, name, wish, [word for word, said in words.items() if said])
        else:
            reader = PoolReader(Path(file), format, label, id, classes, logits, normalise, progress.rows)
            own = Columns(scores, predicted, confidence)
            how = {"prior": prior_named(prior, strength, has_former=False), "level": level, "target": target,
                   "n_draws": draws, "seed": seed}  # fmt: skip
            ensemble = reader.ensemble(own, member or [], member_scores or [])
            found = drawn_pool(reader, own, rule, ensemble, wish, how)
        if out is not None and not is_shown:
            found.save(out, theme)
            typer.echo(printable(f"'{out}': {found.alt}"), err=True)
    if as_json:
        rows = found.frame().rows()
        put(as_document({"title": found.title, "alt": found.alt, "rows": rows}))
    elif is_shown:
        put(found.svg(theme))
