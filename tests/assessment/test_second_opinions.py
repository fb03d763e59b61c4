"""Second opinions: who is asked for them, that they never change the belief, disputes, and settling."""

from collections import Counter

import numpy as np
import pytest

import labelwise as lw
from clock import Clock
from labelwise.assessment.second_opinions import Opinion, SecondOpinions

CLASSES = ["cat", "dog", "emu"]


def pool_of(n=60):
    return lw.pool_from_arrays(predicted=["cat", "dog"] * (n // 2), classes=CLASSES, ids=[f"i{k}" for k in range(n)])


def assessment_of(share=1.0, n=60, **options):
    pool = pool_of(n)
    settings = {"question": lw.Worst(), "seed": 3, "clock": Clock(), "lease": 10} | options
    assessment = lw.Assessment(pool, lw.by_prediction(pool), **settings)
    assessment.want_second_opinions(share)
    return assessment


def told_by(assessment, labeller, n, label="cat"):
    tickets = assessment.ask(n, labeller=labeller)
    for ticket in tickets:
        assessment.tell(ticket, label)
    return tickets


def ids(tickets):
    return [ticket.item["id"] for ticket in tickets]


def test_a_named_labeller_gets_second_opinions_first_then_what_the_policy_chooses():
    assessment = assessment_of()
    first = told_by(assessment, "ann", 5)
    found = assessment.ask(8, labeller="bob")
    assert sorted(ids(found[:5])) == sorted(ids(first))
    assert not set(ids(found[5:])) & set(ids(first))
    assert [assessment.ledger.slip(t.number).is_second for t in found] == [True] * 5 + [False] * 3


def test_nobody_is_asked_about_an_own_label_and_nobody_without_a_name():
    assessment = assessment_of()
    first = told_by(assessment, "ann", 5)
    for who in ("ann", ""):
        assert not set(ids(assessment.ask(5, labeller=who))) & set(ids(first))


def test_a_label_without_a_name_and_an_imported_one_are_somebody_elses():
    assessment = assessment_of()
    [ticket] = told_by(assessment, "", 1)
    free = next(f"i{k}" for k in range(60) if f"i{k}" != ticket.item["id"])
    assessment.import_labels({free: "cat"}, were_drawn_at_random=True, labeller="joe")
    assert free not in ids(assessment.ask(1, labeller="joe"))
    assert free in ids(assessment.ask(2, labeller="ann"))
    assert ticket.item["id"] in {
        assessment.pool.id_of(slip.item) for slip in assessment.ledger.slips if slip.is_second
    }  # fmt: skip


def test_a_ticket_does_not_say_that_it_is_a_second_opinion():
    assessment = assessment_of()
    [first] = told_by(assessment, "ann", 1)
    second, fresh = assessment.ask(2, labeller="bob")
    assert vars(second).keys() == vars(fresh).keys()
    assert second.to_data() == first.to_data() | {"ticket": second.number}
    assert (second.item, second.labeller, second.until) == (first.item, "bob", fresh.until)


def test_a_second_opinion_never_changes_the_belief_the_queue_or_the_choices():
    plain, doubled = assessment_of(0.0), assessment_of(1.0)
    for assessment in (plain, doubled):
        told_by(assessment, "ann", 10)
    before = doubled.belief
    told_by(doubled, "bob", 10, "emu")
    assert len(doubled.ledger.opinions) == 10
    assert np.array_equal(doubled.belief.a, before.a)
    assert doubled.answer(n_draws=50).n_labels == 10
    assert np.array_equal(plain.n_open, doubled.n_open)
    assert ids(plain.ask(20)) == ids(doubled.ask(20))


def test_without_a_wish_there_is_no_event_and_nobody_is_asked_twice():
    assessment = assessment_of(0.0)
    assert [event.kind for event in assessment.history()] == ["opened"]
    first = told_by(assessment, "ann", 5)
    assert not set(ids(assessment.ask(5, labeller="bob"))) & set(ids(first))


def test_the_share_is_kept_when_it_grows_and_depends_on_ids_and_seed_alone():
    def seconds(share, labeller, **options):
        assessment = assessment_of(share, **options)
        told_by(assessment, labeller, 60)
        return set(ids(assessment.ask(60, labeller="joe")))

    small, large = seconds(0.2, "ann"), seconds(0.6, "bob", policy=lw.RandomItem())
    assert 0 < len(small) < len(large) < 60
    assert small < large
    assert seconds(0.2, "eve", seed=4) != small
    assert seconds(1.0, "ann") == {f"i{k}" for k in range(60)}


def test_every_item_is_in_the_share_equally_often():
    """Over 400 seeds an item is in a share of 0.25 as often as chance allows: within 4.5 standard deviations."""
    pool, counts = pool_of(40), Counter()
    for seed in range(400):
        keys = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=seed).ledger.queue.other_keys()
        counts.update(np.flatnonzero(keys < 0.25 * 2**64).tolist())
    assert all(abs(counts[item] - 100) < 4.5 * np.sqrt(400 * 0.25 * 0.75) for item in range(40))


def test_a_wish_after_the_labels_takes_them_in_and_a_smaller_one_ends_asking():
    assessment = assessment_of(0.0)
    first = told_by(assessment, "ann", 5)
    assessment.want_second_opinions(1.0)
    assert set(ids(assessment.ask(2, labeller="bob"))) < set(ids(first))
    assessment.want_second_opinions(0.0)
    assert not set(ids(assessment.ask(5, labeller="bob"))) & set(ids(first))
    assert [event.kind for event in assessment.history()].count("doubled") == 2


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), "all"])
def test_a_share_that_cannot_be_is_refused(share):
    with pytest.raises(lw.ArgumentError, match="`share` must lie between 0 and 1 inclusive"):
        assessment_of().want_second_opinions(share)


