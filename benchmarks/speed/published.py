"""The published algorithms as plain loops, one label a step: what the compiled engine is compared with.

Written for this benchmark after the papers' public code (disiji/active-assess, disiji/bayesian-blackbox): the same
calls at the same grain, NumPy's old generator among them. Left out, which makes the loops quicker: logs, the progress
bar, and the look at all scores of an item to see whether it is a hit. The expected variance of a Dirichlet is the right
one, at the same cost.

References
----------
Ji, Logan, Smyth, Steyvers (AAAI 2021), algorithm 1; (2020) for the expected calibration error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

_Floats = NDArray[np.float64]
Queues = Sequence[deque[Any]]
_ROPE_DRAWS = 10_000
_UNSEEN = 1e-4  # what a bin without labels counts


class Loop(ABC):
    """Thompson sampling: gains of one draw, the best group with items left, one item of it, and what it teaches."""

    def __init__(self, queues: Queues, rng: np.random.RandomState) -> None:
        self._queues, self._rng = queues, rng

    @abstractmethod
    def gains(self) -> _Floats:
        """Return the gain of every group, exhausted or not, if one draw of the belief were true."""

    @abstractmethod
    def learn(self, group: int, item: Any) -> None:
        """Take one labelled item into the belief."""

    def play(self, n_steps: int) -> None:
        """Label so many items."""
        for _ in range(n_steps):
            for group in np.argsort(self.gains())[::-1]:
                if len(self._queues[group]) != 0:
                    self.learn(group, self._queues[group].pop())
                    break


class LeastAccurate(Loop):
    """One Beta per group; an item is whether it is a hit."""

    def __init__(self, queues: Queues, rng: np.random.RandomState, a: _Floats, b: _Floats) -> None:
        super().__init__(queues, rng)
        self._beliefs = np.column_stack([a, b])  # (n_groups, 2)

    def _draw(self) -> _Floats:
        return self._rng.beta(self._beliefs[:, 0], self._beliefs[:, 1])

    def gains(self) -> _Floats:
        return -self._draw()

    def learn(self, group: int, item: bool) -> None:
        self._beliefs[group, 0 if item else 1] += 1


class Estimation(LeastAccurate):
    """The same belief; the gain is the expected drop of the variance, weighed by the shares of the groups."""

    def __init__(self, queues: Queues, rng: np.random.RandomState, a: _Floats, b: _Floats, share: _Floats) -> None:
        super().__init__(queues, rng, a, b)
        self._share = share

    def gains(self) -> _Floats:
        theta, a, b = self._draw(), self._beliefs[:, 0], self._beliefs[:, 1]
        after = beta.var(a + 1, b) * theta + beta.var(a, b + 1) * (1 - theta)
        return (beta.var(a, b) - after) * self._share


class Comparison(LeastAccurate):
    """The same belief; the gain is the expected probability of the likeliest verdict on two groups, from draws."""

    def __init__(
        self, queues: Queues, rng: np.random.RandomState, a: _Floats, b: _Floats, pair: tuple[int, int], margin: float
    ) -> None:
        super().__init__(queues, rng, a, b)
        self._pair, self._margin = list(pair), margin

    def _verdict(self, one: tuple[float, float], other: tuple[float, float]) -> float:
        gap = self._rng.beta(*one, _ROPE_DRAWS) - self._rng.beta(*other, _ROPE_DRAWS)
        margin = self._margin
        return max((gap < -margin).mean(), (np.abs(gap) <= margin).mean(), (gap > margin).mean())

    def gains(self) -> _Floats:
        theta = self._draw()[self._pair]
        (a1, b1), (a2, b2) = self._beliefs[self._pair]
        hit = np.array([self._verdict((a1 + 1, b1), (a2, b2)), self._verdict((a1, b1), (a2 + 1, b2))])
        miss = np.array([self._verdict((a1, b1 + 1), (a2, b2)), self._verdict((a1, b1), (a2, b2 + 1))])
        gains = np.full(len(self._beliefs), -1.0)
        gains[self._pair] = hit * theta + miss * (1 - theta)
        return gains


class Confusion(Loop):
    """One Dirichlet per predicted class, to estimate all of them; an item is its true class."""

    def __init__(self, queues: Queues, rng: np.random.RandomState, alpha: _Floats, share: _Floats) -> None:
        super().__init__(queues, rng)
        self._alpha, self._share = alpha.copy(), share

    @staticmethod
    def _variance(alpha: _Floats) -> float:
        total = alpha.sum()
        return (alpha * (total - alpha) / (total * total * (total + 1))).sum()

    def gains(self) -> _Floats:
        theta, after = np.empty_like(self._alpha), np.empty_like(self._alpha)  # (n_groups, n_classes)
        for g, alpha in enumerate(self._alpha):
            theta[g] = self._rng.dirichlet(alpha)
        for j in range(self._alpha.shape[1]):
            more = self._alpha.copy()
            more[:, j] += 1
            after[:, j] = [self._variance(alpha) for alpha in more]
        before = np.array([self._variance(alpha) for alpha in self._alpha])
        return (before - (after * theta).sum(axis=1)) * self._share

    def learn(self, group: int, item: int) -> None:
        self._alpha[group, item] += 1


class ClasswiseError(Loop):
    """One Beta per group and bin of the score, group by group, for the largest calibration error.

    An item is whether it is a hit, and its score. Shares and mean scores of bins are those of the labels so far.
    """

    def __init__(
        self, queues: Queues, rng: np.random.RandomState, a: _Floats, b: _Floats, labels: _Floats, confidence: _Floats
    ) -> None:
        super().__init__(queues, rng)
        parts = (a, b, labels + _UNSEEN, np.where(labels > 0, confidence, 0.0))  # each (n_groups, n_bins)
        self._groups = [tuple(part[g].copy() for part in parts) for g in range(len(a))]

    def gains(self) -> _Floats:
        return np.array([self._drawn_error(*group) for group in self._groups])

    def _drawn_error(self, a: _Floats, b: _Floats, n: _Floats, confidence: _Floats) -> float:
        theta = self._rng.beta(a, b)
        return np.dot(np.abs(theta - confidence), n / sum(n))

    def learn(self, group: int, item: tuple[bool, float]) -> None:
        hit, score = item
        a, b, n, confidence = self._groups[group]
        k = min(int(score * len(n)), len(n) - 1)
        (a if hit else b)[k] += 1
        confidence[k] = (confidence[k] * n[k] + score) / (n[k] + 1)
        n[k] += 1
