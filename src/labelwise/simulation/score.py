"""What a score is: one number a run and moment, given the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.scenario import Scenario, counts_of

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """A named score.

    Attributes
    ----------
    name : how it is called in results.
    of : from a scenario and its stacked beliefs to one number a run and moment.
    is_better_high : whether a high number is a good one.
    """

    name: str
    of: Callable[[Scenario, Any], _Floats]
    is_better_high: bool = False


def by_moment(scenario: Scenario, beliefs: Any, value: Callable[[Any], _Floats]) -> _Floats:
    """Work out something of one belief after the other: what cannot read many at once."""
    counts = counts_of(beliefs)
    shape = next(iter(counts.values())).shape[:2]
    found = [
        value(scenario.stacked({name: array[place] for name, array in counts.items()})) for place in np.ndindex(*shape)
    ]
    return np.stack(found).reshape(*shape, *found[0].shape)


def groups_there(scenario: Scenario) -> NDArray[np.int64]:
    """Give the groups that have items: an empty one has no truth."""
    return np.flatnonzero(scenario.groups.n_items > 0)
