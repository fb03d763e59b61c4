"""The `Score` contract: one number per run and snapshot, given the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief
from labelwise.simulation.scenario import Scenario

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """A named score.

    Attributes
    ----------
    name : name in results.
    of : maps a scenario and its stacked beliefs to an array of shape (n_runs, n_at).
    is_better_high : whether larger values are better.
    """

    name: str
    of: Callable[[Scenario, Belief], _Floats]
    is_better_high: bool = False


def by_moment(scenario: Scenario, beliefs: Belief, value: Callable[[Belief], _Floats]) -> _Floats:
    """Apply a function that is not vectorised to the belief of each run and snapshot."""
    counts = beliefs.state
    shape = next(iter(counts.values())).shape[:2]
    values = [
        value(scenario.stacked({name: array[index] for name, array in counts.items()})) for index in np.ndindex(*shape)
    ]
    return np.stack(values).reshape(*shape, *values[0].shape)


def groups_there(scenario: Scenario) -> NDArray[np.int64]:
    """Return the positions of the groups that take part; an empty group has no true value."""
    return np.flatnonzero(scenario.groups.candidates)
