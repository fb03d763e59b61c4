"""The items of each group in random order: what makes the choice within a group uniform."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from labelwise.groups import Grouping


class Queue:
    """Hands out the items of each group, one after the other, in an order drawn once from ids and seed.

    Items within a group are drawn uniformly at random: this is what makes intervals honest when groups are chosen
    adaptively. The order depends on nothing but ids and seed, so that no label, labeller or policy can bend it. An item
    that comes back (a lease ran out, a label was withdrawn) takes its old place.
    """

    def __init__(self, groups: Grouping, *, seed: int) -> None:
        keys = groups.pool.shuffled_keys(seed)
        order = np.lexsort((keys, groups.of_item))
        self._groups = groups
        self._order = order  # items, group after group, each group in its random order
        self._rank = np.empty(len(order), np.int64)
        self._rank[order] = np.arange(len(order))
        self._first = np.cumsum(groups.n_items) - groups.n_items
        self._next = self._first.copy()
        self._returned: list[list[int]] = [[] for _ in range(groups.n_groups)]
        self._gone = np.zeros(len(order), bool)  # by item
        self.n_open = groups.n_items.copy()

    def peek(self, group: int) -> int:
        """Give the item of a group that is next; there must be one."""
        returned = self._returned[group]
        while returned and self._gone[self._order[returned[0]]]:
            heappop(returned)
        end = self._first[group] + self._groups.n_items[group]
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
        """Let an item come back to its old place."""
        if self._gone[item]:
            self._gone[item] = False
            group = int(self._groups.of_item[item])
            self.n_open[group] += 1
            heappush(self._returned[group], int(self._rank[item]))
