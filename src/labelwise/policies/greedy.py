"""Policies that look at the belief's mean or its upper end instead of a draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.checks import check_between, check_within
from labelwise.policies.policy import leader
from labelwise.questions import Question


@dataclass(frozen=True)
class Greedy:
    """Ask the group with the largest gain at the posterior mean: a yardstick, blind to what it does not know.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> belief = lw.Worst().start(lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"])))
    >>> Greedy().choose(belief, lw.Worst(), np.array([1, 1]), rng=np.random.default_rng(1))
    (0,)
    """

    name: ClassVar[str] = "greedy"

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick the leader at the mean."""
        open_groups = np.flatnonzero(n_open)
        return (leader(question.mean_gains(belief, target=target), open_groups),) if len(open_groups) else ()


@dataclass(frozen=True)
class EpsilonGreedy:
    """Ask a random group with probability epsilon, else the group with the largest gain at the posterior mean.

    Parameters
    ----------
    epsilon : probability of a random group.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> belief = lw.Worst().start(lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"])))
    >>> EpsilonGreedy().choose(belief, lw.Worst(), np.array([1, 1]), rng=np.random.default_rng(1))
    (0,)
    """

    epsilon: float = 0.1
    name: ClassVar[str] = "epsilon-greedy"

    def __post_init__(self) -> None:
        check_within(self.epsilon, "epsilon", 0, 1)

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick at random now and then, else the leader at the mean."""
        open_groups = np.flatnonzero(n_open)
        if len(open_groups) == 0:
            return ()
        if rng.uniform() < self.epsilon:
            return (int(rng.choice(open_groups)),)
        return (leader(question.mean_gains(belief, target=target), open_groups),)


@dataclass(frozen=True)
class BayesianUpperBound:
    """Ask the group whose gain is largest at the upper end of its belief.

    Parameters
    ----------
    level : which quantile counts as the upper end.

    References
    ----------
    Kaufmann, Cappe, Garivier (2012).

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> belief = lw.Worst().start(lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"])))
    >>> BayesianUpperBound().choose(belief, lw.Worst(), np.array([1, 1]), rng=np.random.default_rng(1))
    (0,)
    """

    level: float = 0.975
    name: ClassVar[str] = "upper-bound"

    def __post_init__(self) -> None:
        check_between(self.level, "level", 0.5, 1)

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick the leader at the upper end."""
        open_groups = np.flatnonzero(n_open)
        if len(open_groups) == 0:
            return ()
        return (leader(question.upper_gains(belief, self.level, target=target), open_groups),)
