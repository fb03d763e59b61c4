"""What an assessment says, as one plain document and as text for the terminal."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from labelwise.assessment import Assessment, Forecast, Result
from labelwise.metrics import Posterior
from labelwise.metrics.impact import impact_of
from labelwise.report.guarantee import guarantees, promises_of, render_guarantees
from labelwise.report.measurement import without_nan
from labelwise.report.table import Scale, cell_name, decimals, ends, rest_of, table, table_width


def outcome(assessment: Assessment, result: Result, *, with_forecast: bool = True) -> dict[str, Any]:
    """Return the answer of an assessment as one plain document.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=7)
    >>> for ticket in assessment.ask(20):
    ...     assessment.tell(ticket, "cat")
    >>> document = outcome(assessment, assessment.answer())
    >>> document["stop"]["is_met"], document["groups"][0]["group"]
    (True, 'dog')
    """
    answer = result.answer
    document = {
        "question": str(assessment.question),
        "question_kind": assessment.question.kind,
        "answer": {
            "sentence": answer.sentence,
            "named": list(answer.named),
            "probability": answer.probability,
            "tied": list(answer.tied),
            "proof": None if result.proof is None else asdict(result.proof),
        },
        "other_target": _other_target(result),
        "stop": {
            "is_met": result.verdict.is_met,
            "is_spent": result.is_spent,
            "rule": str(assessment.setup.stop),
            "sentence": result.verdict.sentence,
        },
        "forecast": _forecast(result.forecast) if with_forecast and not result.may_stop else None,
        "labels": {
            "told": result.n_labels,
            "out": result.n_out,
            "skipped": result.n_skipped,
            "unknown": result.n_unknown,
            "open": int(assessment.n_open.sum()),
        },
        "overall": None if answer.overall is None else _value(answer.overall, 0) | _always(result) | _design(result),
        "difference": None if answer.difference is None else answer.difference.document(),
        "metric": answer.posterior.metric,
        "groups": _groups(assessment, result),
        "guarantees": guarantees(
            assessment.setup.level,
            always=answer.always is not None or answer.overall_always is not None,
            design=answer.design is not None,
        ),
        "settings": settings_of(assessment),
        "notes": _notes(result),
    }
    cleaned: dict[str, Any] = without_nan(document)
    return cleaned


def _other_target(result: Result) -> dict[str, Any]:
    target, answer = result.other_target
    named = list(answer.named)
    return {"target": target, "sentence": answer.sentence, "named": named, "probability": answer.probability}


def settings_of(assessment: Assessment) -> dict[str, Any]:
    """Return what an assessment was set up with, in words."""
    setup, pool = assessment.setup, assessment.pool
    return {
        "pool": pool.source,
        "items": pool.n_items,
        "classes": pool.n_classes,
        "fingerprint": pool.fingerprint,
        "grouping": assessment.groups.rule,
        "groups": assessment.groups.n_groups,
        "left_out": assessment.groups.left_out,
        "policy": setup.policy.name,
        "prior": repr(setup.prior),
        "target": setup.target,
        "level": setup.level,
        "seed": setup.seed,
        "is_blind": setup.is_blind,
    }


def seen_by(settings: dict[str, Any]) -> str:
    """Return a remark that labellers see the prediction, if they do."""
    return "" if settings["is_blind"] else "; labellers see the prediction"


def _forecast(forecast: Forecast) -> dict[str, Any]:
    quantiles = {"more": 0.5, "low": 0.1, "high": 0.9}
    found = {name: forecast.quantile(q) for name, q in quantiles.items()}
    return {**found, "limit": forecast.limit, "sentence": forecast.sentence()}


def _value(posterior: Posterior, g: int) -> dict[str, float]:
    return {name: float(getattr(posterior, name)[g]) for name in ("mean", "low", "high")}


def _always(result: Result) -> dict[str, float]:
    """Return the ends of the always-valid interval of the whole, if there is one."""
    ends = result.answer.overall_always
    return {} if ends is None else {"always_low": float(ends[0]), "always_high": float(ends[1])}


def _design(result: Result) -> dict[str, Any]:
    """Return the overall value without a prior, or why there is none."""
    answer = result.answer
    if answer.design is None:
        return {"design": None, "design_reason": answer.design_reason} if answer.design_reason else {}
    found = asdict(answer.design)
    return {"design": {name: found[name] for name in ("mean", "low", "high", "standard_error")}}


def _groups(assessment: Assessment, result: Result) -> list[dict[str, Any]]:
    """Return one row per group, those that the question looks for first."""
    posterior, ranking = result.answer.posterior, result.answer.ranking
    metric, belief = assessment.question.metric, assessment.belief
    sizes, bounds, always = metric.n_items(belief), result.bounds, result.answer.always
    place = {name: g for g, name in enumerate(metric.names(belief))}  # a comparison shows two groups of many
    order = list(range(len(posterior.names)))
    if ranking is not None:
        ranked = [int(g) for g in ranking.order]
        order = ranked + [g for g in order if g not in set(ranked)]
        if result.answer.named and result.answer.named[0] != posterior.names[order[0]]:
            order = ranked[::-1] + order[len(ranked) :]
    rows = []
    left_out = np.zeros(len(order), bool) if result.answer.left_out is None else result.answer.left_out
    impact, n_items = impact_of(metric), assessment.pool.n_items
    for g in order:
        if left_out[g]:
            continue
        row: dict[str, Any] = {"group": posterior.names[g], "labels": int(posterior.n_labels[g])}
        row |= _value(posterior, g)
        if always is not None:
            row |= {"always_low": float(always[0][g]), "always_high": float(always[1][g])}
        if sizes is not None:
            row["items"] = int(sizes[place[posterior.names[g]]])
            if impact is not None:
                row["impact"] = float(impact.of_values(posterior.mean[g], np.asarray(row["items"] / n_items)))
        if ranking is not None:
            row |= {"p_worst": float(ranking.p_worst[g]), "p_best": float(ranking.p_best[g])}
        if bounds is not None:
            row["if_misses"] = float(bounds.if_misses[place[posterior.names[g]]])
            row["if_hits"] = float(bounds.if_hits[place[posterior.names[g]]])
        rows.append(row)
    return rows


def _notes(result: Result) -> list[str]:
    notes = list(result.answer.notes)
    missing = result.n_skipped + result.n_unknown
    if missing:
        notes.append(
            f"{missing:,} items have no label ({result.n_unknown:,} because nobody knew, {result.n_skipped:,} "
            "skipped); the bounds say what each group's mean would be if all of them were misses, or all hits."
        )
    if result.answer.tied:
        tied = result.answer.tied
        named = ", ".join(cell_name(name) for name in tied[:5]) + (f" and {len(tied) - 5} more" if tied[5:] else "")
        notes.append(f"Not distinguishable from {cell_name(result.answer.named[-1])}: {named}.")
    return notes


def render_outcome(document: dict[str, Any], *, rows: int = 20, width: int = 200, unicode: bool = True) -> str:
    """Write the document of an answer as text.

    Parameters
    ----------
    document : from `outcome`.
    rows : groups to show; 0 for all.
    width : characters a line may have; intervals are not drawn where they do not fit.
    unicode : whether the terminal can draw lines.
    """
    how, labels = document["settings"], document["labels"]
    stop = document["stop"]
    said = f"stop: {stop['sentence']}" if stop["is_met"] else f"go on: {stop['sentence']}"
    if stop["is_spent"] and not stop["is_met"]:
        said = f"nothing is left to ask, though {stop['sentence']}"
    if document["forecast"] is not None:
        said += f"\n  {document['forecast']['sentence']}"
    counts = f"{labels['told']:,} labels of {how['items']:,} items"
    more = [f"{labels[name]:,} {word}" for name, word in _COUNTS.items() if labels[name]]
    parts = [
        f"{document['question']}\n  {said}\n  {', '.join([counts, *more])}; policy {how['policy']}, "
        f"target {how['target']}{seen_by(how)}",
        "\n".join(promises_of(document)),
        _overall(document),
        _table(document, rows, width, unicode),
        *(f"Note: {note}" for note in document["notes"]),
    ]
    return "\n\n".join(part for part in parts if part)


_COUNTS = {"out": "with labellers", "skipped": "skipped", "unknown": "not known"}


def _overall(document: dict[str, Any]) -> str:
    found, difference = document["overall"], document["difference"]
    lines = []
    if found is not None:
        lines.append(f"Overall {document['metric']}: {decimals(found['mean'])} {ends(found)} (credible)")
        lines[-1] += f", {ends(found, 'always_')} (always valid)" if "always_low" in found else ""
        design = found.get("design")
        if design is not None:
            lines[-1] += f", {decimals(design['mean'])} {ends(design)} (design-based, no prior)"
        elif "design_reason" in found:
            lines.append(f"  without a prior: none. {found['design_reason']}")
    if difference is not None:
        lines.append(
            f"Difference: {difference['mean']:+.4f} [{difference['low']:+.4f}, {difference['high']:+.4f}] (credible); "
            f"P(lower) {difference['p_lower']:.3f}, P(equal) {difference['p_equal']:.3f}, "
            f"P(higher) {difference['p_higher']:.3f} (margin {difference['margin']:g})"
        )
    return "\n".join(lines)


def _table(document: dict[str, Any], limit: int, width: int, unicode: bool) -> str:
    found = [_numbers(row) for row in document["groups"]]
    shown = found if limit == 0 else found[:limit]
    scale = Scale([row for row in found if row.get("items", 1)], unicode)
    columns = {"group": [cell_name(row["group"]) for row in shown]}
    if shown and "items" in shown[0]:
        columns["items"] = [f"{row['items']:,}" for row in shown]
    columns["labels"] = [f"{row['labels']:,}" for row in shown]
    columns[document["metric"]] = [decimals(row["mean"]) for row in shown]
    columns["credible"] = [ends(row) for row in shown]
    if shown and "always_low" in shown[0]:
        columns["always valid"] = [ends(row, "always_") for row in shown]
    if shown and "impact" in shown[0]:
        columns["impact"] = [decimals(row["impact"]) for row in shown]
    if shown and "p_worst" in shown[0]:
        column = "p_best" if document["question_kind"] == "best" else "p_worst"
        columns[f"P({column[2:]})"] = [f"{row[column]:.3f}" for row in shown]
    if shown and "if_misses" in shown[0]:
        columns["bounds"] = [f"{decimals(row['if_misses'])} to {decimals(row['if_hits'])}" for row in shown]
    columns[scale.axis] = [scale.bar(row) if row.get("items", 1) else "" for row in shown]
    for spare in [scale.axis, "impact"] if document["metric"] != "impact" else [scale.axis]:
        if spare in columns and table_width(columns) > width:
            del columns[spare]
    lines = [list(line) for line in zip(*columns.values(), strict=True)]
    level = document["settings"]["level"]
    title = f"By {document['settings']['grouping']} ({level:.4g} intervals)"
    rest, words = rest_of(len(found), len(shown)), render_guarantees(document["guarantees"], level)
    return f"{title}\n{table(list(columns), lines)}{rest}\n\n{words}"


def _numbers(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose missing numbers are no numbers again."""
    return {key: math.nan if value is None else value for key, value in row.items()}
