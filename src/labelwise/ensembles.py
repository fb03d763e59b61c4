"""Ensembles of classifiers: their average scores, and their disagreement."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from labelwise.errors import ArgumentError, DataError
from labelwise.groups import BinRule, Grouping
from labelwise.groups.by_score import BINS, bins_of
from labelwise.pool import Pool, pool_from_arrays

__all__ = ["Ensemble", "by_disagreement"]

_Floats = NDArray[np.float64]
_BLOCK = 16_384  # rows; limits the temporary memory of the entropies


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """Several classifiers that scored the same items.

    The total uncertainty is the entropy of the averaged scores; the aleatoric uncertainty is the members' mean
    entropy; the epistemic uncertainty is the difference, which measures their disagreement and is never negative.

    Parameters
    ----------
    members : pools with scores of the same items and classes, in the same order.

    Examples
    --------
    >>> import labelwise as lw
    >>> sure = lw.pool_from_arrays(scores=[[1.0, 0.0], [0.5, 0.5]])
    >>> unsure = lw.pool_from_arrays(scores=[[0.0, 1.0], [0.5, 0.5]])
    >>> ensemble = Ensemble([sure, unsure])
    >>> ensemble.epistemic.round(3), ensemble.aleatoric.round(3)
    (array([0.693, 0.   ]), array([0.   , 0.693]))
    """

    members: Sequence[Pool]

    def __post_init__(self) -> None:
        if len(self.members) < 2:
            raise ArgumentError(f"An ensemble needs at least two members, but `members` has {len(self.members)}.")
        first = self.members[0]
        for number, member in enumerate(self.members[1:], start=2):
            member.known_scores("an ensemble")
            if member.classes != first.classes:
                raise DataError(
                    f"Member {number} and the first member have different classes. Read both with the same `classes`."
                )
            if member.n_items != first.n_items or not np.array_equal(member.all_ids(), first.all_ids()):
                raise DataError(
                    f"Member {number} and the first member differ in their items or the order of them. Sort both by id."
                )

    @cached_property
    def pool(self) -> Pool:
        """The pool whose scores are the members' average; ids, labels and columns are those of the first member."""
        first = self.members[0]
        scores = sum(m.known_scores("an ensemble").astype(np.float64) for m in self.members) / len(self.members)
        average = pool_from_arrays(scores=scores, classes=first.classes)
        # includes the members' fingerprints, which depend on labels and columns
        fingerprint = _joined([average.fingerprint, *(m.fingerprint for m in self.members)])
        return replace(
            average,
            labels=first.labels,
            ids=first.ids,
            columns=first.columns,
            content=first.content,
            fingerprint=fingerprint,
            source=f"average of {len(self.members)} members",
        )

    @cached_property
    def total(self) -> _Floats:
        """Entropy of the averaged scores, in nats."""
        return entropy(self.pool.known_scores("an ensemble"))

    @cached_property
    def aleatoric(self) -> _Floats:
        """Mean entropy of the members' scores, in nats."""
        return np.mean([entropy(m.known_scores("an ensemble")) for m in self.members], axis=0)

    @cached_property
    def epistemic(self) -> _Floats:
        """Total minus aleatoric uncertainty: the mutual information between member and class, in nats."""
        return np.maximum(self.total - self.aleatoric, 0.0)

    def __repr__(self) -> str:
        return f"<Ensemble of {len(self.members)} members, {self.pool.n_items:,} items>"


def entropy(scores: NDArray[np.floating]) -> _Floats:
    """Return the entropy -sum_k p_k log p_k of each row in nats, with 0 log 0 = 0."""
    out = np.empty(len(scores))
    for start in range(0, len(scores), _BLOCK):
        block = scores[start : start + _BLOCK].astype(np.float64)
        logs = np.log(block, out=np.zeros_like(block), where=block > 0)
        out[start : start + _BLOCK] = -np.einsum("ij,ij->i", block, logs)
    return out


def by_disagreement(ensemble: Ensemble, bins: int = BINS, *, equal: BinRule = "mass") -> Grouping:
    """Group items by the disagreement of the ensemble's members (epistemic uncertainty).

    Examples
    --------
    >>> import labelwise as lw
    >>> one = lw.pool_from_arrays(scores=[[0.9, 0.1], [0.5, 0.5]])
    >>> two = lw.pool_from_arrays(scores=[[0.1, 0.9], [0.5, 0.5]])
    >>> by_disagreement(Ensemble([one, two]), 2).of_item
    array([1, 0], dtype=int32)
    """
    most = np.log(ensemble.pool.n_classes)  # the largest possible entropy
    names, of_item = bins_of(ensemble.epistemic, bins, equal, most=float(most))
    return Grouping(ensemble.pool, names, of_item, f"disagreement ({bins} bins of equal {equal})")


def _joined(fingerprints: Sequence[str]) -> str:
    return hashlib.blake2b("".join(fingerprints).encode(), digest_size=16).hexdigest()
