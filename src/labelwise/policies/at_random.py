"""Random choice: an item of the whole pool, or a group and then an item of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.questions import Question


@dataclass(frozen=True)
class RandomItem:
    """Every open item is equally likely: what most people do, and the yardstick.

    Examples
    --------
    >>> import numpy as np
    >>> RandomItem().choose(None, None, np.array([0, 5, 0]), rng=np.random.default_rng(1))
    (1,)
    """

    name: ClassVar[str] = "random-item"

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick a group by how many open items it has."""
        total = int(n_open.sum())
        if total == 0:
            return ()
        return (int(np.searchsorted(np.cumsum(n_open), rng.integers(total), side="right")),)


@dataclass(frozen=True)
class RandomGroup:
    """Every group with open items is equally likely.

    Examples
    --------
    >>> import numpy as np
    >>> RandomGroup().choose(None, None, np.array([0, 5, 0]), rng=np.random.default_rng(1))
    (1,)
    """

    name: ClassVar[str] = "random-group"

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick any group that has open items."""
        open_groups = np.flatnonzero(n_open)
        return (int(rng.choice(open_groups)),) if len(open_groups) else ()
