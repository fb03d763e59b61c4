"""Expected and maximum calibration error, believed through cells of group and score bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from labelwise.beliefs import BetaBelief, CellBelief, InformedPrior, LearnedAccuracy, Prior, Target, is_population
from labelwise.groups import BINS, BinRule, Grouping, by_score
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
    >>> metric = lw.ECE(bins=2)
    >>> belief = lw.belief_from_labels(metric, lw.everything(pool))
    >>> metric.mean(belief).round(4), metric.plug_in(belief).round(4)
    (array([0.1582]), array([0.0944]))
    """

    name: ClassVar[str] = "ece"
    label: ClassVar[str] = "ECE"
    title: ClassVar[str] = "Expected calibration error (ECE)"
    worse: ClassVar[Worse] = "high"

    def draw(
        self, belief: CellBelief, n_draws: int, *, target: Target = "population", rng: np.random.Generator
    ) -> _Floats:
        """Draw calibration errors."""
        theta = belief.draw(n_draws, target=target, rng=rng)  # (n_draws, n_groups, n_bins)
        np.subtract(theta, belief.confidence, out=theta)
        return np.einsum("gb,dgb->dg", belief.weight, np.abs(theta, out=theta))

    def mean(self, belief: CellBelief, *, target: Target = "population") -> _Floats | None:
        """Return the exact posterior mean; None of the pool where cells share a map, for that needs draws."""
        if is_population(target):
            return np.asarray((belief.weight * _mean_gap(belief)).sum(axis=1))
        if isinstance(belief.beta, LearnedAccuracy):
            return None
        return np.asarray((belief.weight * _mean_gap_in_pool(belief, belief.beta)).sum(axis=1))

    def draw_overall(
        self, belief: CellBelief, n_draws: int, *, target: Target = "population", rng: np.random.Generator
    ) -> _Floats:
        """Draw the whole pool's error: gaps of one bin cancel between groups before their size is taken."""
        gap = belief.draw(n_draws, target=target, rng=rng) - belief.confidence  # (n_draws, n_groups, n_bins)
        share = belief.weight * belief.groups.share[:, None]
        return np.asarray(np.abs(np.einsum("gb,dgb->db", share, gap)).sum(axis=1))

    def plug_in(self, belief: CellBelief, *, target: Target = "population") -> _Floats:
        """Return the calibration error of the posterior means."""
        gap = np.abs(belief.mean(target=target) - belief.confidence)
        return np.asarray((belief.weight * gap).sum(axis=-1))

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
    >>> round(float(lw.known_value(lw.MCE(bins=2), pool)), 3)
    0.4
    """

    name: ClassVar[str] = "mce"
    label: ClassVar[str] = "MCE"
    title: ClassVar[str] = "Maximum calibration error (MCE)"
    worse: ClassVar[Worse] = "high"

    def draw(
        self, belief: CellBelief, n_draws: int, *, target: Target = "population", rng: np.random.Generator
    ) -> _Floats:
        """Draw maximum calibration errors."""
        gap = np.abs(belief.draw(n_draws, target=target, rng=rng) - belief.confidence)
        return np.asarray(np.where(belief.weight > 0, gap, 0.0).max(axis=2))

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


def _mean_gap(belief: CellBelief) -> _Floats:
    """E|X - s| of a Beta: m - s + 2 s F(s; a, b) - 2 m F(s; a + 1, b), m its mean."""
    a, b, s = belief.beta.a, belief.beta.b, belief.confidence.ravel()
    m = a / (a + b)
    gap = m - s + 2 * s * betainc(a, b, s) - 2 * m * betainc(a + 1, b, s)
    if isinstance(belief.beta, LearnedAccuracy):
        gap = belief.beta.maps.weight @ gap
    return np.asarray(gap.reshape(belief.confidence.shape))


def _mean_gap_in_pool(belief: CellBelief, beta: BetaBelief) -> _Floats:
    rest = beta.remainder
    size = np.maximum(belief.cells.n_items, 1)
    entries = rest.n + 1
    accuracy = (np.repeat(beta.hits, entries) + rest.hits) / np.repeat(size, entries)
    gap = rest.mean_of(np.abs(accuracy - np.repeat(belief.confidence.ravel(), entries)))
    return gap.reshape(belief.confidence.shape)


ece = ECE()
mce = MCE()
