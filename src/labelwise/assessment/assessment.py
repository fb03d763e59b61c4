"""The assessment: asks for labels, takes them, and says what is known."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment.events import (
    Asked,
    Closed,
    Event,
    Imported,
    Opened,
    Renewed,
    Skipped,
    Told,
    Withdrawn,
    says_the_same,
)
from labelwise.assessment.journal import Journal, MemoryJournal, OvertakenError, Page
from labelwise.assessment.ledger import Ledger, Slip
from labelwise.assessment.plan import Plan, plan_from
from labelwise.assessment.queue import Queue
from labelwise.assessment.result import Result, result_of
from labelwise.assessment.setup import Setup, check_same
from labelwise.assessment.ticket import Said, Ticket, number_of
from labelwise.checks import check_count, hint, plain, shown
from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError
from labelwise.groups import Grouping
from labelwise.metrics import N_DRAWS
from labelwise.policies import Policy
from labelwise.pool import ClassName, Pool
from labelwise.pool.markup import facts_table
from labelwise.questions import Question

Outcome = TypeVar("Outcome")
_TRIES = 10  # times to decide again if the connection to a store is lost and others are faster


class Assessment:
    """An ongoing question to a pool whose labels are not known.

    Every label is an event in the journal before it counts, and a reopened assessment goes on as if it had never
    stopped: ask number k draws from a generator made from (seed, k).

    Parameters
    ----------
    pool, groups : what is assessed, and its groups.
    question : what is to be found out.
    seed : decides every random choice.
    journal : keeps the events; in memory unless given.
    clock : gives the time in seconds since 1970.
    options : whatever else `Setup` takes: policy, prior, stop, target, level, lease, is_blind, show.

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
        seed: int,
        journal: Journal | None = None,
        clock: Callable[[], float] = time.time,
        **options: Any,
    ) -> None:
        if groups.pool is not pool:
            raise DataError("The grouping is of another pool; make it from this one.")
        self._begin(Setup(groups, question, seed, **options), journal, clock)

    @classmethod
    def of(cls, setup: Setup, *, journal: Journal | None = None, clock: Callable[[], float] = time.time) -> Self:
        """Begin, or go on with, the assessment of a set-up."""
        assessment = cls.__new__(cls)
        assessment._begin(setup, journal, clock)
        return assessment

    @classmethod
    def reopen(cls, journal: Journal, *, clock: Callable[[], float] = time.time) -> Self:
        """Go on with the assessment that a journal keeps, pool and set-up included."""
        first = next(iter(journal.events(0, 1)), None)
        if not isinstance(first, Opened):
            raise NotFoundError("There is no assessment in this journal yet.")
        return cls.of(Setup.of_data(first.setup, journal.piece), journal=journal, clock=clock)

    def _begin(self, setup: Setup, journal: Journal | None, clock: Callable[[], float]) -> None:
        self.setup, self.pool, self.groups, self.question = setup, setup.pool, setup.groups, setup.question
        self._journal: Journal = journal if journal is not None else MemoryJournal()
        self._clock = clock
        self._start = setup.start()
        self._asked = self.question.asked(self.groups)
        self._codes = {name: code for code, name in enumerate(self.pool.classes)}
        self._has_appended = False
        self._ledger = self._fresh_ledger()
        self._write(self._open)

    def _open(self, page: Page) -> None:
        if self._ledger.is_open:
            check_same(self.setup.to_data(self._start), self._ledger.setup)
            return
        self.setup.check(self._start)
        pieces = [page.keep(piece) for piece in self.setup.pieces()] if self._journal.is_lasting else []
        self._append(page, Opened(self._now(), self.setup.to_data(self._start, pieces)))

    def ask(self, n: int = 1, *, labeller: str = "") -> list[Ticket]:
        """Hand out up to n items; fewer if the pool runs out of items that can change the answer.

        n tickets at once are n choices without labels in between. A ticket counts as taken until it is told, skipped or
        withdrawn, or its lease runs out.
        """
        check_count(n, "n")
        return [self.ticket_of(slip) for slip in self._write(lambda page: self._asks(page, n, labeller))]

    def ask_again(self, ticket: Ticket | int, *, labeller: str | None = None) -> Ticket:
        """Hand out the item of a withdrawn ticket once more, under a new number: how a labeller corrects a label."""

        def write(page: Page) -> Slip:
            self._ledger.check_open()
            slip = self._ledger.slip(number_of(ticket))
            if slip.status != "withdrawn":
                raise ConflictError(f"Ticket {slip.ticket} is {slip.status}; withdraw it before asking again.")
            if self._ledger.holder(slip.item) is not None or slip.item in self._ledger.settled:
                raise ConflictError(f"The item of ticket {slip.ticket} was handed to somebody else meanwhile.")
            who = slip.labeller if labeller is None else labeller
            return self._hand(page, slip.item, slip.group, who, self._ledger.n_choices - 1)  # no new random choice

        return self.ticket_of(self._write(write))

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
        self.hear(Said(ticket, label, labeller=labeller, key=key))

    def skip(
        self,
        ticket: Ticket | int,
        reason: str = "",
        *,
        is_unknown: bool = False,
        labeller: str | None = None,
        key: str | None = None,
    ) -> None:
        """Pass an item by; it is not asked again, and the answer says how many were.

        Parameters
        ----------
        reason : why, in the labeller's words.
        is_unknown : the labeller looked and does not know: missing data, whose bounds the answer gives.
        """
        self.hear(Said(ticket, None, reason, is_unknown, labeller, key))

    def hear(self, said: Said) -> bool:
        """Take a label or a skip, and say whether it was new: the same under the same key counts once."""
        if said.label is not None:
            self._code(said.label)
        return self._write(lambda page: self._hear(page, said))

    def tell_all(self, said: Sequence[Said], *, rows: Sequence[int] = (), may_repeat: bool = False) -> int:
        """Take many labels and skips at once: all of them or, if one cannot be taken, none.

        Parameters
        ----------
        said : in order; an error names the row.
        rows : the numbers of the rows; counted from 1 unless given.
        may_repeat : pass over what was said before in just the same words, so that a file can be sent again.

        Returns
        -------
        How many were new.
        """

        def write(page: Page) -> int:
            n_new = 0
            for row, entry in zip(rows or range(1, len(said) + 1), said, strict=True):
                try:
                    code = None if entry.label is None else self._code(entry.label)
                    is_old = may_repeat and self._ledger.slip(entry.number).says(code, entry.is_unknown)
                    n_new += 0 if is_old else self._hear(page, entry)
                except LabelwiseError as error:
                    raise type(error)(f"Row {row}: {error} Nothing was told.") from error
            return n_new

        return self._write(write)

    def withdraw(self, ticket: Ticket | int, *, labeller: str | None = None) -> None:
        """Take back what was told or skipped on a ticket: the belief returns exactly, the item can be asked again."""
        number = number_of(ticket)

        def write(page: Page) -> None:
            slip = self._ledger.slip(number)
            self._ledger.check_open()
            if slip.status not in ("told", "skipped", "unknown"):
                raise ConflictError(f"Ticket {number} is {slip.status}; there is nothing to withdraw.")
            self._append(page, Withdrawn(self._now(), number, slip.labeller if labeller is None else labeller))

        self._write(write)

    def renew(self, ticket: Ticket | int) -> float:
        """Hold a ticket for another lease from now, and give the time that it ends."""
        number = number_of(ticket)

        def write(page: Page) -> float:
            slip = self._ledger.slip(number)
            self._ledger.check_tellable(slip, self.pool.classes)
            if slip.status == "expired" and self._ledger.holder(slip.item) is not None:
                raise ConflictError(f"Ticket {number} ran out, and its item was handed to somebody else.")
            until = self._now() + self.setup.lease
            self._append(page, Renewed(self._now(), number, until))
            return until

        return self._write(write)

    def release(self, ticket: Ticket | int) -> None:
        """Give a ticket back unlabelled: its lease ends now, and its item can be asked again."""
        number = number_of(ticket)

        def write(page: Page) -> None:
            slip = self._ledger.slip(number)
            if slip.status == "open":
                self._append(page, Renewed(self._now(), number, self._now()))

        self._write(write)

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
        items = tuple(self.pool.places(labels))
        codes = tuple(self._code(label) for label in labels.values())

        def write(page: Page) -> None:
            self._ledger.check_open()
            twice = next((item for item in items if item in self._ledger.settled), None)
            if twice is not None:
                name = shown(self.pool.id_of(twice))
                raise ConflictError(f"Item {name} has been labelled or skipped already; nothing was imported.")
            self._append(page, Imported(self._now(), items, codes, labeller))

        self._write(write)

    def close(self) -> None:
        """End the assessment; its answer can still be read."""

        def write(page: Page) -> None:
            self._ledger.check_open()
            self._append(page, Closed(self._now()))

        self._write(write)

    def answer(self, *, n_draws: int = N_DRAWS) -> Result:
        """Say what is known now, how surely, and whether that is enough."""
        self.refresh()
        rng = np.random.default_rng([self.setup.seed, self._ledger.n_events, 1])
        return result_of(self, self._ledger, n_draws=n_draws, rng=rng)

    def plan(
        self, policies: Sequence[Policy] = (), *, step: Callable[[str], None] | None = None, **options: Any
    ) -> Plan:
        """Say how many more labels each policy would need from here."""
        self.refresh()
        ledger = self._ledger
        n_labels = len(ledger.label_of)
        return plan_from(self.setup, ledger.belief, ledger.queue, n_labels, policies, step=step, **options)

    @property
    def belief(self) -> Any:
        """What is believed after all labels so far."""
        return self._ledger.belief

    @property
    def ledger(self) -> Ledger:
        """What the events say, one slip a ticket; to be read only."""
        return self._ledger

    @property
    def n_open(self) -> NDArray[np.int64]:
        """How many items of each group can still be asked and matter."""
        return np.where(self._asked, self._ledger.n_open, 0)

    def history(self) -> list[Event]:
        """Give every event so far, in order: who said what when."""
        return self._journal.events()

    def refresh(self) -> None:
        """Take in what others have written."""
        self._ledger.fold(self._journal.events(self._ledger.n_events))
        self._ledger.expire(self._now())

    def ticket_of(self, slip: Slip) -> Ticket:
        """Give what a labeller may see of a slip."""
        seen = {"id", *self.pool.content, *self.setup.show}
        item = {name: value for name, value in self.pool.item(slip.item).items() if name in seen}
        prediction = None if self.setup.is_blind else self.pool.classes[self.pool.prediction[slip.item]]
        return Ticket(slip.ticket, item, slip.labeller, slip.until, prediction)

    def _write(self, decide: Callable[[Page], Outcome]) -> Outcome:
        """Write what is decided; decide again if others came first while a connection was lost."""
        for _ in range(_TRIES):
            try:
                return self._write_once(decide)
            except OvertakenError:
                continue
        return self._write_once(decide)

    def _write_once(self, decide: Callable[[Page], Outcome]) -> Outcome:
        """Catch up with other writers, decide and append while nobody else can, and start anew if that fails."""
        self._has_appended = False
        try:
            with self._journal.writing() as page:
                self._ledger.fold(page.events(self._ledger.n_events))
                self._ledger.expire(self._now())
                return decide(page)
        except BaseException:
            if self._has_appended:  # what was applied has not been kept: fold what was
                self._ledger = self._fresh_ledger()
                self._ledger.fold(self._journal.events())
            raise

    def _append(self, page: Page, event: Event, key: str | None = None) -> None:
        page.append(event, key)
        self._has_appended = True
        self._ledger.apply(event)

    def _asks(self, page: Page, n: int, labeller: str) -> list[Slip]:
        self._ledger.check_open()
        handed: list[Slip] = []
        belief = self._ledger.choosing
        while len(handed) < n:
            choice = self._ledger.n_choices
            rng = np.random.default_rng([self.setup.seed, choice])
            chosen = self.setup.policy.choose(belief, self.question, self.n_open, target=self.setup.target, rng=rng)
            if not chosen:
                break
            for group in chosen[: n - len(handed)]:
                handed.append(self._hand(page, self._ledger.next_item(group), group, labeller, choice))
        return handed

    def _hand(self, page: Page, item: int, group: int, labeller: str, choice: int) -> Slip:
        now, number = self._now(), len(self._ledger.slips)
        self._append(page, Asked(now, number, item, group, labeller, now + self.setup.lease, choice))
        return self._ledger.slips[number]

    def _hear(self, page: Page, said: Said) -> bool:
        """Append what was said, and say whether it was new."""
        slip = self._ledger.slip(said.number)
        event = self._event_of(said, slip)
        before = None if said.key is None else page.keyed(said.key)
        if before is not None:
            if says_the_same(before, event):
                return False
            raise ConflictError(f"Key {said.key!r} was used before for something else. Use a new key for every label.")
        self._ledger.check_tellable(slip, self.pool.classes)
        self._append(page, event, said.key)
        return True

    def _event_of(self, said: Said, slip: Slip) -> Told | Skipped:
        who = slip.labeller if said.labeller is None else said.labeller
        if said.label is None:
            return Skipped(self._now(), said.number, who, said.reason, said.is_unknown)
        return Told(self._now(), said.number, self._code(said.label), who)

    def _code(self, label: ClassName) -> int:
        name = plain(label)
        code = self._codes.get(name) if isinstance(name, (str, int)) and not isinstance(name, bool) else None
        if code is None:
            classes = self.pool.classes
            raise DataError(f"Label {shown(label)} is not one of the {len(classes)} classes. {hint(label, classes)}")
        return code

    def _fresh_ledger(self) -> Ledger:
        return Ledger(self._start, Queue(self.groups, seed=self.setup.seed, items=self.question.items(self.groups)))

    def _now(self) -> float:
        return self._clock()

    def _repr_html_(self) -> str:
        facts = {
            "question": str(self.question),
            "stop when": str(self.setup.stop),
            "labels": len(self._ledger.label_of),
            "items": self.pool.n_items,
            "groups": f"{self.groups.n_groups:,} by {self.groups.rule}",
            "can be asked": int(self.n_open.sum()),
            "policy": self.setup.policy.name,
            "target": self.setup.target,
            "seed": self.setup.seed,
        }
        return facts_table(facts, title=f"Assessment of '{self.pool.source}'")

    def __repr__(self) -> str:
        told = len(self._ledger.label_of)
        return f"<Assessment of '{self.pool.source}', {told:,} labels told, {int(self.n_open.sum()):,} items open>"
