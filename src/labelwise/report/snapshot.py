"""An assessment as it stood at its newest event, whatever the time is now and whoever goes on writing."""

from __future__ import annotations

from labelwise.assessment import Assessment, MemoryJournal


def snapshot_of(assessment: Assessment) -> Assessment:
    """Give a copy that stands still: its clock shows the time of the newest event, and its events are its own.

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
    events = assessment.history()
    journal = MemoryJournal()
    with journal.writing() as page:
        for event in events:
            page.append(event)
    return Assessment.of(assessment.setup, journal=journal, clock=lambda: events[-1].at)
