"""Expected cost of the classifier's mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.beliefs import DirichletBelief, Prior, Target, is_population
from labelwise.errors import DataError
from labelwise.groups import Grouping
from labelwise.metrics.confusion import confusion_start
from labelwise.metrics.metric import Metric
from labelwise.metrics.tally import Tally
from labelwise.pool import Pool

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ExpectedCost(Metric):
    """Mean cost of a prediction in each group: sum_j c_jk theta_jk for the items predicted k. Exact mean.

    Parameters
    ----------
    matrix : cost of predicting class k when class j is true, row j and column k; zero on the diagonal as a rule.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), supplement, equation 3.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["ill", "well", "well"], labels=["ill", "ill", "well"])
    >>> cost = lw.ExpectedCost([[0, 10], [1, 0]])  # a missed illness costs 10, a false alarm 1
    >>> cost.mean(lw.learned(cost, lw.by_prediction(pool)))
    array([0.25, 5.  ])
    """

    matrix: ArrayLike
    name: ClassVar[str] = "cost"
    worse: ClassVar[Literal["low", "high"]] = "high"

    def start(self, groups: Grouping, prior: Prior | None = None) -> DirichletBelief:
        """Give one Dirichlet a group and predicted class."""
        self._checked(groups.pool)
        return confusion_start(groups, prior)

    def draw(
        self, belief: DirichletBelief, n_draws: int, *, target: Target = "population", rng: np.random.Generator
    ) -> _Floats:
        """Draw expected costs."""
        cost = self._of_cells(belief)
        parts = [
            _summed(np.einsum("gj,dgj->dg", cost, rows), belief)
            for rows in belief.draws(n_draws, target=target, rng=rng)
        ]
        return np.concatenate(parts)

    def mean(self, belief: DirichletBelief, *, target: Target = "population") -> _Floats:
        """Give the exact mean."""
        return _summed((self._of_cells(belief) * belief.mean(target=target)).sum(axis=1), belief)

    def variance(self, belief: DirichletBelief, *, target: Target = "population") -> _Floats:
        """Give the exact variance: that of a linear function of a Dirichlet."""
        cost, mean = self._of_cells(belief), belief.alpha / belief.alpha.sum(axis=1, keepdims=True)
        total = belief.alpha.sum(axis=1)
        spread = ((cost**2 * mean).sum(axis=1) - (cost * mean).sum(axis=1) ** 2) / (total + 1)
        if not is_population(target):
            size, left = belief.groups.n_items, belief.n_left
            spread = np.where(size > 0, left * (total + left) * spread / np.maximum(size, 1) ** 2, spread)
        return _summed(spread, belief, power=2)

    def names(self, belief: DirichletBelief) -> tuple[str, ...]:
        """Name the groups."""
        return belief.outer.names

    def n_labels(self, belief: DirichletBelief) -> NDArray[np.int64]:
        """Count the labels of each group."""
        return np.asarray(belief.n_labels.reshape(len(self.names(belief)), -1).sum(axis=1))

    def n_items(self, belief: DirichletBelief) -> NDArray[np.int64]:
        """Give the size of each group."""
        return np.asarray(belief.groups.n_items.reshape(len(self.names(belief)), -1).sum(axis=1))

    def tally(self, pool: Pool) -> Tally:
        """Code each item by its true and predicted class."""
        k = pool.n_classes
        cost = self._checked(pool).ravel()
        codes = np.maximum(pool.known_labels(self.name), 0).astype(np.int64) * k + pool.prediction
        return Tally(codes, k * k, lambda weights: weights @ cost / weights.sum(axis=-1))

    def _checked(self, pool: Pool) -> _Floats:
        matrix = np.asarray(self.matrix, float)
        k = pool.n_classes
        if matrix.shape != (k, k):
            shape = " x ".join(str(n) for n in matrix.shape)
            raise DataError(f"The cost matrix is {shape}; the pool has {k} classes, so it must be {k} x {k}.")
        if not np.isfinite(matrix).all():
            j, i = np.argwhere(~np.isfinite(matrix))[0]
            raise DataError(
                f"The cost of predicting {pool.classes[i]!r} when {pool.classes[j]!r} is true is {matrix[j, i]}; "
                "it must be a finite number."
            )
        return matrix

    def _of_cells(self, belief: DirichletBelief) -> _Floats:
        """Give the costs of each cell's true classes, shape (n_cells, n_classes)."""
        return self._checked(belief.groups.pool).T[belief.groups.prediction_of_group]


def _summed(values: _Floats, belief: DirichletBelief, *, power: int = 1) -> _Floats:
    """Weigh the cells of each group by their share; a grouping by prediction has one cell a group."""
    if belief.outer is belief.groups:
        return values
    weighed = values * belief.weight**power
    return np.asarray(weighed.reshape(*values.shape[:-1], belief.outer.n_groups, -1).sum(axis=-1))
