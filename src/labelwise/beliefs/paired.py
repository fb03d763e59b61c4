"""Two classifiers on the same items: the belief about who is right where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.beliefs.belief import Belief, Target, checked_labels, is_population
from labelwise.beliefs.beta_binomial import pool_factors
from labelwise.beliefs.dirichlet import DirichletBelief
from labelwise.beliefs.display import belief_table
from labelwise.beliefs.interval import Kind
from labelwise.beliefs.prior import LEAST_PSEUDO_COUNT, FlatPrior, Prior
from labelwise.errors import DataError, UnanswerableError
from labelwise.groups import Grouping
from labelwise.pool import Pool

_Floats = NDArray[np.float64]
OUTCOMES = ("only this one right", "only the rival right", "neither right")
_LEAD = np.array([1.0, -1.0, 0.0])  # what each outcome adds to the lead


@dataclass(frozen=True, eq=False, repr=False)
class PairedBelief(Belief):
    """What we believe of the items on which two classifiers differ: only one is right, only the other, or neither.

    One Dirichlet distribution a group, over the three outcomes. Items on which both predict the same class are right
    or wrong together: their labels teach nothing, and are passed over. All results have the shape (n_groups, 3).

    Attributes
    ----------
    groups : the grouping of all items.
    rival : the class that the other classifier predicts for each item, as a position.
    outcomes : the belief about the items that differ.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "cat", "dog"], columns={"old": ["cat", "dog", "cat"]})
    >>> belief = PairedBelief.start(lw.everything(pool), "old").update([0, 1, 2], [0, 0, 1])
    >>> belief.n_differ, belief.outcomes.counts
    (array([2]), array([[2, 0, 0]]))
    """

    groups: Grouping
    rival: NDArray[np.int32]
    outcomes: DirichletBelief

    @classmethod
    def start(cls, groups: Grouping, rival: str, prior: Prior | None = None) -> PairedBelief:
        """Believe all outcomes equally likely (with two classes, one is always right), before any label.

        Parameters
        ----------
        rival : the kept column with the other classifier's predictions.
        prior : a flat one, whose strength is shared by the outcomes; three labels unless given.
        """
        if prior is not None and not isinstance(prior, FlatPrior):
            raise UnanswerableError("Two classifiers are compared from a flat prior only; leave the prior out.")
        theirs = rival_classes(groups.pool, rival)
        differ = np.flatnonzero(groups.pool.prediction != theirs)
        # A pool of its own, whose classes are the outcomes, lets one Dirichlet belief serve here too.
        outcomes = Pool(OUTCOMES, np.zeros(len(differ), np.int32), None, None, None, groups.pool.fingerprint, rival)
        split = Grouping(outcomes, groups.names, groups.of_item[differ], groups.rule)
        each = (3.0 if prior is None or prior.strength is None else prior.strength) / 3
        alpha = np.full((groups.n_groups, 3), each)
        if groups.pool.n_classes == 2:
            alpha[:, 2] = LEAST_PSEUDO_COUNT
        return cls(groups, theirs, DirichletBelief(split, alpha, np.zeros(alpha.shape, np.int64)))

    @property
    def names(self) -> tuple[str, ...]:
        """One name a group."""
        return self.groups.names

    @property
    def outer(self) -> Grouping:
        """The grouping that items are asked from."""
        return self.groups

    @property
    def n_differ(self) -> NDArray[np.int64]:
        """How many items of each group the classifiers differ on."""
        return self.outcomes.groups.n_items

    @property
    def n_labels(self) -> NDArray[np.int64]:
        """How many labels of items that differ each group has had."""
        return self.outcomes.n_labels

    @cached_property
    def differs(self) -> NDArray[np.bool_]:
        """Whether the classifiers differ on each item."""
        return np.asarray(self.groups.pool.prediction != self.rival)

    @cached_property
    def _place(self) -> NDArray[np.int64]:
        """Position of each item among those that differ."""
        return np.cumsum(self.differs) - 1

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """The counts of labels by name."""
        return self.outcomes.state

    def with_state(self, state: Mapping[str, NDArray[Any]]) -> PairedBelief:
        """Return the belief that starts as this one did and has counted just these labels."""
        return replace(self, outcomes=self.outcomes.with_state(state))

    def update(self, items: ArrayLike, labels: ArrayLike) -> PairedBelief:
        """Learn the labels (positions of classes) of items (positions in the pool)."""
        return replace(self, outcomes=self.outcomes.update(*self._outcome(items, labels)))

    def forget(self, items: ArrayLike, labels: ArrayLike) -> PairedBelief:
        """Take labels back that were learned before: exactly the belief without them."""
        return replace(self, outcomes=self.outcomes.forget(*self._outcome(items, labels)))

    def _outcome(self, items: ArrayLike, labels: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        item, label = checked_labels(items, labels, self.groups.pool)
        item, label = item[self.differs[item]], label[self.differs[item]]
        is_ours, is_theirs = label == self.groups.pool.prediction[item], label == self.rival[item]
        return self._place[item], np.where(is_ours, 0, np.where(is_theirs, 1, 2))

    def merge(self, other: PairedBelief) -> PairedBelief:
        """Join what two beliefs that started from one prior have learned from different items."""
        return replace(self, outcomes=self.outcomes.merge(other.outcomes))

    def mean(self, *, target: Target = "population") -> _Floats:
        """Return the posterior mean share of each outcome among the items that differ."""
        return self.outcomes.mean(target=target)

    def variance(self, *, target: Target = "population") -> _Floats:
        """Return the posterior variance of each share."""
        return self.outcomes.variance(target=target)

    def draw(self, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw shares, shape (n_draws, n_groups, 3)."""
        return self.outcomes.draw(n_draws, target=target, rng=rng)

    def interval(
        self, level: float = 0.95, *, kind: Kind = "equal-tailed", target: Target = "population"
    ) -> tuple[_Floats, _Floats]:
        """Return the ends of the credible interval of each share."""
        return self.outcomes.interval(level, kind=kind, target=target)

    def variance_drop(self, draw: NDArray[Any], *, target: Target = "population") -> _Floats:
        """Return the expected drop of the variance of each group's lead; only some of its items differ."""
        alpha = self.outcomes.alpha
        now = _lead_variance(alpha)
        after = sum(draw[..., j] * _lead_variance(alpha + np.eye(3)[j]) for j in range(3))
        if not is_population(target):
            before, later = pool_factors(alpha.sum(axis=-1), self.outcomes.n_left, self.n_differ)
            now, after = before * now, later * after
        part = self.n_differ / np.maximum(self.groups.n_items, 1)
        return np.asarray(part**2 * (now - after))

    def imagine(self, draw: NDArray[Any], items: NDArray[np.int64], *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw labels of items as they would be if `draw` were true; agreeing items are imagined right."""
        pool = self.groups.pool
        outcome = np.zeros(len(items), np.int64)
        differs = self.differs[items]
        outcome[differs] = self.outcomes.imagine(draw, self._place[items[differs]], rng=rng)
        ours, theirs = pool.prediction[items].astype(np.int64), self.rival[items].astype(np.int64)
        # the first class that neither predicts is 0, 1 or 2; with two classes there is none, and none is imagined
        third = next_class(ours, theirs, pool.n_classes)
        return np.asarray(np.choose(outcome, [ours, theirs, third]))

    def _repr_html_(self) -> str:
        return belief_table(self)

    def __repr__(self) -> str:
        return (
            f"<PairedBelief about {int(self.n_differ.sum()):,} items that differ, after "
            f"{int(self.n_labels.sum()):,} labels>"
        )


def _lead_variance(alpha: _Floats) -> _Floats:
    total = alpha.sum(axis=-1)
    share = alpha / total[..., None]
    lead = share @ _LEAD
    return np.asarray((share @ _LEAD**2 - lead**2) / (total + 1))


def next_class(one: NDArray[np.int64], other: NDArray[np.int64], n_classes: int) -> NDArray[np.int64]:
    """Return, for each pair of classes, the lowest class that is neither; class 0 where there is no third."""
    third = np.zeros(len(one), np.int64)
    for _ in range(2):
        third += (third == one) | (third == other)
    return np.where(third < n_classes, third, 0)


def rival_classes(pool: Pool, column: str) -> NDArray[np.int32]:
    """Return the classes that another classifier predicts, from a kept column, as positions in the pool's classes."""
    values, codes = pool.encoded(column)
    if (codes < 0).any():
        item = pool.id_of(int(np.argmax(codes < 0)))
        raise DataError(f"Column {column!r} is empty for item {item!r}; the rival must predict every item.")
    known = {str(name) for name in pool.classes}
    strange = next((value for value in values if str(value) not in known), None)
    if strange is not None:
        raise DataError(
            f"The rival predicts {strange!r} in column {column!r}, which is not a class of the pool. "
            "Name all `classes` when the pool is read."
        )
    of_value = np.array([pool.class_index(value) for value in values], np.int32)
    theirs = of_value[codes]
    theirs.flags.writeable = False
    return theirs
