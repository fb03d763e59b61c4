"""Expected cost of the classifier's mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.beliefs import Belief, Prior, Target
from labelwise.beliefs.belief import ConfusionBelief
from labelwise.errors import ArgumentError, DataError
from labelwise.groups import Grouping
from labelwise.metrics.confusion import confusion_start, prediction_shares, share_moments
from labelwise.metrics.description import Worse
from labelwise.metrics.evidence import LabelRatio
from labelwise.metrics.metric import Metric, MetricOptions
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
    >>> cost.mean(lw.belief_from_labels(cost, lw.by_prediction(pool)))
    array([0.25, 5.  ])
    """

    matrix: ArrayLike
    name: ClassVar[str] = "cost"
    label: ClassVar[str] = "expected cost"
    title: ClassVar[str] = "Expected cost per prediction"
    worse: ClassVar[Worse] = "high"
    is_mean_of_groups: ClassVar[bool] = True
    takes_stacks: ClassVar[bool] = True

    @classmethod
    def from_options(cls, options: MetricOptions) -> Self:
        """Return the metric of the matrix of `--cost`."""
        if options.cost is None:
            raise ArgumentError("`--metric cost` needs a cost matrix; give it with --cost FILE.")
        return cls(options.cost)

    @property
    def cost_matrix(self) -> _Floats:
        """The matrix."""
        return np.asarray(self.matrix, float)

    def start(self, groups: Grouping, prior: Prior | None = None) -> ConfusionBelief:
        """Return one row per group and predicted class."""
        self._checked(groups.pool)
        return confusion_start(groups, prior)

    def draw(self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw expected costs."""
        confusion = ConfusionBelief.of(belief)
        cost = self.by_cell(confusion)
        parts = []
        for rows in confusion.draws(n_draws, target=target, rng=rng):
            cells = np.einsum("gj,dgj->dg", cost, rows)
            if confusion.outer is not confusion.groups:
                share = prediction_shares(confusion, len(cells), target=target, rng=rng)
                cells = (cells.reshape(share.shape) * share).sum(axis=-1)
            parts.append(cells)
        return np.concatenate(parts)

    def mean(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return the exact mean."""
        confusion = ConfusionBelief.of(belief)
        cells = (self.by_cell(confusion) * confusion.mean(target=target)).sum(axis=-1)
        if confusion.outer is confusion.groups:
            return np.asarray(cells)
        share, _ = share_moments(confusion, target)
        return np.asarray((cells.reshape(share.shape) * share).sum(axis=1))

    def variance(self, belief: ConfusionBelief, *, target: Target = "population") -> _Floats:
        """Return the variance of a linear function of rows, or of shares and rows; exact if rows share no map."""
        cost = self.by_cell(belief)
        cells, spread = (cost * belief.mean()).sum(axis=1), belief.variance_of(cost, target=target)
        if belief.outer is belief.groups:
            return np.asarray(spread)
        share, squared = share_moments(belief, target)
        cells, spread = cells.reshape(share.shape), spread.reshape(share.shape)
        within = (squared * spread).sum(axis=1)
        # the squares of the shares give away how much the shares themselves vary
        doubt = np.divide(
            squared - share**2, share * (1 - share), out=np.zeros_like(share), where=share * (1 - share) > 0
        )
        between = doubt.max(axis=1) * ((share * cells**2).sum(axis=1) - (share * cells).sum(axis=1) ** 2)
        return np.asarray(within + between)

    def label_ratio(self, pool: Pool) -> LabelRatio:
        """Every item adds its cost."""
        matrix = self._checked(pool)
        return LabelRatio(matrix, np.ones_like(matrix))

    def names(self, belief: Belief) -> tuple[str, ...]:
        """Return the names of the groups."""
        return belief.outer.names

    def n_labels(self, belief: Belief) -> NDArray[np.int64]:
        """Count the labels of each group."""
        return np.asarray(belief.n_labels.reshape(belief.outer.n_groups, -1).sum(axis=1))

    def n_items(self, belief: Belief) -> NDArray[np.int64]:
        """Return the size of each group."""
        return np.asarray(belief.outer.n_items)

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

    def by_cell(self, belief: ConfusionBelief) -> _Floats:
        """Return the costs of each cell's true classes, shape (n_cells, n_classes)."""
        return self._checked(belief.groups.pool).T[belief.groups.prediction_of_group]
