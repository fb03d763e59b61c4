"""P(X - Y <= d) of two Betas by quadrature, and a grid that follows it from label to label without a new integral.

The double-exponential rule of `metrics/difference.py`, here over y itself: one more label multiplies the density of Y
by y or 1 - y, and moves the distribution function of X by one term, so products bring a grid of nodes up to date.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.incomplete import chance_below, front, incomplete, inverse

_Floats = NDArray[np.float64]
_REACH = 6.0  # nodes come as near as 1e-275 to the ends
_STEP = 1 / 32  # the widest step, for wide distributions
_SHAPE = 0.05  # below this shape a Beta has mass nearer to its end than any node
_TAIL = 1e-15
_NOTHING = 1e-25  # the mass of a node that may be left out for good
Y, Y_REST, X, X_REST, MASS, CHANCE, FRONT = range(7)
"""Rows of a grid: y, 1 - y, x = y + d, 1 - x, weight times density of Y, P(X <= x), x^a (1-x)^b / B(a, b)."""


@inlined
def n_nodes(total: float) -> int:
    """Return how many nodes serve two Betas whose parameters add up to at most `total` each."""
    # a step of at most 0.63 standard deviations in the middle leaves an error of about 1e-11
    step = min(_STEP, 0.4 / math.sqrt(total + 1))
    return 2 * math.ceil(_REACH / step) + 1


@inlined
def is_smooth(a1: float, b1: float, a2: float, b2: float) -> bool:
    """Return whether a grid over y can hold all the mass."""
    return min(min(a1, b1), min(a2, b2)) >= _SHAPE


@compiled
def fill_grid(grid: _Floats, a1: float, b1: float, a2: float, b2: float, d: float) -> None:
    """Fill a grid for P(X - Y <= d), X ~ Beta(a1, b1), Y ~ Beta(a2, b2), over the y for which y + d is in (0, 1)."""
    n = grid.shape[1]
    step = 2 * _REACH / (n - 1)
    width, under, over = max(0.0, 1 - abs(d)), max(0.0, -d), max(0.0, d)
    for i in range(n):
        t = -_REACH + i * step
        s = math.pi * math.sinh(t)
        u, rest = 1 / (1 + math.exp(-s)), 1 / (1 + math.exp(s))
        y, y_rest, x, x_rest = under + width * u, over + width * rest, over + width * u, under + width * rest
        grid[Y, i], grid[Y_REST, i], grid[X, i], grid[X_REST, i] = y, y_rest, x, x_rest
        weight = width * step * math.pi * math.cosh(t) * u * rest
        grid[MASS, i] = weight / y * front(a2, b2, y, y_rest) / y_rest if width > 0 else 0.0
        grid[CHANCE, i] = chance_below(a1, b1, x, x_rest)
        grid[FRONT, i] = front(a1, b1, x, x_rest)


@compiled
def move_one(grid: _Floats, a: float, b: float, hit: bool, first: int, last: int) -> None:
    """Take in a label of the group of X, whose parameters were a and b."""
    row = X if hit else X_REST
    shift = -1 / a if hit else 1 / b
    ratio = (a + b) / (a if hit else b)
    for i in range(first, last):
        ahead = grid[FRONT, i]
        grid[CHANCE, i] += shift * ahead
        ahead = ahead * (grid[row, i] * ratio)
        grid[FRONT, i] = ahead if ahead > 1e-200 else 0.0  # denormal numbers are slow


@compiled
def move_other(grid: _Floats, a: float, b: float, hit: bool, first: int, last: int) -> None:
    """Take in a label of the group of Y, whose parameters were a and b."""
    row = Y if hit else Y_REST
    ratio = (a + b) / (a if hit else b)
    for i in range(first, last):
        mass = grid[MASS, i] * (grid[row, i] * ratio)
        grid[MASS, i] = mass if mass > 1e-200 else 0.0


@compiled
def window(grid: _Floats, first: int, last: int) -> tuple[int, int]:
    """Narrow the stretch of nodes to those with mass; that it comes back has a chance of about 1e-13."""
    while last - first > 1 and grid[MASS, first] < _NOTHING:
        first += 1
    while last - first > 1 and grid[MASS, last - 1] < _NOTHING:
        last -= 1
    return first, last


@compiled
def sums(grid: _Floats, first: int, last: int) -> tuple[float, float, float]:
    """Return the sums of mass times P(X <= x), times y P(X <= x), and times the front, over a stretch of nodes."""
    plain, by_y, by_front = 0.0, 0.0, 0.0
    more, more_y, more_front = 0.0, 0.0, 0.0
    i = first
    while i + 1 < last:
        part, next_part = grid[MASS, i] * grid[CHANCE, i], grid[MASS, i + 1] * grid[CHANCE, i + 1]
        plain += part
        more += next_part
        by_y += part * grid[Y, i]
        more_y += next_part * grid[Y, i + 1]
        by_front += grid[MASS, i] * grid[FRONT, i]
        more_front += grid[MASS, i + 1] * grid[FRONT, i + 1]
        i += 2
    if i < last:
        part = grid[MASS, i] * grid[CHANCE, i]
        plain, by_y = plain + part, by_y + part * grid[Y, i]
        by_front += grid[MASS, i] * grid[FRONT, i]
    return plain + more, by_y + more_y, by_front + more_front


@compiled
def _by_chance(a1: float, b1: float, a2: float, b2: float, d: float) -> float:
    """Integrate over u = P(Y <= y), as `metrics/difference.py` does: slow, and right for every shape."""
    bottom, top = inverse(a1, b1, _TAIL) - d, 1 - inverse(b1, a1, _TAIL) - d
    start, end = incomplete(a2, b2, min(max(bottom, 0.0), 1.0)), incomplete(a2, b2, min(max(top, 0.0), 1.0))
    width = end - start
    if width <= 0:
        return 1 - end
    total, whole, step = 0.0, 0.0, 1 / 64
    for i in range(-218, 219):
        t = i * step
        u = 1 / (1 + math.exp(-math.pi * math.sinh(t)))
        weight = math.cosh(t) * u * (1 - u)
        y = inverse(a2, b2, min(start + width * u, 1.0))
        total += weight * incomplete(a1, b1, min(max(y + d, 0.0), 1.0))
        whole += weight
    return min(1.0, width * total / whole + (1 - end))


@compiled
def difference_below(a1: float, b1: float, a2: float, b2: float, d: float) -> float:
    """Return P(X - Y <= d) for independent X ~ Beta(a1, b1) and Y ~ Beta(a2, b2)."""
    if d >= 1:
        return 1.0
    if d <= -1:
        return 0.0
    if not is_smooth(a1, b1, a2, b2):
        if min(b1, b2) < min(a1, a2):  # mass at 1: mirrored it lies at 0, where numbers are finest
            return _by_chance(b2, a2, b1, a1, d)
        return _by_chance(a1, b1, a2, b2, d)
    grid = np.empty((7, n_nodes(max(a1 + b1, a2 + b2))))
    fill_grid(grid, a1, b1, a2, b2, d)
    inside, _, _ = sums(grid, 0, grid.shape[1])
    beyond = chance_below(b2, a2, d, 1 - d) if d > 0 else 0.0  # y + d > 1, where X is surely below
    return min(1.0, inside + beyond)


@inlined
def likeliest(lower: float, up_to_margin: float) -> float:
    """Return the probability of the likeliest verdict from P(Delta < -margin) and P(Delta <= margin)."""
    return max(max(lower, 1 - up_to_margin), up_to_margin - lower)


@compiled
def verdict(a1: float, b1: float, a2: float, b2: float, margin: float) -> float:
    """Return lambda, the probability of the likeliest of lower, equal and higher."""
    return likeliest(difference_below(a1, b1, a2, b2, -margin), difference_below(a1, b1, a2, b2, margin))
