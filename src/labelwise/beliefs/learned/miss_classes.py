"""Where misses go: the other classes' shares, believed through the scores and the labels of all rows together.

Given that an item predicted k is a miss, its true class has a Dirichlet distribution with pseudo-counts
s (t q + (1 - t) / (K - 1)): q are the shares that the scores of the row give to the other classes, t is how far they
are trusted, s how closely rows follow. Both are unknown and summed over a grid, each node weighed by the probability of
all misses seen: equation 17 of MODEL.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from labelwise.beliefs.dirichlet import draw_shares
from labelwise.beliefs.learned.constants import NEGLIGIBLE
from labelwise.groups import Grouping

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
STRENGTHS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Labels favour 32 to 256. But a class that the scores overlook is overlooked in many rows alike, which rows that are
independent cannot say: with more strength the intervals of recall would be too narrow (decision 11)."""
TRUSTS = (0.0, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99)
"""Never 1: a class that no score names must stay possible."""


def score_shares(groups: Grouping, others: NDArray[np.int64]) -> _Floats | None:
    """Return the shares of the other classes by the mean scores of each row; None if the pool has only top scores.

    Parameters
    ----------
    others : the classes that a row did not predict, shape (n_groups, n_classes - 1).
    """
    if groups.pool.scores is None:
        return None
    scores = np.take_along_axis(np.nan_to_num(groups.mean_scores), others, axis=1)
    total = scores.sum(axis=1, keepdims=True)
    flat = np.full(scores.shape, 1 / others.shape[1])  # of an empty row, or one without any doubt
    return np.divide(scores, total, out=flat, where=total > 0)


def miss_evidence(shares: _Floats | None, counts: _Counts, strength: _Floats, trust: _Floats) -> _Floats:
    """Return the log-probability of all misses, in their order, under each pair of strength and trust."""
    row, other = np.nonzero(counts)
    seen = counts[row, other]
    per_row = counts.sum(axis=1)
    per_row = per_row[per_row > 0]
    s, t = strength[:, None], trust[:, None]
    centre = (1 - t) / counts.shape[1]
    if shares is not None:
        centre = centre + t * shares[row, other]
    alpha = np.broadcast_to(s * centre, (len(strength), len(seen)))
    rows = (gammaln(s) - gammaln(s + per_row)).sum(axis=1)
    return np.asarray(rows + (gammaln(alpha + seen) - gammaln(alpha)).sum(axis=1))


