"""What is left unlabelled in a group of the pool: Beta-binomial, exactly.

Of a group's N items n are labelled, r of them hits. The other N - n hold X further hits, X ~ BetaBinomial(N - n, a, b)
with the updated a and b, so that the accuracy on exactly these N items is (r + X)/N.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs.interval import Kind

_Floats = NDArray[np.float64]
_ROUNDING = 1e-12  # a cumulative sum that misses a quantile by this much has reached it


def pool_factors(
    total: NDArray[Any], n_left: NDArray[Any], n_items: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what turns the variance of a chance into that of the share in the pool: now, and after one more label.

    The items that are left are a Beta-binomial (or Dirichlet-multinomial) number with `total` pseudo-counts; those with
    a label are known.

    Examples
    --------
    >>> pool_factors(np.array([2.0]), np.array([1]), np.array([10]))  # the last label leaves nothing open
    (array([0.03]), array([0.]))
    """
    size = np.maximum(n_items, 1) ** 2
    reach = (total + n_left) / size
    return n_left * reach, np.maximum(n_left - 1, 0) * reach


@dataclass(frozen=True, eq=False)
class BetaBinomials:
    """The distributions of the hits left in many groups, side by side in one flat array.

    Group g has the entries first[g] to first[g] + n[g], for 0 to n[g] hits.
    """

    n: NDArray[np.int64]
    first: NDArray[np.int64]
    mass: _Floats
    cumulative: _Floats

    @classmethod
    def of(cls, n: NDArray[np.int64], a: _Floats, b: _Floats) -> BetaBinomials:
        """Tabulate BetaBinomial(n, a, b) for arrays n, a, b; time and memory grow as the sum of n."""
        size = n + 1
        first = np.cumsum(size) - size
        x = np.arange(size.sum()) - np.repeat(first, size)
        a, b, left = np.repeat(a, size), np.repeat(b, size), np.repeat(n, size)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log((left - x + 1) / x) + np.log((a + x - 1) / (b + left - x))
        ratio[first] = 0.0
        log_mass = _by_group(ratio, first, size)
        log_mass -= np.repeat(np.maximum.reduceat(log_mass, first), size)
        mass = np.exp(log_mass)
        mass /= np.repeat(np.add.reduceat(mass, first), size)
        return cls(n, first, mass, _by_group(mass, first, size))

    def quantile(self, q: float) -> NDArray[np.int64]:
        """Return the smallest number of hits that is reached with probability at least q."""
        below = np.add.reduceat((self.cumulative < q - _ROUNDING).astype(np.int64), self.first)
        return np.minimum(below, self.n)

    def interval(self, level: float, kind: Kind) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of hits between which at least `level` lies."""
        if kind == "equal-tailed":
            return self.quantile((1 - level) / 2), self.quantile((1 + level) / 2)
        ends = [self._shortest(g, level) for g in range(len(self.n))]
        low, high = np.array(ends, np.int64).reshape(-1, 2).T
        return low, high

    def _shortest(self, g: int, level: float) -> tuple[int, int]:
        cumulative = self.cumulative[self.first[g] : self.first[g] + self.n[g] + 1]
        before = np.concatenate([[0.0], cumulative[:-1]])
        end = np.searchsorted(cumulative, before + level - _ROUNDING)
        start = np.arange(len(cumulative))[end < len(cumulative)]
        width = end[start] - start
        inside = cumulative[end[start]] - before[start]
        best = np.lexsort((-inside, width))[0]
        return int(start[best]), int(end[best])

    def mean_of(self, values: _Floats) -> _Floats:
        """Return the mean of a function of the hits; `values` has one entry for each entry of `mass`."""
        return np.add.reduceat(self.mass * values, self.first)

    @property
    def hits(self) -> NDArray[np.int64]:
        """The number of hits that each entry of `mass` belongs to."""
        return np.arange(len(self.mass)) - np.repeat(self.first, self.n + 1)


def _by_group(values: _Floats, first: NDArray[np.int64], size: NDArray[np.int64]) -> _Floats:
    """Cumulative sums that start anew in every group.

    One running sum with the group's start taken off would lose digits to the groups before.
    """
    out = np.empty_like(values)
    for start, length in zip(first.tolist(), size.tolist(), strict=True):
        np.cumsum(values[start : start + length], out=out[start : start + length])
    return out
