"""What every reproduction needs: the data, runs, seed and threads, and how curves are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.pool import Frame
from labelwise.simulation import Scenario, Score, Simulated, simulate
from papers.sources import Sources

BATCHES = 10  # of runs, for the standard error of a crossing
GOAL = 0.99
_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Study:
    """Where the data is, and how much is played.

    Attributes
    ----------
    sources : the folder of prediction sets.
    n_runs : runs of each row.
    seed, jobs : of every simulation.
    step : told what is being played.
    """

    sources: Sources
    n_runs: int = 1_000
    seed: int = 0
    jobs: int = 1
    step: Callable[[str], None] = lambda words: None

    def play(self, scenario: Scenario, scores: Sequence[Score], at: Sequence[int] | _Counts | None = None) -> Simulated:
        """Play a scenario."""
        return simulate(scenario, scores, n_runs=self.n_runs, at=at, seed=self.seed, jobs=self.jobs)

    def in_batches(self, scenario: Scenario, score: Score, at: _Counts) -> _Floats:
        """Play a scenario in ten batches of runs, and give the mean curve of each, shape (n_batches, n_at)."""
        n_runs = max(1, self.n_runs // BATCHES)
        found = (
            simulate(scenario, [score], n_runs=n_runs, at=at, seed=self.seed * BATCHES + k, jobs=self.jobs)
            for k in range(BATCHES)
        )
        return np.stack([one.mean[score.name] for one in found])


def first_above(curve: _Floats, goal: float = GOAL) -> int:
    """Return the first place at which a curve exceeds the goal, or the goal's part of its maximum where that is lower.

    Examples
    --------
    >>> first_above(np.array([0.5, 0.995, 0.9])), first_above(np.array([0.5, 0.8, 0.9]))
    (1, 2)
    """
    return int(np.argmax(curve > min(goal, goal * float(curve.max()))))


def crossing(curves: _Floats, at: _Counts, goal: float = GOAL) -> tuple[float, float, float]:
    """Return where the mean of batches' curves first exceeds the goal, its standard error, and that of one batch."""
    each = [float(at[first_above(curve, goal)]) for curve in curves]
    whole = float(at[first_above(curves.mean(axis=0), goal)])
    spread = float(np.std(each, ddof=1)) if len(each) > 1 else 0.0
    return whole, spread / np.sqrt(len(each)), spread


def stacked(parts: Sequence[dict[str, Any]]) -> Frame:
    """Put tables of the same columns under each other; a single value stands for a whole column of its part."""
    lengths = [max(np.size(value) for value in part.values()) for part in parts]
    return Frame(
        {
            name: np.concatenate(
                [np.broadcast_to(np.asarray(part[name]), (n,)) for part, n in zip(parts, lengths, strict=True)]
            )
            for name in parts[0]
        }
    )
