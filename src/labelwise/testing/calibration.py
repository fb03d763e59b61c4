"""Simulation-based calibration: does a posterior hold the truth as often as it says?

Draw a truth from the prior, data from the truth, a posterior from the data. The probability that the posterior puts
below the truth (the PIT value) is then uniform, whatever the model, if and only if everything between prior and
posterior is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincinv, gammaln, xlogy

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationCheck:
    """The verdict over all cells of a simulation.

    Attributes
    ----------
    pit : PIT values, shape (n_simulations, n_cells).
    p_values : for each cell, the probability that a uniform sample strays as far from the diagonal somewhere.
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
    its Beta distribution, and the smallest p-value with its exact distribution for uniform samples. It sees shifts,
    wrong widths and wrong tails alike. A right posterior fails with probability at most 1 - level, all cells together.

    Parameters
    ----------
    simulate : from a generator to one PIT value a cell.

    References
    ----------
    Talts, Betancourt, Simpson, Vehtari, Gelman (2018); Sailynoja, Burkner, Vehtari (2022); the exact distribution by
    the recursion of Moscovich and Nadler (2017).

    Examples
    --------
    >>> check_calibration(lambda rng: rng.uniform(size=2), n_simulations=200, seed=1).passed
    True
    >>> check_calibration(lambda rng: rng.beta(1.5, 1, size=2), n_simulations=200, seed=1).passed
    False
    """
    rng = np.random.default_rng(seed)
    pit = np.stack([np.atleast_1d(np.asarray(simulate(rng), float)) for _ in range(n_simulations)])
    extremes = _smallest_local_p(np.sort(pit, axis=0).T)
    p_values = np.array([_simultaneous_p(float(local), n_simulations) for local in extremes])
    return CalibrationCheck(pit, p_values, (1 - level) / pit.shape[1])


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


def _simultaneous_p(local: float, n: int) -> float:
    """Return the probability that some order statistic of n uniform values has a local p-value of at most `local`.

    The number of values below t is a Poisson process of rate n, given that it ends at n. It is followed through the
    times at which its lower or upper bound rises; the band is narrow, so few counts are possible at each.
    """
    rank = np.arange(1, n + 1)
    lower, upper = (betaincinv(rank, n - rank + 1, q) for q in (local / 2, 1 - local / 2))
    times = np.sort(np.concatenate([lower, upper]))
    least, most = np.searchsorted(upper, times, side="right"), np.searchsorted(lower, times, side="left")
    chance, first, before = np.ones(1), 0, 0.0  # of the counts first, first + 1, ... at the time before
    for time, low, high in zip([*times, 1.0], [*least, n], [*most, n], strict=True):
        if high < low:  # the band is empty: every sample leaves it
            return 1.0
        arrivals = np.arange(high - first + 1)
        rate = n * (time - before)
        poisson = np.exp(xlogy(arrivals, rate) - rate - gammaln(arrivals + 1))
        chance = np.convolve(chance, poisson)[low - first : high - first + 1]
        first, before = low, time
    inside = chance[0] / np.exp(xlogy(n, n) - n - gammaln(n + 1))
    return float(np.clip(1 - inside, 0, 1))
