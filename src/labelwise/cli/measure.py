"""`labelwise measure`: every metric of a classifier on a pool whose labels are known."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Annotated, cast

import typer

from labelwise.cli import member_options, options
from labelwise.cli.output import put
from labelwise.cli.progress import Progress


def measure(
    file: options.File,
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
    metric: member_options.MetricNames = None,
    positive: options.Positive = None,
    bins: options.Bins = 15,
    equal_mass: options.EqualMass = False,
    cost: options.Cost = None,
    prior: member_options.PriorName = None,
    strength: options.Strength = None,
    prior_from: options.PriorFrom = None,
    discount: options.Discount = 1.0,
    target: options.TargetName = "population",
    level: options.Level = 0.95,
    interval: options.Interval = "equal-tailed",
    draws: options.Draws = 10_000,
    seed: options.Seed = 0,
    worst: Annotated[
        int, typer.Option(metavar="N", help="Give each group's probability to be among so many worst.", min=1)
    ] = 1,
    compare: Annotated[tuple[str, str] | None, typer.Option(help="Compare two groups.", metavar="A B")] = None,
    margin: Annotated[float, typer.Option(metavar="X", help="Differences of groups up to this count as equal.")] = 0.05,
    against: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Compare with another classifier on the same items.")
    ] = None,
    against_scores: Annotated[
        str | None,
        typer.Option(metavar="COLUMNS", help="Its scores, if called otherwise (or if in the same file).", hidden=True),
    ] = None,
    against_predicted: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Its predictions, likewise.", hidden=True)
    ] = None,
    against_confidence: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Its confidences, likewise.", hidden=True)
    ] = None,
    hand_off: Annotated[
        int | None,
        typer.Option(metavar="N", help="What if the predictions of so many worst groups went to a person?", min=1),
    ] = None,
    person: Annotated[float, typer.Option(metavar="P", help="Accuracy of that person.", hidden=True)] = 1.0,
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Also print: confusion, curve, ranking or reliability."),
    ] = None,
    rows: options.Rows = 20,
    as_json: options.Json = False,
) -> None:
    """Measure a classifier on a pool whose labels are known.

    Every metric comes with its interval, worst groups first.

    \b
    Examples:
      labelwise measure predictions.parquet --scores 's*' --label label
      labelwise measure predictions.csv --predicted pred --confidence conf --by region
      labelwise measure predictions.parquet --scores 's*' --compare 0 1 --json
      labelwise measure new.parquet --scores 's*' --id id --against old.parquet
      labelwise measure predictions.parquet --scores 's*' --table curve
    """
    from labelwise.beliefs import Kind, Target
    from labelwise.beliefs.belief import TARGETS
    from labelwise.beliefs.interval import KINDS
    from labelwise.checks import check_one_of, check_within
    from labelwise.cli.pools import Columns, GroupRule, PoolReader, metric_named, prior_named
    from labelwise.cli.tables import cost_matrix
    from labelwise.metrics import ExpectedCost
    from labelwise.report.measurement import measure as measured
    from labelwise.report.settings import Settings
    from labelwise.report.text import render_text

    check_one_of(target, "--target", TARGETS)
    check_one_of(interval, "--interval", KINDS)
    check_within(discount, "--discount", 0, 1)
    own, theirs = Columns(scores, predicted, confidence), Columns(against_scores, against_predicted, against_confidence)
    rule = GroupRule(tuple(by or ()), map, bins, "mass" if equal_mass else "width", min_items, pool_rare)
    with Progress() as progress:
        reader = PoolReader(file, format, label, id, classes, logits, normalise, progress.rows)
        ensemble = reader.ensemble(own, member or [], member_scores or [])
        pool = reader.read(own) if ensemble is None else ensemble.pool
        chosen = [
            metric_named(name, pool, positive=positive, bins=bins, equal=rule.equal, cost=cost) for name in metric or []
        ]
        former = None if prior_from is None else reader.read(own, prior_from)
        other = None
        if against is not None or theirs != Columns():
            other = reader.read(own if theirs == Columns() else theirs, against)
        result = measured(
            rule.of(pool, ensemble),
            chosen,
            settings=Settings(
                target=cast(Target, target),
                level=level,
                kind=cast(Kind, interval),
                bins=bins,
                equal=rule.equal,
                prior=prior_named(prior, strength, has_former=former is not None),
                former=None if former is None else rule.of_former(former),
                discount=discount,
                n_draws=draws,
                m=worst,
                margin=margin,
                seed=seed,
            ),
            cost=None if cost is None or "cost" in (metric or []) else ExpectedCost(cost_matrix(cost, pool)),
            compare=compare,
            against=other,
            hand_off_groups=hand_off,
            person_accuracy=person,
            tables=table or [],
            step=progress.step,
        )
    if as_json:
        put(json.dumps(result.to_json(), ensure_ascii=False))
        return
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    put(render_text(result, rows=rows, width=shutil.get_terminal_size((160, 24)).columns, unicode=unicode))
