"""What a comparison of two assessments says, as one plain document."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np

from labelwise.metrics import overall_accuracy
from labelwise.report.comparison import Comparison, has_items
from labelwise.report.guarantee import guarantees
from labelwise.report.measurement import without_nan
from labelwise.report.outcome import settings_of
from labelwise.report.status import status_of
from labelwise.report.table import chance as said_chance


def comparison_document(found: Comparison, *, title: str = "") -> dict[str, Any]:
    """Return what a comparison says as one plain document.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> first, second = (
    ...     lw.Assessment(pool, lw.by_prediction(pool), question=lw.Estimate(lw.accuracy), seed=seed) for seed in (1, 2)
    ... )
    >>> for ticket in second.ask(20):
    ...     second.tell(ticket, "cat")
    >>> comparison_document(Comparison(first, second, ("spring", "autumn")))["question"]
    "Is the accuracy of 'autumn' higher than that of 'spring'?"
    """
    overall = found.overall
    better, chance = ("better", overall.p_higher) if overall.mean >= 0 else ("worse", overall.p_lower)
    first, second = found.names
    design = found.design()
    document = {
        "kind": "comparison",
        "title": title or f"Did the classifier get better? {first} and {second}",
        "question": f"Is the accuracy of '{second}' higher than that of '{first}'?",
        "headline": f"'{second}' is {better} than '{first}' by {abs(overall.mean):.3f} in accuracy "
        f"({found.level:.0%} interval of the difference {overall.low:+.3f} to {overall.high:+.3f}); it is {better} "
        f"with probability {said_chance(chance)}.",
        "level": found.level,
        "target": found.target,
        "difference": overall.document() | {"p_better": overall.p_higher, "design": design},
        "guarantees": guarantees(found.level, design=design is not None),
        "groups": found.groups,
        "alone": dict(zip(("first", "second"), found.alone(), strict=True)),
        "notes": _notes(found),
        "assessments": [_side(found, k) for k in (0, 1)],
        "versions": {name: version(name) for name in ("labelwise", "numpy", "scipy")},
    }
    cleaned: dict[str, Any] = without_nan(document)
    return cleaned


def _side(found: Comparison, k: int) -> dict[str, Any]:
    assessment, belief = found.assessments[k], found.beliefs[k]
    rng = np.random.default_rng([assessment.setup.seed, assessment.ledger.n_events, 8])
    whole = overall_accuracy(belief, level=found.level, target=found.target, rng=rng)
    state = status_of(assessment)
    return {
        "name": found.names[k],
        "question": state["question"],
        "labels": state["labels"],
        "mean": float(whole.mean[0]),
        "low": float(whole.low[0]),
        "high": float(whole.high[0]),
        "opened": state["opened"],
        "newest": state["newest"],
        "settings": settings_of(assessment),
    }


def _notes(found: Comparison) -> list[str]:
    notes = []
    for name, belief in zip(found.names, found.beliefs, strict=True):
        bare = sum(has_items(belief, g) and belief.n_labels[g] == 0 for g in range(len(belief.names)))
        if bare:
            notes.append(f"{bare:,} groups of '{name}' have no label of their own.")
    one, other = (assessment.pool.fingerprint for assessment in found.assessments)
    if one != other:
        notes.append(
            "The two are about different pools: a difference may come from the items as well as from the classifier."
        )
    targets = {assessment.setup.target for assessment in found.assessments}
    if len(targets) > 1:
        notes.append("The two had different targets; they are compared on new items (population).")
    notes.append(
        "The two assessments are taken as independent. Where they share items the interval is wider than it need be."
    )
    return notes
