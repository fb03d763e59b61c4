"""The items of each group in random order: what makes the choice within a group uniform."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.groups import Grouping

_Mask = NDArray[np.bool_]
_APART = 1_000_003  # from the seed of the order to that of the other keys


class Queue:
    """Hands out the items of each group, one after the other, in an order drawn once from ids and seed.

    Items within a group are drawn uniformly at random: this is what makes intervals honest when groups are chosen
    adaptively. The order depends on nothing but ids and seed, so that no label, labeller or policy can bend it. An item
    that comes back (a lease ran out, a label was withdrawn) takes its old place.

    Parameters
    ----------
    items : which items there are to hand out; all of them if None.
    """

    def __init__(self, groups: Grouping, *, seed: int, items: _Mask | None = None) -> None:
        keys = groups.pool.shuffled_keys(seed)
        order = np.lexsort((keys, groups.of_item))
        size = groups.n_items
        if items is not None:
            order = order[items[order]]
            size = np.bincount(groups.of_item[order], minlength=groups.n_groups)
        self._groups, self._seed = groups, seed
        self._order = order  # items, group after group, each group in its random order
        self._rank = np.full(groups.pool.n_items, -1, np.int64)  # -1: never handed out
        self._rank[order] = np.arange(len(order))
        self._end = np.cumsum(size)
        self._next = self._end - size
        self._returned: list[list[int]] = [[] for _ in range(groups.n_groups)]
        self._gone = self._rank < 0  # by item
        self.n_open = size.copy()

    def copy(self) -> Queue:
        """Return a queue that goes its own way from here."""
        other = copy(self)
        other._next, other._gone, other.n_open = self._next.copy(), self._gone.copy(), self.n_open.copy()
        other._returned = [list(ranks) for ranks in self._returned]
        return other

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return which items were handed out, for a snapshot; the order itself comes from ids and seed."""
        return {"gone": self._gone.copy()}

    def restore(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Take back which items were handed out; the queue must be fresh."""
        self._gone = columns["gone"].astype(np.bool_)
        open_ranks = np.append(np.flatnonzero(~self._gone[self._order]), len(self._order))
        self._next = np.minimum(open_ranks[np.searchsorted(open_ranks, self._next)], self._end)
        self.n_open = np.bincount(self._groups.of_item[~self._gone], minlength=self._groups.n_groups)

    def other_keys(self) -> NDArray[np.uint64]:
        """Return each item a random number, from ids and seed alone, that has nothing to do with its place here."""
        return self._groups.pool.shuffled_keys(self._seed + _APART)

    def peek(self, group: int) -> int:
        """Return the item of a group that is next; there must be one."""
        returned = self._returned[group]
        while returned and self._gone[self._order[returned[0]]]:
            heappop(returned)
        end = self._end[group]
        while self._next[group] < end and self._gone[self._order[self._next[group]]]:
            self._next[group] += 1
        if returned and (self._next[group] >= end or returned[0] < self._next[group]):
            return int(self._order[returned[0]])
        return int(self._order[self._next[group]])

    def take(self, item: int) -> None:
        """Take an item out."""
        if not self._gone[item]:
            self._gone[item] = True
            self.n_open[self._groups.of_item[item]] -= 1

    def put_back(self, item: int) -> None:
        """Return an item to its old place."""
        if self._gone[item] and self._rank[item] >= 0:
            self._gone[item] = False
            group = int(self._groups.of_item[item])
            self.n_open[group] += 1
            heappush(self._returned[group], int(self._rank[item]))
