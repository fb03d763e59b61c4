"""The queue at which tickets are handed out and labels taken in, for many labellers at once."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import labelwise as lw
from clock import Clock
from labelwise.errors import ConflictError, NotFoundError
from labelwise.web.middleware import RefusedError
from labelwise.web.write_queue import ALIVE, NotYoursError, WriteQueue
from served import new_assessment


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path):
    with lw.open_store(tmp_path / "spring.lw") as found:
        new_assessment(found)
        yield found


@pytest.fixture
def queue(store, clock):
    return WriteQueue(store, clock=clock)


def numbers(asked):
    return [ticket.number for ticket in asked[0]]


def tell(queue, ticket, label="cat", who="ann", **options):
    return hear(queue, lw.assessment.Said(ticket, label, labeller=who, **options), labeller=who)


def item_of(queue, number):
    slips = queue.assessment.ledger.slips
    return queue.assessment.pool.id_of(slips[number].item) if number < len(slips) else "none"


def hear(queue, said, labeller="ann", *, is_owner=False):
    return queue.hear(said, item=item_of(queue, said.number), labeller=labeller, is_owner=is_owner)


def renew(queue, held, **options):
    return queue.renew({number: item_of(queue, number) for number in held}, **options)


def test_two_tabs_never_share_an_item(queue):
    one, other = (queue.ask(3, labeller="ann", tab=tab)[0] for tab in ("a", "b"))
    assert len({ticket.item["id"] for ticket in one + other}) == 6


def test_the_tickets_of_a_closed_tab_come_back_to_their_labeller_alone(queue, clock):
    lost = numbers(queue.ask(2, labeller="ann", tab="a"))
    clock.now += ALIVE - 1
    assert not set(numbers(queue.ask(2, labeller="ann", tab="b"))) & set(lost)
    clock.now += 2
    assert not set(numbers(queue.ask(5, labeller="bob", tab="c"))) & set(lost)
    assert set(numbers(queue.ask(2, labeller="ann", tab="d"))) == set(lost)


def test_a_tab_that_is_heard_of_keeps_its_tickets(queue, clock):
    held = numbers(queue.ask(2, labeller="ann", tab="a"))
    for _ in range(5):
        clock.now += ALIVE - 5
        assert renew(queue, held, labeller="ann", tab="a") == (held, [])
    assert not set(numbers(queue.ask(2, labeller="ann", tab="b"))) & set(held)


def test_a_lease_is_renewed_when_half_of_it_is_gone_and_not_before(queue, clock, store):
    held = numbers(queue.ask(1, labeller="ann", tab="a"))

    def n_renewed():
        return sum(event.kind == "renewed" for event in store.journal("main").events())

    clock.now += 200
    renew(queue, held, labeller="ann", tab="a")
    assert n_renewed() == 0
    clock.now += 150
    renew(queue, held, labeller="ann", tab="a")
    assert n_renewed() == 1
    assert queue.assessment.ledger.slip(held[0]).until == clock.now + queue.assessment.setup.lease


def test_what_is_held_elsewhere_or_by_others_or_nowhere_is_lost(queue):
    held = numbers(queue.ask(2, labeller="ann", tab="a"))
    assert renew(queue, held, labeller="ann", tab="b") == ([], held)
    assert renew(queue, [*held, 99], labeller="bob", tab="c") == ([], [*held, 99])


def test_a_server_that_was_killed_lets_tabs_go_on_with_what_they_hold(queue, store, clock):
    held = numbers(queue.ask(2, labeller="ann", tab="a"))
    again = WriteQueue(store, clock=clock)
    assert not set(numbers(again.ask(2, labeller="ann", tab="new"))) & set(held)
    assert renew(again, held, labeller="ann", tab="a") == (held, [])
    assert tell(again, held[0]) == (True, 1)


def test_a_ticket_is_told_by_whoever_has_it_or_by_an_owner(queue):
    first, second = numbers(queue.ask(2, labeller="ann"))
    with pytest.raises(NotYoursError):
        tell(queue, first, who="bob")
    assert len(queue.assessment.ledger.label_of) == 0
    hear(queue, lw.assessment.Said(second, "cat", labeller="cat"), "owner", is_owner=True)
    assert len(queue.assessment.ledger.label_of) == 1


def test_the_same_key_counts_once(queue):
    [number] = numbers(queue.ask(1, labeller="ann"))
    assert [tell(queue, number, key="k") for _ in range(3)] == [(True, 1), (False, 1), (False, 1)]
    with pytest.raises(ConflictError):
        tell(queue, number, "dog", key="k")


def test_undo_goes_back_step_by_step_and_the_belief_with_it(queue):
    beliefs = []
    for k in range(20):
        beliefs.append(queue.assessment.belief.mean())
        [number] = numbers(queue.ask(1, labeller="ann"))
        if k % 5 == 4:
            hear(queue, lw.assessment.Said(number, None, "too dark", labeller="ann"))
        else:
            tell(queue, number, ["cat", "dog"][k % 2])
    for k in reversed(range(20)):
        ticket, was = queue.undo(labeller="ann")
        assert was.status == ("skipped" if k % 5 == 4 else "told")
        assert ticket.number != was.ticket
        np.testing.assert_array_equal(queue.assessment.belief.mean(), beliefs[k])
    with pytest.raises(ConflictError, match="You have no answers to undo"):
        queue.undo(labeller="ann")


def test_undo_leaves_the_labels_of_others(queue):
    for who in ("ann", "bob"):
        tell(queue, numbers(queue.ask(1, labeller=who))[0], who=who)
    queue.undo(labeller="ann")
    with pytest.raises(ConflictError):
        queue.undo(labeller="ann")
    assert len(queue.assessment.ledger.label_of) == 1


def test_only_an_owner_takes_back_what_others_said(queue):
    [number] = numbers(queue.ask(1, labeller="ann"))
    tell(queue, number)
    with pytest.raises(NotYoursError):
        queue.withdraw(number, item=item_of(queue, number), labeller="bob", is_owner=False, again=False)
    ticket, was = queue.withdraw(number, item=item_of(queue, number), labeller="bob", is_owner=True, again=True)
    assert (was.status, ticket.labeller) == ("told", "bob")


def test_why_a_ticket_was_skipped_is_known(queue):
    [number] = numbers(queue.ask(1, labeller="ann"))
    hear(queue, lw.assessment.Said(number, None, "too dark", labeller="ann"))
    [other] = numbers(queue.ask(1, labeller="ann"))
    slips = queue.assessment.ledger.slips
    assert (queue.reason(slips[number]), queue.reason(slips[other])) == ("too dark", "")


def test_what_is_released_can_be_asked_by_others(queue, clock):
    given = queue.ask(60, labeller="ann")[0]
    assert queue.ask(1, labeller="bob") == ([], "all 60 items that can change the answer are with labellers until "
                                               "their leases end.")  # fmt: skip
    queue.release({given[7].number: given[7].item["id"]}, labeller="bob")  # not bob's: nothing happens
    assert queue.ask(1, labeller="bob")[0] == []
    queue.release({given[7].number: given[7].item["id"]}, labeller="ann")
    clock.now += 1
    assert queue.ask(1, labeller="bob")[0][0].item["id"] == given[7].item["id"]


def test_a_number_that_came_as_text_is_the_class_it_names(tmp_path):
    pool = lw.pool_from_arrays(predicted=[0, 1] * 5)
    with lw.open_store(tmp_path / "n.lw") as store:
        lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=store.journal("main"))
        queue = WriteQueue(store)
    assert [queue.label_named(label) for label in ("1", 1, "cow")] == [1, 1, "cow"]


def test_many_at_once_are_each_heard_once_and_the_refused_ones_alone_refused(queue, store):
    tickets = [ticket for k in range(10) for ticket in queue.ask(6, labeller=f"w{k}")[0]]

    def work(ticket):
        try:
            return tell(queue, ticket.number, who=ticket.labeller, key=f"k{ticket.number}")[0]
        except NotYoursError:
            return "refused"

    def strangers(ticket):
        try:
            return tell(queue, ticket.number, who="stranger")
        except (NotYoursError, ConflictError):
            return "refused"

    with ThreadPoolExecutor(16) as pool:
        wrong = pool.map(strangers, tickets)
        told = list(pool.map(work, [*tickets, *tickets]))
        assert set(wrong) == {"refused"}
    assert sorted(told) == [False] * 60 + [True] * 60
    assert len(queue.assessment.ledger.label_of) == 60
    assert sum(event.kind == "told" for event in store.journal("main").events()) == 60
    assert store.verify("main") == []


def test_what_fails_half_way_takes_nothing_else_with_it(queue):
    tickets = queue.ask(2, labeller="ann")[0]

    def half():
        queue.assessment.tell(tickets[0], "cat")
        raise NotFoundError("and then it breaks")

    def whole():
        queue.assessment.tell(tickets[1], "dog")
        return "done"

    from concurrent.futures import Future

    batch = [(half, Future()), (whole, Future())]
    queue._commit(batch)
    assert batch[1][1].result() == "done"
    with pytest.raises(NotFoundError):
        batch[0][1].result()
    assert {slip.status for slip in queue.assessment.ledger.slips} == {"open", "told"}
    assert list(queue.assessment.ledger.label_of.values()) == [1]


def test_giving_items_back_shows_a_labeller_no_item_of_the_same_group(queue, clock):
    """Whoever holds one item and swaps another for the next would learn which ones share a prediction."""
    first = queue.ask(1, labeller="bob")[0][0]
    seen = set()
    for _ in range(50):
        [ticket], _ = queue.ask(1, labeller="bob")
        seen.add((ticket.number, ticket.item["id"]))
        queue.release({ticket.number: ticket.item["id"]}, labeller="bob")
        clock.now += 1
    assert len(seen) == 1  # the same item under the same number: nothing is learned, and no tickets pile up
    assert len(queue.assessment.ledger.slips) == 2
    assert first.item["id"] not in {item for _, item in seen}


def test_an_item_that_was_taken_back_comes_to_its_labeller_before_another(queue):
    [ticket], _ = queue.ask(1, labeller="bob")
    number = ticket.number
    for _ in range(5):
        tell(queue, number, who="bob")
        queue.withdraw(number, item=ticket.item["id"], labeller="bob", is_owner=False, again=False)
        [again], _ = queue.ask(1, labeller="bob")
        assert again.item["id"] == ticket.item["id"]
        number = again.number


def test_what_others_have_labelled_since_does_not_come_back(queue, clock):
    given = queue.ask(60, labeller="ann")[0][7]
    queue.release({given.number: given.item["id"]}, labeller="ann")
    clock.now += 1
    [ticket], _ = queue.ask(1, labeller="bob")
    tell(queue, ticket.number, who="bob")
    assert queue.ask(1, labeller="ann")[0] == []


def test_items_are_given_back_only_so_often(queue, clock):
    [ticket], _ = queue.ask(1, labeller="bob")
    for _ in range(100):
        queue.release({ticket.number: ticket.item["id"]}, labeller="bob")
    with pytest.raises(RefusedError, match="You release items too often"):
        queue.release({ticket.number: ticket.item["id"]}, labeller="bob")
