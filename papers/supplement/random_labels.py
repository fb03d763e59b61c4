"""Labels of random items as counts: what a random sample of a pool tells about each of its groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.groups import Grouping

_Counts = NDArray[np.int64]


def hits_of(groups: Grouping) -> _Counts:
    """Return the hits of each group on all labels.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog", "cat"], labels=["cat", "cat", "cat"])
    >>> hits_of(lw.by_prediction(pool))
    array([2, 0])
    """
    return np.bincount(groups.of_item, groups.pool.hits, groups.n_groups).astype(np.int64)


def random_labels(groups: Grouping, n_labels: int, n_runs: int, *, rng: np.random.Generator) -> tuple[_Counts, _Counts]:
    """Return hits and labels of each group after labels of random items, shape (n_runs, n_groups).

    Items are drawn without replacement, so the counts of (group, hit) are multivariate hypergeometric: no item need be
    drawn to know them.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> hits, labels = random_labels(lw.by_prediction(pool), 8, 1_000, rng=np.random.default_rng(1))
    >>> labels.sum(axis=1).max(), labels.mean(axis=0).round(1), (hits[:, 1] == 0).all()
    (np.int64(8), array([6., 2.]), np.True_)
    """
    hits = hits_of(groups)
    kinds = np.concatenate([hits, groups.n_items - hits])
    drawn = rng.multivariate_hypergeometric(kinds, n_labels, size=n_runs)
    found = drawn[:, : groups.n_groups]
    return found, found + drawn[:, groups.n_groups :]
