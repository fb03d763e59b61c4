"""The prediction sets of the 2019 workshop paper by their counts, which are all that is known of one of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from labelwise.beliefs import BetaBelief, FlatPrior
from labelwise.groups import by_prediction
from labelwise.metrics import accuracy, belief_from_labels
from labelwise.pool import Pool, pool_from_arrays
from papers.sources import Sources

_FILES = {
    "CIFAR-100": "authors_perclass_cifar100.csv",
    "SVHN": "authors_perclass_svhn.csv",
    "Dialogue": "authors_perclass_jamia_first.csv",
    "Dialogue (one fold)": "authors_perclass_jamia_final.csv",
}


def counted_pool(sources: Sources, data: str) -> Pool:
    """Return the pool of the authors' counts by the name that figures call it."""
    rows = sources.rows(_FILES[data])
    return pool_of_counts(
        [row["Predicted_Class_k"] for row in rows],
        hits=[int(row["R_k"]) for row in rows],
        items=[int(row["N_k"]) for row in rows],
        confidence=[float(row["Conf_k"] or "nan") for row in rows],  # an empty class has none
    )


def counted_belief(sources: Sources, data: str) -> BetaBelief:
    """Return what all labels say of the accuracy of every class, under the paper's prior Beta(1, 1)."""
    return BetaBelief.of(belief_from_labels(accuracy, by_prediction(counted_pool(sources, data)), FlatPrior()))


def pool_of_counts(names: Sequence[str], *, hits: ArrayLike, items: ArrayLike, confidence: ArrayLike) -> Pool:
    """Return a pool with so many items and hits in every predicted class.

    Every item has the mean confidence of its class, and a miss is labelled as the next class: right for whatever asks
    about hits and mean confidences by class, and for nothing else.

    Examples
    --------
    >>> pool = pool_of_counts(["cat", "dog"], hits=[2, 0], items=[3, 0], confidence=[0.9, float("nan")])
    >>> pool.hits, pool.confidence
    (array([ True,  True, False]), array([0.9, 0.9, 0.9]))
    """
    n_hits, n_items = np.asarray(hits), np.asarray(items)
    own = np.arange(len(names))
    each = np.stack([n_hits, n_items - n_hits], axis=1).ravel()  # hits and misses of each class in turn
    label = np.repeat(np.stack([own, (own + 1) % len(own)], axis=1).ravel(), each)
    name = np.array(names)
    return pool_from_arrays(
        predicted=name[np.repeat(own, n_items)],
        confidence=np.repeat(np.asarray(confidence, float), n_items),
        labels=name[label],
        classes=list(names),
    )


NOTES = (
    "Flat prior Beta(1, 1), all labels. The paper's pages were not to be had: what a figure shows is taken from the "
    "authors' notebooks, and its number from the order of the data sets.",
)
