"""The scenario: an assessment of a pool whose truth is known, to be played many times over."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import (
    CellBelief,
    CustomPrior,
    DirichletBelief,
    FlatPrior,
    InformedPrior,
    LearnedAccuracy,
    LearnedConfusion,
    LearnedPrior,
    Prior,
    Target,
)
from labelwise.checks import check_count, shown
from labelwise.errors import DataError
from labelwise.groups import Grouping
from labelwise.policies import Policy
from labelwise.questions import Question

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Scenario:
    """A question, a policy and a prior on a pool whose labels are all known.

    Parameters
    ----------
    groups : the pool in its groups; every item has a label.
    question : what is to be found out.
    policy : how groups are chosen.
    prior : what is believed before any label; the metric's default unless given.
    budget : labels a run may spend; all items that can be asked unless given.
    name : how the scenario is called in results; after its policy unless given.
    target : what choices and estimates are about: new items, or exactly those of the pool.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> scenario = Scenario(lw.by_prediction(pool), lw.Worst(lw.accuracy), lw.Thompson())
    >>> scenario.budget, scenario.truth
    (40, array([1., 0.]))
    """

    groups: Grouping
    question: Question
    policy: Policy
    prior: Prior | None = None
    budget: int = 0
    name: str = ""
    target: Target = "population"

    def __post_init__(self) -> None:
        pool = self.groups.pool
        unlabelled = np.flatnonzero(pool.known_labels("a simulation") < 0)
        if len(unlabelled):
            raise DataError(
                f"Item {shown(pool.id_of(int(unlabelled[0])))} has no label ({len(unlabelled):,} have none); a "
                "simulation needs the label of every item. Leave such items out."
            )
        most = int(self.can_be_asked.sum())
        if self.budget:
            check_count(self.budget, "budget", most=most)
        object.__setattr__(self, "budget", self.budget or most)
        object.__setattr__(self, "name", self.name or self.policy_name)

    @property
    def policy_name(self) -> str:
        """How the policy is called, with its number where that is not the usual one, as in 'epsilon-greedy:0.2'."""
        return _spoken(self.policy.name, self.policy)

    @property
    def prior_name(self) -> str:
        """How the prior is called on the command line: 'flat', 'informed:4', '9,1'; else by its kind."""
        prior = self.prior
        if prior is None:
            prior = self.question.metric.own_prior
        if isinstance(prior, (FlatPrior, InformedPrior, LearnedPrior)):
            return _spoken(type(prior).__name__.removesuffix("Prior").lower(), prior)
        if isinstance(prior, CustomPrior) and np.ndim(prior.a) == np.ndim(prior.b) == 0:
            return f"{float(np.asarray(prior.a)):g},{float(np.asarray(prior.b)):g}"
        return type(prior).__name__.removesuffix("Prior").lower()

    @cached_property
    def start(self) -> Any:
        """The belief before any label."""
        return self.question.start(self.groups, self.prior)

    @cached_property
    def can_be_asked(self) -> _Counts:
        """How many items of each group can be asked and matter."""
        items = self.question.items(self.groups)
        size = self.groups.n_items
        if items is not None:
            size = np.bincount(self.groups.of_item[items], minlength=self.groups.n_groups)
        return np.where(self.question.asked(self.groups), size, 0)

    @cached_property
    def known(self) -> Any:
        """The belief after every label."""
        labels = self.groups.pool.known_labels("a simulation")
        return self.start.update(np.arange(len(labels)), labels)

    @cached_property
    def truth(self) -> _Floats:
        """The metric of every group on all labels."""
        rng = np.random.default_rng(0)  # nothing is left to chance
        return np.asarray(self.question.metric.draw(self.known, 1, target="pool", rng=rng)[0])

    def stacked(self, counts: dict[str, NDArray[Any]]) -> Any:
        """Give the beliefs of many moments as one, its arrays with further dimensions in front.

        Parameters
        ----------
        counts : what `counts_of` gives, with further dimensions in front.
        """
        return _with_counts(self.start, counts)


def _spoken(name: str, thing: Any) -> str:
    """Put the numbers of a policy or prior behind its name, where they are not the usual ones."""
    if not is_dataclass(thing):
        return name
    unusual = [getattr(thing, f.name) for f in fields(thing) if getattr(thing, f.name) != f.default]
    return ":".join([name, *(f"{value:g}" if isinstance(value, float) else str(value) for value in unusual)])


def counts_of(belief: Any) -> dict[str, NDArray[Any]]:
    """Give what a belief has counted: all that changes when it learns."""
    if isinstance(belief, CellBelief):
        return counts_of(belief.beta)
    if isinstance(belief, (DirichletBelief, LearnedConfusion)):
        return {"counts": belief.counts}
    if hasattr(belief, "outcomes"):
        return counts_of(belief.outcomes)
    counts = {"hits": belief.hits, "labels": belief.labels}
    if isinstance(belief, LearnedAccuracy):
        counts |= {"in_bin": belief.in_bin, "bin_hits": belief.bin_hits}
    return counts


def _with_counts(belief: Any, counts: dict[str, NDArray[Any]]) -> Any:
    if isinstance(belief, LearnedAccuracy):
        return belief.with_counts(**counts)
    if isinstance(belief, LearnedConfusion):
        return belief.with_counts(counts["counts"])
    if isinstance(belief, CellBelief):
        return replace(belief, beta=_with_counts(belief.beta, counts))
    if hasattr(belief, "outcomes"):
        return replace(belief, outcomes=_with_counts(belief.outcomes, counts))
    return replace(belief, **counts)
