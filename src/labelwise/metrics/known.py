"""Metrics as plain frequencies over the labelled items, no belief involved, and losses of the scores."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Kind, Target
from labelwise.beliefs.interval import check_interval, draws_interval
from labelwise.groups.by_score import BINS, width_bins
from labelwise.metrics.description import Worse
from labelwise.metrics.metric import N_DRAWS
from labelwise.metrics.posterior import Posterior
from labelwise.metrics.tally import Tallied, Tally, draw_tallies, labelled_items, tally_of_losses
from labelwise.pool import Pool

_Floats = NDArray[np.float64]
_BLOCK = 2048  # rows; a block of 100 scores stays in the cache


@dataclass(frozen=True)
class MeanLoss(Tallied):
    """The mean over items of a loss of the scores; it has no belief of its own, and goes through the bootstrap."""

    worse: ClassVar[Worse] = "high"

    @abstractmethod
    def losses(self, pool: Pool, items: NDArray[np.int64]) -> _Floats:
        """Return the loss of each of these labelled items."""

    def tally(self, pool: Pool) -> Tally:
        """Take the loss of each item."""
        items = labelled_items(pool, f"the {self.name}")
        return tally_of_losses(self.losses(pool, items), items, pool.n_items)

    def value_on(self, pool: Pool, items: NDArray[np.int64]) -> float:
        """Return the mean loss of these items: it needs no codes, and sorting them costs most of a tally."""
        return float(self.losses(pool, items).mean())


@dataclass(frozen=True)
class Brier(MeanLoss):
    """Brier score: the mean over items of the squared distance between the scores and the truth, between 0 and 2.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(scores=[[0.9, 0.1], [0.4, 0.6]], labels=[0, 0])
    >>> round(known_value(lw.metrics.brier, pool), 4)
    0.37
    """

    name: ClassVar[str] = "brier"

    def losses(self, pool: Pool, items: NDArray[np.int64]) -> _Floats:
        """Return the squared distance of each of these items."""
        scores, label = pool.known_scores("the Brier score"), pool.known_labels("the Brier score")
        out = np.empty(len(items))
        for start in range(0, len(items), _BLOCK):
            part = items[start : start + _BLOCK]
            block = _rows(scores, part).astype(np.float64)
            true = block[np.arange(len(part)), label[part]]
            out[start : start + _BLOCK] = np.einsum("ij,ij->i", block, block) - 2 * true + 1
        return out


@dataclass(frozen=True)
class LogLoss(MeanLoss):
    """Log loss: the mean over items of -log(score of the true class); a score of 0 counts as the smallest number.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(scores=[[0.9, 0.1], [0.4, 0.6]], labels=[0, 0])
    >>> round(known_value(lw.metrics.log_loss, pool), 4)
    0.5108
    """

    name: ClassVar[str] = "log-loss"

    def losses(self, pool: Pool, items: NDArray[np.int64]) -> _Floats:
        """Return -log(score of the true class) of each of these items."""
        scores, label = pool.known_scores("the log loss"), pool.known_labels("the log loss")
        chosen = scores[items, label[items]].astype(np.float64)
        return -np.log(np.maximum(chosen, np.finfo(scores.dtype).tiny))


brier = Brier()
log_loss = LogLoss()


def known_value(metric: Tallied, pool: Pool) -> float:
    """Return the plain value of a metric on the labelled items of a pool, prior and uncertainty left aside.

    Examples
    --------
    >>> import labelwise as lw
    >>> known_value(lw.accuracy, lw.pool_from_arrays(predicted=[0, 1, 1], labels=[0, 1, 0]))
    0.6666666666666666
    """
    return metric.value_on(pool, labelled_items(pool, metric.name))


def _rows(scores: NDArray[Any], items: NDArray[np.int64]) -> NDArray[Any]:
    """Return these rows: a view if they are one run, else a copy."""
    return scores[items[0] : items[-1] + 1] if items[-1] - items[0] + 1 == len(items) else scores[items]


def bootstrap(
    metric: Tallied,
    pool: Pool,
    *,
    level: float = 0.95,
    kind: Kind = "equal-tailed",
    target: Target = "population",
    n_draws: int = N_DRAWS,
    rng: np.random.Generator,
) -> Posterior:
    """Return value and interval of any metric over the whole pool, without a model of it: the Bayesian bootstrap.

    For labels drawn at random from the whole pool. The mean shown is the plain value on the labelled items.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(scores=[[0.9, 0.1], [0.4, 0.6]], labels=[0, 0])
    >>> bootstrap(lw.metrics.brier, pool, target="pool", rng=np.random.default_rng(1)).high
    array([0.37])
    """
    check_interval(level, kind)
    items = labelled_items(pool, metric.name)
    tally = metric.tally(pool)
    draws = draw_tallies((tally,), items, pool.n_items - len(items), n_draws, target=target, rng=rng)
    low, high = draws_interval(draws, level, kind)
    mean, n_labels = np.array([tally.of(items)]), np.array([len(items)])
    return Posterior(metric.description, ("all items",), mean, low, high, n_labels, level, kind, target, "draws")


def classwise_ece(pool: Pool, *, bins: int = BINS) -> _Floats:
    """Return the one-against-all calibration error of every class: all its scores against how often it is true.

    Not the error of the items *predicted* this class, which is `ECE` with a grouping by prediction. Bins have equal
    width. Needs scores and the label of every item.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(scores=[[0.9, 0.1], [0.4, 0.6]], labels=[0, 1])
    >>> classwise_ece(pool, bins=2)
    array([0.25, 0.25])
    """
    scores = pool.known_scores("the classwise calibration error")
    items = labelled_items(pool, "the classwise calibration error")
    label = pool.known_labels("the classwise calibration error")
    n_classes = pool.n_classes
    total = np.zeros(n_classes)
    gap = np.zeros(n_classes * bins)  # sum of scores less number of true ones, by class and bin
    for start in range(0, len(items), 65_536):
        part = items[start : start + 65_536]
        block = _rows(scores, part)
        total += block.sum(axis=0, dtype=np.float64)
        # Scores of an item add up to 1, so all but a few lie in the first bin: count the others, and take the rest.
        # One flat search is four times as fast as one for rows and columns.
        flat = block.reshape(-1)
        found = np.flatnonzero(flat >= 1 / bins)
        column, value = found % n_classes, flat[found].astype(np.float64)
        cell = column * bins + width_bins(value, bins)
        gap += np.bincount(cell, value, n_classes * bins)
        true = width_bins(block[np.arange(len(part)), label[part]].astype(np.float64), bins)
        gap -= np.bincount(label[part] * bins + true, minlength=n_classes * bins)
    by_class = gap.reshape(n_classes, bins)
    by_class[:, 0] += total - (by_class.sum(axis=1) + np.bincount(label[items], minlength=n_classes))
    return np.abs(by_class).sum(axis=1) / len(items)
