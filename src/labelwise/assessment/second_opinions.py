"""Second opinions: who else said what of an item, which items wait for one, and what an owner settled.

Folded from events by the ledger, one at a time. Nothing here knows the belief, which second opinions never change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment.ticket_table import Names, Rows
from labelwise.pool import ClassName, Pool

_ALL = 2**64  # keys of items lie below
_COLUMNS = np.dtype(
    [("labeller", np.int32), ("label", np.int32), ("at", np.float64), ("event", np.int64), ("ticket", np.int64)]
)


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


class Opinions(MutableMapping[int, Opinion]):
    """One opinion per item, kept in columns: an opinion is made when it is asked for.

    Examples
    --------
    >>> opinions = Opinions()
    >>> opinions[3] = Opinion("ann", 2, 1_700_000_000.0, 17, 0)
    >>> again = Opinions(opinions.columns())
    >>> again[3] == opinions[3], list(again)
    (True, [3])
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]] | None = None) -> None:
        given = {} if columns is None else dict(columns)
        items = given.pop("item", np.array([], np.int64)).tolist()
        self._names = Names(given.pop("names", np.array([])).tolist())
        self._rows = Rows(_COLUMNS, given)
        self._row_of: dict[int, int] = dict(zip(items, range(len(items)), strict=True))

    def columns(self) -> dict[str, Any]:
        """Return items and their opinions column by column, for a snapshot."""
        rows = self._rows.array[np.fromiter(self._row_of.values(), np.int64, len(self._row_of))]
        columns = {name: rows[name] for name in _COLUMNS.names or ()}
        return columns | {
            "item": np.fromiter(self._row_of, np.int64, len(self._row_of)),
            "names": np.array(list(self._names), object),
        }

    def __getitem__(self, item: int) -> Opinion:
        return self._opinion(*self._rows.array[self._row_of[item]].item())

    def _opinion(self, labeller: int, label: int, at: float, event: int, ticket: int) -> Opinion:
        return Opinion(self._names[labeller], label, at, event, None if ticket < 0 else ticket)

    def __setitem__(self, item: int, said: Opinion) -> None:
        self._row_of[item] = len(self._rows)
        ticket = -1 if said.ticket is None else said.ticket
        self._rows.append((self._names.code(said.labeller), said.label, said.at, said.event, ticket))

    def __delitem__(self, item: int) -> None:
        del self._row_of[item]

    def __contains__(self, item: object) -> bool:
        return item in self._row_of

    def __iter__(self) -> Iterator[int]:
        return iter(self._row_of)

    def __len__(self) -> int:
        return len(self._row_of)


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
        self.first = Opinions()
        self.by_item: dict[int, tuple[Opinion, ...]] = {}
        self.settled: dict[int, Opinion] = {}
        self.holder: dict[int, int] = {}
        self.disputed: set[int] = set()

    def next_for(self, labeller: str) -> int | None:
        """Return the item of which a labeller is to be asked next for a second opinion; None if there is none.

        Takes time by the number of labellers, not of items.
        """
        heads = [self._head(name) for name in self._lines if name != labeller] if labeller else []
        key, item = min((head for head in heads if head is not None), default=(_ALL, -1))
        return item if key < self.share * _ALL else None

    def second(self, item: int) -> Opinion | None:
        """Return the newest opinion of an item by somebody else than who gave its label."""
        first = self.first.get(item)
        others = (
            said for said in reversed(self.by_item.get(item, ())) if not (first and said.labeller == first.labeller)
        )
        return next(others, None)

    def counts(self, item: int) -> Opinion:
        """Return what counts of a labelled item: what was settled, else its label."""
        return self.settled.get(item) or self.first[item]

    def is_answered(self, item: int) -> bool:
        """Return whether an item has a second opinion, or was skipped when asked for one."""
        return item in self._passed or self.second(item) is not None

    def wish(self, share: float) -> None:
        """Request second labels for this share of the items."""
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
        """Return an item to a ticket."""
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

    def columns(self) -> dict[str, Any]:
        """Return all opinions column by column, for a snapshot; who waits in which line follows from them."""
        found: dict[str, Any] = {"share": [self.share, float(self._keys is not None)]}
        others, settled = Opinions(), Opinions()
        for number, said in enumerate(chain.from_iterable(self.by_item.values())):
            others[number] = said
        settled.update(self.settled)
        for name, opinions in (("first", self.first), ("other", others), ("settled", settled)):
            found |= {f"{name}.{column}": values for column, values in opinions.columns().items()}
        found["other.of"] = np.repeat(list(self.by_item), [len(said) for said in self.by_item.values()]).astype(
            np.int64
        )
        for name, tickets in (("passed", self._passed), ("holder", self.holder)):
            found[f"{name}.item"] = np.fromiter(tickets, np.int64, len(tickets))
            found[f"{name}.ticket"] = np.fromiter(tickets.values(), np.int64, len(tickets))
        return found

    def restore(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Restore the state from a snapshot; there must be no opinions yet."""

        def part(name: str) -> dict[str, NDArray[Any]]:
            return {key.removeprefix(f"{name}."): columns[key] for key in columns if key.startswith(f"{name}.")}

        def pairs(name: str) -> dict[int, int]:
            return dict(zip(columns[f"{name}.item"].tolist(), columns[f"{name}.ticket"].tolist(), strict=True))

        self.first = Opinions(part("first"))
        self.settled = dict(Opinions(part("settled")))
        others = part("other")
        for item, said in zip(others.pop("of").tolist(), Opinions(others).values(), strict=True):
            self.by_item[item] = (*self.by_item.get(item, ()), said)
        self._passed, self.holder = pairs("passed"), pairs("holder")
        self.disputed = {item for item in self.by_item if self._is_disputed(item)}
        share, is_wished = columns["share"].tolist()
        if is_wished:
            self.wish(share)

    def _head(self, name: str) -> tuple[int, int] | None:
        """Return the first in the line of those that a labeller labelled, after taking out who left it."""
        line = self._lines[name]
        while line and self._waiting.get(line[0][1]) != name:
            heappop(line)
        return line[0] if line else None

    def _update(self, item: int) -> None:
        """Update whether an item is disputed, and in which queue it waits."""
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
    """Return disputes, oldest first, with class names in place of codes."""
    found = []
    for item in seconds.disputed:
        label, second = seconds.counts(item), seconds.second(item)
        assert second is not None  # or there was no dispute
        names = pool.classes[label.label], label.labeller, pool.classes[second.label], second.labeller
        found.append((second.event, Dispute(pool.id_of(item), *names, second.at)))
    return [dispute for _, dispute in sorted(found, key=lambda entry: entry[0])]
