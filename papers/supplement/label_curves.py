"""Curves over labels: how well a policy does after how many, played in batches of runs so that chance can be told."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation import Scenario, Score
from papers.study import GOAL, Study

SHOWN = 200  # label counts of a curve in a frame
ERRORS = 3.0  # standard errors that count as chance
_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Curve:
    """The mean of a score over label counts, in batches of runs.

    Attributes
    ----------
    data, method : what tells the curve from others.
    n_items : size of the pool.
    at : label counts.
    batches : mean over the runs of each batch, shape (n_batches, n_at).

    Examples
    --------
    >>> curve = Curve("SVHN", "thompson", 100, np.array([10, 20, 30]), np.array([[0.5, 0.9, 1.0], [0.7, 1.0, 1.0]]))
    >>> curve.mean, curve.needed()
    (array([0.6 , 0.95, 1.  ]), (30.0, 5.0))
    >>> [round(value, 3) for value in curve.height()]
    [0.85, 0.05]
    """

    data: str
    method: str
    n_items: int
    at: _Counts
    batches: _Floats

    @property
    def mean(self) -> _Floats:
        """The mean of all runs."""
        return np.asarray(self.batches.mean(axis=0))

    def needed(self, goal: float = GOAL) -> tuple[float, float]:
        """Return the part of the pool, in percent, at which the mean first exceeds the goal, and its standard error.

        Infinite if it never does; a batch that never does counts with its last label.
        """
        above = np.flatnonzero(self.mean > goal)
        whole = 100 * float(self.at[above[0]]) / self.n_items if len(above) else float("inf")
        return whole, self._error(100 * _first(self.batches, self.at, goal) / self.n_items)

    def height(self, n_at: int | None = None) -> tuple[float, float]:
        """Return the mean over label counts (the first `n_at` of them), and its standard error."""
        return float(self.mean[:n_at].mean()), self._error(self.batches[:, :n_at].mean(axis=1))

    def part(self) -> dict[str, object]:
        """Return the curve as a part of a table."""
        every = max(1, len(self.at) // SHOWN)
        shown = slice(every - 1, None, every)
        spread = self.batches.std(axis=0, ddof=1) / np.sqrt(len(self.batches))
        return {
            "data": self.data, "method": self.method, "labels": self.at[shown], "share": self.at[shown] / self.n_items,
            "mean": self.mean[shown], "error": spread[shown],
        }  # fmt: skip

    @staticmethod
    def _error(values: _Floats) -> float:
        return float(values.std(ddof=1) / np.sqrt(len(values)))


def moments(n_items: int, every: float = 0.005) -> _Counts:
    """Return label counts in steps of a part of the pool.

    Examples
    --------
    >>> moments(100, 0.25)
    array([ 25,  50,  75, 100])
    """
    return np.unique(np.linspace(0, n_items, round(1 / every) + 1).round().astype(np.int64))[1:]


def play_curve(study: Study, data: str, method: str, scenario: Scenario, score: Score, at: _Counts) -> Curve:
    """Play a scenario, and give the curve of one score.

    Examples
    --------
    >>> from pathlib import Path
    >>> import labelwise as lw
    >>> from papers import Sources
    >>> from labelwise.simulation import success
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> scenario = Scenario(lw.by_prediction(pool), lw.Worst(), lw.Thompson())
    >>> curve = play_curve(Study(Sources(Path("data")), 50), "pets", "TS", scenario, success(), np.array([20, 40]))
    >>> curve.mean, curve.batches.shape
    (array([1., 1.]), (10, 2))
    """
    study.step(f"{data}, {method}")
    return Curve(data, method, scenario.groups.pool.n_items, at, study.in_batches(scenario, score, at))


def first_of_each(batches: _Floats, at: _Counts, goal: float) -> tuple[float, float]:
    """Return the mean over batches of the label count at which each first exceeds the goal, and their spread.

    A mean of few runs is a noisy curve, which may cross a line earlier than a smooth one would: this is what a
    published crossing of so many runs is expected to be.

    Examples
    --------
    >>> first_of_each(np.array([[0.5, 1.0, 1.0], [0.5, 0.5, 1.0]]), np.array([10, 20, 30]), 0.95)
    (25.0, 7.0710678118654755)
    """
    each = _first(batches, at, goal)
    return float(each.mean()), float(each.std(ddof=1))


def _first(batches: _Floats, at: _Counts, goal: float) -> _Floats:
    above = batches > goal
    return np.where(above.any(axis=1), at[above.argmax(axis=1)], at[-1]).astype(float)


def no_more(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether a value with its error is not above another one, but for chance.

    Examples
    --------
    >>> no_more((10.0, 1.0), (8.0, 1.0)), no_more((10.0, 1.0), (5.0, 1.0))
    (True, False)
    """
    return one[0] <= other[0] + ERRORS * float(np.hypot(one[1], other[1]))


def with_error(value: tuple[float, float], digits: int = 1) -> str:
    """Write a value with its standard error in brackets.

    Examples
    --------
    >>> with_error((12.34, 0.56)), with_error((float("inf"), 1.0))
    ('12.3 (0.6)', 'never')
    """
    return f"{value[0]:.{digits}f} ({value[1]:.{digits}f})" if np.isfinite(value[0]) else "never"
