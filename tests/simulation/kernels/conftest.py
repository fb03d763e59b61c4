"""What tests of kernels share: a slow run by the package's own policies, and a test whether two samples are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import labelwise as lw
from strength import sized

pytest.importorskip("numba", reason="kernels need the compiler: pip install 'labelwise[simulate]'")


def _replayed(
    policy: Any, question: Any, belief: Any, groups: Any, at: list[int], n_runs: int, seed: int
) -> tuple[list[list[Any]], list[list[Any]]]:
    """Run assessments step by step; give the belief and the labels of each group at each snapshot of each run."""
    n_runs = sized(full=n_runs, quick=n_runs // 5)
    rng = np.random.default_rng(seed)
    asked = question.asked(groups)
    members = [np.flatnonzero(groups.of_item == g) if asked[g] else np.array([], int) for g in range(groups.n_groups)]
    labels, beliefs, counts = groups.pool.labels, [], []
    for _ in range(n_runs):
        now, order = belief, [rng.permutation(items) for items in members]
        n_got, seen, trail = np.zeros(groups.n_groups, int), [], []
        n_open = np.array([len(items) for items in members])
        while len(seen) < len(at):
            for g in policy.choose(now, question, n_open - n_got, rng=rng):
                item = order[g][n_got[g]]
                n_got[g] += 1
                now = now.update([item], [labels[item]])
                if n_got.sum() in at:
                    seen.append(now)
                    trail.append(tuple(n_got))
        beliefs.append(seen[: len(at)])
        counts.append(trail[: len(at)])
    return beliefs, counts


@pytest.fixture(scope="session")
def replayed() -> Callable[..., Any]:
    return _replayed


class KeptUpperBound:
    """The rule of the kernels for upper-bound, from the package's own draws.

    A group's quantile is drawn anew after each of its labels, and kept in between. `BayesianUpperBound` itself draws
    for all groups after every label, always from one seed: its noise is a fixed one, which no law can be held against.
    """

    name = "upper-bound"

    def __init__(self, level: float) -> None:
        self._level = level

    def choose(
        self, belief: Any, question: Any, n_open: Any, *, target: str = "population", rng: np.random.Generator
    ) -> tuple[int, ...]:
        n_labels = np.asarray(belief.n_labels)
        if n_labels.sum() == 0:
            self._gains, self._seen = np.full(len(n_labels), np.nan), np.full(len(n_labels), -1)
        new = n_labels != self._seen
        self._gains[new] = np.quantile(self._drawn(belief, question, rng), self._level, axis=0)[new]
        self._seen = n_labels
        open_groups = np.flatnonzero(n_open)
        return (int(open_groups[np.argmax(self._gains[open_groups])]),)

    def _drawn(self, belief: Any, question: Any, rng: np.random.Generator) -> Any:
        if isinstance(question, lw.Estimate):
            return belief.outer.share * belief.variance_drop(belief.draw(200, rng=rng))
        sign = -1 if isinstance(question, lw.Best) else 1  # of metrics of which high values are the bad ones
        return sign * question.metric.draw(belief, 500, rng=rng)


@pytest.fixture(scope="session")
def kept_upper_bound() -> Callable[..., Any]:
    return KeptUpperBound


def _law_chance(one: list[Any], other: list[Any]) -> float:
    """Return the p-value of a chi-square test that two samples of anything hashable have one law."""
    left, right = Counter(one), Counter(other)
    table = np.array([(left[key], right[key]) for key in {**left, **right}]).T
    rare = table.sum(axis=0) < 20
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    table = table[:, table.sum(axis=0) > 0]
    return 1.0 if table.shape[1] < 2 else float(stats.chi2_contingency(table)[1])


@pytest.fixture(scope="session")
def law_chance() -> Callable[..., float]:
    return _law_chance


@pytest.fixture(scope="session")
def groups() -> lw.groups.Grouping:
    """Three groups of different size, confidence and accuracy, and one class that is never predicted."""
    rng = np.random.default_rng(3)
    predicted = np.repeat([0, 1, 3], [7, 6, 5])
    confidence = np.concatenate([rng.uniform(0.5, 0.9, 7), rng.uniform(0.3, 0.8, 6), rng.uniform(0.4, 0.6, 5)])
    labels = predicted.copy()
    labels[[0, 1, 7, 8, 9, 13]] = [1, 2, 0, 3, 2, 0]
    return lw.by_prediction(
        lw.pool_from_arrays(predicted=predicted, confidence=confidence, labels=labels, classes=[0, 1, 2, 3])
    )
