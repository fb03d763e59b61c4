"""The scenario: an assessment of a fully labelled pool, to be simulated many times."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import (
    PRIORS,
    Belief,
    CustomPrior,
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
    """A question, a policy and a prior on a fully labelled pool.

    Parameters
    ----------
    groups : the groups of the pool; every item has a label.
    question : the question to answer.
    policy : the policy that chooses groups.
    prior : the prior; by default that of the metric.
    budget : maximum number of labels per run; by default all items that can be asked.
    name : name in results; by default that of the policy.
    target : what choices and estimates refer to: new items, or exactly the items of the pool.

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
                f"A simulation needs the label of every item, but item {shown(pool.id_of(int(unlabelled[0])))} has "
                f"none (unlabelled items: {len(unlabelled):,}). Remove unlabelled items."
            )
        most = int(self.can_be_asked.sum())
        if self.budget:
            check_count(self.budget, "budget", most=most)
        object.__setattr__(self, "budget", self.budget or most)
        object.__setattr__(self, "name", self.name or self.policy_name)

    @property
    def policy_name(self) -> str:
        """Name of the policy with its non-default parameters, as in 'epsilon-greedy:0.2'."""
        return _with_parameters(self.policy.name, self.policy)

    @property
    def prior_name(self) -> str:
        """Name of the prior on the command line: 'flat', 'informed:4', '9,1'; otherwise its kind, as in 'carried'."""
        prior = self.prior
        if prior is None:
            prior = self.question.metric.own_prior
        if type(prior) in PRIORS.values():
            return _with_parameters(prior.name, prior)
        if isinstance(prior, CustomPrior) and np.ndim(prior.a) == np.ndim(prior.b) == 0:
            return f"{float(np.asarray(prior.a)):g},{float(np.asarray(prior.b)):g}"
        return prior.name

    @cached_property
    def start(self) -> Belief:
        """The belief before any label."""
        return self.question.start(self.groups, self.prior)

    @cached_property
    def can_be_asked(self) -> _Counts:
        """Number of items of each group that can be asked and are relevant to the question."""
        items = self.question.items(self.groups)
        size = self.groups.n_items
        if items is not None:
            size = np.bincount(self.groups.of_item[items], minlength=self.groups.n_groups)
        return np.where(self.question.asked(self.groups), size, 0)

    @cached_property
    def known(self) -> Belief:
        """The belief after every label."""
        labels = self.groups.pool.known_labels("a simulation")
        return self.start.update(np.arange(len(labels)), labels)

    @cached_property
    def truth(self) -> _Floats:
        """The metric of every group given all labels."""
        rng = np.random.default_rng(0)  # never used: given all labels, every draw is the same
        return np.asarray(self.question.metric.draw(self.known, 1, target="pool", rng=rng)[0])

    def stacked(self, counts: dict[str, NDArray[Any]]) -> Belief:
        """Return one belief that holds those of many runs and snapshots along leading dimensions.

        Parameters
        ----------
        counts : the arrays of its `state` with additional leading dimensions.
        """
        return self.start.with_state(counts)


def _with_parameters(name: str, owner: Any) -> str:
    """Append the non-default parameters of a policy or prior to its name."""
    if not is_dataclass(owner):
        return name
    changed = [getattr(owner, f.name) for f in fields(owner) if getattr(owner, f.name) != f.default]
    return ":".join([name, *(f"{value:g}" if isinstance(value, float) else str(value) for value in changed)])
