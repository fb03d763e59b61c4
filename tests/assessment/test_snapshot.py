"""Snapshots: a ledger that is restored is the one that was packed, and goes on as if it had folded every event."""

import numpy as np
import pytest

import labelwise as lw
from assessed import doubled_events, events_of
from labelwise.assessment.ledger import Ledger
from labelwise.assessment.queue import Queue
from labelwise.assessment.snapshot import pack_state, restore_state
from labelwise.testing.worlds import small_pool

PRIORS = {"flat": lw.FlatPrior(), "learned": lw.LearnedPrior()}


def fresh(groups, prior):
    start = lw.Setup(groups, lw.Worst(), 1, prior=PRIORS[prior]).start()
    return Ledger(start, Queue(groups, seed=1))


def restored(ledger, groups, prior, opened):
    again = fresh(groups, prior)
    restore_state(again, pack_state(ledger), [opened])
    return again


def assert_same(one, other):
    assert list(one.slips) == list(other.slips)
    assert list(one.label_of.items()) == list(other.label_of.items())
    assert one.answered == other.answered
    assert np.array_equal(one.n_open, other.n_open)
    peeks = [[ledger.next_item(g) if ledger.n_open[g] else None for g in range(3)] for ledger in (one, other)]
    assert peeks[0] == peeks[1]
    for name in ("share", "first", "by_item", "settled", "holder", "disputed"):
        assert getattr(one.seconds, name) == getattr(other.seconds, name), name
    waiting = [[ledger.seconds.next_for(who) for who in ("ann", "bob", "eve", "joe")] for ledger in (one, other)]
    assert waiting[0] == waiting[1]
    assert np.array_equal(one.changes.array, other.changes.array)
    assert (one.n_events, one.n_changes, one.n_choices) == (other.n_events, other.n_changes, other.n_choices)
    assert (one.is_open, one.is_closed, one.setup) == (other.is_open, other.is_closed, other.setup)
    for who in ("ann", "bob", "eve", ""):
        assert one.said_by(who, None, 1_000) == other.said_by(who, None, 1_000)
    assert np.array_equal(one.choosing.mean(), other.choosing.mean())
    assert np.array_equal(one.belief.mean(), other.belief.mean())


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("make", [events_of, doubled_events])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.8, 1.0])
def test_folding_from_a_snapshot_is_folding_every_event(make, share, prior):
    groups = lw.by_prediction(small_pool())
    events = make(groups)
    cut = max(1, int(share * len(events)))
    whole, first = fresh(groups, prior), fresh(groups, prior)
    whole.fold(events)
    first.fold(events[:cut])
    again = restored(first, groups, prior, events[0])
    assert_same(again, first)
    again.fold(events[cut:])
    assert_same(again, whole)


def test_a_snapshot_says_what_the_events_say_and_not_what_time_it_is():
    groups = lw.by_prediction(small_pool())
    now = [0.0]
    assessment = lw.Assessment(groups.pool, groups, question=lw.Worst(), seed=1, lease=60, clock=lambda: now[0])
    assessment.want_second_opinions(1.0)
    first = assessment.ask(3, labeller="ann")
    assessment.tell(first[0], 0)
    assessment.ask(1, labeller="bob")  # a second opinion
    before = restored(assessment.ledger, groups, "flat", assessment.history()[0])
    now[0] = 1_000.0
    assessment.refresh()
    assert assessment.ledger.slips.counts()["expired"] == 2
    again = restored(assessment.ledger, groups, "flat", assessment.history()[0])
    assert assessment.ledger.slips.counts()["expired"] == 2, "packing must change nothing"
    assert_same(again, before)
    assert (again.slips.counts()["open"], again.slips.counts(is_second=True)["open"]) == (2, 1)
    again.expire(1_000.0)
    assert list(again.slips) == list(assessment.ledger.slips)
    assert np.array_equal(again.n_open, assessment.ledger.n_open)


@pytest.mark.parametrize("spoil", [lambda state: state[:-40], lambda state: b"", lambda state: state[:200] + b"?" * 40])
def test_a_snapshot_that_is_damaged_is_refused(spoil):
    groups = lw.by_prediction(small_pool())
    events = events_of(groups)
    ledger = fresh(groups, "flat")
    ledger.fold(events)
    with pytest.raises(lw.DataError):
        restore_state(fresh(groups, "flat"), spoil(pack_state(ledger)), events[:1])


def test_labels_after_some_events_are_those_of_a_ledger_that_folded_so_many():
    groups = lw.by_prediction(small_pool())
    events = doubled_events(groups)
    whole, parts = fresh(groups, "flat"), fresh(groups, "flat")
    whole.fold(events)
    for number, event in enumerate(events, start=1):
        parts.apply(event)
        items, labels = whole.labels_after(number)
        assert dict(zip(items.tolist(), labels.tolist(), strict=True)) == parts.label_of


def test_events_that_cannot_have_happened_are_a_sentence():
    groups = lw.by_prediction(small_pool())
    from labelwise.assessment.events import Told

    with pytest.raises(lw.DataError, match=r"Event 0 \(told\) does not fit those before it"):
        fresh(groups, "flat").fold([Told(0.0, 7, 0, "ann")])
