"""The write queue: all changes to the assessment, serialised and written in batches."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import Any

from labelwise.assessment import Assessment, Said, Ticket
from labelwise.assessment.events import Skipped
from labelwise.assessment.ticket_table import TicketRecord
from labelwise.checks import shown
from labelwise.errors import ConflictError, LabelwiseError
from labelwise.pool import ClassName
from labelwise.report.status import why_no_more
from labelwise.store import Store
from labelwise.web.content import plain_value
from labelwise.web.middleware import Rates, RefusedError

ItemId = str | int | float
"""The id of an item in JSON."""
MOST_OPEN = 100  # open tickets per labeller
_MOST_RETURNED = 1_000  # expired or released tickets of a labeller that are considered for handing out again
ALIVE = 45.0  # seconds without a renewal after which a tab counts as closed


class NotYoursError(LabelwiseError):
    """Raised when a ticket belongs to another labeller."""


@dataclass
class _Hold:
    """An open ticket: its labeller, its tab, and when the tab last renewed it."""

    labeller: str
    tab: str
    seen: float


class WriteQueue:
    """Thread-safe queue of writes to an assessment: hands out tickets and records answers for many labellers.

    What a call writes is in the store when it returns; concurrent calls share one transaction. Tickets whose tab has
    closed are handed out again to the same labeller, without waiting for their leases to expire.

    Parameters
    ----------
    store, name : the store and the name of the assessment.
    changed : called after every change, in the thread that made it.
    """

    def __init__(
        self,
        store: Store,
        name: str | None = None,
        *,
        changed: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = store.named(name)
        self._journal = store.journal(self.name)
        self.assessment = Assessment.reopen(self._journal, clock=clock)
        self._clock, self._changed = clock, changed
        self._lock = Lock()
        self._releases = Rates(per_second=1.0, burst=100.0)
        self._waiting: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._classes = {str(name): name for name in self.assessment.pool.classes}
        ledger = self.assessment.ledger
        open_slips = ledger.with_status("open") + ledger.with_status("open", is_second=True)
        self._holds = {slip.ticket: _Hold(slip.labeller, "", clock()) for slip in open_slips}
        self.id = self.assessment.id

    def _do(self, act: Callable[[], Any]) -> Any:
        """Run an action and return its result; whoever gets the lock commits all waiting actions in one transaction."""
        done: Future[Any] = Future()
        self._waiting.append((act, done))
        with self._lock:
            if not done.done():
                self._commit([self._waiting.popleft() for _ in range(len(self._waiting))])
        return done.result()

    def _commit(self, batch: list[tuple[Callable[[], Any], Future[Any]]]) -> None:
        try:
            outcomes = self.assessment.together([act for act, _ in batch])
        except LabelwiseError as error:
            if len(batch) > 1:  # one action failed midway and rolled back the batch: run each alone to isolate it
                for entry in batch:
                    self._commit([entry])
                return
            outcomes = [error]
        except BaseException as error:
            for _, done in batch:
                done.set_exception(error)
            raise
        for (_, done), outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, LabelwiseError):
                done.set_exception(outcome)
            else:
                done.set_result(outcome)
        self._changed()

    def ask(self, n: int, *, labeller: str, tab: str = "") -> tuple[list[Ticket], str]:
        """Hand out up to n tickets, first those whose tab has closed; return them, and why there are fewer than n."""

        def act() -> tuple[list[Ticket], str]:
            now = self._clock()
            tickets = [self.assessment.ticket_of(slip) for slip in self._orphans(labeller, tab, now)[:n]]
            for ticket in tickets:
                self.assessment.renew(ticket)
            wanted = n - len(tickets)
            n_new = max(0, min(wanted, MOST_OPEN - self._n_held(labeller)))
            fresh = self._returned(n_new, labeller)
            n_left = n_new - len(fresh)
            fresh += self.assessment.ask(n_left, labeller=labeller) if n_left else []
            tickets += fresh
            for ticket in tickets:
                self._holds[ticket.number] = _Hold(labeller, tab, now)
            if len(tickets) == n:
                return tickets, ""
            if len(fresh) == n_new < wanted:
                return tickets, f"You already hold {MOST_OPEN} items, the maximum. Label or release some of them first."
            return tickets, why_no_more(self.assessment, len(tickets))

        outcome: tuple[list[Ticket], str] = self._do(act)
        return outcome

    def _returned(self, n: int, labeller: str) -> list[Ticket]:
        """Hand out again up to n items that the labeller returned and that nobody else has labelled since.

        Each group hands out its items in a fixed order. If a returned item were replaced by a new one, a blind labeller
        would learn that the two are in the same group.
        """
        tickets: list[Ticket] = []
        ledger = self.assessment.ledger
        if n == 0 or ledger.is_closed:
            return tickets
        for slip in islice(ledger.slips.returned_by(labeller), _MOST_RETURNED):
            if len(tickets) < n and ledger.is_free(slip) and not ledger.is_answered(slip):
                if slip.status == "expired":
                    self.assessment.renew(slip.ticket)
                    tickets.append(self.assessment.ticket_of(ledger.slip(slip.ticket)))
                else:
                    tickets.append(self.assessment.ask_again(slip.ticket))
        return tickets

    def _n_held(self, labeller: str) -> int:
        slips = self.assessment.ledger.slips
        return sum(hold.labeller == labeller and slips[k].status == "open" for k, hold in self._holds.items())

    def _orphans(self, labeller: str, tab: str, now: float) -> list[TicketRecord]:
        """Return the labeller's open tickets whose tab has closed; forget holds of tickets that are no longer open."""
        orphans = []
        for number, hold in list(self._holds.items()):
            slip = self.assessment.ledger.slip(number)
            if slip.status != "open":
                del self._holds[number]
            elif hold.labeller == labeller and hold.tab != tab and now - hold.seen > ALIVE:
                orphans.append(slip)
        return orphans

    def hear(self, said: Said, *, item: ItemId, labeller: str, is_owner: bool) -> tuple[bool, int]:
        """Record a label or a skip; return whether it was new, and the number of labels.

        Labellers' numbers include second opinions: who sees an item second is not to know it.
        """

        def act() -> tuple[bool, int]:
            self._check_theirs(self._slip(said.number, item), labeller, is_owner)
            is_new = self.assessment.hear(said)
            self._holds.pop(said.number, None)
            ledger = self.assessment.ledger
            n_second = 0 if is_owner else sum(len(opinions) for opinions in ledger.opinions.values())
            return is_new, len(ledger.label_of) + n_second

        outcome: tuple[bool, int] = self._do(act)
        return outcome

    def label_named(self, label: ClassName) -> ClassName:
        """Return the class that a label names, even if a number was sent as text."""
        return self._classes.get(str(label), label)

    def undo(self, *, labeller: str, tab: str = "") -> tuple[Ticket, TicketRecord]:
        """Undo the newest label or skip of a labeller; hand its item out again with a new ticket."""

        def act() -> tuple[Ticket, TicketRecord]:
            numbers = self.assessment.ledger.slips.of(labeller)
            if not len(numbers):
                raise ConflictError("You have no answers to undo.")
            slip = self.assessment.ledger.slip(int(numbers[-1]))
            return self._again(slip.ticket, labeller, tab), slip

        outcome: tuple[Ticket, TicketRecord] = self._do(act)
        return outcome

    def withdraw(
        self, number: int, *, item: ItemId, labeller: str, is_owner: bool, again: bool, tab: str = ""
    ) -> tuple[Ticket | None, TicketRecord]:
        """Withdraw the answer to a ticket, and hand its item out again if `again`."""

        def act() -> tuple[Ticket | None, TicketRecord]:
            slip = self._slip(number, item)
            if not is_owner and slip.said_by != labeller:
                raise NotYoursError(f"Ticket {number} was labelled by somebody else. Only an owner can withdraw it.")
            if again:
                return self._again(number, labeller, tab), slip
            self.assessment.withdraw(number, labeller=labeller)
            return None, slip

        outcome: tuple[Ticket | None, TicketRecord] = self._do(act)
        return outcome

    def _again(self, number: int, labeller: str, tab: str) -> Ticket:
        self.assessment.withdraw(number, labeller=labeller)
        ticket = self.assessment.ask_again(number, labeller=labeller)
        self._holds[ticket.number] = _Hold(labeller, tab, self._clock())
        return ticket

    def renew(self, items: Mapping[int, ItemId], *, labeller: str, tab: str) -> tuple[list[int], list[int]]:
        """Record that a tab is alive and renew its tickets, given with their items; return those held and lost."""

        def act() -> tuple[list[int], list[int]]:
            held = [number for number, item in items.items() if self._renew(number, item, labeller, tab)]
            return held, [number for number in items if number not in held]

        outcome: tuple[list[int], list[int]] = self._do(act)
        return outcome

    def _renew(self, number: int, item: ItemId, labeller: str, tab: str) -> bool:
        """Hold a ticket for a tab, renewing its lease once half of it is over; return False if it is not the tab's."""
        now, hold, slips = self._clock(), self._holds.get(number), self.assessment.ledger.slips
        if number >= len(slips) or slips[number].labeller != labeller or not self._is_of(slips[number], item):
            return False
        if hold is not None and hold.tab not in ("", tab) and now - hold.seen <= ALIVE:
            return False
        slip = slips[number]
        if slip.status != "open" or slip.until - now <= self.assessment.setup.lease / 2:
            try:
                self.assessment.renew(number)
            except ConflictError:
                return False
        self._holds[number] = _Hold(labeller, tab, now)
        return True

    def release(self, items: Mapping[int, ItemId], *, labeller: str) -> None:
        """Release tickets unlabelled."""
        if not self._releases.allows(labeller):
            raise RefusedError(429, "You release items too often. Label or skip some of them.", wait=1)

        def act() -> None:
            for number, item in items.items():
                if self._slip(number, item).labeller == labeller:
                    self.assessment.release(number)
                    self._holds.pop(number, None)

        self._do(act)

    def do(self, act: Callable[[Assessment], Any]) -> Any:
        """Run any other action that writes."""
        return self._do(lambda: act(self.assessment))

    def ticket(self, number: int, *, labeller: str, is_owner: bool) -> Ticket:
        """Return a ticket that has been handed out to the labeller; owners may see any."""
        with self._lock:
            if number >= len(self.assessment.ledger.slips):
                self.assessment.refresh()
            slip = self.assessment.ledger.slip(number)
            self._check_theirs(slip, labeller, is_owner)
            return self.assessment.ticket_of(slip)

    def n_settled(self, labeller: str) -> int:
        """Count the items that the labeller has labelled or skipped."""
        with self._lock:
            self.assessment.refresh()
            return len(self.assessment.ledger.slips.of(labeller))

    def reason(self, slip: TicketRecord) -> str:
        """Return why a ticket was skipped."""
        if slip.status not in ("skipped", "unknown") or slip.event is None:
            return ""
        [event] = self._journal.numbered([slip.event])
        return event.reason if isinstance(event, Skipped) else ""

    def _slip(self, number: int, item: ItemId) -> TicketRecord:
        """Return the record of a ticket; raise if it is for another item than the caller expects."""
        slip = self.assessment.ledger.slip(number)
        if not self._is_of(slip, item):
            raise ConflictError(f"Ticket {number} is not for item {shown(item)}; nothing was changed. Reload the page.")
        return slip

    def _is_of(self, slip: TicketRecord, item: ItemId) -> bool:
        return str(plain_value(self.assessment.pool.id_of(slip.item))) == str(item)

    @staticmethod
    def _check_theirs(slip: TicketRecord, labeller: str, is_owner: bool) -> None:
        if slip.labeller != labeller and not is_owner:
            raise NotYoursError(f"Ticket {slip.ticket} belongs to somebody else. Ask for a ticket of your own.")
