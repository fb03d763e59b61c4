"""Events: the same text for the same event, and back."""

import pytest

from labelwise.assessment import events
from labelwise.assessment.events import KINDS, event_of

EVENTS = [
    events.Opened(1.0, {"seed": 3, "names": ["é", "x"]}),
    events.Asked(1.25, 0, 5, 1, "ann", 601.25, 0),
    events.Renewed(2.0, 0, 602.0),
    events.Told(2.5, 0, 2, "ann"),
    events.Skipped(2.5, 0, "ann", 'says "no"', True),
    events.Withdrawn(3.0, 0, "bob"),
    events.Imported(3.5, (1, 2), (0, 1), "import"),
    events.Closed(4.0),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda e: e.kind)
def test_an_event_is_read_back_as_it_was_written(event):
    assert event_of(event.kind, event.body()) == event
    assert event_of(event.kind, event.body()).body() == event.body()


def test_every_kind_is_covered():
    assert {event.kind for event in EVENTS} == set(KINDS)
