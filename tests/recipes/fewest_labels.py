"""A policy that evens out the number of labels per group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np


@dataclass(frozen=True)
class FewestLabels:
    """Ask the group with the fewest labels, and a random one with probability `random`."""

    random: float = 0.0
    name: ClassVar[str] = "fewest-labels"

    def choose(self, belief, question, n_open, *, target="population", rng):
        """Return the open group with the fewest labels."""
        open_groups = np.flatnonzero(n_open)
        if len(open_groups) == 0:
            return ()
        if rng.uniform() < self.random:
            return (int(rng.choice(open_groups)),)
        return (int(open_groups[np.argmin(belief.n_labels[open_groups])]),)
