"""The ledger: folding in two portions is folding at once, and gaps are seen."""

import numpy as np
import pytest

import labelwise as lw
from assessed import doubled_events, events_of
from labelwise.assessment.events import Asked
from labelwise.assessment.ledger import Ledger
from labelwise.assessment.queue import Queue
from labelwise.testing.worlds import small_pool


def ledger(groups):
    return Ledger(lw.beliefs.BetaBelief.start(groups), Queue(groups, seed=1))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_folding_in_two_portions_is_folding_at_once(share):
    groups = lw.by_prediction(small_pool())
    events = events_of(groups)
    whole, parts = ledger(groups), ledger(groups)
    cut = int(share * len(events))
    for event in events:
        whole.apply(event)
    for event in events[:cut]:
        parts.apply(event)
    parts.belief  # noqa: B018  # looking in between must not matter
    for event in events[cut:]:
        parts.apply(event)
    assert np.array_equal(whole.belief.a, parts.belief.a)
    assert list(whole.slips) == list(parts.slips)
    assert whole.label_of == parts.label_of
    assert np.array_equal(whole.n_open, parts.n_open)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.8, 1.0])
def test_second_opinions_folded_in_two_portions_are_those_folded_at_once(share):
    groups = lw.by_prediction(small_pool())
    events = doubled_events(groups)
    kinds = {event.kind for event in events}
    assert {"doubled", "seconded", "settled", "withdrawn", "skipped"} <= kinds
    whole, parts = ledger(groups), ledger(groups)
    cut = int(share * len(events))
    whole.fold(events)
    parts.fold(events[:cut])
    for who in ("ann", "bob", "eve"):
        parts.seconds.next_for(who)  # looking in between must not matter
    parts.fold(events[cut:])
    assert whole.seconds.disputed
    for name in ("share", "first", "by_item", "settled", "holder", "disputed"):
        assert getattr(whole.seconds, name) == getattr(parts.seconds, name)
    waiting = [[one.seconds.next_for(who) for who in ("ann", "bob", "eve", "joe")] for one in (whole, parts)]
    assert waiting[0] == waiting[1]
    assert waiting[0][-1] is not None
    assert np.array_equal(whole.belief.a, parts.belief.a)
    assert list(whole.slips) == list(parts.slips)


def test_a_missing_event_is_seen():
    groups = lw.by_prediction(small_pool())
    with pytest.raises(lw.DataError, match="an event is missing or out of order"):
        ledger(groups).apply(Asked(1.0, 1, 0, 0, "ann", 601.0, 0))


def test_maps_for_choosing_are_fitted_on_a_schedule_that_the_events_alone_decide():
    groups = lw.by_prediction(small_pool())
    events = events_of(groups)
    start = lw.beliefs.LearnedAccuracy.start(groups)
    whole, often, n_fits, seen = Ledger(start, Queue(groups, seed=1)), Ledger(start, Queue(groups, seed=1)), 0, None
    for event in events:
        whole.apply(event)
        often.apply(event)
        maps = often.choosing.maps  # looking in between must not matter
        n_fits += maps is not seen
        seen = maps
    np.testing.assert_allclose(whole.choosing.maps.weight, often.choosing.maps.weight, rtol=0, atol=1e-12)
    assert np.array_equal(whole.choosing.hits, whole.belief.hits)
    n_told = sum(event.kind == "told" for event in events)
    n_withdrawn = sum(event.kind == "withdrawn" for event in events)
    assert n_withdrawn < n_fits < n_told + n_withdrawn


def test_what_is_withdrawn_is_taken_out_of_the_maps_at_once():
    groups = lw.by_prediction(small_pool())
    folded = Ledger(lw.beliefs.LearnedAccuracy.start(groups), Queue(groups, seed=1))
    for event in events_of(groups):  # which ends with a label taken back
        folded.apply(event)
    np.testing.assert_allclose(folded.choosing.maps.weight, folded.belief.maps.weight, rtol=0, atol=1e-12)
