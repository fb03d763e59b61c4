"""The state of an assessment, folded from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any, Literal

import numpy as np

from labelwise.assessment.events import (
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
from labelwise.assessment.opinions import Opinion, SecondOpinions
from labelwise.assessment.queue import Queue
from labelwise.beliefs import MixtureBelief
from labelwise.errors import ConflictError, DataError, NotFoundError
from labelwise.pool import ClassName

_REFIT = 1.1  # a shared map is fitted anew for choosing when there are so many times more labels
_SKEW = 3_600.0  # seconds by which clocks of different machines may differ
Status = Literal["open", "expired", "told", "skipped", "unknown", "withdrawn"]


@dataclass(frozen=True)
class Slip:
    """What is known of a ticket.

    Attributes
    ----------
    item, group : what was handed out.
    until : when the lease ends.
    label : what was told, if anything.
    is_second : whether it asks for a second opinion, which never changes the belief.
    """

    ticket: int
    item: int
    group: int
    labeller: str
    until: float
    status: Status
    label: int | None = None
    is_second: bool = False

    def says(self, label: int | None, is_unknown: bool) -> bool:
        """Say whether this label, or that there is none, was told of the ticket."""
        if label is None:
            return self.status == ("unknown" if is_unknown else "skipped")
        return self.status == "told" and self.label == label


class Ledger:
    """Everything that the events say, kept up to date one event at a time.

    Folding events in two portions gives what folding them at once gives.
    """

    def __init__(self, start: Any, queue: Queue) -> None:
        self._belief = self._basis = start
        self._refit_at = 1.0
        self._queue = queue
        self._pending: Counter[tuple[int, int]] = Counter()  # (item, label): +1 to learn, -1 to forget
        self._leases: list[tuple[float, int]] = []  # end, ticket
        self._newest = float("-inf")  # the time of the last look
        self.slips: list[Slip] = []  # by ticket
        self._holder: dict[int, int] = {}  # by item: the ticket that has it now
        self.label_of: dict[int, int] = {}  # by item
        self.answered: set[int] = set()  # items that are labelled or skipped
        self.seconds = SecondOpinions(queue.other_keys)
        self.n_events = 0
        self.n_choices = 0
        self.is_open = False
        self.is_closed = False
        self.setup: dict[str, Any] = {}

    @property
    def belief(self) -> Any:
        """The belief after all labels; those that came since the last look are learned at once."""
        for sign in (-1, 1):  # first what was taken back, so that an item never has two labels
            some = [pair for pair, times in self._pending.items() if times == sign]
            if some:
                items, labels = np.array(some).T
                learn = self._belief.update if sign == 1 else self._belief.forget
                self._belief = learn(items, labels)
        self._pending.clear()
        return self._belief

    @property
    def choosing(self) -> Any:
        """The belief that groups are chosen by: every label counts in its group, but a shared map lags a little behind.

        Fitting a map takes longer than choosing. When it is fitted depends on the events alone, so that an assessment
        that is opened again asks what it would have asked.
        """
        belief = self.belief
        return belief.with_maps_of(self._basis) if isinstance(belief, MixtureBelief) else belief

    @property
    def n_open(self) -> Any:
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
        """Give the item of a group that is to be asked next."""
        return self._queue.peek(group)

    def slip(self, ticket: int) -> Slip:
        """Give what is known of a ticket."""
        if not 0 <= ticket < len(self.slips):
            raise NotFoundError(f"There is no ticket {ticket}; {len(self.slips)} have been handed out so far, from 0.")
        return self.slips[ticket]

    def check_open(self) -> None:
        """Refuse to go on once the assessment is closed."""
        if self.is_closed:
            raise ConflictError("This assessment is closed; nothing more can be asked or told.")

    def check_tellable(self, slip: Slip, classes: Sequence[ClassName]) -> None:
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

    def is_answered(self, slip: Slip) -> bool:
        """Say whether the item of a ticket is labelled or skipped already, for the same purpose."""
        return self.seconds.is_answered(slip.item) if slip.is_second else slip.item in self.answered

    def is_free(self, slip: Slip) -> bool:
        """Say whether nobody has the item of a ticket now, for the same purpose."""
        return slip.item not in (self.seconds.holder if slip.is_second else self._holder)

    def _is_with_another(self, slip: Slip) -> bool:
        """Return whether the item of an expired ticket is now with another labeller, whose turn it is."""
        if slip.status != "expired" or self.is_free(slip):
            return False
        holder = (self.seconds.holder if slip.is_second else self._holder)[slip.item]
        return self.slips[holder].labeller != slip.labeller

    def with_status(self, *wanted: Status, is_second: bool = False) -> list[Slip]:
        """Give the tickets of a status: those that ask for a label, or those that ask for a second opinion."""
        return [slip for slip in self.slips if slip.status in wanted and slip.is_second == is_second]

    def expire(self, now: float) -> None:
        """Let the items of leases that ended before `now` come back.

        If the clock was set back since the last look, leases that it had set would hold items for as long as it was
        set back; their ends are set back with it.
        """
        if now < self._newest - _SKEW:
            back = self._newest - now
            for slip in self.with_status("open") + self.with_status("open", is_second=True):
                self._set(slip.ticket, until=slip.until - back)
            self._leases = [(slip.until, slip.ticket) for slip in self.slips if slip.status == "open"]
            heapify(self._leases)
            self._newest = now
        self._newest = max(self._newest, now)
        while self._leases and self._leases[0][0] < now:
            _, ticket = heappop(self._leases)
            slip = self.slips[ticket]
            if slip.status == "open" and slip.until < now:  # else it was told, or the lease was renewed
                self._set(ticket, status="expired")
                self._put_back(slip)

    def fold(self, events: Iterable[Event]) -> None:
        """Take more events in, in order."""
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        """Take one more event in."""
        self.expire(event.at)
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
        """Give a ticket its slip; numbers have no gap."""
        ticket, until = event.ticket, event.until
        if ticket != len(self.slips):
            raise DataError(f"Ticket {ticket} follows {len(self.slips) - 1}; an event is missing or out of order.")
        self.slips.append(Slip(ticket, event.item, event.group, event.labeller, until, "open", None, is_second))
        heappush(self._leases, (until, ticket))

    def _renew(self, event: Renewed) -> None:
        self._hold(event.ticket)
        self._set(event.ticket, status="open", until=event.until)
        heappush(self._leases, (event.until, event.ticket))

    def _tell(self, event: Told) -> None:
        self._hold(event.ticket)
        self._set(event.ticket, status="told", label=event.label)
        slip = self.slips[event.ticket]
        said = Opinion(event.labeller, event.label, event.at, self.n_events, event.ticket)
        if slip.is_second:
            self.seconds.hear(slip.item, said)
            return
        self._learn(slip.item, said)
        self._renew_basis()

    def _skip(self, event: Skipped) -> None:
        self._hold(event.ticket)
        self._set(event.ticket, status="unknown" if event.is_unknown else "skipped")
        slip = self.slips[event.ticket]
        if slip.is_second:
            self.seconds.pass_by(slip.item, slip.ticket)
        else:
            self.answered.add(slip.item)

    def _renew_basis(self) -> None:
        n_labels = len(self.label_of)
        if n_labels >= self._refit_at:
            self._basis, self._refit_at = self.belief, n_labels * _REFIT

    def _learn(self, item: int, said: Opinion) -> None:
        self._queue.take(item)
        self.label_of[item] = said.label
        self.answered.add(item)
        self._pending[item, said.label] += 1
        self.seconds.hear_first(item, said)

    def _hold(self, ticket: int) -> None:
        """Give a ticket its item; another one that has it by now, because this one ran out, loses it."""
        slip = self.slips[ticket]
        other = (self.seconds.holder if slip.is_second else self._holder).get(slip.item, ticket)
        if other != ticket and self.slips[other].status == "open":
            self._set(other, status="expired")
        if slip.is_second:
            self.seconds.hold(slip.item, ticket)
        else:
            self._holder[slip.item] = ticket
            self._queue.take(slip.item)

    def _put_back(self, slip: Slip) -> None:
        if slip.is_second:
            self.seconds.let_go(slip.item, slip.ticket)
        elif self._holder.get(slip.item) == slip.ticket:
            del self._holder[slip.item]
            self._queue.put_back(slip.item)

    def _withdraw(self, event: Withdrawn) -> None:
        slip = self.slips[event.ticket]
        self._set(event.ticket, status="withdrawn", label=None)
        if slip.is_second:
            self.seconds.take_back(slip.item, slip.ticket)
            return
        if slip.label is not None:
            self._pending[slip.item, self.label_of.pop(slip.item)] -= 1
            self.seconds.forget_first(slip.item)
            self._refit()
        self.answered.discard(slip.item)
        self._put_back(slip)

    def _settle(self, event: Settled) -> None:
        self._pending[event.item, self.label_of[event.item]] -= 1
        self._pending[event.item, event.label] += 1
        self.label_of[event.item] = event.label
        self.seconds.settle(event.item, Opinion(event.labeller, event.label, event.at, self.n_events))
        self._refit()

    def _refit(self) -> None:
        """Fit a shared map at once: what was taken back must not guide choices any longer."""
        self._refit_at = 0.0
        self._renew_basis()

    def _set(self, ticket: int, **changes: Any) -> None:
        self.slips[ticket] = Slip(**{**self.slips[ticket].__dict__, **changes})  # half the time of `replace`
