"""The upper bound of the published code: posterior mean less posterior variance, where the paper has a quantile."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import BetaBelief
from labelwise.simulation import Scenario

_Floats = NDArray[np.float64]


def play_variance_bound(
    scenario: Scenario, n_runs: int, at: NDArray[np.int64], *, rng: np.random.Generator
) -> dict[str, NDArray[Any]]:
    """Always ask the group with the lowest mean less variance, and give the counts after `at` labels.

    All runs take a step at once. A variance is far smaller than a standard deviation, so this is next to greedy: a
    group that had good luck early is not looked at again for long.

    Parameters
    ----------
    scenario : what is played, but for its policy.
    at : rising label counts.

    Returns
    -------
    Hits and labels, shape (n_runs, n_at, n_groups), as the engines give them.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> scenario = Scenario(lw.by_prediction(pool), lw.Worst(), lw.policies.Greedy())
    >>> play_variance_bound(scenario, 1, np.array([5, 40]), rng=np.random.default_rng(1))["labels"]
    array([[[ 1,  4],
            [30, 10]]])
    """
    start, known, runs = BetaBelief.of(scenario.start), BetaBelief.of(scenario.known), np.arange(n_runs)
    left = np.tile(scenario.can_be_asked, (n_runs, 1))
    hits_left = np.tile(known.hits, (n_runs, 1))
    hits, labels = np.zeros_like(left), np.zeros_like(left)
    bound = np.where(left > 0, _bound(start.prior_a, start.prior_b), np.inf)
    found: dict[str, list[NDArray[Any]]] = {"hits": [], "labels": []}
    told = 0
    for count in at.tolist():
        while told < count:
            pick = bound.argmin(axis=1)  # the lowest position among equals
            here = runs, pick
            is_hit = rng.random(n_runs) * left[here] < hits_left[here]
            hits_left[here] -= is_hit
            left[here] -= 1
            hits[here] += is_hit
            labels[here] += 1
            a, b = start.prior_a[pick] + hits[here], start.prior_b[pick] + (labels[here] - hits[here])
            bound[here] = np.where(left[here] > 0, _bound(a, b), np.inf)
            told += 1
        found["hits"].append(hits.copy())
        found["labels"].append(labels.copy())
    return {name: np.stack(counts, axis=1) for name, counts in found.items()}


def _bound(a: _Floats, b: _Floats) -> _Floats:
    total = a + b
    return np.asarray(a / total - a * b / (total**2 * (total + 1)))
