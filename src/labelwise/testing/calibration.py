"""Simulation-based calibration: a test that posteriors are calibrated.

Draw a truth from the prior and data given the truth, and compute the posterior. If everything from prior to posterior
is correct, the posterior probability below the truth (the PIT value) is uniform, whatever the model.
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
    """Result of `check_calibration`.

    Attributes
    ----------
    pit : PIT values, shape (n_simulations, n_cells).
    p_values : for each cell, the p-value of the simultaneous test that its PIT values are uniform.
    threshold : the smallest p-value allowed in any cell, Bonferroni-corrected for the number of cells.
    """

    pit: _Floats
    p_values: _Floats
    threshold: float

    @property
    def passed(self) -> bool:
        """Whether the ECDF of the PIT values of every cell lies inside its simultaneous band."""
        return bool((self.p_values >= self.threshold).all())

    def __repr__(self) -> str:
        word = "passed" if self.passed else "FAILED"
        n, cells = self.pit.shape
        return f"<CalibrationCheck {word}: {n} simulations, {cells} cells, smallest p = {self.p_values.min():.2g}>"


def check_calibration(
    simulate: Callable[[np.random.Generator], ArrayLike], *, n_simulations: int = 500, level: float = 0.99, seed: int
) -> CalibrationCheck:
    """Repeat a simulation, and test that its PIT values are uniform.

    The test is a simultaneous band with equal local levels: each order statistic of the PIT values is compared with its
    Beta distribution, and the smallest p-value with its exact distribution for uniform samples. It detects bias, wrong
    widths and wrong tails. A correct posterior fails with probability at most 1 - level over all cells together.

    Parameters
    ----------
    simulate : takes a random generator and returns one PIT value per cell.

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
    """Return the PIT value of each truth among its draws (first axis); ties are broken at random.

    Examples
    --------
    >>> pit = pit_of_draws([0.5], np.zeros((99, 1)), np.random.default_rng(1))
    >>> bool(pit[0] > 0.99)
    True
    """
    gap = draws - np.asarray(truth, float)
    # ratios of counts: equal values may differ in the last digit
    below, equal = (gap < -1e-12).sum(axis=0), (np.abs(gap) <= 1e-12).sum(axis=0)
    return np.asarray((below + rng.uniform(size=below.shape) * (equal + 1)) / (len(draws) + 1))


def _smallest_local_p(ordered: _Floats) -> _Floats:
    """Return the smallest two-sided p-value over the order statistics of each row."""
    n = ordered.shape[-1]
    position = np.arange(1, n + 1)
    below = betainc(position, n - position + 1, ordered)
    return np.asarray(2 * np.minimum(below, 1 - below).min(axis=-1))


def _simultaneous_p(local: float, n: int) -> float:
    """Return the probability that some order statistic of n uniform values has a local p-value of at most `local`.

    The number of values below t is a Poisson process of rate n, conditioned on n arrivals by time 1. Its distribution
    is propagated through the times at which its lower or upper bound rises; the band is narrow, so it has few values.
    """
    rank = np.arange(1, n + 1)
    lower, upper = (betaincinv(rank, n - rank + 1, q) for q in (local / 2, 1 - local / 2))
    times = np.sort(np.concatenate([lower, upper]))
    least, most = np.searchsorted(upper, times, side="right"), np.searchsorted(lower, times, side="left")
    # chance[i]: probability, at the previous time, of `first + i` arrivals without having left the band
    chance, first, before = np.ones(1), 0, 0.0
    for time, low, high in zip([*times, 1.0], [*least, n], [*most, n], strict=True):
        if high < low:  # empty band: every sample leaves it
            return 1.0
        arrivals = np.arange(high - first + 1)
        rate = n * (time - before)
        poisson = np.exp(xlogy(arrivals, rate) - rate - gammaln(arrivals + 1))
        chance = np.convolve(chance, poisson)[low - first : high - first + 1]
        first, before = low, time
    inside = chance[0] / np.exp(xlogy(n, n) - n - gammaln(n + 1))
    return float(np.clip(1 - inside, 0, 1))
