"""Differences of two groups' accuracies in the AAAI supplement: their posterior, and the counts behind it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from labelwise.beliefs import BetaBelief
from labelwise.groups import Grouping, by_map, by_prediction
from labelwise.metrics import Difference, accuracy, belief_from_labels, beta_difference_below, difference
from labelwise.metrics.difference import MARGIN
from papers.reproduction import PRINTED, Claim, Reproduction, Row
from papers.study import Study, stacked

_DATA = "CIFAR-100"
PAIRS = {("people", "trees"): 96.0, ("woman", "man"): 82.0}  # percent: P(the first is lower)
BETAS = {"people": (280, 203), "trees": (351, 162), "woman": (61, 50), "man": (53, 27)}
ACCURACIES = {
    "people": 0.58004158004158, "trees": 0.684931506849315, "woman": 0.5504587155963303, "man": 0.6666666666666666,
}  # fmt: skip
_GRID = np.linspace(-0.4, 0.4, 401)


def differences(study: Study) -> Reproduction:
    """Return the posterior of two differences, superclasses and classes, on all labels."""
    rows, claims, parts = [], [], []
    for pair, published in PAIRS.items():
        groups = _groups_of_names(study, superclasses="people" in pair)
        belief = BetaBelief.of(belief_from_labels(accuracy, groups))
        found = difference(accuracy, belief, *pair, rng=np.random.default_rng(study.seed))
        where = (" - ".join(pair), f"P(lower by more than {MARGIN:g}) (%)")
        rows.append(Row(where, PRINTED, published, 100 * found.p_lower, 0.0, digits=0))
        shapes = {name: (belief.a[groups.index(name)], belief.b[groups.index(name)]) for name in pair}
        for name, (a, b) in shapes.items():
            value = 100 * (a - 1) / (a + b - 2)  # the flat prior left out
            rows.append(Row((name, "accuracy (%)"), PRINTED, 100 * ACCURACIES[name], value, 0.0, digits=4))
        claims += list(_claims(found, shapes))
        below = np.array([beta_difference_below(*shapes[pair[0]], *shapes[pair[1]], d) for d in _GRID])
        parts.append(
            {"pair": where[0], "difference": _GRID, "probability_below": below, "density": np.gradient(below, _GRID)}
        )
    return Reproduction(
        "supplement-differences", "Differences of two accuracies", ("groups", "value"), tuple(rows),
        notes=_NOTES, claims=tuple(claims), frame=stacked(parts),
    )  # fmt: skip


def _groups_of_names(study: Study, *, superclasses: bool) -> Grouping:
    """Group the pool by predicted class, or its superclass, under their names."""
    pool = study.sources.pool(_DATA)
    classes = study.sources.rows("cifar100_classes.csv")
    if superclasses:
        return by_map(pool, {int(row["class_id"]): row["superclass"] for row in classes})
    groups = by_prediction(pool)
    names = {row["class_id"]: row["class"] for row in classes}
    return Grouping(pool, tuple(names[name] for name in groups.names), groups.of_item.copy(), groups.rule)


def _claims(found: Difference, shapes: dict[str, tuple[float, float]]) -> Iterator[Claim]:
    where = " - ".join(shapes)
    yield Claim(
        where,
        f"Beta posteriors {' and '.join(f'({a}, {b})' for a, b in (BETAS[name] for name in shapes))}",
        " and ".join(f"({a:g}, {b:g})" for a, b in shapes.values()),
        holds=all(shapes[name] == BETAS[name] for name in shapes),
    )
    yield Claim(
        where,
        "the likeliest verdict is that the first is less accurate",
        f"lower {found.p_lower:.4f}, equal {found.p_equal:.4f}, higher {found.p_higher:.4f}",
        holds=found.verdict == "lower",
    )


_NOTES = (
    "All labels, flat prior, by quadrature: nothing is left to chance. A superclass is that of the predicted class; "
    "an item is a hit if its class was predicted, not only its superclass.",
)
