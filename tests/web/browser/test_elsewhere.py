"""Pages that outlive their server or their person, and answers from in between: no label is lost or lands elsewhere."""

import json

import pytest

import labelwise as lw
from browsing import OUTBOX, House, item_of, press, wait_for_item, wait_for_sent
from served import new_assessment
from strength import in_quick

REFUSED = "Object.keys(localStorage).filter((key) => key.startsWith('labelwise.refused.')).length"


@pytest.fixture
def where(tmp_path):
    path = str(tmp_path / "two.lw")
    with lw.open_store(path) as store:
        for name in ("main", "other"):
            new_assessment(store, name=name, seed=1 if name == "main" else 2)
    return path


@pytest.fixture
def house(chromium, where):
    house = House(chromium, where, "--name", "main")
    yield house
    house.end()


def told(where, name):
    with lw.open_store(where) as store:
        return [event for event in store.journal(name).events() if event.kind == "told"]


def serve_again(house, name):
    house.server.end()
    house.server._options = ("--name", name)
    house.server.start(house.server.port)


@pytest.mark.slow  # starts three servers
def test_an_old_tab_labels_nothing_in_another_assessment_and_its_labels_wait_for_their_own(house, where):
    page = house.labelling(house.signed_in("ann", "labeller"))
    house.server.end()
    for key in "123":
        page.keyboard.press(key)
    page.wait_for_function(f"() => {OUTBOX} === 3")
    house.server._options = ("--name", "other")
    house.server.start(house.server.port)
    page.get_by_text("This server now serves another assessment").wait_for()
    page.keyboard.press("1")  # and says nothing more
    assert page.evaluate(OUTBOX) == 3
    assert told(where, "other") == told(where, "main") == []
    page.reload()
    wait_for_item(page)
    press(page, "1")
    page.wait_for_function(f"() => {OUTBOX} === 3")
    assert len(told(where, "other")) == 1
    serve_again(house, "main")
    page.reload()
    wait_for_sent(page)
    assert len(told(where, "main")) == 3
    assert len(told(where, "other")) == 1


def test_another_sign_in_in_the_same_browser_takes_no_label_over(house, where):
    context = house.signed_in("ann", "labeller")
    page = house.labelling(context)
    own = context.cookies()
    with lw.open_store(where) as store:
        token = lw.accounts.Accounts(store).begin("bob", "labeller", seconds=3600)
    context.add_cookies([{"name": f"labelwise-{house.server.port}", "value": token, "url": house.base}])
    page.keyboard.press("1")
    page.get_by_text("Somebody else has signed in in this browser").wait_for()
    assert page.evaluate(OUTBOX) == 1
    assert told(where, "main") == []
    context.add_cookies(own)
    page.reload()
    wait_for_sent(page)
    assert [event.labeller for event in told(where, "main")] == ["ann"]


@pytest.mark.slow  # seconds in a browser
def test_a_share_link_in_a_second_tab_leaves_the_labeller_signed_in(house, where):
    context = house.signed_in("ann", "labeller")
    page = house.labelling(context)
    with lw.open_store(where) as store:
        token = lw.accounts.Accounts(store).begin("reader", "viewer", seconds=3600, kind="share")
    board = house.page(context, f"/share/{token}")
    board.wait_for_url(f"{house.base}/dashboard")
    board.locator("#groups tbody tr").first.wait_for()
    press(page, "1")
    wait_for_sent(page)
    assert [event.labeller for event in told(where, "main")] == ["ann"]


@pytest.mark.slow  # seconds in a browser
def test_a_share_link_that_is_followed_from_another_site_opens_the_dashboard(house, where):
    """As from mail or chat: no cookie comes along with such a visit."""
    with lw.open_store(where) as store:
        token = lw.accounts.Accounts(store).begin("reader", "viewer", seconds=3600, kind="share")
    page = house.context().new_page()
    letter = f'<a href="{house.base}/share/{token}">Look</a>'
    page.route("http://mail.example/", lambda route: route.fulfill(body=letter, content_type="text/html"))
    page.goto("http://mail.example/")
    page.get_by_text("Look").click()
    page.wait_for_url(f"{house.base}/dashboard")
    page.locator("#groups tbody tr").first.wait_for()


@pytest.mark.parametrize(
    ("status", "body"),
    in_quick(
        [
            (404, "<html>no such host</html>"),
            (403, "<html>a firewall</html>"),
            (400, "{}"),
            (503, json.dumps({"error": "The store cannot be reached at the moment.", "code": "refused"})),
            (404, json.dumps({"error": "There is nothing here.", "code": "refused"})),
        ],
        (404, "<html>no such host</html>"),
    ),
)
def test_a_label_stays_through_answers_that_do_not_decide_about_it(house, where, status, body):
    page = house.labelling(house.signed_in("ann", "labeller"))
    page.route("**/api/tell", lambda route: route.fulfill(status=status, body=body, content_type="application/json"))
    press(page, "1")
    page.get_by_text("1 label waiting to be sent").wait_for()
    assert page.evaluate(OUTBOX) == 1
    page.unroute("**/api/tell")
    page.evaluate("() => dispatchEvent(new Event('online'))")  # hurry
    wait_for_sent(page)
    assert len(told(where, "main")) == 1


def test_what_can_never_be_taken_is_shown_and_can_be_downloaded(house, where, tmp_path):
    page = house.labelling(house.signed_in("ann", "labeller", accept_downloads=True))
    item = item_of(page)
    with lw.open_store(where) as store:  # somebody else settles it meanwhile
        assessment = store.open("main")
        place = assessment.pool.places([item])[0]
        slip = next(slip for slip in assessment.ledger.slips if slip.item == place)
        assessment.tell(slip.ticket, "dog", labeller="olga")
    page.keyboard.press("1")
    page.get_by_text(f"Your label for {item} was rejected.").wait_for()
    page.wait_for_function(f"() => {OUTBOX} === 0")
    page.reload()
    page.get_by_text(f"Your label for {item} was rejected.").wait_for()  # until the person lets go of it
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "kept.csv")
    head, row = (tmp_path / "kept.csv").read_text(encoding="utf-8").splitlines()
    assert head == "ticket,id,assessment,label,skip,why"
    assert row.startswith(f"{slip.ticket},{item},")
    assert "already told 'dog'" in row
    page.locator("[data-name=refused]").get_by_role("button", name="Close").click()
    assert page.evaluate(REFUSED) == 0
