"""The journal in memory: what is given back is kept, what fails leaves no trace."""

import pytest

from labelwise.assessment import MemoryJournal
from labelwise.assessment.events import Closed, Told


def test_a_page_that_fails_leaves_no_trace():
    journal = MemoryJournal()

    def fail():
        with journal.writing() as page:
            page.append(Closed(1.0), key="k")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert journal.events() == []
    with journal.writing() as page:
        assert page.keyed("k") is None


def test_events_after_a_number_are_those_that_are_new():
    journal = MemoryJournal()
    for ticket in range(3):
        with journal.writing() as page:
            page.append(Told(1.0, ticket, 0, "ann"), key=f"k{ticket}")
    assert [event.ticket for event in journal.events(1)] == [1, 2]
    with journal.writing() as page:
        assert page.keyed("k2").ticket == 2
        assert len(page.events(2)) == 1
