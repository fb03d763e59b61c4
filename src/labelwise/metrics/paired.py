"""Two classifiers on the same items, compared item by item."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv

from labelwise.beliefs import Kind, Target
from labelwise.beliefs.interval import check_interval
from labelwise.checks import check_within, listing
from labelwise.errors import DataError, UnanswerableError
from labelwise.metrics.accuracy import accuracy
from labelwise.metrics.difference import Difference, difference_of_draws, double_exponential, root
from labelwise.metrics.metric import N_DRAWS
from labelwise.metrics.tally import Tallied, Tally, draw_tallies
from labelwise.pool import Pool

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PairedDifference:
    """The difference of two classifiers, and how few items it hangs on.

    Attributes
    ----------
    difference : the first classifier less the second.
    n_items : items that both have predicted and that have a label.
    n_differ : items on which the two predict different classes; only these can tell them apart in accuracy.
    n_only_one, n_only_other : items that only the first, or only the second, predicts rightly.
    """

    difference: Difference
    n_items: int
    n_differ: int
    n_only_one: int
    n_only_other: int


def compare_classifiers(
    one: Pool,
    other: Pool,
    metric: Tallied | None = None,
    *,
    margin: float = 0.0,
    level: float = 0.95,
    kind: Kind = "equal-tailed",
    target: Target = "population",
    n_draws: int = N_DRAWS,
    names: tuple[str, str] = ("first", "second"),
    rng: np.random.Generator,
) -> PairedDifference:
    """Compare two classifiers on the items they share (matched by id), any metric, paired.

    Pairing matters: on the same items the two are right and wrong together most of the time, and what they have in
    common cancels. Accuracy in the population has a Dirichlet(1, 1, 2) belief about (only the first right, only the
    second, both or none), by quadrature; everything else is the Bayesian bootstrap over items.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> truth = [0, 1, 0, 1, 0, 1]
    >>> one = lw.pool_from_arrays(predicted=[0, 1, 0, 1, 0, 0], labels=truth)
    >>> other = lw.pool_from_arrays(predicted=[0, 1, 1, 0, 1, 0], labels=truth)
    >>> result = compare_classifiers(one, other, rng=np.random.default_rng(1))
    >>> result.n_differ, result.n_only_one, round(result.difference.p_higher, 4)
    (3, 3, 0.9375)
    """
    metric = metric if metric is not None else accuracy
    check_interval(level, kind)
    check_within(margin, "margin", 0, 1)
    first, second = _matched(one, other)
    items_one, items_two = first, second
    labels = one.known_labels("a comparison")[items_one]
    _check_same_truth(one, other, items_one, items_two)
    labelled = labels >= 0
    items_one, items_two = items_one[labelled], items_two[labelled]
    if len(items_one) == 0:
        raise UnanswerableError("No item that both classifiers predicted has a label; a comparison needs some.")
    n_left = int((~labelled).sum())
    hits_one, hits_two = one.hits[items_one], other.hits[items_two]
    only_one, only_two = int((hits_one & ~hits_two).sum()), int((~hits_one & hits_two).sum())
    if metric.is_share_of_hits and target == "population" and kind == "equal-tailed":
        found = _accuracy_difference(only_one, only_two, len(items_one), names, margin, level)
    else:
        tallies = (metric.tally(one), _moved(metric, other, items_one, items_two, one.n_items))
        draws = draw_tallies(tallies, items_one, n_left, n_draws, target=target, rng=rng)
        found = difference_of_draws(draws[:, 0] - draws[:, 1], *names, metric.description, margin, level, kind)
    n_differ = int((one.prediction[first] != _as_classes_of(one, other)[second]).sum())
    return PairedDifference(found, len(items_one), n_differ, only_one, only_two)


def with_rival(pool: Pool, other: Pool, name: str = "rival") -> Pool:
    """Return a pool that keeps another classifier's predictions of the same items, matched by id, as a column.

    Examples
    --------
    >>> import labelwise as lw
    >>> one, other = (lw.pool_from_arrays(predicted=p, classes=["cat", "dog"]) for p in ([0, 1], [1, 1]))
    >>> with_rival(one, other).column("rival")
    array(['dog', 'dog'], dtype=object)
    """
    mine, theirs = _matched(pool, other)
    if len(mine) < pool.n_items:
        left_out = np.ones(pool.n_items, bool)
        left_out[mine] = False
        item = pool.id_of(int(np.argmax(left_out)))
        raise DataError(f"The other classifier has no prediction for item {item!r}; it must predict every item.")
    codes = np.empty(pool.n_items, np.int64)
    codes[mine] = _as_classes_of(pool, other)[theirs]
    return pool.with_column(name, np.array(pool.classes, object)[codes], origin=other.fingerprint)


def _matched(one: Pool, other: Pool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    if set(one.classes) != set(other.classes):
        strange = sorted(set(one.classes) ^ set(other.classes), key=str)
        raise DataError(f"The two pools differ in their classes: {listing(strange)}. Name the same `classes` for both.")
    if (one.ids is None) != (other.ids is None):
        raise DataError("One of the two pools has ids and the other has none. Name the id column of both.")
    if one.ids is None:
        if one.n_items != other.n_items:
            raise DataError(
                f"The pools have {one.n_items} and {other.n_items} items and no ids to match them by. "
                "Name an id column."
            )
        return np.arange(one.n_items), np.arange(one.n_items)
    place = {value: i for i, value in enumerate(other.all_ids().tolist())}
    pairs = [(i, place[value]) for i, value in enumerate(one.all_ids().tolist()) if value in place]
    if not pairs:
        raise DataError("The two pools have no id in common; a paired comparison needs the same items.")
    first, second = np.array(pairs, np.int64).T
    return first, second


def _as_classes_of(one: Pool, other: Pool) -> NDArray[np.int64]:
    """Return the other pool's predictions as positions in the first pool's classes."""
    position = np.array([one.classes.index(name) for name in other.classes])
    return np.asarray(position[other.prediction])


def _check_same_truth(one: Pool, other: Pool, first: NDArray[np.int64], second: NDArray[np.int64]) -> None:
    mine, theirs = one.known_labels("a comparison")[first], other.known_labels("a comparison")[second]
    position = np.array([*(one.classes.index(name) for name in other.classes), -1])
    differ = mine != position[theirs]
    if differ.any():
        i = int(np.argmax(differ))
        names = [str(p.classes[c]) if c >= 0 else "(none)" for p, c in ((one, mine[i]), (other, theirs[i]))]
        raise DataError(
            f"Item {one.id_of(int(first[i]))!r} has label {names[0]!r} in one pool and {names[1]!r} in the other; "
            "a paired comparison needs the same items with the same labels. Match them by id."
        )


def _moved(metric: Tallied, other: Pool, first: NDArray[np.int64], second: NDArray[np.int64], n_items: int) -> Tally:
    """Return the other pool's tally with its codes at the first pool's positions."""
    tally = metric.tally(other)
    codes = np.zeros(n_items, np.int64)
    codes[first] = tally.codes[second]
    return replace(tally, codes=codes)


def _accuracy_difference(
    only_one: int, only_two: int, n: int, names: tuple[str, str], margin: float, level: float
) -> Difference:
    a, b, rest = 1.0 + only_one, 1.0 + only_two, 2.0 + n - only_one - only_two

    def below(d: float, closed: bool) -> float:
        return 1 - _paired_above(a, b, rest, d)

    higher, lower = _paired_above(a, b, rest, margin), _paired_above(b, a, rest, margin)
    low, high = root(below, (1 - level) / 2), root(below, (1 + level) / 2)
    mean = (a - b) / (a + b + rest)
    equal = max(0.0, 1 - lower - higher)
    return Difference(*names, accuracy.description, margin, mean, low, high, lower, equal, higher, "exact")


def _paired_above(a: float, b: float, rest: float, d: float) -> float:
    """P(x - y > d) for (x, y, z) ~ Dirichlet(a, b, rest).

    x + y = s ~ Beta(a + b, rest) and x / s = w ~ Beta(a, b) are independent, and x - y = s (2 w - 1).
    """
    nodes, weight = double_exponential()
    # |x - y| <= s: where s < |d| the answer is known, and the integrand has its kink there
    edge = float(betainc(a + b, rest, min(abs(d), 1.0)))
    s = betaincinv(a + b, rest, np.minimum(edge + (1 - edge) * nodes, 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = np.clip(np.nan_to_num((1 + d / s) / 2, nan=0.5, posinf=1.0, neginf=0.0), 0.0, 1.0)
    inside = (1 - edge) * float(weight @ betainc(b, a, 1 - cut))
    return min(1.0, inside + (edge if d < 0 else 0.0))
