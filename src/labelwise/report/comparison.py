"""Two assessments side by side: did the classifier get better, as a whole and group by group?"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment import Assessment
from labelwise.beliefs import Target
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.errors import UnanswerableError
from labelwise.groups.without_small import check_complete
from labelwise.metrics import Difference, accuracy, design_based
from labelwise.metrics.accuracy import group_weights
from labelwise.metrics.difference import difference_of_draws
from labelwise.metrics.metric import N_DRAWS
from labelwise.plots import change_chart
from labelwise.plots.difference import chart_of_difference
from labelwise.report.figures import Figure


class Comparison:
    """Draws of both assessments, from which all numbers of the comparison are read.

    The first is taken as the one before, the second as the one after: a difference above 0 is a gain.

    Parameters
    ----------
    first, second : the assessments, as they stand.
    names : what to call them.
    """

    def __init__(self, first: Assessment, second: Assessment, names: tuple[str, str]) -> None:
        self.assessments, self.names = (first, second), names
        setups = first.setup, second.setup
        self.level = first.setup.level
        self.target: Target = "pool" if all(setup.target == "pool" for setup in setups) else "population"
        self.beliefs = tuple(accuracies_of(one, name) for one, name in zip(self.assessments, names, strict=True))
        rngs = [np.random.default_rng([one.setup.seed, one.ledger.n_events, 6 + k])
                for k, one in enumerate(self.assessments)]  # fmt: skip
        self.draws = [b.draw(N_DRAWS, target=self.target, rng=rng) for b, rng in zip(self.beliefs, rngs, strict=True)]
        self.wholes = [draws @ group_weights(b) for draws, b in zip(self.draws, self.beliefs, strict=True)]
        self.overall = self._difference(self.wholes[1] - self.wholes[0])

    def _difference(self, draws: NDArray[np.float64]) -> Difference:
        before, after = self.names
        return difference_of_draws(draws, after, before, accuracy.description, 0.0, self.level, "equal-tailed")

    def figures(self) -> tuple[Figure, ...]:
        """Return the density of the whole difference, and every shared group's interval."""
        whole = Figure("difference", chart_of_difference(self.overall, self.wholes[1] - self.wholes[0], self.level))
        rows = self.groups
        if not rows:
            return (whole,)
        return whole, Figure("differences", change_chart(rows, names=self.names, level=self.level))

    @cached_property
    def groups(self) -> list[dict[str, Any]]:
        """Return one row per group that both have, the largest loss first."""
        first, second = self.beliefs
        means = [belief.mean(target=self.target) for belief in self.beliefs]
        places = {name: g for g, name in enumerate(second.names)}
        rows = []
        for g, name in enumerate(first.names):
            h = places.get(name)
            if h is None or not (has_items(first, g) and has_items(second, h)):
                continue
            found = self._difference(self.draws[1][:, h] - self.draws[0][:, g])
            rows.append(
                {
                    "group": name,
                    "labels_first": int(first.n_labels[g]), "labels_second": int(second.n_labels[h]),
                    "first": float(means[0][g]), "second": float(means[1][h]),
                    "mean": found.mean, "low": found.low, "high": found.high, "p_better": found.p_higher,
                }
            )  # fmt: skip
        return sorted(rows, key=lambda row: (row["mean"], row["group"]))

    def alone(self) -> list[list[str]]:
        """Return, for each of the two beliefs, the names of the groups of which only it has items."""
        has = [{name for g, name in enumerate(b.names) if has_items(b, g)} for b in self.beliefs]
        return [sorted(has[0] - has[1]), sorted(has[1] - has[0])]

    def design(self) -> dict[str, Any] | None:
        """Return the difference without a prior, where both assessments have such an estimate."""
        found = [design_based(b, level=self.level, target=self.target)[0] for b in self.beliefs]
        first, second = found
        if first is None or second is None:
            return None
        error = float(np.hypot(first.standard_error, second.standard_error))
        # half the widths of both, each by its own degrees of freedom, joined as their errors are
        reaches = [max(one.mean - one.low, one.high - one.mean) for one in (first, second)]
        reach = float(np.hypot(reaches[0], reaches[1]))
        mean = second.mean - first.mean
        return {"mean": mean, "low": max(mean - reach, -1.0), "high": min(mean + reach, 1.0), "standard_error": error}


def accuracies_of(assessment: Assessment, name: str = "") -> AccuracyBelief:
    """Return what the labels of an assessment say of the accuracy of its groups, whatever was asked.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"])
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.recall), seed=1)
    >>> accuracies_of(assessment)
    <LearnedAccuracy about 2 groups after 0 labels>
    """
    if assessment.question.metric.needs_rival:
        raise UnanswerableError(
            f"'{name}' is an assessment of two classifiers against each other, and has labels only where they differ; "
            "these do not tell how good either is. Its own report says which of the two is better."
        )
    check_complete(assessment.groups, f"A comparison with '{name}'")
    return AccuracyBelief.of(assessment.belief_about(accuracy))


def has_items(belief: AccuracyBelief, g: int) -> bool:
    """Return whether a group has items; one made from counts alone has."""
    return belief.n_items is None or bool(belief.n_items[g] > 0)
