"""The grouping: a partition of a pool, in which every item belongs to exactly one group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.checks import find
from labelwise.pool import Pool
from labelwise.pool.html_table import group_rows, html_table

_BLOCK = 65_536  # rows; limits the size of the copy when a score matrix is sorted by group


@dataclass(frozen=True, eq=False, repr=False)
class Grouping:
    """A partition of a pool into groups.

    Empty groups are kept: a class that is never predicted has weight zero, its posterior is the prior, and no label
    is requested for it.

    Attributes
    ----------
    pool : the pool.
    names : one name per group.
    of_item : the group of each item.
    rule : short description of the rule, such as "prediction".
    factors : the groupings that were crossed, if any; the last one varies fastest.
    min_items : groups with fewer items are left out: they are neither asked nor named.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.7, 0.8], classes=["cat", "dog", "emu"])
    >>> groups = lw.by_prediction(pool)
    >>> groups.names, groups.n_items
    (('cat', 'dog', 'emu'), array([2, 1, 0]))
    """

    pool: Pool
    names: tuple[str, ...]
    of_item: NDArray[np.int32]
    rule: str
    factors: tuple[Grouping, ...] = ()
    min_items: int = 1

    def __post_init__(self) -> None:
        self.of_item.flags.writeable = False

    @property
    def n_groups(self) -> int:
        """Number of groups, including empty ones."""
        return len(self.names)

    @cached_property
    def n_items(self) -> NDArray[np.int64]:
        """Number of items per group."""
        return np.bincount(self.of_item, minlength=self.n_groups)

    @cached_property
    def share(self) -> NDArray[np.float64]:
        """Proportion of the pool's items in each group."""
        return self.n_items / self.pool.n_items

    @cached_property
    def candidates(self) -> NDArray[np.bool_]:
        """Which groups take part: those that hold items, and at least `min_items` of them."""
        found = np.asarray(self.n_items >= max(self.min_items, 1))
        found.flags.writeable = False
        return found

    @property
    def n_left_out(self) -> int:
        """Number of groups that hold items, but too few to take part."""
        return int(((self.n_items > 0) & ~self.candidates).sum())

    @property
    def left_out(self) -> str:
        """How many groups and items are left out, in one sentence without its full stop; empty if none are."""
        n_groups = self.n_left_out
        if n_groups == 0:
            return ""
        n_items = int(self.n_items[~self.candidates].sum())
        which, verb = ("group", "was") if n_groups == 1 else ("groups", "were")
        items = "item" if n_items == 1 else "items"
        return f"{n_groups:,} {which} with fewer than {self.min_items:,} items {verb} left out ({n_items:,} {items})"

    @cached_property
    def mean_confidence(self) -> NDArray[np.float64]:
        """Mean confidence of each group; NaN for an empty one."""
        total = np.bincount(self.of_item, self.pool.known_confidence("a mean confidence"), self.n_groups)
        return divide(total, self.n_items)

    @cached_property
    def mean_scores(self) -> NDArray[np.float64]:
        """Mean score vector of each group, shape (n_groups, n_classes); NaN for an empty one."""
        scores = self.pool.known_scores("a mean score vector")
        total = np.zeros((self.n_groups, self.pool.n_classes))
        for start in range(0, self.pool.n_items, _BLOCK):
            group = self.of_item[start : start + _BLOCK]
            order = np.argsort(group, kind="stable")
            firsts = np.flatnonzero(np.diff(group[order], prepend=-1))
            block = scores[start : start + _BLOCK][order]
            # in float64: summing up to 65,536 float32 scores sequentially loses three of their seven digits
            total[group[order][firsts]] += np.add.reduceat(block, firsts, axis=0, dtype=np.float64)
        return divide(total, self.n_items[:, None])

    @cached_property
    def prediction_of_group(self) -> NDArray[np.int32] | None:
        """The predicted class of each group; None unless the grouping, or its last factor, is by prediction.

        Empty groups have a class as well.
        """
        last = self.factors[-1] if self.factors else self
        if last.rule != "prediction":
            return None
        return np.tile(np.arange(last.n_groups, dtype=np.int32), self.n_groups // last.n_groups)

    def index(self, name: str) -> int:
        """Return the position of a group by its name."""
        return find(str(name), self.names, "Group")

    def items_of(self, group: int) -> NDArray[np.int64]:
        """Return the items of a group, in the order of the pool."""
        return np.flatnonzero(self.of_item == group)

    def _repr_html_(self) -> str:
        columns: dict[str, Any] = {"group": self.names, "items": self.n_items}
        if self.pool.confidence is not None:
            columns["mean confidence"] = self.mean_confidence
        return html_table(group_rows(**columns), title=repr(self).strip("<>"), n_rows=self.n_groups)

    def __repr__(self) -> str:
        n_empty = int((self.n_items == 0).sum())
        empty = f", {n_empty} of them empty" if n_empty else ""
        few = f", {self.n_left_out} left out with fewer than {self.min_items:,} items" if self.n_left_out else ""
        return f"<Grouping by {self.rule}: {self.n_groups} groups{empty}{few}>"


def divide(total: NDArray[Any], count: NDArray[Any]) -> NDArray[np.float64]:
    """Divide elementwise, with NaN where the count is 0."""
    return np.divide(total, count, out=np.full(np.shape(total), np.nan), where=count > 0)


def unique_names(values: Sequence[Any]) -> tuple[str, ...]:
    """Convert values to unique names by numbering duplicates.

    Examples
    --------
    >>> unique_names(["a", "a", "b"])
    ('a', 'a (2)', 'b')
    """
    names = [str(value) for value in values]
    taken = set(names)
    number: dict[str, int] = {}  # the last number used for each name
    for i, name in enumerate(names):
        number[name] = number.get(name, 0) + 1
        if number[name] > 1:
            number[name] = next(n for n in count(number[name]) if f"{name} ({n})" not in taken)
            names[i] = f"{name} ({number[name]})"
            taken.add(names[i])
    return tuple(names)
