"""Simulation-based calibration: does a posterior hold the truth as often as it says?

Draw a truth from the prior, data from the truth, a posterior from the data. The probability that the posterior puts
below the truth (the PIT value) is then uniform, whatever the model, if and only if everything between prior and
posterior is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc

_Floats = NDArray[np.float64]
_REFERENCE = 20_000  # simulated uniform samples behind a p-value, at least
_FINER = 2  # times: how much finer than the threshold a p-value must be known
_REFERENCE_SEED = 20_190_101


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationCheck:
    """The verdict over all cells of a simulation.

    Attributes
    ----------
    pit : PIT values, shape (n_simulations, n_cells).
    p_values : for each cell, how often a uniform sample strays as far from the diagonal somewhere.
    threshold : the p-value that every cell must reach, corrected for the number of cells.
    """

    pit: _Floats
    p_values: _Floats
    threshold: float

    @property
    def passed(self) -> bool:
        """Whether the PIT-ECDF of every cell lies inside its simultaneous band."""
        return bool((self.p_values >= self.threshold).all())

    def __repr__(self) -> str:
        word = "passed" if self.passed else "FAILED"
        n, cells = self.pit.shape
        return f"<CalibrationCheck {word}: {n} simulations, {cells} cells, smallest p = {self.p_values.min():.2g}>"


def check_calibration(
    simulate: Callable[[np.random.Generator], ArrayLike], *, n_simulations: int = 500, level: float = 0.99, seed: int
) -> CalibrationCheck:
    """Repeat a simulation, and test that its PIT values are uniform.

    The test is the simultaneous band with equal local levels: each order statistic of the PIT values is compared with
    its Beta distribution, and the smallest p-value with what uniform samples give. It sees shifts, wrong widths and
    wrong tails alike. A right posterior fails with probability at most 1 - level, all cells together.

    Parameters
    ----------
    simulate : from a generator to one PIT value a cell.

    References
    ----------
    Talts, Betancourt, Simpson, Vehtari, Gelman (2018); Sailynoja, Burkner, Vehtari (2022).

    Examples
    --------
    >>> check_calibration(lambda rng: rng.uniform(size=2), n_simulations=200, seed=1).passed
    True
    >>> check_calibration(lambda rng: rng.beta(1.5, 1, size=2), n_simulations=200, seed=1).passed
    False
    """
    rng = np.random.default_rng(seed)
    pit = np.stack([np.atleast_1d(np.asarray(simulate(rng), float)) for _ in range(n_simulations)])
    threshold = (1 - level) / pit.shape[1]
    reference = _reference(n_simulations, max(_REFERENCE, int(np.ceil(_FINER / threshold / 1_000)) * 1_000))
    extremes = _smallest_local_p(np.sort(pit, axis=0).T)
    p_values = (np.searchsorted(reference, extremes, side="right") + 1) / (len(reference) + 1)
    return CalibrationCheck(pit, p_values, threshold)


def pit_of_draws(truth: ArrayLike, draws: _Floats, rng: np.random.Generator) -> _Floats:
    """Give the PIT value of each truth among its draws (first axis); ties are put in random order.

    Examples
    --------
    >>> pit = pit_of_draws([0.5], np.zeros((99, 1)), np.random.default_rng(1))
    >>> bool(pit[0] > 0.99)
    True
    """
    gap = draws - np.asarray(truth, float)
    # counts over counts may differ in the last digit and still be the same number
    below, equal = (gap < -1e-12).sum(axis=0), (np.abs(gap) <= 1e-12).sum(axis=0)
    return np.asarray((below + rng.uniform(size=below.shape) * (equal + 1)) / (len(draws) + 1))


def _smallest_local_p(ordered: _Floats) -> _Floats:
    """Give the smallest two-sided p-value over the order statistics of each row."""
    n = ordered.shape[-1]
    position = np.arange(1, n + 1)
    below = betainc(position, n - position + 1, ordered)
    return np.asarray(2 * np.minimum(below, 1 - below).min(axis=-1))


@cache
def _reference(n: int, n_samples: int) -> _Floats:
    """Give the sorted statistic of many uniform samples of size n."""
    rng = np.random.default_rng([_REFERENCE_SEED, n])
    parts = [_smallest_local_p(np.sort(rng.uniform(size=(1_000, n)), axis=1)) for _ in range(n_samples // 1_000)]
    return np.sort(np.concatenate(parts))
