"""The ledger: folding in two portions is folding at once, and gaps are seen."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.assessment.events import Asked
from labelwise.assessment.ledger import Ledger
from labelwise.assessment.queue import Queue
from labelwise.testing.worlds import small_pool


def ledger(groups):
    return Ledger(lw.BetaBelief.start(groups), Queue(groups, seed=1))


def events_of(groups):
    clock = iter(np.arange(0.0, 10_000.0, 3.0))
    assessment = lw.Assessment(
        groups.pool, groups, question=lw.Worst(), seed=1, lease=20, clock=lambda: float(next(clock))
    )
    rng = np.random.default_rng(2)
    for _ in range(25):
        for ticket in assessment.ask(2):
            if rng.uniform() < 0.6:
                assessment.tell(ticket, int(rng.integers(0, 3)))
            elif rng.uniform() < 0.5:
                assessment.skip(ticket)
    told = [e.ticket for e in assessment.history() if e.kind == "told"]
    for number in told[::4]:
        assessment.withdraw(number)
    return assessment.history()


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
    assert whole.slips == parts.slips
    assert whole.label_of == parts.label_of
    assert np.array_equal(whole.n_open, parts.n_open)


def test_a_missing_event_is_seen():
    groups = lw.by_prediction(small_pool())
    with pytest.raises(lw.DataError, match="an event is missing or out of order"):
        ledger(groups).apply(Asked(1.0, 1, 0, 0, "ann", 601.0, 0))


def test_maps_for_choosing_are_fitted_on_a_schedule_that_the_events_alone_decide():
    groups = lw.by_prediction(small_pool())
    events = events_of(groups)
    start = lw.MixtureBelief.start(groups)
    whole, often, n_fits, seen = Ledger(start, Queue(groups, seed=1)), Ledger(start, Queue(groups, seed=1)), 0, None
    for event in events:
        whole.apply(event)
        often.apply(event)
        maps = often.choosing.maps  # looking in between must not matter
        n_fits += maps is not seen
        seen = maps
    assert np.array_equal(whole.choosing.maps.weight, often.choosing.maps.weight)
    assert np.array_equal(whole.choosing.hits, whole.belief.hits)
    n_told = sum(event.kind == "told" for event in events)
    n_withdrawn = sum(event.kind == "withdrawn" for event in events)
    assert n_withdrawn < n_fits < n_told + n_withdrawn


def test_what_is_withdrawn_is_taken_out_of_the_maps_at_once():
    groups = lw.by_prediction(small_pool())
    folded = Ledger(lw.MixtureBelief.start(groups), Queue(groups, seed=1))
    for event in events_of(groups):  # which ends with a label taken back
        folded.apply(event)
    assert np.array_equal(folded.choosing.maps.weight, folded.belief.maps.weight)
