"""A metric as a function of how often each kind of labelled item occurs.

Whatever is known of a labelled item that matters to a metric is its code: for accuracy hit or miss, for F1 the pair of
true and predicted class, for the Brier score its loss. With a weight for every code the metric is a number, and
random weights (the Bayesian bootstrap; for the pool, Polya's urn) make it a posterior that needs no model, and that two
classifiers on the same items can share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Target
from labelwise.beliefs.belief import is_population
from labelwise.errors import UnanswerableError
from labelwise.metrics.description import Described
from labelwise.pool import Pool

_Floats = NDArray[np.float64]
_CHUNK = 4_000_000  # weights in memory at once
_LEVELS = 20_000  # different values kept of a continuous loss


@dataclass(frozen=True, eq=False)
class Tally:
    """The codes of a pool's items, and the metric as a function of the weight of each code.

    Attributes
    ----------
    codes : code of each item, from 0; meaningless for items without a label.
    n_codes : how many codes there are.
    value : from weights, shape (..., n_codes), to the metric, shape (...).
    """

    codes: NDArray[np.int64]
    n_codes: int
    value: Callable[[_Floats], _Floats]

    def of(self, items: NDArray[np.int64]) -> float:
        """Return the metric on these items, as if they were all there is."""
        weights = np.bincount(self.codes[items], minlength=self.n_codes).astype(float)
        return float(self.value(weights))


class Tallied(Described, ABC):
    """Anything with a value over the whole pool: a metric, or a loss of the scores."""

    @property
    def is_mean_of_classes(self) -> bool:
        """Whether its value of the whole pool is a mean over classes, which needs many labels of each."""
        return False

    @property
    def overall_name(self) -> str:
        """How its value of the whole pool is called in tables."""
        return self.name

    @abstractmethod
    def tally(self, pool: Pool) -> Tally:
        """Return the value of the whole pool as a function of its labelled items."""

    def value_on(self, pool: Pool, items: NDArray[np.int64]) -> float:
        """Return the value on these labelled items, as if they were all there is."""
        return self.tally(pool).of(items)


def tally_of_losses(losses: _Floats, items: NDArray[np.int64], n_items: int) -> Tally:
    """Make the tally whose metric is the mean of a loss; close losses share a code if there are very many.

    Only the labelled items have a loss. One made up for the others would move the levels that the true ones fall into.
    """
    order = np.argsort(losses, kind="stable")
    level = np.cumsum(np.diff(losses[order], prepend=losses[order[0]]) > 0, dtype=np.int64)
    if level[-1] >= _LEVELS:
        level = np.arange(len(losses)) * _LEVELS // len(losses)
    codes = np.zeros(n_items, np.int64)
    codes[items[order]] = level
    values = np.bincount(level, losses[order]) / np.bincount(level)
    return Tally(codes, len(values), lambda weights: weights @ values / weights.sum(axis=-1))


def labelled_items(pool: Pool, purpose: str) -> NDArray[np.int64]:
    """Return the items with a label, refusing a pool that has none."""
    items = np.flatnonzero(pool.known_labels(purpose) >= 0)
    if len(items) == 0:
        raise UnanswerableError(f"No item of this pool has a label, and {purpose} needs some.")
    return items


def draw_tallies(
    tallies: tuple[Tally, ...],
    items: NDArray[np.int64],
    n_left: int,
    n_draws: int,
    *,
    target: Target,
    rng: np.random.Generator,
) -> _Floats:
    """Draw the values of metrics that share their items, shape (n_draws, number of tallies).

    Parameters
    ----------
    tallies : one a classifier.
    items : the labelled items.
    n_left : items without a label, which the pool target fills in by Polya's urn.
    """
    joint = np.zeros(len(items), np.int64)
    for tally in tallies:
        joint = joint * tally.n_codes + tally.codes[items]
    patterns, counts = np.unique(joint, return_counts=True)
    codes = []
    for tally in reversed(tallies):
        patterns, code = np.divmod(patterns, tally.n_codes)
        codes.append(code)
    codes.reverse()
    parts = [
        np.stack([t.value(gathered(w, c, t.n_codes)) for t, c in zip(tallies, codes, strict=True)], axis=-1)
        for w in _weights(counts, n_left, n_draws, max(t.n_codes for t in tallies), target, rng)
    ]
    return np.concatenate(parts)


def _weights(
    counts: NDArray[np.int64], n_left: int, n_draws: int, n_codes: int, target: Target, rng: np.random.Generator
) -> Iterator[_Floats]:
    if not is_population(target) and n_left == 0:
        yield counts[None].astype(float)  # nothing is left to chance: one draw stands for all
        return
    size = max(1, _CHUNK // max(len(counts), n_codes))
    for start in range(0, n_draws, size):
        weights = rng.standard_gamma(counts.astype(float), (min(size, n_draws - start), len(counts)))
        weights /= weights.sum(axis=1, keepdims=True)
        yield weights if is_population(target) else (counts + rng.multinomial(n_left, weights)).astype(float)


def gathered(weights: _Floats, codes: NDArray[np.int64], n_codes: int) -> _Floats:
    """Add up weights, shape (..., n_patterns), that share a code; shape (..., n_codes)."""
    order = np.argsort(codes, kind="stable")
    present, firsts = np.unique(codes[order], return_index=True)
    out = np.zeros((*weights.shape[:-1], n_codes))
    out[..., present] = np.add.reduceat(weights[..., order], firsts, axis=-1)
    return out
