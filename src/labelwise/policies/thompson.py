"""Thompson sampling and its relatives: one draw of the belief decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.policies.policy import leader
from labelwise.questions import Question

_REDRAWS = 100  # after so many draws that all have one leader, the runner-up will do


@dataclass(frozen=True)
class Thompson:
    """Draw once from the belief, and ask the group with the largest gain.

    References
    ----------
    Thompson (1933); Ji, Logan, Smyth, Steyvers (AAAI 2021), algorithm 1.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> belief = lw.belief_from_labels(lw.accuracy, lw.by_prediction(pool))
    >>> Thompson().choose(belief, lw.Worst(lw.accuracy), np.array([5, 5]), rng=np.random.default_rng(1))
    (1,)
    """

    name: ClassVar[str] = "thompson"

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick the leader of one draw."""
        open_groups = np.flatnonzero(n_open)
        if len(open_groups) == 0:
            return ()
        return (leader(question.gains(belief, target=target, rng=rng), open_groups),)


@dataclass(frozen=True)
class TopTwo:
    """With probability one half ask the leader of a draw, else the first other group that leads a draw.

    References
    ----------
    Russo (2016).

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> belief = lw.belief_from_labels(lw.accuracy, lw.by_prediction(pool))
    >>> rng = np.random.default_rng(1)
    >>> {TopTwo().choose(belief, lw.Worst(lw.accuracy), np.array([5, 5]), rng=rng) for _ in range(20)} == {(0,), (1,)}
    True
    """

    name: ClassVar[str] = "top-two"

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick the leader, or its challenger."""
        open_groups = np.flatnonzero(n_open)
        if len(open_groups) == 0:
            return ()
        gains = question.gains(belief, target=target, rng=rng)
        first = leader(gains, open_groups)
        if len(open_groups) == 1 or rng.uniform() < 0.5:
            return (first,)
        for _ in range(_REDRAWS):
            gains = question.gains(belief, target=target, rng=rng)
            other = leader(gains, open_groups)
            if other != first:
                return (other,)
        return (leader(gains, open_groups[open_groups != first]),)


@dataclass(frozen=True)
class MultiplePlay:
    """Draw once, and ask the m leading groups at once, m as many as the question looks for.

    References
    ----------
    Komiyama, Honda, Nakagawa (2015); Ji, Logan, Smyth, Steyvers (AAAI 2021), section 4.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10 + ["emu"] * 10)
    >>> question = lw.Worst(lw.accuracy, m=2)
    >>> belief = question.start(lw.by_prediction(pool))
    >>> len(MultiplePlay().choose(belief, question, np.array([5, 5, 5]), rng=np.random.default_rng(1)))
    2
    """

    name: ClassVar[str] = "multiple-play"

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick the leaders of one draw, best first."""
        open_groups = np.flatnonzero(n_open)
        gains = np.nan_to_num(question.gains(belief, target=target, rng=rng)[open_groups], nan=-np.inf)
        best = np.argsort(-gains, kind="stable")[: question.plays]
        return tuple(int(open_groups[i]) for i in best)
