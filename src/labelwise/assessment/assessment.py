"""The assessment: asks for labels, takes them, and says what is known."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment.events import Asked, Closed, Event, Imported, Opened, Renewed, Skipped, Told, Withdrawn
from labelwise.assessment.journal import Journal, MemoryJournal, Page
from labelwise.assessment.ledger import Ledger, Slip
from labelwise.assessment.queue import Queue
from labelwise.assessment.result import Result, result_of
from labelwise.assessment.stopping import StoppingRule, Sure, Width
from labelwise.beliefs import Prior, Target
from labelwise.checks import check_count, check_positive, hint, shown
from labelwise.errors import ConflictError, DataError
from labelwise.groups import Grouping
from labelwise.metrics import N_DRAWS
from labelwise.policies import MultiplePlay, Policy, Thompson
from labelwise.pool import ClassName, Pool
from labelwise.questions import Estimate, Question

LEASE = 600.0  # seconds
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Ticket:
    """One item handed to a labeller.

    What the classifier said about the item is left out, and so is the group, which may say the same: a labeller who
    sees the prediction is biased.

    Attributes
    ----------
    number : what to tell by.
    item : id and content of the item, and the columns that were asked to be shown.
    until : when the lease ends, in seconds since 1970.
    prediction : only if the assessment is not blind.
    """

    number: int
    item: dict[str, Any]
    labeller: str
    until: float
    prediction: ClassName | None = None


class Assessment:
    """An ongoing question to a pool whose labels are not known.

    Every label is an event in the journal before it counts, and a reopened assessment goes on as if it had never
    stopped: ask number k draws from a generator made from (seed, k).

    Parameters
    ----------
    pool, groups : what is assessed, and its groups.
    question : what is to be found out.
    policy : how groups are chosen; Thompson sampling, or its multiple-play form for several groups, unless given.
    prior : what is believed before any label; the metric's default unless given.
    stop : when the answer is good enough; unless given, sure to 0.95, for an estimate every interval at most 0.1 wide.
    seed : decides every random choice.
    journal : keeps the events; in memory unless given.
    lease : seconds that a ticket is held for its labeller.
    is_blind : whether labellers are kept from seeing what the classifier said.
    show : columns of the pool to show to labellers beside the content.
    clock : gives the time in seconds since 1970.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=7)
    >>> for ticket in assessment.ask(20):
    ...     assessment.tell(ticket, "cat")
    >>> assessment.answer().answer.named
    ('dog',)
    """

    def __init__(
        self,
        pool: Pool,
        groups: Grouping,
        *,
        question: Question,
        policy: Policy | None = None,
        prior: Prior | None = None,
        stop: StoppingRule | None = None,
        target: Target = "population",
        level: float = 0.95,
        seed: int,
        journal: Journal | None = None,
        lease: float = LEASE,
        is_blind: bool = True,
        show: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        check_positive(lease, "lease")
        if groups.pool is not pool:
            raise DataError("The grouping is of another pool; make it from this one.")
        self.pool, self.groups, self.question = pool, groups, question
        self.policy = policy or (MultiplePlay() if question.plays > 1 else Thompson())
        self.stop = stop or (Width(0.1) if isinstance(question, Estimate) else Sure())
        self.target, self.level, self.seed = target, level, seed
        self._journal: Journal = journal if journal is not None else MemoryJournal()
        self._lease, self._is_blind, self._show, self._clock = lease, is_blind, tuple(show), clock
        self._start = question.start(groups, prior)
        self._asked = question.asked(groups)
        self._ledger = self._fresh_ledger()
        self._has_appended = False
        self._open()

    def ask(self, n: int = 1, *, labeller: str = "") -> list[Ticket]:
        """Hand out up to n items; fewer if the pool runs out of items that can change the answer.

        n tickets at once are n choices without labels in between. A ticket counts as taken until it is told, skipped or
        withdrawn, or its lease runs out.
        """
        check_count(n, "n")
        return [self._ticket(slip) for slip in self._write(lambda page: self._asks(page, n, labeller))]

    def tell(
        self, ticket: Ticket | int, label: ClassName, *, labeller: str | None = None, key: str | None = None
    ) -> None:
        """Take the label of a ticket; when this returns it is kept for good.

        Parameters
        ----------
        ticket : the ticket or its number.
        label : name of the class.
        labeller : who says so; whoever the ticket was handed to unless given.
        key : a text of the client's own that makes the call safe to repeat: same key and same label count once.
        """
        number = _number(ticket)
        code = self._code(label)

        def write(page: Page) -> None:
            slip = self._ledger.slip(number)
            who = slip.labeller if labeller is None else labeller
            before = None if key is None else page.keyed(key)
            if before is not None:
                if isinstance(before, Told) and (before.ticket, before.label) == (number, code):
                    return
                raise ConflictError(f"Key {key!r} was used before for something else. Use a new key for every label.")
            self._check_tellable(slip)
            self._append(page, Told(self._now(), number, code, who), key)

        self._write(write)

    def skip(
        self, ticket: Ticket | int, reason: str = "", *, is_unknown: bool = False, labeller: str | None = None
    ) -> None:
        """Pass an item by; it is not asked again, and the answer says how many were.

        Parameters
        ----------
        reason : why, in the labeller's words.
        is_unknown : the labeller looked and does not know: missing data, whose bounds the answer gives.
        """
        number = _number(ticket)

        def write(page: Page) -> None:
            slip = self._ledger.slip(number)
            self._check_tellable(slip)
            who = slip.labeller if labeller is None else labeller
            self._append(page, Skipped(self._now(), number, who, reason, is_unknown))

        self._write(write)

    def withdraw(self, ticket: Ticket | int, *, labeller: str | None = None) -> None:
        """Take back what was told or skipped on a ticket: the belief returns exactly, the item can be asked again."""
        number = _number(ticket)

        def write(page: Page) -> None:
            slip = self._ledger.slip(number)
            self._check_open()
            if slip.status not in ("told", "skipped", "unknown"):
                raise ConflictError(f"Ticket {number} is {slip.status}; there is nothing to withdraw.")
            self._append(page, Withdrawn(self._now(), number, slip.labeller if labeller is None else labeller))

        self._write(write)

    def renew(self, ticket: Ticket | int) -> float:
        """Hold a ticket for another lease from now, and give the time that it ends."""
        number = _number(ticket)

        def write(page: Page) -> float:
            slip = self._ledger.slip(number)
            self._check_tellable(slip)
            if slip.status == "expired" and self._ledger.holder(slip.item) is not None:
                raise ConflictError(f"Ticket {number} ran out, and its item was handed to somebody else.")
            until = self._now() + self._lease
            self._append(page, Renewed(self._now(), number, until))
            return until

        return self._write(write)

    def import_labels(
        self, labels: dict[ClassName, ClassName], *, were_drawn_at_random: bool, labeller: str = "import"
    ) -> None:
        """Take labels from elsewhere, by item id.

        Only labels that were drawn at random within each group keep the intervals honest, and only the user can know
        that.

        Parameters
        ----------
        labels : from item id to class.
        were_drawn_at_random : the user's word that the items were drawn at random within each group.
        """
        if not were_drawn_at_random:
            raise DataError(
                "Labels that were not drawn at random within each group make intervals wrong, and are not imported."
            )
        place = {value: i for i, value in enumerate(self.pool.all_ids().tolist())}
        strange = next((value for value in labels if value not in place), None)
        if strange is not None:
            raise DataError(f"Item {shown(strange)} is not in the pool; nothing was imported.")
        items = tuple(place[value] for value in labels)
        codes = tuple(self._code(label) for label in labels.values())

        def write(page: Page) -> None:
            self._check_open()
            twice = next((item for item in items if item in self._ledger.settled), None)
            if twice is not None:
                name = shown(self.pool.id_of(twice))
                raise ConflictError(f"Item {name} has been labelled or skipped already; nothing was imported.")
            self._append(page, Imported(self._now(), items, codes, labeller))

        self._write(write)

    def close(self) -> None:
        """End the assessment; its answer can still be read."""

        def write(page: Page) -> None:
            self._check_open()
            self._append(page, Closed(self._now()))

        self._write(write)

    def answer(self, *, n_draws: int = N_DRAWS) -> Result:
        """Say what is known now, how surely, and whether that is enough."""
        self.refresh()
        ledger = self._ledger
        rng = np.random.default_rng([self.seed, ledger.n_events, 1])
        return result_of(self, ledger, n_draws=n_draws, rng=rng)

    @property
    def belief(self) -> Any:
        """What is believed after all labels so far."""
        return self._ledger.belief

    @property
    def n_open(self) -> NDArray[np.int64]:
        """How many items of each group can still be asked and matter."""
        return np.where(self._asked, self._ledger.n_open, 0)

    def history(self) -> list[Event]:
        """Give every event so far, in order: who said what when."""
        return self._journal.events()

    def refresh(self) -> None:
        """Take in what others have written."""
        for event in self._journal.events(self._ledger.n_events):
            self._ledger.apply(event)
        self._ledger.expire(self._now())

    def _open(self) -> None:
        setup = {
            "fingerprint": self.pool.fingerprint,
            "groups": list(self.groups.names) if self.groups.n_groups <= 1_000 else self.groups.n_groups,
            "grouping": self.groups.rule,
            "question": repr(self.question),
            "policy": repr(self.policy),
            "seed": self.seed,
            "is_blind": self._is_blind,
        }

        def write(page: Page) -> None:
            if not self._ledger.is_open:
                self._append(page, Opened(self._now(), setup))
            elif self._ledger.setup != setup:
                differs = next(key for key in setup if self._ledger.setup.get(key) != setup[key])
                raise DataError(
                    f"This journal was opened with another {differs}: {shown(self._ledger.setup.get(differs))}, not "
                    f"{shown(setup[differs])}. Open it with what it was made with."
                )

        self._write(write)

    def _write(self, decide: Callable[[Page], Outcome]) -> Outcome:
        """Catch up with other writers, decide and append while nobody else can, and start anew if that fails."""
        self._has_appended = False
        try:
            with self._journal.writing() as page:
                for event in page.events(self._ledger.n_events):
                    self._ledger.apply(event)
                self._ledger.expire(self._now())
                return decide(page)
        except BaseException:
            if self._has_appended:  # what was applied has not been kept: fold what was
                self._ledger = self._fresh_ledger()
                for event in self._journal.events():
                    self._ledger.apply(event)
            raise

    def _append(self, page: Page, event: Event, key: str | None = None) -> None:
        page.append(event, key)
        self._has_appended = True
        self._ledger.apply(event)

    def _asks(self, page: Page, n: int, labeller: str) -> list[Slip]:
        self._check_open()
        handed: list[Slip] = []
        belief = self._ledger.belief
        while len(handed) < n:
            choice = self._ledger.n_choices
            rng = np.random.default_rng([self.seed, choice])
            chosen = self.policy.choose(belief, self.question, self.n_open, rng=rng)
            if not chosen:
                break
            for group in chosen[: n - len(handed)]:
                item, now = self._ledger.next_item(group), self._now()
                number = len(self._ledger.slips)
                self._append(page, Asked(now, number, item, group, labeller, now + self._lease, choice))
                handed.append(self._ledger.slips[number])
        return handed

    def _ticket(self, slip: Slip) -> Ticket:
        shown_columns = {"id", *self.pool.content, *self._show}
        item = {name: value for name, value in self.pool.item(slip.item).items() if name in shown_columns}
        prediction = None if self._is_blind else self.pool.classes[self.pool.prediction[slip.item]]
        return Ticket(slip.ticket, item, slip.labeller, slip.until, prediction)

    def _check_open(self) -> None:
        if self._ledger.is_closed:
            raise ConflictError("This assessment is closed; nothing more can be asked or told.")

    def _check_tellable(self, slip: Slip) -> None:
        self._check_open()
        again = "Withdraw it before telling it again."
        if slip.status == "told" and slip.label is not None:
            raise ConflictError(f"Ticket {slip.ticket} was already told {self.pool.classes[slip.label]!r}. {again}")
        if slip.status in ("skipped", "unknown"):
            raise ConflictError(f"Ticket {slip.ticket} was already skipped. {again}")
        if slip.status == "withdrawn":
            raise ConflictError(f"Ticket {slip.ticket} was withdrawn. Ask for a new one.")
        if slip.item in self._ledger.settled:
            raise ConflictError(
                f"Ticket {slip.ticket} ran out, and its item has been labelled or skipped since; nothing was changed."
            )

    def _code(self, label: ClassName) -> int:
        classes = self.pool.classes
        if label not in classes:
            raise DataError(f"Label {shown(label)} is not one of the {len(classes)} classes. {hint(label, classes)}")
        return classes.index(label)

    def _fresh_ledger(self) -> Ledger:
        return Ledger(self._start, Queue(self.groups, seed=self.seed))

    def _now(self) -> float:
        return self._clock()

    def __repr__(self) -> str:
        told = len(self._ledger.label_of)
        return f"<Assessment of '{self.pool.source}', {told:,} labels told, {int(self.n_open.sum()):,} items open>"


def _number(ticket: Ticket | int) -> int:
    return ticket.number if isinstance(ticket, Ticket) else int(ticket)
