"""Several people, several tabs, and a connection or a server that goes: no item to two, nothing lost, nothing twice."""

import signal

import pytest

import labelwise as lw
from browsing import (
    House,
    begun,
    drawn_digits,
    events_of,
    item_of,
    kept,
    press,
    wait_for_item,
    wait_for_sent,
)
from served import PASSWORD

HELD = "() => JSON.parse(sessionStorage.getItem('labelwise.tickets')).map((one) => one.id)"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    where, digits = drawn_digits(tmp_path_factory.mktemp("digits"))
    with lw.open_store(where) as store:
        accounts = lw.accounts.Accounts(store)
        accounts.add("olga", "owner", PASSWORD)
        accounts.add("ann", "labeller", PASSWORD)
        accounts.add("bob", "labeller", PASSWORD)
    return where, digits


@pytest.fixture(scope="module")
def truth(drawn):
    return drawn[1].truth


@pytest.fixture(scope="module")
def house(chromium, drawn):
    where, _ = drawn
    house = House(chromium, where, "--images", where.removesuffix("spring.lw"))
    yield house
    house.end()


def by_form(house, name):
    """Sign in with name and password; give the labelling page."""
    page = house.context().new_page()
    page.goto(f"{house.base}/")
    assert page.url.startswith(f"{house.base}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{house.base}/")
    wait_for_item(page)
    return page


def held(page):
    return set(page.evaluate(HELD))


def is_whole(where, said):
    """Hold the store against what was said on the pages: all of it, once, by whom it was said."""
    for labeller, items in said.items():
        assert sorted((one.id, one.label) for one in kept(where, labeller)) == sorted(items.items())
        assert len(events_of(where, "told", labeller)) == len(items)
    with lw.open_store(where) as store:
        return store.verify("main") == []


@pytest.mark.slow  # seconds in a browser
def test_two_people_who_label_at_once_never_see_the_same_item(house, truth):
    pages = {name: by_form(house, name) for name in ("ann", "bob")}
    said = {name: {} for name in pages}
    for _ in range(12):
        assert not held(pages["ann"]) & held(pages["bob"])
        items = {name: item_of(page) for name, page in pages.items()}
        for name, page in pages.items():
            page.keyboard.press(truth[items[name]])  # both, before either has moved on
        for name, page in pages.items():
            wait_for_item(page, other_than=items[name])
            said[name][items[name]] = truth[items[name]]
    for page in pages.values():
        wait_for_sent(page)
    assert not said["ann"].keys() & said["bob"].keys()
    assert is_whole(house.where, said)


@pytest.mark.slow  # seconds in a browser
def test_a_wrong_password_is_refused_in_a_sentence_the_right_one_lets_in_and_one_can_leave(house):
    page = house.context().new_page()
    page.goto(f"{house.base}/history")
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill("wrong horse")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").get_by_text("Name and password do not fit.").wait_for()
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{house.base}/history")  # where one wanted to go
    page.locator("summary").get_by_text("ann").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{house.base}/sign-in")
    page.goto(f"{house.base}/history")
    assert page.url.startswith(f"{house.base}/sign-in")


@pytest.mark.slow  # seconds in a browser
def test_tabs_of_one_person_never_share_an_item_not_even_a_copy_of_a_tab(house):
    context = house.signed_in("cid", "labeller")
    first, second = house.labelling(context), house.labelling(context)
    copied = first.evaluate("() => JSON.stringify(sessionStorage)")
    third = house.page(context, "/history")
    third.evaluate(
        "(kept) => { for (const [name, value] of Object.entries(JSON.parse(kept))) sessionStorage[name] = value; }",
        copied,
    )
    third.goto(f"{house.base}/")
    wait_for_item(third)
    pages, said = (first, second, third), {}
    for k in range(12):
        for one, other in ((first, second), (first, third), (second, third)):
            assert not held(one) & held(other)
        item = press(pages[k % 3], str(k % 10))
        assert item not in said
        said[item] = str(k % 10)
    for page in pages:
        wait_for_sent(page)
    assert is_whole(house.where, {"cid": said})


@pytest.mark.slow  # seconds in a browser
def test_a_seventh_tab_works_and_one_stream_serves_all(house):
    context = house.signed_in("dan", "labeller")
    streams = []
    context.on("request", lambda request: streams.append(request) if request.url.endswith("/api/stream") else None)
    pages = [house.labelling(context) for _ in range(7)]
    assert len({item_of(page) for page in pages}) == 7
    for page in pages:
        page.get_by_text("Live", exact=True).wait_for()  # also in tabs that hear of it from another one
    press(pages[6], "1")
    for page in pages:
        page.wait_for_function("() => document.querySelector('#progress .big').textContent !== ''")
    before = pages[6].locator("#progress .big").first.inner_text()
    press(pages[0], "2")
    pages[6].wait_for_function("(n) => document.querySelector('#progress .big').textContent !== n", arg=before)
    assert len(streams) == 1
    pages[0].close()  # which had the stream
    with context.expect_event("request", lambda request: request.url.endswith("/api/stream")):
        pass
    before = pages[6].locator("#progress .big").first.inner_text()
    press(pages[1], "3")
    pages[6].wait_for_function("(n) => document.querySelector('#progress .big').textContent !== n", arg=before)
    assert len(streams) == 2
    for page in pages[1:]:
        wait_for_sent(page)
    assert sorted(one.label for one in kept(house.where, "dan")) == ["1", "2", "3"]


