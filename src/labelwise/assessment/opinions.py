"""Second opinions: who else said what of an item, which items wait for one, and what an owner settled.

Folded from events by the ledger, one at a time. Nothing here knows the belief, which second opinions never change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelwise.pool import ClassName, Pool

_ALL = 2**64  # keys of items lie below


class Opinion(NamedTuple):
    """What somebody said of an item, and when.

    Attributes
    ----------
    label : position in the list of classes.
    at, event : the time, and the number of the event.
    ticket : the ticket it was said on; None if it was imported or settled.

    Examples
    --------
    >>> Opinion("ann", 2, 1_700_000_000.0, 17, 3).labeller
    'ann'
    """

    labeller: str
    label: int
    at: float
    event: int
    ticket: int | None = None


@dataclass(frozen=True)
class Dispute:
    """An item of which two labellers said different things, and nobody decided.

    Attributes
    ----------
    item : its id.
    label, labeller : the label that counts, and who gave it.
    other, other_labeller : the second opinion.
    at : when it was given, in seconds since 1970.

    Examples
    --------
    >>> Dispute("img-7", "cat", "ann", "dog", "bob", 0.0).other
    'dog'
    """

    item: ClassName
    label: ClassName
    labeller: str
    other: ClassName
    other_labeller: str
    at: float


class SecondOpinions:
    """Keeps second opinions, and says which item a labeller is to be asked for one.

    An item is in the share if its key lies below it, and keys come from ids and seed alone: no label and no labeller
    can bend the choice, and a share that grows keeps the items it had. An opinion counts as a second one if somebody
    else gave the label.

    Parameters
    ----------
    keys : gives every item a random number below 2**64; not called before a share is wished for.

    Attributes
    ----------
    share : of the items that are to be labelled twice.
    first : by item, what the label was before anybody settled it.
    by_item : second opinions that stand, oldest first.
    settled : by item, what an owner decided.
    holder : by item, the ticket that asks for a second opinion now.
    disputed : items with a second opinion that differs from the label, not settled since.
    """

    def __init__(self, keys: Callable[[], NDArray[np.uint64]]) -> None:
        self._make_keys = keys
        self._keys: NDArray[np.uint64] | None = None
        self._waiting: dict[int, str] = {}  # by item: who labelled it
        self._lines: dict[str, list[tuple[int, int]]] = {}  # by who labelled: heap of (key, item), some out of date
        self._passed: dict[int, int] = {}  # by item: the ticket on which a second opinion was refused
        self.share = 0.0
        self.first: dict[int, Opinion] = {}
        self.by_item: dict[int, tuple[Opinion, ...]] = {}
        self.settled: dict[int, Opinion] = {}
        self.holder: dict[int, int] = {}
        self.disputed: set[int] = set()

    def next_for(self, labeller: str) -> int | None:
        """Give the item of which a labeller is to be asked next for a second opinion; None if there is none.

        Takes time by the number of labellers, not of items.
        """
        heads = [self._head(name) for name in self._lines if name != labeller] if labeller else []
        key, item = min((head for head in heads if head is not None), default=(_ALL, -1))
        return item if key < self.share * _ALL else None

    def second(self, item: int) -> Opinion | None:
        """Give the newest opinion of an item by somebody else than who gave its label."""
        first = self.first.get(item)
        others = (
            said for said in reversed(self.by_item.get(item, ())) if not (first and said.labeller == first.labeller)
        )
        return next(others, None)

    def counts(self, item: int) -> Opinion:
        """Give what counts of a labelled item: what was settled, else its label."""
        return self.settled.get(item) or self.first[item]

    def is_answered(self, item: int) -> bool:
        """Say whether an item has a second opinion, or was passed by when asked for one."""
        return item in self._passed or self.second(item) is not None

    def wish(self, share: float) -> None:
        """Have so many of the items labelled twice."""
        self.share = share
        if self._keys is None:
            self._keys = self._make_keys()
            for item in self.first:
                self._update(item)

    def hear_first(self, item: int, said: Opinion) -> None:
        """Take in the label of an item."""
        self.first[item] = said
        self._update(item)

    def forget_first(self, item: int) -> None:
        """Take the label of an item back; opinions remain, and count once it has a label again."""
        del self.first[item]
        self.settled.pop(item, None)
        self._update(item)

    def hold(self, item: int, ticket: int) -> None:
        """Give an item to a ticket."""
        self.holder[item] = ticket
        self._update(item)

    def let_go(self, item: int, ticket: int) -> None:
        """Take an item from a ticket, if it has it."""
        if self.holder.get(item) == ticket:
            del self.holder[item]
            self._update(item)

    def hear(self, item: int, said: Opinion) -> None:
        """Take in a second opinion."""
        self.by_item[item] = (*self.by_item.get(item, ()), said)
        self.holder.pop(item, None)
        self._update(item)

    def pass_by(self, item: int, ticket: int) -> None:
        """Take in that a labeller has no second opinion; nobody is asked again."""
        self._passed[item] = ticket
        self.holder.pop(item, None)
        self._update(item)

    def take_back(self, item: int, ticket: int) -> None:
        """Take back what was said on a ticket."""
        left = tuple(said for said in self.by_item.pop(item, ()) if said.ticket != ticket)
        if left:
            self.by_item[item] = left
        if self._passed.get(item) == ticket:
            del self._passed[item]
        self._update(item)

    def settle(self, item: int, said: Opinion) -> None:
        """Take in what an owner decided."""
        self.settled[item] = said
        self._update(item)

    def _head(self, name: str) -> tuple[int, int] | None:
        """Give the first in the line of those that a labeller labelled, after taking out who left it."""
        line = self._lines[name]
        while line and self._waiting.get(line[0][1]) != name:
            heappop(line)
        return line[0] if line else None

    def _update(self, item: int) -> None:
        """See whether an item is disputed, and in which line it waits."""
        if item in self.by_item or item in self.disputed:
            (self.disputed.add if self._is_disputed(item) else self.disputed.discard)(item)
        if self._keys is None:
            return
        line = self.first[item].labeller if self._waits(item) else None
        if line == self._waiting.get(item):
            return
        self._waiting.pop(item, None)
        if line is not None:
            self._waiting[item] = line
            heappush(self._lines.setdefault(line, []), (int(self._keys[item]), item))

    def _waits(self, item: int) -> bool:
        is_open = item in self.first and item not in self.settled
        return is_open and item not in self.holder and not self.is_answered(item)

    def _is_disputed(self, item: int) -> bool:
        second = self.second(item) if item in self.first else None
        settled = self.settled.get(item)
        if second is None:
            return False
        return second.label != self.counts(item).label and (settled is None or second.event > settled.event)


def disputes_of(seconds: SecondOpinions, pool: Pool) -> list[Dispute]:
    """Put disputes in words, oldest first."""
    found = []
    for item in seconds.disputed:
        label, second = seconds.counts(item), seconds.second(item)
        assert second is not None  # or there was no dispute
        names = pool.classes[label.label], label.labeller, pool.classes[second.label], second.labeller
        found.append((second.event, Dispute(pool.id_of(item), *names, second.at)))
    return [dispute for _, dispute in sorted(found, key=lambda entry: entry[0])]
