"""Tickets in columns: what is counted is what a loop over slips would count."""

from collections import Counter

import pytest

import labelwise as lw
from assessed import doubled_events
from labelwise.assessment.ledger import Ledger
from labelwise.assessment.queue import Queue
from labelwise.assessment.ticket_table import Names, TicketTable
from labelwise.testing.worlds import small_pool


@pytest.fixture(scope="module")
def folded():
    groups = lw.by_prediction(small_pool())
    events = doubled_events(groups)
    found = Ledger(lw.beliefs.BetaBelief.start(groups), Queue(groups, seed=1))
    found.fold(events)
    return found, events


@pytest.mark.parametrize("is_second", [False, True])
def test_counts_are_those_of_a_loop(folded, is_second):
    slips = folded[0].slips
    one_by_one = Counter(slip.status for slip in slips if slip.is_second == is_second)
    assert +slips.counts(is_second=is_second) == one_by_one
    for status in one_by_one:
        found = slips.with_status(status, is_second=is_second)
        assert found == [slip for slip in slips if slip.status == status and slip.is_second == is_second]


def test_who_said_what_is_what_the_events_say(folded):
    found, events = folded
    said = {}
    for number, event in enumerate(events):
        if event.kind in ("told", "skipped"):
            said[event.ticket] = (number, event.labeller)
        elif event.kind == "withdrawn":
            said.pop(event.ticket)
    for who in ("ann", "bob", "eve"):
        own = sorted((number, ticket) for ticket, (number, name) in said.items() if name == who)
        assert found.slips.of(who).tolist() == [ticket for _, ticket in own]
        counts, newest = found.slips.labellers()[who]
        assert (counts.total(), newest) == (len(own), own[-1][0])
    assert found.slips.of("nobody").tolist() == []


def test_what_a_labeller_said_is_paged_by_event(folded):
    found, events = folded
    kinds = ("told", "skipped", "withdrawn", "settled", "imported")
    own = [number for number, event in enumerate(events) if event.kind in kinds and event.labeller == "ann"]
    assert len(own) > 10
    assert found.said_by("ann", None, 4) == own[-4:]
    assert found.said_by("ann", own[-4], 4) == own[-8:-4]
    assert found.said_by("ann", 0, 4) == []


def test_a_ticket_that_is_not_there_is_an_index_error():
    with pytest.raises(IndexError):
        TicketTable(Names())[0]


def test_slips_are_sliced_like_a_list(folded):
    slips = folded[0].slips
    assert slips[2:5] == [slips[2], slips[3], slips[4]]
