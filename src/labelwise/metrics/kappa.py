"""How far two labels of the same item agree beyond chance: Cohen's and Fleiss' kappa, and an interval that covers.

A table of pairs counts items by what was said first (row) and second (column). What an assessment makes of it is not
here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelwise.beliefs.interval import draws_interval
from labelwise.errors import DataError

_Floats = NDArray[np.float64]
KAPPA_DRAWS = 4_000
_TINY = 1e-9  # a Dirichlet has no weight of 0


def cohen_kappa(pairs: ArrayLike) -> float:
    """Return Cohen's kappa of two labellers, each with habits of their own; NaN if chance alone makes them agree.

    Parameters
    ----------
    pairs : items by class of one labeller (row) and of the other (column).

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales.

    Examples
    --------
    >>> round(cohen_kappa([[20, 5], [10, 15]]), 4)
    0.4
    """
    return _kappa(_table(pairs), is_ordered=True)


def fleiss_kappa(counts: ArrayLike) -> float:
    """Return Fleiss' kappa of labellers who may change from item to item; NaN if chance alone makes them agree.

    Parameters
    ----------
    counts : how often each item (row) was given each class (column), equally often for every item.

    References
    ----------
    Fleiss (1971), Measuring nominal scale agreement among many raters.

    Examples
    --------
    >>> round(fleiss_kappa([[2, 0], [2, 0], [0, 2], [1, 1]]), 4)
    0.4667
    """
    table = np.asarray(counts, float)
    n_said = table.sum(axis=1) if table.ndim == 2 else np.zeros(1)
    if not len(table) or (n_said < 2).any() or (n_said != n_said[0]).any():
        raise DataError("Every item must have been labelled equally often, at least twice. Leave the others out.")
    n_said = n_said[0]
    agreed = float(((table**2).sum(axis=1) - n_said).mean() / (n_said * (n_said - 1)))
    chance = float(((table.sum(axis=0) / table.sum()) ** 2).sum())
    return (agreed - chance) / (1 - chance) if chance < 1 else float("nan")


def kappa_interval(
    pairs: ArrayLike, *, is_ordered: bool, level: float = 0.95, n_draws: int = KAPPA_DRAWS, rng: np.random.Generator
) -> tuple[float, float]:
    """Return a credible interval of kappa that also covers when items are few and nearly all of them agree.

    Parameters
    ----------
    pairs : items by class said first (row) and second (column).
    is_ordered : whether rows are one labeller and columns another (Cohen), or anybody (Fleiss).

    Returns
    -------
    The ends; the kappa of the table lies between them. NaN if only one class was ever said.

    Examples
    --------
    >>> low, high = kappa_interval([[20, 5], [10, 15]], is_ordered=True, rng=np.random.default_rng(1))
    >>> round(low, 1), round(high, 1)
    (0.1, 0.6)
    """
    draws = kappa_draws(pairs, is_ordered=is_ordered, n_draws=n_draws, rng=rng)
    low, high = (float(end[0]) for end in draws_interval(draws[:, None], level, "equal-tailed"))
    point = _kappa(_table(pairs), is_ordered)
    return (low, high) if np.isnan(point) else (min(low, point), max(high, point))


def kappa_draws(
    pairs: ArrayLike, *, is_ordered: bool, n_draws: int, prior: float = 0.5, rng: np.random.Generator
) -> _Floats:
    """Draw kappa from what is believed after a table of pairs.

    The share that agrees has a Beta prior; which of the classes that were said are agreed upon, and which are taken for
    which, has a Dirichlet prior each, worth one item. Decision 15 says how often its intervals cover.

    Parameters
    ----------
    prior : pseudo-items that agree, and as many that do not; Jeffreys' one half unless given.

    Examples
    --------
    >>> draws = kappa_draws([[20, 5], [10, 15]], is_ordered=True, n_draws=4_000, rng=np.random.default_rng(1))
    >>> round(float(draws.mean()), 1)
    0.4
    """
    table = _table(pairs)
    said = (table.sum(axis=0) + table.sum(axis=1)) > 0
    table = table[np.ix_(said, said)]
    k = len(table)
    if k == 1:
        return np.full(n_draws, np.nan)
    alike = np.diag(table)
    rows, columns = np.nonzero(table * (1 - np.eye(k)))
    n_cells, n_unlike = k * (k - 1), table[rows, columns]
    agreed = rng.beta(prior + alike.sum(), prior + n_unlike.sum(), n_draws)[:, None]
    which = agreed * rng.dirichlet(1 / k + alike, n_draws)  # (n_draws, k)
    # Cells that nobody filled are one, spread evenly over the classes: a thousand classes have a million of them.
    weights = np.append(1 / n_cells + n_unlike, max(n_cells - len(rows), _TINY) / n_cells)
    others = (1 - agreed) * rng.dirichlet(weights, n_draws)  # (n_draws, n_filled + 1)
    by_row = which + others @ _shares(rows, k)
    by_column = which + others @ _shares(columns, k)
    if not is_ordered:
        by_row = by_column = (by_row + by_column) / 2
    chance = (by_row * by_column).sum(axis=1)
    drawn: _Floats = (agreed[:, 0] - chance) / (1 - chance)
    return drawn


def _shares(classes: NDArray[np.int64], k: int) -> _Floats:
    """Return which class (column) each filled cell (row) adds to; the last row is all cells that are not filled."""
    return np.vstack([np.eye(k)[classes], np.full(k, 1 / k)])


def _table(pairs: ArrayLike) -> _Floats:
    table = np.asarray(pairs, float)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or (table < 0).any() or table.sum() == 0:
        raise DataError("Pairs of labels must be a square table of counts, not all of them 0.")
    return table


def _kappa(table: _Floats, is_ordered: bool) -> float:
    """Return the kappa of a table; to Fleiss, rows and columns are alike."""
    parts = table / table.sum()
    agreed, rows, columns = float(np.trace(parts)), parts.sum(axis=1), parts.sum(axis=0)
    if not is_ordered:
        rows = columns = (rows + columns) / 2
    chance = float(rows @ columns)
    return (agreed - chance) / (1 - chance) if chance < 1 else float("nan")