@dataclass(frozen=True, eq=False)
class Misses:
    """What we believe about the true classes of the misses of each row; all rows share strength and trust.

    Attributes
    ----------
    shares : of the other classes by the scores, shape (n_groups, n_classes - 1); None without scores.
    counts : misses seen, same shape.

    Examples
    --------
    >>> shares = np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> Misses(shares, np.zeros((2, 2), np.int64)).mean().round(2)  # trusted in part before any label
    array([[0.75, 0.25],
           [0.25, 0.75]])
    >>> Misses(shares, np.array([[20, 1], [0, 0]])).mean()[1].round(2)  # the scores were right of the other row
    array([0.2, 0.8])
    """

    shares: _Floats | None
    counts: _Counts

    @cached_property
    def _nodes(self) -> tuple[_Floats, _Floats, _Floats]:
        trusts = TRUSTS if self.shares is not None else TRUSTS[:1]
        strength, trust = (a.ravel() for a in np.meshgrid(STRENGTHS, trusts, indexing="ij"))
        log_weight = miss_evidence(self.shares, self.counts, strength, trust)
        weight = np.exp(log_weight - log_weight.max())
        weight /= weight.sum()
        kept = weight > NEGLIGIBLE
        return strength[kept], trust[kept], weight[kept] / weight[kept].sum()

    @property
    def strength(self) -> _Floats:
        """How closely rows follow, of each node."""
        return self._nodes[0]

    @property
    def trust(self) -> _Floats:
        """How far the scores' shares are trusted, of each node."""
        return self._nodes[1]

    @property
    def weight(self) -> _Floats:
        """Posterior probability of each node."""
        return self._nodes[2]

    @cached_property
    def n_misses(self) -> _Counts:
        """How many misses each row has had."""
        return np.asarray(self.counts.sum(axis=1))

    def alpha(self, node: int) -> _Floats:
        """Return pseudo-counts and counts under one node, shape (n_groups, n_classes - 1)."""
        return self._alphas(np.array([node]))[0]

    def _alphas(self, node: NDArray[np.int64], rows: slice = slice(None)) -> _Floats:
        s, t = self.strength[node][:, None, None], self.trust[node][:, None, None]
        alpha = s * (1 - t) / self.counts.shape[1] + self.counts[rows]
        return np.asarray(alpha if self.shares is None else alpha + s * t * self.shares[rows])

    def mean(self) -> _Floats:
        """Return the posterior mean of the shares."""
        return self._average(lambda alpha, total: alpha / total)

    def mean_square(self) -> _Floats:
        """Return the posterior mean of the squared shares."""
        return self._average(lambda alpha, total: alpha * (alpha + 1) / (total * (total + 1)))

    def moments_of(self, weights: _Floats) -> tuple[_Floats, _Floats, _Floats]:
        """Return the posterior means of sum_j w_j share_j, of its square, and of sum_j w_j^2 share_j, one a row."""

        def of(alpha: _Floats, total: _Floats) -> _Floats:
            first = (weights * alpha / total).sum(axis=1)
            second = (weights**2 * alpha / total).sum(axis=1)
            return np.stack([first, first**2 + (second - first**2) / (total[:, 0] + 1), second])

        first, square, second = self._average(of)
        return first, square, second

    def _average(self, of: Any) -> _Floats:
        """Average a function of the pseudo-counts and their sums over nodes."""
        average: Any = 0.0
        for node, weight in enumerate(self.weight):
            average = average + weight * of(self.alpha(node), (self.strength[node] + self.n_misses)[:, None])
        return np.asarray(average)

    @cached_property
    def _sums(self) -> tuple[_Floats, _Floats]:
        """Averages over nodes that `expected_sums` needs: one a row, and one a row and class."""

        def a_row(alpha: _Floats, total: _Floats) -> _Floats:
            a, squares = total[:, 0], (alpha**2).sum(axis=1)
            more = (a + 1) ** 2
            now = (squares + a) / (a * (a + 1)), squares / a**2
            return np.stack([*now, (squares + a + 2) / ((a + 1) * (a + 2)), (squares + 1) / more])

        def a_class(alpha: _Floats, total: _Floats) -> _Floats:
            return np.stack([2 * alpha / ((total + 1) * (total + 2)), 2 * alpha / (total + 1) ** 2])

        return self._average(a_row), self._average(a_class)

    def expected_sums(self, chance: NDArray[Any]) -> tuple[_Floats, _Floats, _Floats, _Floats]:
        """Return sums over classes of the mean square and of the squared mean, now and after a miss from `chance`.

        Means are taken within nodes. The last two are weighed by the whole chance of a miss, the sum of `chance`.
        """
        (square, squared, square_after, squared_after), (more_square, more_squared) = self._sums
        miss = chance.sum(axis=-1)
        return (
            square,
            squared,
            np.asarray(miss * square_after + (chance * more_square).sum(axis=-1)),
            np.asarray(miss * squared_after + (chance * more_squared).sum(axis=-1)),
        )

    def draw_nodes(self, n_draws: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw one node a draw: all rows share it."""
        return rng.choice(len(self.weight), n_draws, p=self.weight)

    def draw(self, node: NDArray[np.int64], rows: slice = slice(None), *, rng: np.random.Generator) -> _Floats:
        """Draw shares under nodes, shape (n_draws, n_rows, n_classes - 1)."""
        return draw_shares(self._alphas(node, rows), rng=rng)
