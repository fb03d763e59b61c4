"""Where an assessment writes: whatever is decided from events is decided while nobody else can write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment.events import (
    Asked,
    Event,
    Imported,
    Opened,
    Seconded,
    Settled,
    Skipped,
    Told,
    says_the_same,
)
from labelwise.assessment.journal import Journal, OvertakenError, Page
from labelwise.assessment.ledger import Ledger
from labelwise.assessment.queue import Queue
from labelwise.assessment.setup import Setup, check_same
from labelwise.assessment.snapshot import pack_state, restore_state
from labelwise.assessment.ticket import Said
from labelwise.assessment.ticket_table import TicketRecord
from labelwise.beliefs import Belief
from labelwise.checks import hint, plain, shown
from labelwise.errors import ConflictError, DataError, LabelwiseError
from labelwise.pool import ClassName

Outcome = TypeVar("Outcome")
Details = ParamSpec("Details")
_EVERY, _SHARE = 10_000, 50  # events between two snapshots: so many, or this part of all
_IMAGINED = 2  # sets the generator that imagines labels apart from the one that chooses
_TRIES = 10  # times to decide again if the connection to a store is lost and others are faster


class Writer:
    """Catches up with other writers, decides, appends, and starts anew if what was appended is not kept.

    Attributes
    ----------
    journal : keeps the events.
    ledger : what they say.
    """

    def __init__(self, setup: Setup, journal: Journal, clock: Callable[[], float]) -> None:
        self.setup, self.journal, self.now = setup, journal, clock
        self._start = setup.start()
        self._asked = setup.question.asked(setup.groups)
        self._codes = {name: code for code, name in enumerate(setup.pool.classes)}
        self._has_appended = False
        self._page: Page | None = None  # held open for several acts together
        self.ledger = self._kept_ledger()
        self._n_kept = self.ledger.n_events  # events that the newest snapshot stands for

    @property
    def n_open(self) -> NDArray[np.int64]:
        """How many items of each group can still be asked and matter."""
        return np.where(self._asked, self.ledger.n_open, 0)

    def refresh(self) -> None:
        """Take in what others have written."""
        self.ledger.fold(self.journal.events(self.ledger.n_events))
        self.ledger.expire(self.now())

    def write(
        self, decide: Callable[Concatenate[Page, Details], Outcome], *args: Details.args, **options: Details.kwargs
    ) -> Outcome:
        """Write what `decide(page, ...)` appends; decide again if others came first while a connection was lost."""
        if self._page is not None:
            return decide(self._page, *args, **options)
        n_tries = 0
        while True:
            n_tries += 1
            self._has_appended = False
            try:
                with self.journal.writing() as page:
                    self.ledger.fold(page.events(self.ledger.n_events))
                    self.ledger.expire(self.now())
                    outcome = decide(page, *args, **options)
                    self._keep_snapshot(page)
                    return outcome
            except BaseException as error:
                if self._has_appended:  # what was applied has not been kept: fold what was
                    self._fold_anew()
                if not isinstance(error, OvertakenError) or n_tries > _TRIES:
                    raise

    def together(self, acts: Sequence[Callable[[], Any]]) -> list[Any]:
        """Keep all that several acts write at once, with one wait for the disk; see `Assessment.together`."""

        def decide(page: Page) -> list[Any]:
            self._page = page
            try:
                return [self._tried(act) for act in acts]
            finally:
                self._page = None

        return self.write(decide)

    def _tried(self, act: Callable[[], Any]) -> Any:
        """Return what an act gives, or how it was refused; one that fails half way takes all others with it."""
        before = self.ledger.n_events
        try:
            return act()
        except LabelwiseError as error:
            if self.ledger.n_events != before:
                raise
            return error

    def _fold_anew(self) -> None:
        """Start anew from the events that were kept."""
        self.ledger = self._kept_ledger()
        self._n_kept = self.ledger.n_events
        self.ledger.fold(self.journal.events(self._n_kept))

    def _keep_snapshot(self, page: Page) -> None:
        """Keep the state now and then, so that opening a long assessment does not fold every event again."""
        n_events = self.ledger.n_events
        if self.journal.is_lasting and n_events - self._n_kept >= max(_EVERY, n_events // _SHARE):
            page.keep_snapshot(pack_state(self.ledger))
            self._n_kept = n_events

    def append(self, page: Page, event: Event, key: str | None = None) -> None:
        """Add an event to the page, and take it in."""
        page.append(event, key)
        self._has_appended = True
        self.ledger.apply(event)

    def open(self, page: Page) -> None:
        """Begin the assessment, or see that it was begun with the same set-up."""
        if self.ledger.is_open:
            check_same(self.setup.to_data(self._start), self.ledger.setup)
            return
        self.setup.check(self._start)
        pieces = [page.keep(piece) for piece in self.setup.pieces()] if self.journal.is_lasting else []
        self.append(page, Opened(self.now(), self.setup.to_data(self._start, pieces)))

    def hand_out(self, page: Page, n: int, labeller: str) -> list[TicketRecord]:
        """Hand out up to n items: first those of which a second opinion is wished, then what the policy chooses."""
        self.ledger.check_open()
        handed: list[TicketRecord] = []
        while len(handed) < n and (item := self.ledger.seconds.next_for(labeller)) is not None:
            handed.append(self.hand_second(page, item, int(self.setup.groups.of_item[item]), labeller))
        setup = self.setup
        out = {int(item) for item in self.ledger.slips.items("open") if int(item) not in self.ledger.answered}
        while len(handed) < n:
            choice = self.ledger.n_choices
            rng = np.random.default_rng([setup.seed, choice])
            belief = self._imagined(out, choice)
            chosen = setup.policy.choose(belief, setup.question, self.n_open, target=setup.target, rng=rng)
            if not chosen:
                break
            for group in chosen[: n - len(handed)]:
                handed.append(self.hand(page, self.ledger.next_item(group), group, labeller, choice))
                out.add(handed[-1].item)  # a second time, if its first ticket has run out meanwhile
        return handed

    def _imagined(self, out: set[int], choice: int) -> Belief:
        """Return the belief to choose by, as if the items that are out had labels that the belief holds for likely.

        Else all tickets of a batch, and those of several labellers, would go where one label is worth most.
        """
        belief = self.ledger.choosing
        if not out:
            return belief
        items = np.array(sorted(out), np.int64)
        rng = np.random.default_rng([self.setup.seed, choice, _IMAGINED])
        labels = belief.imagine(belief.draw(1, rng=rng)[0], items, rng=rng)
        return belief.update(items, labels).with_maps_of(belief)

    def hand(self, page: Page, item: int, group: int, labeller: str, choice: int) -> TicketRecord:
        """Hand out an item for its label."""
        now, number = self.now(), len(self.ledger.slips)
        self.append(page, Asked(now, number, item, group, labeller, now + self.setup.lease, choice))
        return self.ledger.slips[number]

    def hand_second(self, page: Page, item: int, group: int, labeller: str) -> TicketRecord:
        """Hand out an item for a second opinion."""
        now, number = self.now(), len(self.ledger.slips)
        self.append(page, Seconded(now, number, item, group, labeller, now + self.setup.lease))
        return self.ledger.slips[number]

    def hear(self, page: Page, said: Said) -> bool:
        """Append what was said, and say whether it was new."""
        slip = self.ledger.slip(said.number)
        event = self._event_of(said, slip)
        if self.was_said(page, event, said.key):
            return False
        self.ledger.check_tellable(slip, self.setup.pool.classes)
        self.append(page, event, said.key)
        return True

    def take_in(self, page: Page, items: tuple[int, ...], codes: tuple[int, ...], labeller: str) -> None:
        """Append labels from elsewhere, unless an item has one or was skipped."""
        self.ledger.check_open()
        twice = next((item for item in items if item in self.ledger.answered), None)
        if twice is not None:
            name = shown(self.setup.pool.id_of(twice))
            raise ConflictError(f"Item {name} has been labelled or skipped already; nothing was imported.")
        self.append(page, Imported(self.now(), items, codes, labeller))

    def settle(self, page: Page, item: int, code: int, labeller: str, key: str | None) -> None:
        """Append which class an item has, whatever was said of it, unless that was said under this key before."""
        event = Settled(self.now(), item, code, labeller)
        if self.was_said(page, event, key):
            return
        self.ledger.check_open()
        if item not in self.ledger.label_of:
            name = shown(self.setup.pool.id_of(item))
            raise ConflictError(f"Item {name} has no label; only an item that has one can be settled.")
        self.append(page, event, key)

    def was_said(self, page: Page, event: Event, key: str | None) -> bool:
        """Return whether the same was said before under this key, and refuse the key if something else was."""
        before = None if key is None else page.keyed(key)
        if before is None:
            return False
        if says_the_same(before, event):
            return True
        raise ConflictError(f"Key {key!r} was used before for something else. Use a new key for every label.")

    def _event_of(self, said: Said, slip: TicketRecord) -> Told | Skipped:
        who = slip.labeller if said.labeller is None else said.labeller
        if said.label is None:
            return Skipped(self.now(), said.number, who, said.reason, said.is_unknown)
        return Told(self.now(), said.number, self.code(said.label), who)

    def code(self, label: ClassName) -> int:
        """Return the position of a class, or refuse a label that is none."""
        name = plain(label)
        code = self._codes.get(name) if isinstance(name, (str, int)) and not isinstance(name, bool) else None
        if code is None:
            classes = self.setup.pool.classes
            raise DataError(f"Label {shown(label)} is not one of the {len(classes)} classes. {hint(label, classes)}")
        return code

    def _kept_ledger(self) -> Ledger:
        """Make a ledger from the snapshot that was kept last; an empty one if there is none."""
        state = self.journal.snapshot()
        if state is not None:
            ledger = self._fresh_ledger()
            try:
                restore_state(ledger, state, self.journal.events(0, 1))
                return ledger
            except DataError:
                pass  # a damaged snapshot costs time and nothing else: the events say the same
        return self._fresh_ledger()

    def _fresh_ledger(self) -> Ledger:
        setup = self.setup
        return Ledger(self._start, Queue(setup.groups, seed=setup.seed, items=setup.question.items(setup.groups)))