def test_an_item_that_was_passed_by_first_is_not_given_for_a_second_opinion():
    assessment = assessment_of()
    one, two = assessment.ask(2, labeller="ann")
    assessment.skip(one)
    assessment.skip(two, is_unknown=True)
    assert not {*ids([one, two])} & {*ids(assessment.ask(58, labeller="bob"))}


def test_leases_of_second_opinions_run_out_are_renewed_and_given_back():
    clock = Clock()
    assessment = assessment_of(clock=clock)
    [first] = told_by(assessment, "ann", 1)
    second = assessment.ask(labeller="bob")[0]
    assert assessment.ask(labeller="eve")[0].item != first.item  # bob has it
    clock.now += 8
    assert assessment.renew(second) == clock.now + 10
    clock.now += 11
    third = assessment.ask(labeller="eve")[0]
    assert third.item == first.item
    with pytest.raises(lw.ConflictError, match="its item was handed to somebody else"):
        assessment.renew(second)
    assessment.release(third)
    clock.now += 0.001
    assert assessment.ask(labeller="bob")[0].item == first.item


def test_a_late_second_opinion_is_taken_if_nobody_was_faster_and_refused_if_somebody_was():
    clock = Clock()
    assessment = assessment_of(clock=clock)
    told_by(assessment, "ann", 2)
    late = assessment.ask(2, labeller="bob")
    clock.now += 11
    other = {ticket.item["id"]: ticket for ticket in assessment.ask(2, labeller="eve")}
    with pytest.raises(lw.ConflictError, match="its item was handed to somebody else; nothing was changed"):
        assessment.tell(late[0], "dog")
    assessment.release(other[late[0].item["id"]])
    clock.now += 0.001
    assessment.tell(late[0], "dog")
    assessment.skip(other[late[1].item["id"]])
    with pytest.raises(lw.ConflictError, match="has been labelled or skipped since; nothing was changed"):
        assessment.tell(late[1], "emu")
    assert [said.labeller for entries in assessment.ledger.opinions.values() for said in entries] == ["bob"]


def test_a_key_makes_a_second_opinion_safe_to_repeat():
    assessment = assessment_of()
    told_by(assessment, "ann", 1)
    second = assessment.ask(labeller="bob")[0]
    for _ in range(3):
        assessment.tell(second, "dog", key="k")
    assert [event.kind for event in assessment.history()].count("told") == 2


