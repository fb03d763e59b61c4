"""What simulations found, as one plain document and as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelwise.report.table import table
from labelwise.simulation import Simulated

GOAL = 0.99  # of the mean reciprocal rank, as in the papers
_SHOWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # parts of the budget


def simulation_document(found: Sequence[Simulated]) -> dict[str, Any]:
    """Give what several scenarios of one pool scored."""
    return {
        "question": str(found[0].scenario.question),
        "items": found[0].scenario.groups.pool.n_items,
        "budget": found[0].scenario.budget,
        "sentence": _sentence(found),
        "rows": [row for one in found for row in one.frame().rows()],
    }


def _sentence(found: Sequence[Simulated]) -> str:
    """Say how many labels each scenario needs, or which estimates best."""
    if "mrr" in found[0].mean:
        n_items = found[0].scenario.groups.pool.n_items
        parts = []
        for one in found:
            labels = one.labels_to_reach("mrr", GOAL)
            after = "never" if labels is None else f"after {labels / n_items:.1%} of the labels"
            parts.append(f"{one.scenario.name} {after}")
        return f"A mean reciprocal rank of {GOAL:g} is reached by {', by '.join(parts)}."
    middle = len(found[0].at) // 2
    best = min(found, key=lambda one: float(one.mean["rmse"][middle]))
    return (
        f"At {int(best.at[middle]):,} labels {best.scenario.name} estimates best: a root mean squared error of "
        f"{best.mean['rmse'][middle]:.4f} (+- {best.error['rmse'][middle]:.4f})."
    )


def render_simulation(found: Sequence[Simulated]) -> str:
    """Write a table of scores at a few label counts, and the sentence."""
    first = found[0]
    wanted = [int(np.abs(first.at - part * first.at[-1]).argmin()) for part in _SHOWN]
    places = list(dict.fromkeys(wanted))
    header = ["policy", "score", *(f"{int(first.at[i]):,}" for i in places)]
    rows = [
        [one.scenario.name, score, *(f"{one.mean[score][i]:.4f}" for i in places)]
        for score in first.mean
        for one in found
    ]
    n_items = first.scenario.groups.pool.n_items
    title = f"{first.scenario.question}\n  {first.n_runs:,} runs on {n_items:,} items; scores by labels"
    return f"{title}\n\n{table(header, rows, left=2)}\n\n{_sentence(found)}"
