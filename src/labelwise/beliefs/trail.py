"""Labels in the order in which they came, and how well each group's labels were predicted before they were seen.

A belief that predicts labels before it sees them is a bet against every other account of them. The probability that it
gave to the labels of a group, over the probability under a fixed accuracy, is a martingale if that accuracy is the true
one: the basis of every guarantee (`metrics/evidence.py`). A good prior makes the evidence grow faster; a bad one makes
it grow slower and never makes it wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from labelwise.beliefs.belief import AccuracyBelief, Belief
from labelwise.groups import Grouping

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_GROWTH = 1.25  # the belief that predicts is fitted anew after this factor more labels
_TRUST = 0.8  # part of the bet that follows a belief which expects something; the rest is a Beta(1/2, 1/2) per group


@dataclass(frozen=True, eq=False, repr=False)
class Trail:
    """Labels in the order in which they came.

    Attributes
    ----------
    start : the belief before any label.
    items, labels : positions of items in the pool, and of their classes, in order.
    bets : log-probability of each group's labels so far, and where the belief that predicts stands.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "cat", "dog"])
    >>> trail = Trail.of(lw.accuracy.start(lw.by_prediction(pool)))
    >>> trail.extended([0, 2], [0, 0]).log_probability.round(3)
    array([-0.693, -0.693])
    """

    start: Belief
    items: _Counts
    labels: _Counts
    bets: _Bets | None

    @classmethod
    def of(cls, start: Belief) -> Self:
        """Return the trail without labels."""
        inner = start.accuracies
        nothing = np.zeros(0, np.int64)
        return cls(start, nothing, nothing, None if inner is None else _Bets.of(inner))

    def extended(self, items: object, labels: object) -> Self:
        """Return the trail with more labels at its end."""
        more = np.atleast_1d(np.asarray(items, np.int64)), np.atleast_1d(np.asarray(labels, np.int64))
        bets = None if self.bets is None else self.bets.after(*more)
        both = np.concatenate([self.items, more[0]]), np.concatenate([self.labels, more[1]])
        return type(self)(self.start, *both, bets)

    def continued(self, items: _Counts, labels: _Counts) -> Self:
        """Return the trail of just these labels, going on from this one if they begin with its own."""
        n = len(self.items)
        if n <= len(items) and np.array_equal(items[:n], self.items) and np.array_equal(labels[:n], self.labels):
            return self.extended(items[n:], labels[n:])
        return type(self).of(self.start).extended(items, labels)

    @property
    def groups(self) -> Grouping:
        """The grouping that items are asked from."""
        return self.start.outer

    @property
    def log_probability(self) -> _Floats:
        """Log-probability of each group's labels, each predicted from those before it; only where hits are believed."""
        assert self.bets is not None
        return self.bets.log_probability

    @cached_property
    def hits(self) -> _Counts:
        """Hits of each group."""
        right = self.labels == self.groups.pool.prediction[self.items]
        return np.bincount(self.groups.of_item[self.items[right]], minlength=self.groups.n_groups)

    @cached_property
    def n_labels(self) -> _Counts:
        """Labels of each group."""
        return np.bincount(self.groups.of_item[self.items], minlength=self.groups.n_groups)

    def is_hit(self, g: int) -> NDArray[np.bool_]:
        """Return whether each label of a group was a hit, in order."""
        items, labels = self.in_group(g)
        return np.asarray(labels == self.groups.pool.prediction[items])

    def in_group(self, g: int) -> tuple[_Counts, _Counts]:
        """Return items and labels of a group, in order."""
        mine = self.groups.of_item[self.items] == g
        return self.items[mine], self.labels[mine]


@dataclass(frozen=True, eq=False)
class _Bets:
    """Where prediction stands: a Beta per group from the last fit, and the labels since then.

    Attributes
    ----------
    belief : after the labels up to the last fit; `waiting` are the items and labels since.
    a, b : of the Beta distribution that predicts each group's next labels, those since the last fit counted.
    told : log-probability of each group's labels under these predictions.
    hits, labels : of each group, all of them.
    """

    belief: AccuracyBelief
    waiting: tuple[tuple[int, ...], tuple[int, ...]]
    a: _Floats
    b: _Floats
    told: _Floats
    hits: _Counts
    labels: _Counts
    fit_at: int
    trust: float

    @classmethod
    def of(cls, start: AccuracyBelief) -> _Bets:
        a, b = _predictive(start)
        nothing = np.zeros(start.n_groups, np.int64)
        expects_nothing = not start.is_learned and bool(np.array_equal(a, b))
        trust = 0.0 if expects_nothing else _TRUST
        return cls(start, ((), ()), a, b, np.zeros(start.n_groups), nothing, nothing, 1, trust)

    def after(self, items: _Counts, labels: _Counts) -> _Bets:
        """Return where prediction stands after more labels, in their order; fits follow the number of labels alone."""
        state, done = self, 0
        while done < len(items):
            n = len(items) - done
            if self.belief.is_learned:
                n = min(n, state.fit_at - int(state.labels.sum()))
            state = state._told(items[done : done + n], labels[done : done + n])
            done += n
        return state

    def _told(self, items: _Counts, labels: _Counts) -> _Bets:
        """Take labels up to the next fit in, and fit if it is due."""
        groups = self.belief.outer
        right = labels == groups.pool.prediction[items]
        n = np.bincount(groups.of_item[items], minlength=groups.n_groups)
        h = np.bincount(groups.of_item[items[right]], minlength=groups.n_groups)
        told = self.told + betaln(self.a + h, self.b + n - h) - betaln(self.a, self.b)
        a, b, hits, all_labels = self.a + h, self.b + n - h, self.hits + h, self.labels + n
        belief, waiting, fit_at, total = self.belief, self.waiting, self.fit_at, int(all_labels.sum())
        if belief.is_learned:  # one Beta per group follows the labels by itself
            waiting = (*waiting[0], *items.tolist()), (*waiting[1], *labels.tolist())
            if total >= fit_at:
                belief, waiting = belief.update(*map(np.array, waiting)), ((), ())
                a, b = _predictive(belief)
                fit_at = max(total + 1, int(total * _GROWTH))
        return _Bets(belief, waiting, a, b, told, hits, all_labels, fit_at, self.trust)

    @property
    def plain(self) -> _Floats:
        """Log-probability under a Beta(1/2, 1/2) per group, which no prior can mislead."""
        return np.asarray(betaln(0.5 + self.hits, 0.5 + self.labels - self.hits) - betaln(0.5, 0.5))

    @property
    def log_probability(self) -> _Floats:
        """The mixture of both, per group."""
        if not self.trust:
            return self.plain
        return np.asarray(np.logaddexp(np.log(self.trust) + self.told, np.log1p(-self.trust) + self.plain))


def _predictive(belief: AccuracyBelief) -> tuple[_Floats, _Floats]:
    """Return the Beta distribution per group with the mean of the items left and the variance of the accuracy."""
    if not belief.is_learned and belief.betas is not None:
        return belief.betas
    mean, variance = belief.mean(), belief.variance()
    sizes = belief.n_items
    if sizes is not None:
        left = sizes - belief.labels
        of_rest = (sizes * belief.mean(target="pool") - belief.hits) / np.maximum(left, 1)
        mean = np.where(left > 0, of_rest, mean)
    mean = np.clip(mean, 1e-6, 1 - 1e-6)
    total = np.maximum(mean * (1 - mean) / np.maximum(variance, 1e-12) - 1, 1e-3)
    return mean * total, (1 - mean) * total
