"""The state of an assessment, folded from its events."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment.events import (
    QUIET,
    SAID,
    Asked,
    Closed,
    Doubled,
    Event,
    Imported,
    Opened,
    Renewed,
    Seconded,
    Settled,
    Skipped,
    Told,
    Withdrawn,
)
from labelwise.assessment.queue import Queue
from labelwise.assessment.second_opinions import Opinion, SecondOpinions
from labelwise.assessment.ticket_table import Names, Rows, Status, TicketRecord, TicketTable
from labelwise.beliefs import Belief
from labelwise.beliefs.learned.constants import REFIT
from labelwise.beliefs.trail import Trail
from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError
from labelwise.pool import ClassName

_SKEW = 3_600.0  # seconds by which clocks of different machines may differ
_CHANGES = np.dtype([("event", np.int64), ("item", np.int64), ("label", np.int32)])


class Ledger:
    """Everything that the events say, kept up to date one event at a time.

    Folding events in two portions gives what folding them at once gives. A snapshot (`columns`, `restore`) stands for
    the events up to it.

    Attributes
    ----------
    slips : by ticket, what became of it.
    label_of : by item, the label that counts, in the order in which items got theirs.
    answered : items that are labelled or skipped.
    changes : every change of a label with the number of its event; -1 for a label that was taken back.
    n_events, n_changes : how many events there were, and how many of them could change an answer.
    """

    def __init__(self, start: Belief, queue: Queue) -> None:
        self._belief = self._basis = start
        self._trail = Trail.of(start)
        self._refit_at = 1.0
        self._queue = queue
        self._pending: Counter[tuple[int, int]] = Counter()  # (item, label): +1 to learn, -1 to forget
        self._until_fit: Counter[tuple[int, int]] | None = None  # the same until the map for choosing is due
        self._n_basis = 0  # labels that the map for choosing was fitted to: the first of `label_of`
        self._leases: list[tuple[float, int]] = []  # end, ticket
        self._newest = self._event_at = float("-inf")  # the time of the last look, and of the last event
        self._names = Names()
        self._said: dict[str, array[int]] = {}  # by labeller: the numbers of the events in which they said something
        self._holder: dict[int, int] = {}  # by item: the ticket that has it now
        self.slips = TicketTable(self._names)
        self.label_of: dict[int, int] = {}
        self.answered: set[int] = set()
        self.changes = Rows(_CHANGES)
        self.seconds = SecondOpinions(queue.other_keys)
        self.n_events = 0
        self.n_changes = 0
        self.n_choices = 0
        self.is_open = False
        self.is_closed = False
        self.setup: dict[str, Any] = {}

    @property
    def belief(self) -> Belief:
        """The belief after all labels; those that came since the last look are learned at once."""
        self._learn_pending()
        return self._belief

    def _learn_pending(self) -> None:
        """Learn what came since the last look: telling takes no longer for a belief that nobody looks at."""
        if self._until_fit is not None:
            self._basis = self._belief = self._after(self._until_fit)
            self._until_fit = None
        self._belief = self._after(self._pending)
        self._pending.clear()

    def _after(self, pending: Counter[tuple[int, int]]) -> Belief:
        belief = self._belief
        for sign in (-1, 1):  # first what was taken back, so that an item never has two labels
            some = [pair for pair, times in pending.items() if times == sign]
            if some:
                items, labels = np.array(some).T
                belief = belief.update(items, labels) if sign == 1 else belief.forget(items, labels)
        return belief

    @property
    def choosing(self) -> Belief:
        """The belief that groups are chosen by: every label counts in its group, but a shared map lags a little behind.

        Fitting a map takes longer than choosing. When it is fitted depends on the events alone, so that an assessment
        that is opened again asks what it would have asked.
        """
        self._learn_pending()
        return self._belief.with_maps_of(self._basis)

    @property
    def trail(self) -> Trail:
        """The labels that count, in the order in which items got theirs, for what they prove."""
        items, labels = np.array(list(self.label_of.items()), np.int64).reshape(-1, 2).T
        self._trail = self._trail.continued(items, labels)
        return self._trail

    @property
    def n_open(self) -> NDArray[np.int64]:
        """How many items each group still has to give."""
        return self._queue.n_open

    @property
    def queue(self) -> Queue:
        """A copy of the items that are still to be asked, in their order."""
        return self._queue.copy()

    @property
    def opinions(self) -> dict[int, tuple[Opinion, ...]]:
        """What was said as a second opinion and not withdrawn, by item."""
        return self.seconds.by_item

    def next_item(self, group: int) -> int:
        """Return the item of a group that is to be asked next."""
        return self._queue.peek(group)

    def slip(self, ticket: int) -> TicketRecord:
        """Return what is known of a ticket."""
        if not 0 <= ticket < len(self.slips):
            raise NotFoundError(f"There is no ticket {ticket}; {len(self.slips)} have been handed out so far, from 0.")
        return self.slips[ticket]

    def check_open(self) -> None:
        """Refuse to go on once the assessment is closed."""
        if self.is_closed:
            raise ConflictError("This assessment is closed; nothing more can be asked or told.")

    def check_tellable(self, slip: TicketRecord, classes: Sequence[ClassName]) -> None:
        """Refuse to hear about a ticket that is settled, or whose item is."""
        self.check_open()
        again = "Withdraw it before telling it again."
        if slip.status == "told" and slip.label is not None:
            raise ConflictError(f"Ticket {slip.ticket} was already told {classes[slip.label]!r}. {again}")
        if slip.status in ("skipped", "unknown"):
            raise ConflictError(f"Ticket {slip.ticket} was already skipped. {again}")
        if slip.status == "withdrawn":
            raise ConflictError(f"Ticket {slip.ticket} was withdrawn. Ask for a new one.")
        if self.is_answered(slip):
            raise ConflictError(
                f"Ticket {slip.ticket} ran out, and its item has been labelled or skipped since; nothing was changed."
            )
        if self._is_with_another(slip):
            raise ConflictError(
                f"Ticket {slip.ticket} ran out, and its item was handed to somebody else; nothing was changed."
            )

    def is_answered(self, slip: TicketRecord) -> bool:
        """Return whether the item of a ticket is labelled or skipped already, for the same purpose."""
        return self.seconds.is_answered(slip.item) if slip.is_second else slip.item in self.answered

    def is_free(self, slip: TicketRecord) -> bool:
        """Return whether nobody has the item of a ticket now, for the same purpose."""
        return slip.item not in (self.seconds.holder if slip.is_second else self._holder)

    def _is_with_another(self, slip: TicketRecord) -> bool:
        """Return whether the item of an expired ticket is now with another labeller, whose turn it is."""
        if slip.status != "expired" or self.is_free(slip):
            return False
        holder = (self.seconds.holder if slip.is_second else self._holder)[slip.item]
        return self.slips[holder].labeller != slip.labeller

    def with_status(self, *wanted: Status, is_second: bool = False) -> list[TicketRecord]:
        """Return the tickets of some statuses: those that ask for a label, or those that ask for a second opinion."""
        return self.slips.with_status(*wanted, is_second=is_second)

    def said_by(self, labeller: str, before: int | None, most: int) -> list[int]:
        """Return the numbers of the newest events in which a labeller said something, before `before` if given."""
        numbers = self._said.get(labeller, array("q"))
        end = len(numbers) if before is None else bisect_left(numbers, before)
        return list(numbers[max(0, end - most) : end])

    def labels_after(self, n_events: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the items that had a label after the first so many events, and their labels."""
        changes = self.changes.array
        changes = changes[: np.searchsorted(changes["event"], n_events)][::-1]  # newest first
        items, newest = np.unique(changes["item"], return_index=True)
        labels = changes["label"][newest]
        return items[labels >= 0], labels[labels >= 0]

    def expire(self, now: float) -> None:
        """Make the items of leases that ended before `now` available again.

        If the clock was set back since the last look, leases that it had set would hold items for as long as it was
        set back; their ends are set back with it.
        """
        if now < self._newest - _SKEW:
            back = self._newest - now
            for slip in self._open():
                self.slips.extend(slip.ticket, slip.until - back)
            self._restore_leases()
            self._newest = now
        self._newest = max(self._newest, now)
        while self._leases and self._leases[0][0] < now:
            _, ticket = heappop(self._leases)
            slip = self.slips[ticket]
            if slip.status == "open" and slip.until < now:  # else it was told, or the lease was renewed
                self.slips.set(ticket, "expired")
                self._put_back(slip)

    def _open(self) -> list[TicketRecord]:
        return self.with_status("open") + self.with_status("open", is_second=True)

    def _restore_leases(self) -> None:
        self._leases = [(slip.until, slip.ticket) for slip in self._open()]
        heapify(self._leases)

    def fold(self, events: Iterable[Event]) -> None:
        """Apply more events in order; refuse those that cannot have happened, as a crafted file may have them."""
        for event in events:
            try:
                self.apply(event)
            except LabelwiseError:
                raise
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise DataError(
                    f"Event {self.n_events} ({event.kind}) does not fit those before it ({type(error).__name__}). The "
                    "store is damaged; restore it from a backup."
                ) from error

    def apply(self, event: Event) -> None:
        """Apply one more event."""
        self.expire(event.at)
        self._event_at = event.at
        if isinstance(event, SAID):
            self._said.setdefault(event.labeller, array("q")).append(self.n_events)
        self.n_changes += not isinstance(event, QUIET)
        match event:
            case Opened():
                self.is_open, self.setup = True, event.setup
            case Asked():
                self._ask(event)
            case Seconded():
                self._number(event, is_second=True)
                self.seconds.hold(event.item, event.ticket)
            case Doubled():
                self.seconds.wish(event.share)
            case Renewed():
                self._renew(event)
            case Told():
                self._tell(event)
            case Skipped():
                self._skip(event)
            case Withdrawn():
                self._withdraw(event)
            case Imported():
                for item, label in zip(event.items, event.labels, strict=True):
                    self._learn(item, Opinion(event.labeller, label, event.at, self.n_events))
                self._renew_basis()
            case Settled():
                self._settle(event)
            case Closed():
                self.is_closed = True
        self.n_events += 1

    def _ask(self, event: Asked) -> None:
        self._number(event)
        self._queue.take(event.item)
        self._holder[event.item] = event.ticket
        self.n_choices = max(self.n_choices, event.choice + 1)

    def _number(self, event: Asked | Seconded, *, is_second: bool = False) -> None:
        """Return a ticket its slip; numbers have no gap."""
        ticket, until = event.ticket, event.until
        if ticket != len(self.slips):
            raise DataError(f"Ticket {ticket} follows {len(self.slips) - 1}; an event is missing or out of order.")
        self.slips.add(event.item, event.group, event.labeller, until, is_second=is_second)
        heappush(self._leases, (until, ticket))

    def _renew(self, event: Renewed) -> None:
        self._hold(event.ticket)
        self.slips.set(event.ticket, "open")
        self.slips.extend(event.ticket, event.until)
        heappush(self._leases, (event.until, event.ticket))

    def _tell(self, event: Told) -> None:
        self._hold(event.ticket)
        self.slips.answer(event.ticket, "told", self.n_events, event.labeller, label=event.label)
        slip = self.slips[event.ticket]
        said = Opinion(event.labeller, event.label, event.at, self.n_events, event.ticket)
        if slip.is_second:
            self.seconds.hear(slip.item, said)
            return
        self._learn(slip.item, said)
        self._renew_basis()

    def _skip(self, event: Skipped) -> None:
        self._hold(event.ticket)
        status: Status = "unknown" if event.is_unknown else "skipped"
        self.slips.answer(event.ticket, status, self.n_events, event.labeller)
        slip = self.slips[event.ticket]
        if slip.is_second:
            self.seconds.pass_by(slip.item, slip.ticket)
        else:
            self.answered.add(slip.item)

    def _renew_basis(self) -> None:
        n_labels = len(self.label_of)
        if n_labels >= self._refit_at:
            self._until_fit = Counter() if self._until_fit is None else self._until_fit
            self._until_fit.update(self._pending)
            self._pending.clear()
            self._n_basis, self._refit_at = n_labels, n_labels * REFIT

    def _learn(self, item: int, said: Opinion) -> None:
        self._queue.take(item)
        self.label_of[item] = said.label
        self.changes.append((self.n_events, item, said.label))
        self.answered.add(item)
        self._pending[item, said.label] += 1
        self.seconds.hear_first(item, said)

    def _hold(self, ticket: int) -> None:
        """Return a ticket its item; another one that has it by now, because this one ran out, loses it."""
        slip = self.slips[ticket]
        other = (self.seconds.holder if slip.is_second else self._holder).get(slip.item, ticket)
        if other != ticket and self.slips[other].status == "open":
            self.slips.set(other, "expired")
        if slip.is_second:
            self.seconds.hold(slip.item, ticket)
        else:
            self._holder[slip.item] = ticket
            self._queue.take(slip.item)

    def _put_back(self, slip: TicketRecord) -> None:
        if slip.is_second:
            self.seconds.let_go(slip.item, slip.ticket)
        elif self._holder.get(slip.item) == slip.ticket:
            del self._holder[slip.item]
            self._queue.put_back(slip.item)

    def _withdraw(self, event: Withdrawn) -> None:
        slip = self.slips[event.ticket]
        self.slips.set(event.ticket, "withdrawn")
        if slip.is_second:
            self.seconds.take_back(slip.item, slip.ticket)
            return
        if slip.label is not None:
            self._pending[slip.item, self.label_of.pop(slip.item)] -= 1
            self.changes.append((self.n_events, slip.item, -1))
            self.seconds.forget_first(slip.item)
            self._refit()
        self.answered.discard(slip.item)
        self._put_back(slip)

    def _settle(self, event: Settled) -> None:
        self._pending[event.item, self.label_of[event.item]] -= 1
        self._pending[event.item, event.label] += 1
        self.label_of[event.item] = event.label
        self.changes.append((self.n_events, event.item, event.label))
        self.seconds.settle(event.item, Opinion(event.labeller, event.label, event.at, self.n_events))
        self._refit()

    def _refit(self) -> None:
        """Fit a shared map at once: what was taken back must not guide choices any longer."""
        self._refit_at = 0.0
        self._renew_basis()

    def columns(self) -> dict[str, Any]:
        """Return everything but the belief as plain arrays and texts: a snapshot, which `restore` takes back.

        It says what the events say, whatever time it is: leases that ran out since the last event are open in it.
        """
        now = self._newest
        self._revive()
        found = self._columns()
        self.expire(now)
        return found

    def _revive(self) -> None:
        """Open the tickets again that a look at the clock expired, and no event."""
        for slip in self.slips.expired_since(self._event_at):
            if self.is_free(slip) and not self.is_answered(slip):
                self._hold(slip.ticket)
                self.slips.set(slip.ticket, "open")
                heappush(self._leases, (slip.until, slip.ticket))

    def _columns(self) -> dict[str, Any]:
        parts: dict[str, dict[str, Any]] = {
            "slips": self.slips.columns(),
            "changes": self.changes.columns(),
            "queue": self._queue.columns(),
            "seconds": self.seconds.columns(),
        }
        found = {f"{part}.{name}": values for part, columns in parts.items() for name, values in columns.items()}
        labellers = list(self._said)
        return found | {
            "names": list(self._names),
            "said.labeller": labellers,
            "said.n": [len(self._said[name]) for name in labellers],
            "said.event": np.concatenate([np.array([], np.int64), *(self._said[name] for name in labellers)]),
            "holder.item": np.fromiter(self._holder, np.int64, len(self._holder)),
            "holder.ticket": np.fromiter(self._holder.values(), np.int64, len(self._holder)),
            "label.item": np.fromiter(self.label_of, np.int64, len(self.label_of)),
            "label.label": np.fromiter(self.label_of.values(), np.int64, len(self.label_of)),
            "answered": np.fromiter(self.answered, np.int64, len(self.answered)),
            "counts": [self.n_events, self.n_changes, self.n_choices, self._n_basis, int(self.is_closed)],
            "times": [self._event_at, self._refit_at],
        }

    def restore(self, columns: Mapping[str, NDArray[Any]], setup: dict[str, Any]) -> None:
        """Restore the state from a snapshot; the ledger must be empty.

        The belief is learned anew from the labels, first those that the map for choosing was fitted to, so that choices
        go on as if all events had been folded.
        """

        def part(name: str) -> dict[str, NDArray[Any]]:
            return {key.removeprefix(f"{name}."): columns[key] for key in columns if key.startswith(f"{name}.")}

        self._names = Names(columns["names"].tolist())
        self.slips = TicketTable(self._names, part("slips"))
        self.changes = Rows(_CHANGES, part("changes"))
        self._queue.restore(part("queue"))
        self.seconds.restore(part("seconds"))
        numbers = np.split(columns["said.event"], np.cumsum(columns["said.n"])[:-1])
        self._said = {
            name: array("q", own.astype(np.int64).tobytes())
            for name, own in zip(columns["said.labeller"].tolist(), numbers, strict=False)
        }
        self._holder = dict(zip(columns["holder.item"].tolist(), columns["holder.ticket"].tolist(), strict=True))
        items, labels = columns["label.item"], columns["label.label"]
        self.label_of = dict(zip(items.tolist(), labels.tolist(), strict=True))
        self.answered = set(columns["answered"].tolist())
        self.n_events, self.n_changes, self.n_choices, n_basis, is_closed = columns["counts"].tolist()
        self._event_at, self._refit_at = columns["times"].tolist()
        self._newest = self._event_at
        self.is_open, self.is_closed, self.setup, self._n_basis = True, bool(is_closed), setup, n_basis
        if n_basis:
            self._belief = self._basis = self._belief.update(items[:n_basis], labels[:n_basis])
        self._pending = Counter(zip(items[n_basis:].tolist(), labels[n_basis:].tolist(), strict=True))
        self._restore_leases()
