"""Events: the same text for the same event, and back."""

import pytest

from labelwise.assessment import events
from labelwise.assessment.events import KINDS, event_of, says_the_same

EVENTS = [
    events.Opened(1.0, {"seed": 3, "names": ["é", "x"]}),
    events.Asked(1.25, 0, 5, 1, "ann", 601.25, 0),
    events.Doubled(1.5, 0.1),
    events.Seconded(1.75, 1, 5, 1, "bob", 601.75),
    events.Renewed(2.0, 0, 602.0),
    events.Told(2.5, 0, 2, "ann"),
    events.Skipped(2.5, 0, "ann", 'says "no"', True),
    events.Withdrawn(3.0, 0, "bob"),
    events.Imported(3.5, (1, 2), (0, 1), "import"),
    events.Settled(3.75, 5, 1, "eve"),
    events.Closed(4.0),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda e: e.kind)
def test_an_event_is_read_back_as_it_was_written(event):
    assert event_of(event.kind, event.body()) == event
    assert event_of(event.kind, event.body()).body() == event.body()


def test_every_kind_is_covered():
    assert {event.kind for event in EVENTS} == set(KINDS)


def test_a_settled_item_says_the_same_by_item_and_label_alone():
    one = events.Settled(1.0, 5, 1, "eve")
    assert says_the_same(one, events.Settled(2.0, 5, 1, "joe"))
    assert not says_the_same(one, events.Settled(1.0, 5, 2, "eve"))
    assert not says_the_same(one, events.Settled(1.0, 6, 1, "eve"))
    assert not says_the_same(one, events.Told(1.0, 5, 1, "eve"))
