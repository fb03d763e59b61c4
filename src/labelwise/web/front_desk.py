"""The desk at which tickets are handed out and labels taken in, one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from labelwise.assessment import Assessment, Said, Ticket
from labelwise.assessment.events import Skipped, Told, Withdrawn
from labelwise.assessment.ledger import Slip
from labelwise.errors import ConflictError, LabelwiseError
from labelwise.pool import ClassName
from labelwise.report import why_no_more
from labelwise.store import Store

ALIVE = 45.0  # seconds after which a tab that was not heard of is taken for closed


class NotYoursError(LabelwiseError):
    """A ticket was handed to somebody else."""


@dataclass
class _Hold:
    """A ticket that is out: in which tab, and when that was last heard of."""

    labeller: str
    tab: str
    seen: float


class FrontDesk:
    """Hands out tickets and takes in what is said of them, for many labellers at once.

    Every call holds the desk; what it writes is in the store when it returns. A labeller's tickets whose tab has closed
    are handed out again to the same labeller, so that nothing waits for a lease to end.

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
        self._classes = {str(known): known for known in self.assessment.pool.classes}
        slips = self.assessment.ledger.slips
        self._holds = {slip.ticket: _Hold(slip.labeller, "", clock()) for slip in slips if slip.status == "open"}
        self._trails = Trails()

    def ask(self, n: int, *, labeller: str, tab: str = "") -> list[Ticket]:
        """Hand out up to n tickets: first those whose tab has closed, then new ones."""
        with self._lock:
            now = self._clock()
            found = [self.assessment.ticket_of(slip) for slip in self._orphans(labeller, tab, now)[:n]]
            for ticket in found:
                self.assessment.renew(ticket)
            if len(found) < n:
                found += self.assessment.ask(n - len(found), labeller=labeller)
            for ticket in found:
                self._holds[ticket.number] = _Hold(labeller, tab, now)
        self._changed()
        return found

    def _orphans(self, labeller: str, tab: str, now: float) -> list[Slip]:
        """Give the labeller's tickets that no living tab has; forget those that are settled."""
        found = []
        for number, hold in list(self._holds.items()):
            slip = self.assessment.ledger.slip(number)
            if slip.status != "open":
                del self._holds[number]
            elif hold.labeller == labeller and hold.tab != tab and now - hold.seen > ALIVE:
                found.append(slip)
        return found

    def hear(self, said: Said, *, labeller: str, is_owner: bool) -> tuple[bool, int]:
        """Take a label or a skip; give whether it was new, and how many labels there are."""
        with self._lock:
            slip = self._slip(said.number)
            if slip.labeller != labeller and not is_owner:
                raise NotYoursError(f"Ticket {said.number} was handed to somebody else. Ask for one of your own.")
            is_new = self.assessment.hear(said)
            self._holds.pop(said.number, None)
            n_labels = len(self.assessment.ledger.label_of)
        self._changed()
        return is_new, n_labels

    def label_named(self, label: ClassName) -> ClassName:
        """Give the class that a label names, also if a number came as text."""
        return self._classes.get(str(label), label)

    def undo(self, *, labeller: str, tab: str = "") -> tuple[Ticket, Slip]:
        """Take back the labeller's newest label or skip, and hand its item out again; give what it was too."""
        with self._lock:
            self._read_trails()
            for number in self._trails.newest_first(labeller):
                slip = self.assessment.ledger.slip(number)
                if slip.status in ("told", "skipped", "unknown"):
                    break
            else:
                raise ConflictError("There is nothing of yours to take back.")
            ticket = self._again(number, labeller, tab)
        self._changed()
        return ticket, slip

    def withdraw(
        self, number: int, *, labeller: str, is_owner: bool, again: bool, tab: str = ""
    ) -> tuple[Ticket | None, Slip]:
        """Take back what was said of a ticket, and hand its item out again if so wished."""
        with self._lock:
            slip = self._slip(number)
            self._read_trails()
            if not is_owner and number not in self._trails.of(labeller):
                raise NotYoursError(f"Ticket {number} was labelled by somebody else. Only an owner can take it back.")
            ticket = self._again(number, labeller, tab) if again else None
            if not again:
                self.assessment.withdraw(number, labeller=labeller)
        self._changed()
        return ticket, slip

    def _again(self, number: int, labeller: str, tab: str) -> Ticket:
        self.assessment.withdraw(number, labeller=labeller)
        ticket = self.assessment.ask_again(number, labeller=labeller)
        self._holds[ticket.number] = _Hold(labeller, tab, self._clock())
        return ticket

    def renew(self, numbers: Sequence[int], *, labeller: str, tab: str) -> tuple[list[int], list[int]]:
        """Note that a tab lives and hold its tickets on; give those still held, and those lost."""
        held: list[int] = []
        lost: list[int] = []
        with self._lock:
            now = self._clock()
            self.assessment.refresh()
            for number in dict.fromkeys(numbers):
                hold = self._holds.get(number)
                is_theirs = 0 <= number < len(self.assessment.ledger.slips) and self._slip(number).labeller == labeller
                is_elsewhere = hold is not None and hold.tab not in ("", tab) and now - hold.seen <= ALIVE
                (held if is_theirs and not is_elsewhere and self._held_on(number, now) else lost).append(number)
                if number in held:
                    self._holds[number] = _Hold(labeller, tab, now)
        return held, lost

    def _held_on(self, number: int, now: float) -> bool:
        """Renew a lease when half of it is gone."""
        slip = self._slip(number)
        if slip.status == "open" and slip.until - now > self.assessment.setup.lease / 2:
            return True
        try:
            self.assessment.renew(number)
        except ConflictError:
            return False
        return True

    def release(self, numbers: Sequence[int], *, labeller: str) -> None:
        """Give tickets back unlabelled."""
        with self._lock:
            for number in dict.fromkeys(numbers):
                if self._slip(number).labeller == labeller:
                    self.assessment.release(number)
                    self._holds.pop(number, None)
        self._changed()

    def do(self, act: Callable[[Assessment], Any]) -> Any:
        """Hold the desk for something else that writes."""
        with self._lock:
            done = act(self.assessment)
        self._changed()
        return done

    def ticket(self, number: int, *, labeller: str, is_owner: bool) -> Ticket:
        """Give a ticket to its labeller once more."""
        with self._lock:
            slip = self._slip(number)
            if slip.labeller != labeller and not is_owner:
                raise NotYoursError(f"Ticket {number} was handed to somebody else.")
            return self.assessment.ticket_of(slip)

    def why_no_more(self, n_handed: int) -> str:
        """Say why nothing more is handed out, after so many were just now."""
        with self._lock:
            return why_no_more(self.assessment, n_handed)

    def n_settled(self, labeller: str) -> int:
        """Count what the labeller has labelled or skipped, and not taken back."""
        with self._lock:
            self._read_trails()
            return len(self._trails.of(labeller))

    def _slip(self, number: int) -> Slip:
        if number >= len(self.assessment.ledger.slips):
            self.assessment.refresh()
        return self.assessment.ledger.slip(number)

    def _read_trails(self) -> None:
        self._trails.read(self._journal.events(self._trails.n_events))


class Trails:
    """What each labeller has said, in order and without what was taken back: what undo goes along."""

    def __init__(self) -> None:
        self._of: dict[str, dict[int, None]] = {}
        self._by: dict[int, str] = {}
        self.n_events = 0

    def read(self, events: Sequence[Any]) -> None:
        """Take more events in."""
        for event in events:
            if isinstance(event, (Told, Skipped)):
                self._of.setdefault(event.labeller, {})[event.ticket] = None
                self._by[event.ticket] = event.labeller
            elif isinstance(event, Withdrawn):
                self._of.get(self._by.pop(event.ticket, ""), {}).pop(event.ticket, None)
        self.n_events += len(events)

    def of(self, labeller: str) -> dict[int, None]:
        """Give the tickets of a labeller, oldest first."""
        return self._of.get(labeller, {})

    def newest_first(self, labeller: str) -> list[int]:
        """Give the tickets of a labeller, newest first."""
        return list(reversed(self.of(labeller)))
