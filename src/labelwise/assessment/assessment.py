"""The assessment: asks for labels, takes them, and says what is known."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment.defaults import default_groups
from labelwise.assessment.events import Closed, Doubled, Event, Opened, Renewed, Withdrawn
from labelwise.assessment.journal import Journal, MemoryJournal, Page
from labelwise.assessment.ledger import Ledger
from labelwise.assessment.plan import Plan, plan_from
from labelwise.assessment.result import Result, result_of
from labelwise.assessment.second_opinions import Dispute, disputes_of
from labelwise.assessment.setup import Setup
from labelwise.assessment.ticket import Said, Ticket, number_of
from labelwise.assessment.ticket_table import TicketRecord
from labelwise.assessment.writer import Writer
from labelwise.beliefs import Belief
from labelwise.checks import check_count, check_within
from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError
from labelwise.groups import Grouping
from labelwise.metrics import Metric
from labelwise.metrics.metric import N_DRAWS
from labelwise.policies import Policy
from labelwise.pool import ClassName, Pool
from labelwise.pool.html_table import facts_table
from labelwise.questions import Question


class Assessment:
    """An ongoing question to a pool whose labels are not known.

    Every label is an event in the journal before it counts, and a reopened assessment goes on as if it had never
    stopped: ask number k draws from a generator made from (seed, k).

    Parameters
    ----------
    pool : what is assessed.
    groups : its groups; those that suit the question (`assessment/defaults.py`) unless given.
    question : what is to be found out.
    seed : decides every random choice; a random one unless given, which the journal keeps.
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
        groups: Grouping | None = None,
        *,
        question: Question,
        seed: int | None = None,
        journal: Journal | None = None,
        clock: Callable[[], float] = time.time,
        **options: Any,
    ) -> None:
        groups = default_groups(question, pool) if groups is None else groups
        if groups.pool is not pool:
            raise DataError("The grouping is of another pool; make it from this one.")
        seed = secrets.randbelow(2**32) if seed is None else seed
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
        return cls.resume(Setup.of_data(first.setup, journal.piece), journal, clock=clock)

    @classmethod
    def resume(cls, setup: Setup, journal: Journal, *, clock: Callable[[], float] = time.time) -> Self:
        """Go on with the assessment that a journal keeps and whose set-up is known; nothing is written."""
        assessment = cls.__new__(cls)
        assessment._connect(setup, journal, clock)
        assessment.refresh()
        return assessment

    def _begin(self, setup: Setup, journal: Journal | None, clock: Callable[[], float]) -> None:
        self._connect(setup, journal, clock)
        self._writer.write(self._writer.open)

    def _connect(self, setup: Setup, journal: Journal | None, clock: Callable[[], float]) -> None:
        self.setup, self.pool, self.groups, self.question = setup, setup.pool, setup.groups, setup.question
        self._writer = Writer(setup, journal if journal is not None else MemoryJournal(), clock)

    def ask(self, n: int = 1, *, labeller: str = "") -> list[Ticket]:
        """Hand out up to n items; fewer if the pool runs out of items that can change the answer.

        n tickets at once are n choices without labels in between. A ticket counts as taken until it is told, skipped or
        withdrawn, or its lease runs out. A labeller with a name first gets items that somebody else labelled, if second
        opinions of them are wished for; a ticket does not say so.
        """
        check_count(n, "n")
        return [self.ticket_of(slip) for slip in self._writer.write(self._writer.hand_out, n, labeller)]

    def ask_again(self, ticket: Ticket | int, *, labeller: str | None = None) -> Ticket:
        """Hand out the item of a withdrawn ticket once more, under a new number: how a labeller corrects a label."""

        def write(page: Page) -> TicketRecord:
            self.ledger.check_open()
            slip = self.ledger.slip(number_of(ticket))
            if slip.status != "withdrawn":
                raise ConflictError(f"Ticket {slip.ticket} is {slip.status}; withdraw it before asking again.")
            if not self.ledger.is_free(slip) or self.ledger.is_answered(slip):
                raise ConflictError(f"The item of ticket {slip.ticket} was handed to somebody else meanwhile.")
            who = slip.labeller if labeller is None else labeller
            if slip.is_second:
                return self._writer.hand_second(page, slip.item, slip.group, who)
            return self._writer.hand(
                page, slip.item, slip.group, who, self.ledger.n_choices - 1
            )  # no new random choice

        return self.ticket_of(self._writer.write(write))

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
        self._writer.code(label)  # None, which would be a skip, is no class
        self._writer.write(self._writer.hear, Said(ticket, label, labeller=labeller, key=key))

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
            self._writer.code(said.label)
        return self._writer.write(self._writer.hear, said)

    def together(self, acts: Sequence[Callable[[], Any]]) -> list[Any]:
        """Do several things that write, each as if alone, and keep all of it with one wait for the disk.

        Parameters
        ----------
        acts : call this assessment; one may be called more than once, if others wrote first meanwhile.

        Returns
        -------
        What each gives, or the `LabelwiseError` it was refused with. If one fails after it has written something,
        nothing of all is kept, and the error is raised.

        Examples
        --------
        >>> import labelwise as lw
        >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"])
        >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1)
        >>> tickets, refused = assessment.together([assessment.ask, lambda: assessment.tell(7, "cat")])
        >>> len(tickets), refused
        (1, NotFoundError('There is no ticket 7; 1 have been handed out so far, from 0.'))
        """
        return self._writer.together(acts)

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
                    code = None if entry.label is None else self._writer.code(entry.label)
                    is_old = may_repeat and self.ledger.slip(entry.number).says(code, entry.is_unknown)
                    n_new += 0 if is_old else self._writer.hear(page, entry)
                except LabelwiseError as error:
                    raise type(error)(f"Row {row}: {error} Nothing was told.") from error
            return n_new

        return self._writer.write(write)

    def withdraw(self, ticket: Ticket | int, *, labeller: str | None = None) -> None:
        """Take back what was told or skipped on a ticket: the belief returns exactly, the item can be asked again."""
        number = number_of(ticket)

        def write(page: Page) -> None:
            slip = self.ledger.slip(number)
            self.ledger.check_open()
            if slip.status not in ("told", "skipped", "unknown"):
                raise ConflictError(f"Ticket {number} is {slip.status}; there is nothing to withdraw.")
            if slip.item in self.ledger.seconds.settled and not slip.is_second:
                raise ConflictError(f"The item of ticket {number} was settled since; settle it anew instead.")
            self._writer.append(page, Withdrawn(self._now(), number, slip.labeller if labeller is None else labeller))

        self._writer.write(write)

    def renew(self, ticket: Ticket | int) -> float:
        """Renew the lease of a ticket from now, and return the time at which it ends."""
        number = number_of(ticket)

        def write(page: Page) -> float:
            slip = self.ledger.slip(number)
            self.ledger.check_tellable(slip, self.pool.classes)
            if slip.status == "expired" and not self.ledger.is_free(slip):
                raise ConflictError(f"Ticket {number} ran out, and its item was handed to somebody else.")
            until = self._now() + self.setup.lease
            self._writer.append(page, Renewed(self._now(), number, until))
            return until

        return self._writer.write(write)

    def release(self, ticket: Ticket | int) -> None:
        """Return a ticket back unlabelled: its lease ends now, and its item can be asked again."""
        number = number_of(ticket)

        def write(page: Page) -> None:
            slip = self.ledger.slip(number)
            if slip.status == "open":
                self._writer.append(page, Renewed(self._now(), number, self._now()))

        self._writer.write(write)

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
        codes = tuple(self._writer.code(label) for label in labels.values())
        self._writer.write(self._writer.take_in, items, codes, labeller)

    def want_second_opinions(self, share: float) -> None:
        """Request second labels, by other people, for a share of the items; 0 ends the request.

        A larger share keeps the items of a smaller one: which they are depends on their ids and the seed alone.
        Second opinions show how far labellers agree (`agreement_of`) and never change the belief. Only labellers with
        a name are asked for them.
        """
        check_within(share, "share", 0, 1)

        def write(page: Page) -> None:
            self.ledger.check_open()
            if share != self.ledger.seconds.share:
                self._writer.append(page, Doubled(self._now(), float(share)))

        self._writer.write(write)

    def disputes(self) -> list[Dispute]:
        """Return the items with a second opinion that differs from their label, not settled since; oldest first."""
        self.refresh()
        return disputes_of(self.ledger.seconds, self.pool)

    def settle(self, item: ClassName, label: ClassName, *, labeller: str = "", key: str | None = None) -> None:
        """Decide which class an item has, whatever was said of it: that label counts from now on.

        Parameters
        ----------
        item : its id. It must have a label: one that nobody was asked about was not drawn at random.
        label : name of the class.
        labeller : who decides.
        key : makes the call safe to repeat, as in `tell`.
        """
        [place], code = self.pool.places([item]), self._writer.code(label)
        self._writer.write(self._writer.settle, place, code, labeller, key)

    def close(self) -> None:
        """End the assessment; its answer can still be read."""

        def write(page: Page) -> None:
            self.ledger.check_open()
            self._writer.append(page, Closed(self._now()))

        self._writer.write(write)

    def answer(self, *, n_draws: int = N_DRAWS) -> Result:
        """Return what is known now, how surely, and whether that is enough."""
        self.refresh()
        rng = np.random.default_rng([self.setup.seed, self.ledger.n_events, 1])
        return result_of(self, self.ledger, n_draws=n_draws, rng=rng)

    def plan(
        self, policies: Sequence[Policy] = (), *, step: Callable[[str], None] | None = None, **options: Any
    ) -> Plan:
        """Forecast how many more labels each policy would need from here."""
        self.refresh()
        ledger = self.ledger
        return plan_from(self.setup, ledger.belief, ledger.queue, ledger.trail, policies, step=step, **options)

    @property
    def id(self) -> str:
        """Sixteen characters that no other assessment has: a digest of how it was opened."""
        [opened] = self._writer.journal.events(0, 1)
        return hashlib.blake2b(opened.body().encode(), digest_size=8).hexdigest()

    @property
    def belief(self) -> Belief:
        """What is believed after all labels so far."""
        return self.ledger.belief

    def belief_about(self, metric: Metric) -> Belief:
        """Return what the labels so far say of a metric, whether the question asks for it or not.

        Examples
        --------
        >>> import labelwise as lw
        >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"], confidence=[0.9, 0.5])
        >>> how = {"question": lw.Worst(), "prior": lw.LearnedPrior(), "seed": 1}
        >>> lw.Assessment(pool, lw.by_prediction(pool), **how).belief_about(lw.recall)
        <LearnedConfusion about 2 x 2 after 0 labels>
        """
        if metric == self.question.metric:
            return self.belief
        items, labels = np.array(list(self.ledger.label_of.items()), np.int64).reshape(-1, 2).T
        return self.setup.start_about(metric).update(items, labels)

    @property
    def ledger(self) -> Ledger:
        """What the events say, one slip a ticket; to be read only."""
        return self._writer.ledger

    @property
    def n_open(self) -> NDArray[np.int64]:
        """How many items of each group can still be asked and matter."""
        return self._writer.n_open

    def history(self) -> list[Event]:
        """Return every event so far, in order: who said what when."""
        return self._writer.journal.events()

    @property
    def journal(self) -> Journal:
        """What keeps the events."""
        return self._writer.journal

    def refresh(self) -> None:
        """Take in what others have written."""
        self._writer.refresh()

    def ticket_of(self, slip: TicketRecord) -> Ticket:
        """Return what a labeller may see of a slip."""
        seen = {"id", *self.pool.content, *self.setup.show}
        item = {name: value for name, value in self.pool.item(slip.item).items() if name in seen}
        prediction = None if self.setup.is_blind else self.pool.classes[self.pool.prediction[slip.item]]
        return Ticket(slip.ticket, item, slip.labeller, slip.until, prediction)

    def _now(self) -> float:
        return self._writer.now()

    def _repr_html_(self) -> str:
        facts = {
            "question": str(self.question),
            "stop when": str(self.setup.stop),
            "labels": len(self.ledger.label_of),
            "items": self.pool.n_items,
            "groups": f"{self.groups.n_groups:,} by {self.groups.rule}",
            "can be asked": int(self.n_open.sum()),
            "policy": self.setup.policy.name,
            "target": self.setup.target,
            "seed": self.setup.seed,
        }
        return facts_table(facts, title=f"Assessment of '{self.pool.source}'")

    def __repr__(self) -> str:
        told = len(self.ledger.label_of)
        return f"<Assessment of '{self.pool.source}', {told:,} labels told, {int(self.n_open.sum()):,} items open>"