def test_a_skipped_second_opinion_is_nobodys_missing_label_and_asked_of_nobody_else():
    assessment = assessment_of()
    [first] = told_by(assessment, "ann", 1)
    second = assessment.ask(labeller="bob")[0]
    assessment.skip(second, is_unknown=True)
    found = assessment.answer(n_draws=50)
    assert (found.n_skipped, found.n_unknown, found.n_out, found.bounds) == (0, 0, 0, None)
    assert assessment.ask(labeller="eve")[0].item != first.item
    assessment.withdraw(second)
    assert assessment.ask_again(second, labeller="bob").item == first.item


def test_second_opinions_that_are_out_do_not_keep_an_assessment_from_ending():
    assessment = assessment_of(n=4, stop=lw.Sure(1 - 1e-12))
    told_by(assessment, "ann", 4)
    assert len(assessment.ask(4, labeller="bob")) == 4
    assert assessment.answer(n_draws=50).is_spent


def test_a_withdrawn_second_opinion_is_gone_and_can_be_given_anew():
    assessment = assessment_of()
    told_by(assessment, "ann", 1, "cat")
    [second] = assessment.ask(labeller="bob")
    assessment.tell(second, "dog")
    assessment.withdraw(second)
    assert assessment.ledger.opinions == {}
    again = assessment.ask_again(second)
    assert assessment.ledger.slip(again.number).is_second
    assert assessment.ledger.n_choices == 1
    assessment.tell(again, "cat")
    assert [said.label for [said] in assessment.ledger.opinions.values()] == [0]
    assert assessment.disputes() == []


def test_an_opinion_outlives_the_label_and_counts_once_there_is_one_again():
    assessment = assessment_of()
    [first] = told_by(assessment, "ann", 1, "cat")
    told_by(assessment, "bob", 1, "dog")
    assert [dispute.item for dispute in assessment.disputes()] == ids([first])
    assessment.withdraw(first)
    assert assessment.disputes() == []
    assert lw.agreement_of(assessment).n_items == 0
    assert len(assessment.ledger.opinions) == 1
    assessment.tell(assessment.ask_again(first), "emu")
    [dispute] = assessment.disputes()
    assert (dispute.label, dispute.labeller, dispute.other, dispute.other_labeller) == ("emu", "ann", "dog", "bob")
    assert lw.agreement_of(assessment).n_items == 1


def test_who_gave_the_label_has_no_second_opinion_of_it():
    assessment = assessment_of(n=2)
    [first] = told_by(assessment, "ann", 1, "cat")
    told_by(assessment, "bob", 1, "dog")
    assessment.withdraw(first)
    assessment.tell(assessment.ask_again(first, labeller="bob"), "cat")  # the same person now says something else
    assert assessment.disputes() == []
    assert lw.agreement_of(assessment).n_items == 0
    third = assessment.ask(labeller="eve")[0]
    assert third.item == first.item
    assessment.tell(third, "emu")
    assert [dispute.other_labeller for dispute in assessment.disputes()] == ["eve"]


def test_a_settled_label_replaces_the_old_one_in_the_belief_exactly():
    assessment = assessment_of()
    first = told_by(assessment, "ann", 6, "cat")
    told_by(assessment, "bob", 6, "dog")
    assessment.settle(first[2].item["id"], "emu", labeller="eve")
    expected = assessment.setup.start().update(list(assessment.ledger.label_of), [2 if k == 2 else 0 for k in range(6)])
    assert np.array_equal(assessment.belief.a, expected.a)
    assert np.array_equal(assessment.belief.b, expected.b)
    assert assessment.answer(n_draws=50).n_labels == 6
    assert len(assessment.disputes()) == 5
    assessment.settle(first[2].item["id"], "cat")
    assert list(assessment.ledger.label_of.values()) == [0] * 6


def test_a_map_forgets_what_was_settled_otherwise():
    pool = lw.pool_from_arrays(predicted=["cat", "dog"] * 30, confidence=np.linspace(0.5, 0.9, 60), classes=CLASSES)
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=3, prior=lw.LearnedPrior())
    first = told_by(assessment, "ann", 20)
    for ticket in first[:5]:
        assessment.settle(ticket.item["id"], "dog")
    label_of = assessment.ledger.label_of
    expected = assessment.setup.start().update(list(label_of), list(label_of.values()))
    assert np.allclose(assessment.belief.mean(), expected.mean(), rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        assessment.ledger.choosing.maps.weight, assessment.belief.maps.weight, rtol=0, atol=1e-12
    )


