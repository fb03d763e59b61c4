"""The desk at which tickets are handed out and labels taken in, one at a time."""

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
from labelwise.report import why_no_more
from labelwise.store import Store
from labelwise.web.content import plain_value
from labelwise.web.middleware import Rates, RefusedError

ItemId = str | int | float
"""The id of an item as JSON has it."""
MOST_OPEN = 100  # tickets that one labeller may hold at a time
_MOST_LOOKED_AT = 1_000  # tickets of a labeller that ran out or were withdrawn
ALIVE = 45.0  # seconds after which a tab that was not heard of is taken for closed


class NotYoursError(LabelwiseError):
    """A ticket was handed to somebody else."""


@dataclass
class _Hold:
    """A ticket that is out: in which tab, and when that was last heard of."""

    labeller: str
    tab: str
    seen: float


class WriteQueue:
    """Hands out tickets and takes in what is said of them, for many labellers at once.

    What a call writes is in the store when it returns; calls that come at once are worked off together. A labeller's
    tickets whose tab has closed are handed out again to the same labeller, so that nothing waits for a lease to end.

    Parameters
    ----------
    store, name : the assessment.
    changed : called after every change, from whichever thread made it.
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
        self._classes = {str(known): known for known in self.assessment.pool.classes}
        ledger = self.assessment.ledger
        handed = ledger.with_status("open") + ledger.with_status("open", is_second=True)
        self._holds = {slip.ticket: _Hold(slip.labeller, "", clock()) for slip in handed}
        self.id = self.assessment.id

    def _do(self, act: Callable[[], Any]) -> Any:
        """Do something at the desk, together with whatever else waits: the disk is waited for once for all of it."""
        done: Future[Any] = Future()
        self._waiting.append((act, done))
        with self._lock:
            if not done.done():
                self._work_off([self._waiting.popleft() for _ in range(len(self._waiting))])
        return done.result()

    def _work_off(self, batch: list[tuple[Callable[[], Any], Future[Any]]]) -> None:
        try:
            found = self.assessment.together([act for act, _ in batch])
        except LabelwiseError as error:
            if len(batch) > 1:  # one failed half way: each alone, so that only that one is refused
                for entry in batch:
                    self._work_off([entry])
                return
            found = [error]
        except BaseException as error:
            for _, done in batch:
                done.set_exception(error)
            raise
        for (_, done), outcome in zip(batch, found, strict=True):
            if isinstance(outcome, LabelwiseError):
                done.set_exception(outcome)
            else:
                done.set_result(outcome)
        self._changed()

    def ask(self, n: int, *, labeller: str, tab: str = "") -> tuple[list[Ticket], str]:
        """Hand out up to n tickets, first those whose tab has closed, then new ones; say why there are fewer."""

        def act() -> tuple[list[Ticket], str]:
            now = self._clock()
            found = [self.assessment.ticket_of(slip) for slip in self._orphans(labeller, tab, now)[:n]]
            for ticket in found:
                self.assessment.renew(ticket)
            wanted = n - len(found)
            n_new = max(0, min(wanted, MOST_OPEN - self._n_held(labeller)))
            fresh = self._given_back(n_new, labeller)
            n_left = n_new - len(fresh)
            fresh += self.assessment.ask(n_left, labeller=labeller) if n_left else []
            found += fresh
            for ticket in found:
                self._holds[ticket.number] = _Hold(labeller, tab, now)
            if len(found) == n:
                return found, ""
            if len(fresh) == n_new < wanted:
                return found, f"You hold {MOST_OPEN} items already. Label some of them, or give them back, first."
            return found, why_no_more(self.assessment, len(found))

        handed: tuple[list[Ticket], str] = self._do(act)
        return handed

    def _given_back(self, n: int, labeller: str) -> list[Ticket]:
        """Hand out up to n items once more that the labeller gave back and that nobody else has labelled since.

        Each group hands out its items in a fixed order. Whoever could give an item back and ask for another one would
        see which items come in whose place: those of the same group, which a blind labeller must not learn.
        """
        found: list[Ticket] = []
        ledger = self.assessment.ledger
        if n == 0 or ledger.is_closed:
            return found
        for slip in islice(ledger.slips.returned_by(labeller), _MOST_LOOKED_AT):
            if len(found) < n and ledger.is_free(slip) and not ledger.is_answered(slip):
                if slip.status == "expired":
                    self.assessment.renew(slip.ticket)
                    found.append(self.assessment.ticket_of(ledger.slip(slip.ticket)))
                else:
                    found.append(self.assessment.ask_again(slip.ticket))
        return found

    def _n_held(self, labeller: str) -> int:
        slips = self.assessment.ledger.slips
        return sum(hold.labeller == labeller and slips[k].status == "open" for k, hold in self._holds.items())

    def _orphans(self, labeller: str, tab: str, now: float) -> list[TicketRecord]:
        """Give the labeller's tickets that no living tab has; forget those that are settled."""
        found = []
        for number, hold in list(self._holds.items()):
            slip = self.assessment.ledger.slip(number)
            if slip.status != "open":
                del self._holds[number]
            elif hold.labeller == labeller and hold.tab != tab and now - hold.seen > ALIVE:
                found.append(slip)
        return found

    def hear(self, said: Said, *, item: ItemId, labeller: str, is_owner: bool) -> tuple[bool, int]:
        """Take a label or a skip of an item; return whether it was new, and how many labels there are."""

        def act() -> tuple[bool, int]:
            self._check_theirs(self._slip(said.number, item), labeller, is_owner)
            is_new = self.assessment.hear(said)
            self._holds.pop(said.number, None)
            return is_new, len(self.assessment.ledger.label_of)

        heard: tuple[bool, int] = self._do(act)
        return heard

    def label_named(self, label: ClassName) -> ClassName:
        """Give the class that a label names, also if a number came as text."""
        return self._classes.get(str(label), label)

    def undo(self, *, labeller: str, tab: str = "") -> tuple[Ticket, TicketRecord]:
        """Take back the labeller's newest label or skip, and hand its item out again; give what it was too."""

        def act() -> tuple[Ticket, TicketRecord]:
            numbers = self.assessment.ledger.slips.of(labeller)
            if not len(numbers):
                raise ConflictError("There is nothing of yours to take back.")
            slip = self.assessment.ledger.slip(int(numbers[-1]))
            return self._again(slip.ticket, labeller, tab), slip

        undone: tuple[Ticket, TicketRecord] = self._do(act)
        return undone

    def withdraw(
        self, number: int, *, item: ItemId, labeller: str, is_owner: bool, again: bool, tab: str = ""
    ) -> tuple[Ticket | None, TicketRecord]:
        """Take back what was said of a ticket's item, and hand it out again if `again`."""

        def act() -> tuple[Ticket | None, TicketRecord]:
            slip = self._slip(number, item)
            if not is_owner and slip.said_by != labeller:
                raise NotYoursError(f"Ticket {number} was labelled by somebody else. Only an owner can take it back.")
            if again:
                return self._again(number, labeller, tab), slip
            self.assessment.withdraw(number, labeller=labeller)
            return None, slip

        taken: tuple[Ticket | None, TicketRecord] = self._do(act)
        return taken

    def _again(self, number: int, labeller: str, tab: str) -> Ticket:
        self.assessment.withdraw(number, labeller=labeller)
        ticket = self.assessment.ask_again(number, labeller=labeller)
        self._holds[ticket.number] = _Hold(labeller, tab, self._clock())
        return ticket

    def renew(self, items: Mapping[int, ItemId], *, labeller: str, tab: str) -> tuple[list[int], list[int]]:
        """Note that a tab lives and renew its tickets, given with their items; return those held and those lost."""

        def act() -> tuple[list[int], list[int]]:
            held = [number for number, item in items.items() if self._held_on(number, item, labeller, tab)]
            return held, [number for number in items if number not in held]

        sorted_out: tuple[list[int], list[int]] = self._do(act)
        return sorted_out

    def _held_on(self, number: int, item: ItemId, labeller: str, tab: str) -> bool:
        """Hold a ticket on for a tab, its lease renewed when half of it is gone; say whether it is the tab's."""
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
        """Give tickets back unlabelled."""
        if not self._releases.allows(labeller):
            raise RefusedError(429, "You give items back too often. Label or skip some of them.", wait=1)

        def act() -> None:
            for number, item in items.items():
                if self._slip(number, item).labeller == labeller:
                    self.assessment.release(number)
                    self._holds.pop(number, None)

        self._do(act)

    def do(self, act: Callable[[Assessment], Any]) -> Any:
        """Do something else that writes."""
        return self._do(lambda: act(self.assessment))

    def ticket(self, number: int, *, labeller: str, is_owner: bool) -> Ticket:
        """Give a ticket to its labeller once more."""
        with self._lock:
            if number >= len(self.assessment.ledger.slips):
                self.assessment.refresh()
            slip = self.assessment.ledger.slip(number)
            self._check_theirs(slip, labeller, is_owner)
            return self.assessment.ticket_of(slip)

    def n_settled(self, labeller: str) -> int:
        """Count what the labeller has labelled or skipped, and not taken back."""
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
        """Return the slip of a ticket, or refuse one that is of another item than the caller believes."""
        slip = self.assessment.ledger.slip(number)
        if not self._is_of(slip, item):
            raise ConflictError(
                f"Ticket {number} is not of item {shown(item)}; nothing was changed. Load the page again."
            )
        return slip

    def _is_of(self, slip: TicketRecord, item: ItemId) -> bool:
        return str(plain_value(self.assessment.pool.id_of(slip.item))) == str(item)

    @staticmethod
    def _check_theirs(slip: TicketRecord, labeller: str, is_owner: bool) -> None:
        if slip.labeller != labeller and not is_owner:
            raise NotYoursError(f"Ticket {slip.ticket} was handed to somebody else. Ask for one of your own.")
