"""Expected and maximum calibration error, believed through cells of group and score bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, CellBelief, InformedPrior, Prior, Target
from labelwise.groups import BinRule, Grouping, by_score
from labelwise.groups.by_score import BINS
from labelwise.metrics.description import Worse
from labelwise.metrics.metric import Metric, MetricOptions
from labelwise.metrics.tally import Tally
from labelwise.pool import Pool

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _CellMetric(Metric):
    """What the metrics over cells share: the belief that they read."""

    bins: int = BINS
    equal: BinRule = "width"
    own_prior: ClassVar[Prior] = InformedPrior()

    @classmethod
    def from_options(cls, options: MetricOptions) -> Self:
        """Return the metric with `--bins` and `--equal-mass`."""
        return cls(options.bins, options.equal)

    def start(self, groups: Grouping, prior: Prior | None = None) -> CellBelief:
        """Return one Beta per group and bin."""
        return CellBelief.start(groups, prior, bins=self.bins, equal=self.equal)

    def _cell_tally(self, pool: Pool) -> tuple[NDArray[np.int64], Grouping]:
        bins = by_score(pool, self.bins, equal=self.equal)
        return bins.of_item.astype(np.int64) * 2 + pool.hits, bins


@dataclass(frozen=True)
class ECE(_CellMetric):
    """Expected calibration error: sum_b p_b |theta_b - s_b| in each group.

    Three numbers go by this name. `mean` is the exact posterior mean; `plug_in` puts the posterior means of the cells
    into the formula; the frequentist ECE (`known_value`) puts the plain frequencies in. With few labels the first
    is the largest, because noise in a cell counts as error.

    Parameters
    ----------
    bins : how many.
    equal : whether bins have equal "width" or equal "mass".

    References
    ----------
    Ji, Logan, Smyth, Steyvers (2020), equation 4; (AAAI 2021), supplement, equation 1.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.4, 0.8], labels=[0, 1, 1])
    >>> metric = lw.metrics.ECE(bins=2)
    >>> belief = lw.belief_from_labels(metric, lw.everything(pool))
    >>> metric.mean(belief).round(4), metric.plug_in(belief).round(4)
    (array([0.1582]), array([0.0944]))
    """

    name: ClassVar[str] = "ece"
    label: ClassVar[str] = "ECE"
    title: ClassVar[str] = "Expected calibration error (ECE)"
    worse: ClassVar[Worse] = "high"
    takes_stacks: ClassVar[bool] = True

    def draw(self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw calibration errors."""
        cells = CellBelief.of(belief)
        theta = cells.draw(n_draws, target=target, rng=rng)  # (n_draws, n_groups, n_bins)
        np.subtract(theta, cells.confidence, out=theta)
        return np.einsum("gb,dgb->dg", cells.weight, np.abs(theta, out=theta))

    def mean(self, belief: Belief, *, target: Target = "population") -> _Floats | None:
        """Return the exact posterior mean; None of the pool where cells share a map, for that needs draws."""
        cells = CellBelief.of(belief)
        gap = cells.beta.mean_gap(cells.confidence.ravel(), target=target)
        return None if gap is None else np.asarray((cells.weight * gap.reshape(cells.weight.shape)).sum(axis=1))

    def draw_overall(
        self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator
    ) -> _Floats:
        """Draw the whole pool's error: gaps of one bin cancel between groups before their size is taken."""
        cells = CellBelief.of(belief)
        gap = cells.draw(n_draws, target=target, rng=rng) - cells.confidence  # (n_draws, n_groups, n_bins)
        share = cells.weight * cells.groups.share[:, None]
        return np.asarray(np.abs(np.einsum("gb,dgb->db", share, gap)).sum(axis=1))

    def plug_in(self, belief: Belief, *, target: Target = "population") -> _Floats:
        """Return the calibration error of the posterior means."""
        cells = CellBelief.of(belief)
        gap = np.abs(cells.mean(target=target) - cells.confidence)
        return np.asarray((cells.weight * gap).sum(axis=-1))

    def tally(self, pool: Pool) -> Tally:
        """Code each item by bin and hit; shares and mean confidences of bins are known without labels."""
        codes, bins = self._cell_tally(pool)

        def value(weights: _Floats) -> _Floats:
            return np.asarray(np.nansum(bins.share * _gaps(weights, bins), axis=-1))

        return Tally(codes, 2 * self.bins, value)


@dataclass(frozen=True)
class MCE(_CellMetric):
    """Maximum calibration error: the largest |theta_b - s_b| over the bins of a group that hold items.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.4, 0.8], labels=[0, 1, 1])
    >>> round(float(lw.metrics.known_value(lw.metrics.MCE(bins=2), pool)), 3)
    0.4
    """

    name: ClassVar[str] = "mce"
    label: ClassVar[str] = "MCE"
    title: ClassVar[str] = "Maximum calibration error (MCE)"
    worse: ClassVar[Worse] = "high"

    def draw(self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw maximum calibration errors."""
        cells = CellBelief.of(belief)
        gap = np.abs(cells.draw(n_draws, target=target, rng=rng) - cells.confidence)
        return np.asarray(np.where(cells.weight > 0, gap, 0.0).max(axis=2))

    def tally(self, pool: Pool) -> Tally:
        """Code each item by bin and hit."""
        codes, bins = self._cell_tally(pool)

        def value(weights: _Floats) -> _Floats:
            return np.asarray(np.nan_to_num(_gaps(weights, bins)).max(axis=-1))

        return Tally(codes, 2 * self.bins, value)


def _gaps(weights: _Floats, bins: Grouping) -> _Floats:
    """Return |frequency - mean confidence| of each bin from the weights of (bin, hit); NaN where nothing is known."""
    misses, hits = weights[..., 0::2], weights[..., 1::2]
    total = hits + misses
    frequency = np.divide(hits, total, out=np.full(hits.shape, np.nan), where=total > 0)
    return np.abs(frequency - bins.mean_confidence)


ece = ECE()
mce = MCE()