def test_only_what_differs_since_it_was_settled_is_in_dispute():
    assessment = assessment_of()
    [first] = told_by(assessment, "ann", 1, "cat")
    second = assessment.ask(labeller="bob")[0]
    assessment.settle(first.item["id"], "dog", labeller="eve")
    assessment.tell(second, "emu")  # said after it was settled
    assert [(dispute.label, dispute.labeller) for dispute in assessment.disputes()] == [("dog", "eve")]
    assessment.settle(first.item["id"], "dog", labeller="eve")
    assert assessment.disputes() == []


def test_of_a_settled_item_nobody_is_asked_for_a_second_opinion():
    assessment = assessment_of()
    one, two = told_by(assessment, "ann", 2)
    assessment.settle(one.item["id"], "dog", labeller="eve")
    found = ids(assessment.ask(2, labeller="bob"))
    assert found[0] == two.item["id"]
    assert one.item["id"] not in found


def test_settling_is_safe_to_repeat_with_a_key():
    assessment = assessment_of()
    [first] = told_by(assessment, "ann", 1)
    for _ in range(3):
        assessment.settle(first.item["id"], "dog", labeller="eve", key="k")
    assert [event.kind for event in assessment.history()].count("settled") == 1
    with pytest.raises(lw.ConflictError, match="Key 'k' was used before for something else"):
        assessment.settle(first.item["id"], "emu", key="k")


@pytest.mark.parametrize(
    ("act", "error", "sentence"),
    [
        (lambda a, first, free: a.settle(free, "cat"), lw.ConflictError,
         r"Item 'i\d+' has no label; only an item that has one can be settled."),
        (lambda a, first, free: a.settle("x", "cat"), lw.DataError,
         "Item 'x' is not in the pool; nothing was changed."),
        (lambda a, first, free: a.settle(first.item["id"], "cow"), lw.DataError,
         "Label 'cow' is not one of the 3 classes. Available: 'cat', 'dog', 'emu'."),
        (lambda a, first, free: (a.settle(first.item["id"], "cat"), a.withdraw(first)), lw.ConflictError,
         "The item of ticket 0 was settled since; settle it anew instead."),
        (lambda a, first, free: (a.close(), a.settle(first.item["id"], "cat")), lw.ConflictError,
         "This assessment is closed; nothing more can be asked or told."),
        (lambda a, first, free: (a.close(), a.want_second_opinions(0.5)), lw.ConflictError,
         "This assessment is closed; nothing more can be asked or told."),
    ],
)  # fmt: skip
def test_what_cannot_be_settled_is_refused(act, error, sentence):
    assessment = assessment_of()
    [first] = told_by(assessment, "ann", 1)
    free = next(f"i{k}" for k in range(60) if f"i{k}" != first.item["id"])
    with pytest.raises(error, match=f"^{sentence}$"):
        act(assessment, first, free)


def test_a_reopened_assessment_asks_for_the_second_opinions_it_would_have_asked_for():
    def played(is_reopened):
        journal, found, clock = lw.assessment.MemoryJournal(), [], Clock()
        assessment = assessment_of(0.5, journal=journal, clock=clock)
        for turn in range(40):
            if is_reopened:
                assessment = assessment_of(0.5, journal=journal, clock=clock)
            for ticket in assessment.ask(labeller=("ann", "bob", "eve")[turn % 3]):
                found.append(ticket)
                if turn % 7:
                    assessment.tell(ticket, CLASSES[turn % 2])
            clock.now += 4
        return found

    straight, broken = played(False), played(True)
    assert straight == broken


def test_asking_takes_no_longer_with_many_items_of_ones_own():
    """Ten thousand labels of one's own are not looked through: the head of each other line is."""
    seconds = SecondOpinions(lambda: np.arange(10_000, dtype=np.uint64))
    seconds.wish(1.0)
    for item in range(10_000):
        seconds.hear_first(item, Opinion("ann" if item else "bob", 0, 0.0, item, item))
    looked = Counter()
    seconds._head, head = (lambda name: (looked.update([name]), head(name))[1]), seconds._head
    assert seconds.next_for("ann") == 0
    assert seconds.next_for("bob") == 1
    assert looked == {"bob": 1, "ann": 1}
