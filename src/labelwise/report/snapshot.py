"""An assessment as it stood at its newest event, whatever the time is now and whoever goes on writing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from labelwise.assessment import Assessment
from labelwise.assessment.events import Event
from labelwise.assessment.journal import Journal, Page
from labelwise.assessment.snapshot import pack_state
from labelwise.errors import ConflictError


def snapshot_of(assessment: Assessment) -> Assessment:
    """Return a copy that stands still: its clock shows the time of the newest event, and its events are its own.

    A report made from it is the same today and tomorrow: no lease runs out meanwhile.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"])
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1)
    >>> still = snapshot_of(assessment)
    >>> assessment.tell(assessment.ask()[0], "cat")
    >>> len(assessment.history()), len(still.history())
    (3, 1)
    """
    assessment.refresh()
    n_events = assessment.ledger.n_events
    [newest] = assessment.journal.numbered([n_events - 1])
    still = StillJournal(assessment.journal, n_events, pack_state(assessment.ledger))
    return Assessment.resume(assessment.setup, still, clock=lambda: newest.at)


class StillJournal:
    """The first so many events of a journal, to be read only. Events are only ever added, so nothing is copied."""

    is_lasting = False

    def __init__(self, journal: Journal, n_events: int, state: bytes) -> None:
        self._journal, self._n_events, self._state = journal, n_events, state

    def writing(self) -> AbstractContextManager[Page]:
        """Refuse to write."""
        raise ConflictError("This is how the assessment stood; nothing can be asked or told of it.")

    def events(self, after: int = 0, most: int | None = None) -> list[Event]:
        """Return the events after the first so many, or the first of them."""
        left = max(0, self._n_events - after)
        return self._journal.events(after, left if most is None else min(left, most))

    def numbered(self, numbers: Sequence[int]) -> list[Event]:
        """Return the events of some numbers."""
        return self._journal.numbered(numbers)

    def newest(self, most: int, *, before: int | None = None, without: Sequence[str] = ()) -> list[tuple[int, Event]]:
        """Return the newest events with their numbers, newest first, but none of some kinds."""
        end = self._n_events if before is None else min(before, self._n_events)
        return self._journal.newest(most, before=end, without=without)

    def snapshot(self) -> bytes:
        """Return the state that it stands for."""
        return self._state

    def piece(self, name: str) -> bytes:
        """Return a piece of the pool."""
        return self._journal.piece(name)

    def close(self) -> None:
        """Leave the journal to whoever opened it."""
