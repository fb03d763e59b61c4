"""The contract of a policy: from what is believed and asked to the groups to look at next."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.questions import Question

_Counts = NDArray[np.int64]


class Policy(Protocol):
    """Picks the group to look at next.

    A policy sees the belief, the question and how many items each group still has to give, and nothing else. It never
    picks a group that has none.
    """

    @property
    def name(self) -> str:
        """How it is called on the command line and in reports."""

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: _Counts,
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Return the groups to ask one item each; empty if no group has an item to give."""


def leader(gains: NDArray[np.float64], open_groups: NDArray[np.int64]) -> int:
    """Return the open group with the largest gain, the lowest position among equals.

    A full group must lose against every open one, even if its gain is infinite (a Beta with almost no pseudo-counts),
    so it is left out, not scaled down. A gain that is not a number loses too.
    """
    open_gains = gains[open_groups]
    if np.isnan(open_gains).any():
        open_gains = np.nan_to_num(open_gains, nan=-np.inf, posinf=np.inf, neginf=-np.inf)
    return int(open_groups[int(np.argmax(open_gains))])
