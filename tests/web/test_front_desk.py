"""The desk at which tickets are handed out and labels taken in, for many labellers at once."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import labelwise as lw
from clock import Clock
from labelwise.errors import ConflictError, NotFoundError
from labelwise.web.front_desk import ALIVE, FrontDesk, NotYoursError
from labelwise.web.guard import RefusedError
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
def desk(store, clock):
    return FrontDesk(store, clock=clock)


def numbers(asked):
    return [ticket.number for ticket in asked[0]]


def tell(desk, ticket, label="cat", who="ann", **options):
    return hear(desk, lw.Said(ticket, label, labeller=who, **options), labeller=who)


def item_of(desk, number):
    slips = desk.assessment.ledger.slips
    return desk.assessment.pool.id_of(slips[number].item) if number < len(slips) else "none"


def hear(desk, said, labeller="ann", *, is_owner=False):
    return desk.hear(said, item=item_of(desk, said.number), labeller=labeller, is_owner=is_owner)


def renew(desk, held, **options):
    return desk.renew({number: item_of(desk, number) for number in held}, **options)


def test_two_tabs_never_share_an_item(desk):
    one, other = (desk.ask(3, labeller="ann", tab=tab)[0] for tab in ("a", "b"))
    assert len({ticket.item["id"] for ticket in one + other}) == 6


def test_the_tickets_of_a_closed_tab_come_back_to_their_labeller_alone(desk, clock):
    lost = numbers(desk.ask(2, labeller="ann", tab="a"))
    clock.now += ALIVE - 1
    assert not set(numbers(desk.ask(2, labeller="ann", tab="b"))) & set(lost)
    clock.now += 2
    assert not set(numbers(desk.ask(5, labeller="bob", tab="c"))) & set(lost)
    assert set(numbers(desk.ask(2, labeller="ann", tab="d"))) == set(lost)


def test_a_tab_that_is_heard_of_keeps_its_tickets(desk, clock):
    held = numbers(desk.ask(2, labeller="ann", tab="a"))
    for _ in range(5):
        clock.now += ALIVE - 5
        assert renew(desk, held, labeller="ann", tab="a") == (held, [])
    assert not set(numbers(desk.ask(2, labeller="ann", tab="b"))) & set(held)


def test_a_lease_is_renewed_when_half_of_it_is_gone_and_not_before(desk, clock, store):
    held = numbers(desk.ask(1, labeller="ann", tab="a"))

    def n_renewed():
        return sum(event.kind == "renewed" for event in store.journal("main").events())

    clock.now += 200
    renew(desk, held, labeller="ann", tab="a")
    assert n_renewed() == 0
    clock.now += 150
    renew(desk, held, labeller="ann", tab="a")
    assert n_renewed() == 1
    assert desk.assessment.ledger.slip(held[0]).until == clock.now + desk.assessment.setup.lease


def test_what_is_held_elsewhere_or_by_others_or_nowhere_is_lost(desk):
    held = numbers(desk.ask(2, labeller="ann", tab="a"))
    assert renew(desk, held, labeller="ann", tab="b") == ([], held)
    assert renew(desk, [*held, 99], labeller="bob", tab="c") == ([], [*held, 99])


def test_a_server_that_was_killed_lets_tabs_go_on_with_what_they_hold(desk, store, clock):
    held = numbers(desk.ask(2, labeller="ann", tab="a"))
    again = FrontDesk(store, clock=clock)
    assert not set(numbers(again.ask(2, labeller="ann", tab="new"))) & set(held)
    assert renew(again, held, labeller="ann", tab="a") == (held, [])
    assert tell(again, held[0]) == (True, 1)


def test_a_ticket_is_told_by_whoever_has_it_or_by_an_owner(desk):
    first, second = numbers(desk.ask(2, labeller="ann"))
    with pytest.raises(NotYoursError):
        tell(desk, first, who="bob")
    assert len(desk.assessment.ledger.label_of) == 0
    hear(desk, lw.Said(second, "cat", labeller="cat"), "owner", is_owner=True)
    assert len(desk.assessment.ledger.label_of) == 1


def test_the_same_key_counts_once(desk):
    [number] = numbers(desk.ask(1, labeller="ann"))
    assert [tell(desk, number, key="k") for _ in range(3)] == [(True, 1), (False, 1), (False, 1)]
    with pytest.raises(ConflictError):
        tell(desk, number, "dog", key="k")


def test_undo_goes_back_step_by_step_and_the_belief_with_it(desk):
    beliefs = []
    for k in range(20):
        beliefs.append(desk.assessment.belief.mean())
        [number] = numbers(desk.ask(1, labeller="ann"))
        if k % 5 == 4:
            hear(desk, lw.Said(number, None, "too dark", labeller="ann"))
        else:
            tell(desk, number, ["cat", "dog"][k % 2])
    for k in reversed(range(20)):
        ticket, was = desk.undo(labeller="ann")
        assert was.status == ("skipped" if k % 5 == 4 else "told")
        assert ticket.number != was.ticket
        np.testing.assert_array_equal(desk.assessment.belief.mean(), beliefs[k])
    with pytest.raises(ConflictError, match="nothing of yours"):
        desk.undo(labeller="ann")


def test_undo_leaves_the_labels_of_others(desk):
    for who in ("ann", "bob"):
        tell(desk, numbers(desk.ask(1, labeller=who))[0], who=who)
    desk.undo(labeller="ann")
    with pytest.raises(ConflictError):
        desk.undo(labeller="ann")
    assert len(desk.assessment.ledger.label_of) == 1


def test_only_an_owner_takes_back_what_others_said(desk):
    [number] = numbers(desk.ask(1, labeller="ann"))
    tell(desk, number)
    with pytest.raises(NotYoursError):
        desk.withdraw(number, item=item_of(desk, number), labeller="bob", is_owner=False, again=False)
    ticket, was = desk.withdraw(number, item=item_of(desk, number), labeller="bob", is_owner=True, again=True)
    assert (was.status, ticket.labeller) == ("told", "bob")


def test_why_a_ticket_was_skipped_is_known(desk):
    [number] = numbers(desk.ask(1, labeller="ann"))
    hear(desk, lw.Said(number, None, "too dark", labeller="ann"))
    [other] = numbers(desk.ask(1, labeller="ann"))
    slips = desk.assessment.ledger.slips
    assert (desk.reason(slips[number]), desk.reason(slips[other])) == ("too dark", "")


def test_what_is_released_can_be_asked_by_others(desk, clock):
    given = desk.ask(60, labeller="ann")[0]
    assert desk.ask(1, labeller="bob") == ([], "all 60 items that can change the answer are with labellers until "
                                               "their leases end.")  # fmt: skip
    desk.release({given[7].number: given[7].item["id"]}, labeller="bob")  # not bob's: nothing happens
    assert desk.ask(1, labeller="bob")[0] == []
    desk.release({given[7].number: given[7].item["id"]}, labeller="ann")
    clock.now += 1
    assert desk.ask(1, labeller="bob")[0][0].item["id"] == given[7].item["id"]


def test_a_number_that_came_as_text_is_the_class_it_names(tmp_path):
    pool = lw.pool_from_arrays(predicted=[0, 1] * 5)
    with lw.open_store(tmp_path / "n.lw") as store:
        lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=store.journal("main"))
        desk = FrontDesk(store)
    assert [desk.label_named(label) for label in ("1", 1, "cow")] == [1, 1, "cow"]


def test_many_at_once_are_each_heard_once_and_the_refused_ones_alone_refused(desk, store):
    tickets = [ticket for k in range(10) for ticket in desk.ask(6, labeller=f"w{k}")[0]]

    def work(ticket):
        try:
            return tell(desk, ticket.number, who=ticket.labeller, key=f"k{ticket.number}")[0]
        except NotYoursError:
            return "refused"

    def strangers(ticket):
        try:
            return tell(desk, ticket.number, who="stranger")
        except (NotYoursError, ConflictError):
            return "refused"

    with ThreadPoolExecutor(16) as pool:
        wrong = pool.map(strangers, tickets)
        told = list(pool.map(work, [*tickets, *tickets]))
        assert set(wrong) == {"refused"}
    assert sorted(told) == [False] * 60 + [True] * 60
    assert len(desk.assessment.ledger.label_of) == 60
    assert sum(event.kind == "told" for event in store.journal("main").events()) == 60
    assert store.verify("main") == []


def test_what_fails_half_way_takes_nothing_else_with_it(desk):
    tickets = desk.ask(2, labeller="ann")[0]

    def half():
        desk.assessment.tell(tickets[0], "cat")
        raise NotFoundError("and then it breaks")

    def whole():
        desk.assessment.tell(tickets[1], "dog")
        return "done"

    from concurrent.futures import Future

    batch = [(half, Future()), (whole, Future())]
    desk._work_off(batch)
    assert batch[1][1].result() == "done"
    with pytest.raises(NotFoundError):
        batch[0][1].result()
    assert {slip.status for slip in desk.assessment.ledger.slips} == {"open", "told"}
    assert list(desk.assessment.ledger.label_of.values()) == [1]


def test_giving_items_back_shows_a_labeller_no_item_of_the_same_group(desk, clock):
    """Whoever holds one item and swaps another for the next would learn which ones share a prediction."""
    first = desk.ask(1, labeller="bob")[0][0]
    seen = set()
    for _ in range(50):
        [ticket], _ = desk.ask(1, labeller="bob")
        seen.add((ticket.number, ticket.item["id"]))
        desk.release({ticket.number: ticket.item["id"]}, labeller="bob")
        clock.now += 1
    assert len(seen) == 1  # the same item under the same number: nothing is learned, and no tickets pile up
    assert len(desk.assessment.ledger.slips) == 2
    assert first.item["id"] not in {item for _, item in seen}


def test_an_item_that_was_taken_back_comes_to_its_labeller_before_another(desk):
    [ticket], _ = desk.ask(1, labeller="bob")
    number = ticket.number
    for _ in range(5):
        tell(desk, number, who="bob")
        desk.withdraw(number, item=ticket.item["id"], labeller="bob", is_owner=False, again=False)
        [again], _ = desk.ask(1, labeller="bob")
        assert again.item["id"] == ticket.item["id"]
        number = again.number


def test_what_others_have_labelled_since_does_not_come_back(desk, clock):
    given = desk.ask(60, labeller="ann")[0][7]
    desk.release({given.number: given.item["id"]}, labeller="ann")
    clock.now += 1
    [ticket], _ = desk.ask(1, labeller="bob")
    tell(desk, ticket.number, who="bob")
    assert desk.ask(1, labeller="ann")[0] == []


def test_items_are_given_back_only_so_often(desk, clock):
    [ticket], _ = desk.ask(1, labeller="bob")
    for _ in range(100):
        desk.release({ticket.number: ticket.item["id"]}, labeller="bob")
    with pytest.raises(RefusedError, match="You give items back too often"):
        desk.release({ticket.number: ticket.item["id"]}, labeller="bob")
