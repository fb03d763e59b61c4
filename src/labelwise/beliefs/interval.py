"""Intervals of Beta distributions, exact and for many at once."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, betaln, expit, ndtri

from labelwise.checks import check_between, check_one_of

Kind = Literal["equal-tailed", "highest-density"]
KINDS: tuple[Kind, ...] = ("equal-tailed", "highest-density")
_Floats = NDArray[np.float64]
_MOST_DRAWS, _FEWEST_DRAWS = 20_000, 1_000  # of an interval
_ENTRIES = 20_000_000  # drawn for intervals, as long as that leaves draws enough


def check_interval(level: float, kind: str) -> None:
    """Refuse a level outside 0 to 1 or an unknown kind of interval."""
    check_between(level, "level", 0, 1)
    check_one_of(kind, "kind", KINDS)


def beta_interval(a: _Floats, b: _Floats, level: float, kind: Kind = "equal-tailed") -> tuple[_Floats, _Floats]:
    """Return the interval of each Beta(a, b) that holds probability `level`.

    Equal-tailed leaves as much on each side; highest-density is the shortest there is.

    Examples
    --------
    >>> low, high = beta_interval(np.array([8.0]), np.array([2.0]), 0.9)
    >>> [round(float(x[0]), 4) for x in (low, high)]
    [0.5709, 0.959]
    """
    check_interval(level, kind)
    a, b = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
    if kind == "equal-tailed":
        tail = (1 - level) / 2
        return betaincinv(a, b, tail), 1 - betaincinv(b, a, tail)
    return _shortest(a, b, level)


def _shortest(a: _Floats, b: _Floats, level: float) -> tuple[_Floats, _Floats]:
    shape, a, b = a.shape, a.ravel(), b.ravel()
    low, high = np.zeros(len(a)), np.ones(len(a))
    # A density that falls (or rises) all the way has its shortest interval at the end; one that is low in the middle
    # has two peaks, and the shortest single interval hugs one of them. The flat one has no shortest: equal tails.
    falls, rises, flat = (a <= 1) & (b > 1), (b <= 1) & (a > 1), (a == 1) & (b == 1)
    falls, rises = falls | ((a < 1) & (b == 1)), rises | ((b < 1) & (a == 1))
    high[falls] = betaincinv(a[falls], b[falls], level)
    low[rises] = 1 - betaincinv(b[rises], a[rises], level)
    low[flat], high[flat] = (1 - level) / 2, (1 + level) / 2
    two = (a < 1) & (b < 1)
    if two.any():
        from_zero, to_one = betaincinv(a[two], b[two], level), 1 - betaincinv(b[two], a[two], level)
        left = from_zero <= 1 - to_one
        low[two], high[two] = np.where(left, 0.0, to_one), np.where(left, from_zero, 1.0)
    inner = (a > 1) & (b > 1)
    if inner.any():
        low[inner], high[inner] = _shortest_inner(a[inner], b[inner], level)
    return low.reshape(shape), high.reshape(shape)


def _shortest_inner(a: _Floats, b: _Floats, level: float, n_steps: int = 12) -> tuple[_Floats, _Floats]:
    """Newton on both ends at once: the mass between them is `level`, the density at them is equal."""
    mode = (a - 1) / (a + b - 2)
    normaliser = betaln(a, b)
    # The log odds of a Beta are close to normal: a start that costs nothing beside an inversion.
    middle, reach = np.log((a - 0.5) / (b - 0.5)), ndtri((1 + level) / 2) * np.sqrt(1 / (a - 0.5) + 1 / (b - 0.5))
    low, high = expit(middle - reach), expit(middle + reach)
    low, high = np.minimum(low, mode * 0.999), np.maximum(high, 1 - (1 - mode) * 0.999)
    active = np.arange(len(a))
    for _ in range(n_steps):
        p, q, x, y, m = a[active], b[active], low[active], high[active], mode[active]
        with np.errstate(all="ignore"):
            log_x = (p - 1) * np.log(x) + (q - 1) * np.log1p(-x)
            log_y = (p - 1) * np.log(y) + (q - 1) * np.log1p(-y)
            dens_x, dens_y = np.exp(log_x - normaliser[active]), np.exp(log_y - normaliser[active])
            mass = betainc(p, q, y) - betainc(p, q, x) - level
            slope_x, slope_y = (p - 1) / x - (q - 1) / (1 - x), (p - 1) / y - (q - 1) / (1 - y)
            gap = log_y - log_x
            # [-f(x) f(y); -g(x) g(y)] (dx, dy) = -(mass, gap)
            determinant = -dens_x * slope_y + dens_y * slope_x
            dx = (-mass * slope_y + gap * dens_y) / determinant
            dy = (dens_x * gap - slope_x * mass) / determinant
        # a step that leaves its side of the mode goes half way to the wall instead
        new_x = np.where((x + dx > 0) & (x + dx < m), x + dx, np.where(dx < 0, x / 2, (x + m) / 2))
        new_y = np.where((y + dy < 1) & (y + dy > m), y + dy, np.where(dy > 0, (1 + y) / 2, (y + m) / 2))
        low[active], high[active] = new_x, new_y
        moved = np.abs(new_x - x) + np.abs(new_y - y)
        # Newton doubles the digits at every step: one that moved so little has left no error worth a name
        active = active[~(moved < 1e-7 * (new_y - new_x))]
        if len(active) == 0:
            return low, high
    low[active], high[active] = _shortest_by_bisection(a[active], b[active], level)
    return low, high


def _shortest_by_bisection(a: _Floats, b: _Floats, level: float) -> tuple[_Floats, _Floats]:
    """Find the shortest interval by bisecting its lower tail probability: slower than Newton, and always converges."""
    below, above = np.zeros(len(a)), np.full(len(a), 1 - level)
    for _ in range(60):
        tail = (below + above) / 2
        x, y = betaincinv(a, b, tail), betaincinv(a, b, tail + level)
        with np.errstate(divide="ignore"):
            log_ratio = (a - 1) * (np.log(y) - np.log(x)) + (b - 1) * (np.log1p(-y) - np.log1p(-x))
        too_low = log_ratio > 0  # the upper end is denser: move up
        below, above = np.where(too_low, tail, below), np.where(too_low, above, tail)
    return x, y


def draws_for(n_entries: int) -> int:
    """Return how many draws the intervals of so many entries are taken from: fewer of many, which are large to hold.

    Examples
    --------
    >>> draws_for(100), draws_for(10_000), draws_for(1_000_000)
    (20000, 2000, 1000)
    """
    return min(_MOST_DRAWS, max(_FEWEST_DRAWS, _ENTRIES // max(1, n_entries)))


def draws_interval(draws: _Floats, level: float, kind: Kind) -> tuple[_Floats, _Floats]:
    """Return the interval that holds `level` of the draws, for each column; NaN draws are left out.

    Examples
    --------
    >>> low, high = draws_interval(np.arange(101.0)[:, None], 0.9, "equal-tailed")
    >>> low, high
    (array([5.]), array([95.]))
    """
    if kind == "equal-tailed":
        if np.isnan(draws).any():
            known = [column[~np.isnan(column)] for column in draws.T]
            tails = [(1 - level) / 2, (1 + level) / 2]
            low, high = np.array([np.quantile(c, tails) if len(c) else [np.nan, np.nan] for c in known]).T
            return low, high
        low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return low, high
    ordered = np.sort(draws, axis=0)  # NaN goes last
    kept = (~np.isnan(draws)).sum(axis=0)
    ends = np.full((2, draws.shape[1]), np.nan)
    for g, n in enumerate(kept.tolist()):
        if n:
            inside = min(int(np.ceil(level * n)), n - 1)
            width = ordered[inside:n, g] - ordered[: n - inside, g]
            start = int(np.argmin(width))
            ends[:, g] = ordered[start, g], ordered[start + inside, g]
    return ends[0], ends[1]
