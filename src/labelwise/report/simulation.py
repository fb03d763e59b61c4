"""What simulations found, as one plain document and as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelwise.report.table import decimals, table
from labelwise.simulation import Simulated

GOAL = 0.99  # of the mean reciprocal rank, as in the papers
_SHOWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # parts of the budget
_ERRORS = {"rmse": "a root mean squared error", "confusion": "a distance of the confusion matrix"}


def simulation_document(found: Sequence[Simulated], interruption: str | None = None) -> dict[str, Any]:
    """Return what several scenarios of one pool scored; `interruption` says what is missing, if somebody stopped it."""
    return {
        "items": found[0].scenario.groups.pool.n_items,
        "left_out": found[0].scenario.groups.left_out,
        "interrupted": interruption,
        "questions": [
            {"question": question, "budget": some[0].scenario.budget, "sentence": _sentence(some)}
            for question, some in _by_question(found).items()
        ],
        "rows": [row for one in found for row in one.frame().rows()],
    }


def interruption_of(found: Sequence[Simulated], n_runs: int, n_scenarios: int) -> str:
    """Return how many runs and scenarios were finished when a simulation was interrupted."""
    last = found[-1]
    missing = n_scenarios - len(found)
    rest = f"; {missing} of {n_scenarios} scenarios were not played" if missing else ""
    return f"Interrupted: {last.scenario.name} finished {last.n_runs:,} of {n_runs:,} runs{rest}."


def render_simulation(found: Sequence[Simulated], interruption: str | None = None) -> str:
    """Write, for each question, a table of scores at a few label counts, and the sentence."""
    parts = [_question(some) for some in _by_question(found).values()]
    left_out = found[0].scenario.groups.left_out
    notes = [*([f"{left_out}."] if left_out else []), *([interruption] if interruption else [])]
    return "\n\n".join([*parts, *(f"Note: {note}" for note in notes)])


def _by_question(found: Sequence[Simulated]) -> dict[str, list[Simulated]]:
    parts: dict[str, list[Simulated]] = {}
    for one in found:
        parts.setdefault(str(one.scenario.question), []).append(one)
    return parts


def _question(found: Sequence[Simulated]) -> str:
    first = found[0]
    wanted = [int(np.abs(first.at - part * first.at[-1]).argmin()) for part in _SHOWN]
    places = list(dict.fromkeys(wanted))
    has_priors = len({one.scenario.prior_name for one in found}) > 1
    is_even = len({one.n_runs for one in found}) == 1
    header = ["policy", *(["prior"] if has_priors else []), "score", *([] if is_even else ["runs"])]
    rows = []
    for score in first.mean:
        for one in found:
            prior = [one.scenario.prior_name] if has_priors else []
            runs = [] if is_even else [f"{one.n_runs:,}"]
            values = [decimals(float(one.mean[score][i])) for i in places]
            rows.append([one.scenario.policy_name, *prior, score, *runs, *values])
    counts = [f"{int(first.at[i]):,}" for i in places]
    n_items = first.scenario.groups.pool.n_items
    runs_of = f"{first.n_runs:,} runs" if is_even else "Runs"
    title = f"{first.scenario.question}\n  {runs_of} on {n_items:,} items; scores by labels"
    return f"{title}\n\n{table([*header, *counts], rows, left=2 + has_priors)}\n\n{_sentence(found)}"


def _sentence(found: Sequence[Simulated]) -> str:
    """Return in one sentence how many labels each scenario needs, or which estimates best."""
    if "mrr" in found[0].mean:
        n_items = found[0].scenario.groups.pool.n_items
        parts = []
        for one in found:
            labels = one.labels_to_reach("mrr", GOAL)
            after = "never" if labels is None else f"after {labels / n_items:.1%} of the labels"
            parts.append(f"{one.scenario.name} {after}")
        return f"A mean reciprocal rank of {GOAL:g} is reached by {', by '.join(parts)}."
    if "decided" in found[0].mean:
        return _decided(found)
    name = next(iter(found[0].mean))
    middle = len(found[0].at) // 2
    best = min(found, key=lambda one: float(one.mean[name][middle]))
    return (
        f"At {int(best.at[middle]):,} labels {best.scenario.name} estimates best: {_ERRORS[name]} of "
        f"{best.mean[name][middle]:.4f} (+- {best.error[name][middle]:.4f})."
    )


def _decided(found: Sequence[Simulated]) -> str:
    parts = [
        f"{one.scenario.name} after {one.mean['labels'][-1]:.1f} (+- {one.error['labels'][-1]:.1f}) labels on average"
        for one in found
    ]
    sentence = f"The comparison is decided, rightly and as surely as by all labels, by {', by '.join(parts)}."
    undecided = [one for one in found if one.mean["decided"][-1] < 1]
    if not undecided:
        return sentence
    shares = ", ".join(f"{1 - one.mean['decided'][-1]:.1%} of {one.scenario.name}" for one in undecided)
    budget = found[0].scenario.budget
    return f"{sentence} Runs that never are ({shares}) count with the budget of {budget:,}."
