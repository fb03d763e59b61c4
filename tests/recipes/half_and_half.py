"""A prior halfway between the flat and the informed one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from labelwise.beliefs.prior import FlatPrior, InformedPrior


@dataclass(frozen=True)
class HalfAndHalf:
    """The mean pseudo-counts of the flat and the informed prior."""

    name: ClassVar[str] = "half-and-half"
    strength: float | None = None

    def beta(self, groups):
        """Return the mean pseudo-hits and pseudo-misses of each group."""
        flat, informed = (prior(self.strength).beta(groups) for prior in (FlatPrior, InformedPrior))
        return (flat[0] + informed[0]) / 2, (flat[1] + informed[1]) / 2

    def dirichlet(self, groups):
        """Return the mean pseudo-counts of each group's true classes."""
        return (FlatPrior(self.strength).dirichlet(groups) + InformedPrior(self.strength).dirichlet(groups)) / 2
