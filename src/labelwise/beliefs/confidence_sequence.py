"""Always-valid intervals of accuracies: they hold at all times together, however one chooses and stops.

A credible interval speaks about one look. Here is the other kind, a confidence sequence: whatever the true accuracy,
the chance that the interval misses it at *any* number of labels is at most 1 - level. Items of a group are asked in
random order, and a policy only decides when the next of them is asked; so this holds for each group under every policy
and every stopping rule. It holds for each group by itself, not for all groups together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln, gammaln, xlogy

from labelwise.beliefs.belief import AccuracyBelief, Target, is_population
from labelwise.checks import check_between, check_positive, plain
from labelwise.errors import ArgumentError

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_STEPS = 100  # of Newton from outside; ten are usual
_ROUNDING = 16 * np.finfo(float).eps  # of a log-factorial, relative


def always_valid(
    hits: ArrayLike,
    labels: ArrayLike,
    n_items: ArrayLike | None = None,
    *,
    level: float = 0.95,
    a: float = 0.5,
    b: float = 0.5,
) -> tuple[_Floats, _Floats]:
    """Return the ends of the always-valid interval of each accuracy.

    All accuracies against which the labels are weaker evidence than 1 / (1 - level). The evidence is the probability of
    the labels under a Beta(a, b) distribution of accuracies over that under the accuracy itself, which is a martingale
    if that accuracy is the true one; Ville's inequality does the rest. a and b change the width, never the guarantee,
    as long as they are fixed before the first label.

    Parameters
    ----------
    hits, labels : of each group, drawn at random within it.
    n_items : size of each group: the interval is then of the accuracy on exactly these items, drawn without
        replacement, and closes when all are labelled. None: of the accuracy on new items.
    level : the probability that the interval never misses.
    a, b : of the Beta distribution; one half makes intervals narrowest where classifiers are, from 0.85 up.

    References
    ----------
    Robbins (1970), "Statistical methods related to the law of the iterated logarithm"; Waudby-Smith and Ramdas (2020),
    "Confidence sequences for sampling without replacement".

    Examples
    --------
    >>> low, high = always_valid([8, 80], [10, 100])
    >>> low.round(3), high.round(3)
    (array([0.342, 0.648]), array([0.991, 0.909]))
    >>> low, high = always_valid([8, 80], [10, 100], n_items=[10, 150])
    >>> low.round(3), high.round(3)
    (array([0.8  , 0.713]), array([0.8 , 0.86]))
    """
    check_between(level, "level", 0, 1)
    check_positive(a, "a")
    check_positive(b, "b")
    sizes = None if n_items is None else _counts(n_items, "n_items")
    x, n = np.broadcast_arrays(_counts(hits, "hits"), _counts(labels, "labels"))
    bad = (x < 0) | (x > n)
    if bad.any():
        raise ArgumentError(f"{int(x[bad][0])} hits among {int(n[bad][0])} labels cannot be.")
    log_probability = betaln(a + x, b + (n - x)) - betaln(a, b)  # of the labels in their order
    if sizes is not None:
        x, n, sizes, log_probability = np.broadcast_arrays(x, n, sizes, log_probability)
        if (n > sizes).any():
            raise ArgumentError(f"{int(n[n > sizes][0])} labels of {int(sizes[n > sizes][0])} items cannot be.")
    return confidence_set(x, n, log_probability + np.log1p(-level), sizes)


def confidence_set(
    hits: _Counts, labels: _Counts, base: _Floats, n_items: _Counts | None = None
) -> tuple[_Floats, _Floats]:
    """Return the ends of the accuracies whose evidence, the log of a likelihood ratio, is below a threshold.

    Parameters
    ----------
    hits, labels : of each group.
    base : log-probability that some prediction gave to the labels in their order, less the threshold.
    n_items : size of each group, for the pool; None for new items.
    """
    if n_items is None:
        # No accuracy makes the labels likelier than their own share of hits: if even that is refuted, it alone is left.
        base = np.minimum(
            base, xlogy(hits, hits / np.maximum(labels, 1)) + xlogy(labels - hits, 1 - hits / np.maximum(labels, 1))
        )
        return _below(hits, labels - hits, base), 1 - _below(labels - hits, hits, base)
    return _in_pool(hits, labels, n_items, base)


def always_valid_of(
    belief: AccuracyBelief, *, level: float = 0.95, target: Target = "population"
) -> tuple[_Floats, _Floats]:
    """Return the always-valid interval of each group of a belief about accuracies; its prior plays no part.

    Examples
    --------
    >>> import labelwise as lw
    >>> belief = lw.beliefs.BetaBelief.from_counts(hits=[8, 2], labels=[10, 3], n_items=[10, 30])
    >>> always_valid_of(belief, target="pool")[0].round(3)
    array([0.8, 0.1])
    """
    if is_population(target):
        return always_valid(belief.hits, belief.labels, level=level)
    sizes = getattr(belief, "n_items_checked", belief.n_items)
    return always_valid(belief.hits, belief.labels, sizes, level=level)


def _counts(values: ArrayLike, name: str) -> _Counts:
    array = np.asarray(values)
    if array.dtype.kind not in "iubf" or (array != np.floor(array)).any():
        raise ArgumentError(f"`{name}` must be whole numbers, but has {plain(array.ravel()[0])!r}.")
    return array.astype(np.int64)


def _below(x: _Counts, y: _Counts, base: _Floats) -> _Floats:
    """Return the lower t at which base - x log t - y log(1 - t) is 0: Newton in log t, on a function that is convex."""
    x, y, base = (np.asarray(value, float) for value in (x, y, base))
    there = x > 0
    x = np.where(there, x, 1.0)
    # Without the last term the root lies further out, and from outside Newton climbs to it without overshooting.
    u = np.where(there, base / x, -1.0)
    for _ in range(_STEPS):
        rest = -np.expm1(u)  # 1 - t
        value = base - x * u - y * np.log(rest)
        step = value / (x - y * np.exp(u) / rest)
        step = np.where(there & (step > 0), step, 0.0)  # rounding at the root may point back
        u = u + step
        if not (step > 1e-16 * np.abs(u)).any():
            break
    return np.where(there, np.exp(u), 0.0)


def _in_pool(x: _Counts, n: _Counts, sizes: _Counts, base: _Floats) -> tuple[_Floats, _Floats]:
    """Return the ends over all numbers M of hits in the pool, each by bisection from the likeliest M."""
    order = gammaln(sizes + 1.0) - gammaln(sizes - n + 1.0)  # log of the number of ordered draws
    slack = _ROUNDING * (1 + gammaln(sizes + 2.0))  # an M at the very limit stays in

    def is_in(m: _Counts) -> NDArray[np.bool_]:
        ways = gammaln(m + 1.0) - gammaln(m - x + 1.0)
        ways += gammaln(sizes - m + 1.0) - gammaln(sizes - m - (n - x) + 1.0)
        return np.asarray(base + order - ways < slack)

    least, most = x, sizes - (n - x)
    likeliest = np.clip(x * (sizes + 1) // np.maximum(n, 1), least, most)
    ends = []
    for far in (least, most):
        outside, inside = far.copy(), likeliest.copy()
        inside = np.where(is_in(far), far, inside)
        while (np.abs(outside - inside) > 1).any():
            middle = (outside + inside) // 2
            found = is_in(middle)
            inside, outside = np.where(found, middle, inside), np.where(found, outside, middle)
        ends.append(inside / np.maximum(sizes, 1))
    there = sizes > 0
    return np.where(there, ends[0], 0.0), np.where(there, ends[1], 1.0)