@pytest.mark.slow  # seconds in a browser
def test_labels_without_a_connection_wait_and_arrive_once(house):
    context = house.signed_in("eve", "labeller")
    page = house.labelling(context)
    context.set_offline(True)
    said = {press(page, str(k)): str(k) for k in range(4)}
    page.get_by_text("4 labels waiting to be sent. They are stored on this device.").wait_for()
    page.get_by_text("No connection.").wait_for()
    assert kept(house.where, "eve") == []
    context.set_offline(False)
    wait_for_sent(page)
    page.get_by_text("No connection.").wait_for(state="detached")
    page.locator("#queue").wait_for(state="hidden")
    assert is_whole(house.where, {"eve": said})


@pytest.mark.slow  # seconds in a browser
def test_a_label_whose_answer_was_lost_is_not_counted_twice(house):
    page = house.labelling(house.signed_in("fay", "labeller"))
    lost = []

    def lose(route):
        route.fetch()  # the server has it
        lost.append(route.request.url)
        route.abort()  # the page never hears of it

    page.route("**/api/tell", lose, times=1)
    item = press(page, "5")
    wait_for_sent(page)
    assert len(lost) == 1
    assert is_whole(house.where, {"fay": {item: "5"}})


@pytest.mark.slow  # seconds in a browser
def test_after_the_browser_was_closed_one_goes_on_and_what_was_not_sent_is_sent(house):
    context = house.signed_in("gus", "labeller")
    page = house.labelling(context)
    said = {press(page, "6"): "6"}
    wait_for_sent(page)
    context.set_offline(True)
    said[press(page, "7")] = "7"
    left = context.storage_state()  # what a browser keeps when it is closed: not the storage of tabs
    context.close()
    page = house.labelling(house.context(storage_state=left))
    wait_for_sent(page)
    said[press(page, "8")] = "8"
    wait_for_sent(page)
    page.wait_for_function("() => document.querySelector('.tally-mine .big').textContent === '3'")
    assert is_whole(house.where, {"gus": said})


@pytest.mark.slow  # seconds in a browser
def test_a_killed_server_costs_nothing_and_nobody_has_to_do_anything(house):
    pages = {name: house.labelling(house.signed_in(name, "labeller")) for name in ("hal", "ida")}
    said = {name: {press(page, "1"): "1"} for name, page in pages.items()}
    for name, page in pages.items():  # on the way when the server dies
        said[name][press(page, "2")] = "2"
    house.server.end(signal.SIGKILL)
    for name, page in pages.items():
        said[name] |= {press(page, str(k)): str(k) for k in (3, 4)}
        page.get_by_text("No connection.").wait_for()
    house.server.start(house.server.port)
    for name, page in pages.items():
        wait_for_sent(page)
        wait_for_item(page)
        said[name] |= {press(page, str(k)): str(k) for k in (5, 6, 7, 8)}  # more than were at hand
        wait_for_sent(page)
    assert {len(items) for items in said.values()} == {8}
    assert not said["hal"].keys() & said["ida"].keys()
    assert is_whole(house.where, said)


@pytest.fixture(scope="module")
def twice(chromium, tmp_path_factory):
    """A house in which every item is to be seen by two people."""
    pool = lw.pool_from_arrays(
        predicted=["cat", "dog"] * 20, ids=[f"i{k}" for k in range(40)], classes=["cat", "dog"],
        columns={"text": [f"about {k}" for k in range(40)]}, content=["text"],
    )  # fmt: skip
    house = House(chromium, begun(tmp_path_factory.mktemp("twice"), pool=pool))
    yield house
    house.end()


@pytest.mark.slow  # seconds in a browser
def test_second_opinions_come_to_the_other_and_the_owner_settles_disputes(twice):
    owner = twice.page(twice.signed_in("olga"), "/dashboard")
    owner.get_by_text("No item has been labelled twice yet.").wait_for()
    owner.get_by_label("Share of items to be labelled by a second person").fill("100")
    owner.get_by_role("button", name="Save").click()
    owner.get_by_text("Saved: 100 % of items get a second opinion.").wait_for()
    ann = twice.labelling(twice.signed_in("ann", "labeller"))
    first = [press(ann, "1") for _ in range(6)]
    wait_for_sent(ann)
    bob = twice.labelling(twice.signed_in("bob", "labeller"))
    second, said = {}, {}
    for _ in range(30):
        item = item_of(bob)
        if item in first:
            second[item] = "dog" if len(second) < 2 else "cat"
        said[item] = second.get(item, "cat")
        press(bob, "2" if said[item] == "dog" else "1")
        if len(second) == 6:
            break
    wait_for_sent(bob)
    assert sorted(second) == sorted(first)
    opinions = {one.id: one.label for one in kept(twice.where, "bob") if one.is_second}
    assert opinions == second

    owner.locator("#agreement").get_by_text("4 of 6").wait_for()  # without a reload
    owner.locator("#agreement").get_by_role("row", name="ann bob 6 4").wait_for()
    owner.locator("#agreement").get_by_text("Interval of the kappa: if the prior is right").wait_for()
    owner.get_by_role("link", name="Settle disputes").click()
    cards = owner.locator("article.dispute")
    cards.first.wait_for()
    assert cards.count() == 2
    disputed = {item for item, label in second.items() if label == "dog"}
    assert {heading.removeprefix("Item ") for heading in cards.locator("h2").all_inner_texts()} == disputed
    item = cards.first.locator("h2").inner_text().removeprefix("Item ")
    assert "ann" in cards.first.inner_text()
    assert "bob" in cards.first.inner_text()
    cards.first.get_by_role("button", name="dog").click()
    owner.get_by_text(f"Settled: {item} is dog.").wait_for()
    owner.wait_for_function("() => document.querySelectorAll('article.dispute').length === 1")
    with lw.open_store(twice.where) as store:
        assessment = store.open("main")
        [place] = assessment.pool.places([item])
        assert assessment.pool.classes[assessment.ledger.label_of[place]] == "dog"
    assert twice.errors == []
