"""Every form that an item, a list of classes and a screen can have: each is shown, and each can be used."""

import json
import re
import statistics

import pytest

import labelwise as lw
from browsing import House, begun, item_of, kept, wait_for_item, wait_for_sent
from patience import slowness
from served import PIXEL

N_CLASSES = 1_000
REACTION = 50  # milliseconds from a letter to the filtered list on the screen
HEBREW = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"
TEXTS = {
    "long": f"{HEBREW}  two  spaces\n\tand a tab\n\n" * 32_000,  # more than 1 MB, right to left
    "json": json.dumps({"title": "A <b>lizard</b>", "tags": ["small", {"green": True}], "n": 3}),
    "spaces": "def f():\n    return  1\n\n\tx = 2\n",
    "word": "x" * 3_000,  # nothing to break it at
    "row": "a small lizard",
    "whole": "whole.png",
    "broken": "broken.png",
    "missing": "missing.png",
}
PAGES = ["dashboard", "history", "disputes", "people", "sign-in"]
READY = {
    "": "#classes button, #classes input", "dashboard": "#groups tbody tr", "history": "#rows > *",
    "disputes": "#disputes > *", "people": "#accounts > *", "sign-in": "h1",
}  # fmt: skip
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """() => [...document.querySelectorAll("button, summary, select, nav a, a.button, input:not([type=hidden])")]
  .filter((one) => one.checkVisibility() && !one.closest(".menu-box, label"))
  .map((one) => [one.innerText || one.id || one.name, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 43.9 || height < 43.9).map(([name]) => name)"""
FILTER = """(letter) => new Promise((done) => {
  const input = document.querySelector(".search"), began = performance.now();
  input.value += letter;
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => done(
    [performance.now() - began, document.querySelector(".search-head .small").textContent]), 0)); // after it is painted
})"""


@pytest.fixture(scope="module")
def house(chromium, tmp_path_factory):
    """An item of every kind; Ann holds them all."""
    folder = tmp_path_factory.mktemp("kinds")
    (folder / "whole.png").write_bytes(PIXEL)
    (folder / "broken.png").write_bytes(b"not a picture")
    n = len(TEXTS)
    pool = lw.pool_from_arrays(
        predicted=["cat", "dog"] * (n // 2), classes=["cat", "dog", "a class with quite a long name"], ids=list(TEXTS),
        columns={"what": list(TEXTS.values()), "place": ["Berlin"] * n, "weight": [1234.5] * n, "is new": [True] * n},
        content=["what", "place", "weight", "is new"],
    )  # fmt: skip
    house = House(chromium, begun(folder, pool=pool), "--images", str(folder))
    browser = house.signed_in("ann", "labeller").request
    page = {
        "labelwise-assessment": browser.get(f"{house.base}/api/assessment").json()["id"],
        "labelwise-labeller": "ann",
    }
    asked = browser.post(f"{house.base}/api/ask", data={"n": n}, headers={"origin": house.base, **page})
    house.tickets = {ticket["id"]: ticket["ticket"] for ticket in asked.json()["tickets"]}
    assert sorted(house.tickets) == sorted(TEXTS)
    yield house
    house.end()


@pytest.fixture(scope="module")
def many(chromium, tmp_path_factory):
    """A thousand classes to choose from."""
    classes = [f"species {k:03d}" for k in range(N_CLASSES - 2)] + ["Äpfel und Birnen", "قطة"]
    pool = lw.pool_from_arrays(
        predicted=[classes[k % 3] for k in range(90)], classes=classes, ids=[f"i{k}" for k in range(90)],
        columns={"text": [f"about {k}" for k in range(90)]}, content=["text"],
    )  # fmt: skip
    house = House(chromium, begun(tmp_path_factory.mktemp("many"), pool=pool))
    yield house
    house.end()


@pytest.fixture(autouse=True)
def _tidy_many(request):
    yield
    if "many" in request.fixturenames:
        many = request.getfixturevalue("many")
        many.leave()
        assert many.errors == []


def showing(house, item, **options):
    """Open the labelling page on one of the items that Ann holds."""
    page = house.page(house.signed_in("ann", "labeller", **options), "/history")
    page.evaluate(
        "([ticket, id]) => { sessionStorage['labelwise.tab'] = 'own';"
        " sessionStorage['labelwise.tickets'] = JSON.stringify([{ ticket, id, isBare: true }]); }",
        [house.tickets[item], item],
    )
    page.goto(f"{house.base}/")
    page.wait_for_function("(item) => document.querySelector('#item-heading').textContent === `Item ${item}`", arg=item)
    return page


@pytest.mark.slow  # seconds in a browser
def test_a_long_text_is_whole_right_to_left_and_scrolls_in_its_box(house):
    page = showing(house, "long")
    text = page.locator("#item .text").first
    assert len(TEXTS["long"].encode()) > 2**20
    shown = text.evaluate("(box) => [...box.children].map((one) => one.textContent).join('\\n')")
    assert shown == TEXTS["long"]
    piece = text.locator(".piece").first
    assert piece.evaluate("(one) => getComputedStyle(one).whiteSpace") == "pre-wrap"
    # the first letter of a line that reads from the right is at the right end
    edges = piece.evaluate(
        "(one) => { const range = document.createRange(); range.setStart(one.firstChild, 0);"
        " range.setEnd(one.firstChild, 1); const box = one.getBoundingClientRect();"
        " return [range.getBoundingClientRect().right, box.left, box.right]; }"
    )
    assert edges[0] - edges[1] > 0.9 * (edges[2] - edges[1])
    assert text.evaluate("(box) => box.scrollHeight > 10 * box.clientHeight")
    assert page.get_by_role("button", name="cat").is_visible()
    assert page.evaluate(SIDEWAYS) == 0


@pytest.mark.slow  # seconds in a browser
def test_white_space_is_kept(house):
    page = showing(house, "spaces")
    text = page.locator("#item .text").first
    assert text.evaluate("(box) => box.textContent") == TEXTS["spaces"]
    assert "    return  1" in text.inner_text()


@pytest.mark.slow  # seconds in a browser
def test_a_word_without_an_end_does_not_push_the_page_aside(house):
    page = showing(house, "word")
    assert page.evaluate(SIDEWAYS) == 0
    assert page.locator("#item .text").first.evaluate("(box) => box.scrollWidth - box.clientWidth") == 0


@pytest.mark.slow  # seconds in a browser
def test_json_is_set_out_and_not_taken_for_markup(house):
    page = showing(house, "json")
    shown = page.locator("#item .json").inner_text()
    assert '"title": "A <b>lizard</b>",\n  "tags": [' in shown
    assert page.locator("#item b").count() == 0


@pytest.mark.slow  # seconds in a browser
def test_columns_are_shown_as_a_row_by_name(house):
    page = showing(house, "row")
    rows = page.locator("#item .row-values > div")
    assert [row.inner_text().split("\n") for row in rows.all()] == [
        ["what", "a small lizard"], ["place", "Berlin"], ["weight", "1,235"], ["is new", "yes"],
    ]  # fmt: skip


@pytest.mark.slow  # seconds in a browser
@pytest.mark.parametrize("item", ["broken", "missing"])
def test_a_picture_that_cannot_be_shown_offers_to_skip_its_item(house, item):
    page = showing(house, item)
    page.get_by_text("This image cannot be shown.").wait_for()
    page.get_by_role("button", name="Try again").click()
    page.get_by_text("This image cannot be shown.").wait_for()
    page.get_by_role("button", name="Skip: image is broken").click()
    wait_for_sent(page)
    page.get_by_text("No items to label right now").wait_for()
    assert item in [one.id for one in kept(house.where, "ann", status="skipped")]
    page.keyboard.press("u")  # for the tests that come after
    page.get_by_text("This image cannot be shown.").wait_for()
    house.tickets[item] = page.evaluate("() => JSON.parse(sessionStorage['labelwise.tickets'])[0].ticket")


@pytest.mark.slow  # seconds in a browser
def test_a_picture_is_shown_with_words_for_those_who_do_not_see_it(house):
    page = showing(house, "whole")
    page.wait_for_function("() => document.querySelector('#item img')?.naturalWidth === 1")
    assert page.get_by_role("img", name="what of item whole").is_visible()


@pytest.mark.slow  # seconds in a browser
def test_one_of_a_thousand_classes_is_found_by_typing(many):
    page = many.labelling(many.signed_in("bob", "labeller"))
    assert page.get_by_text("1,000 classes").is_visible()
    said = {}
    for typed, name in [
        ("321", "species 321"),
        ("apfel", "Äpfel und Birnen"),
        ("قط", "قطة"),
        ("SPECIES 9", "species 900"),
    ]:
        item = item_of(page)
        page.keyboard.type(typed)  # without a click: the field has the focus
        page.keyboard.press("Enter")
        wait_for_item(page, other_than=item)
        said[item] = name
    wait_for_sent(page)
    assert {one.id: one.label for one in kept(many.where, "bob")} == said
    item = item_of(page)
    page.keyboard.press("Enter")  # nothing is typed: nothing is meant
    page.keyboard.type("no such class")
    page.get_by_text("No class matches").wait_for()
    page.keyboard.press("Enter")
    assert item_of(page) == item
    page.keyboard.press("Escape")
    page.keyboard.type("species 00")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_for_item(page, other_than=item)
    wait_for_sent(page)
    assert (item, "species 002") in [(one.id, one.label) for one in kept(many.where, "bob")]


@pytest.mark.slow  # seconds in a browser
def test_the_list_of_a_thousand_classes_follows_every_letter(many):
    page = many.labelling(many.signed_in("cid", "labeller"))
    took = []
    for _ in range(4):
        page.fill(".search", "")
        for letter in "species 12":
            milliseconds, count = page.evaluate(FILTER, letter)
            took.append(milliseconds)
        assert count == "10 of 1,000"
    assert statistics.median(took) < 3 * REACTION * slowness(), took


@pytest.mark.slow  # seconds in a browser
def test_undo_works_beside_the_search_field(many):
    page = many.labelling(many.signed_in("dan", "labeller"))
    item = item_of(page)
    page.keyboard.type("species 777")
    page.keyboard.press("Enter")
    wait_for_item(page, other_than=item)
    wait_for_sent(page)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("You answered: species 777").wait_for()
    assert item_of(page) == item


@pytest.mark.slow  # seconds in a browser
@pytest.mark.parametrize("width", [360, 320])
def test_on_a_phone_nothing_runs_out_sideways_and_every_button_is_large_enough(house, many, width):
    phone = {"is_mobile": True, "has_touch": True, "device_scale_factor": 2}
    for place, path in [(house, ""), (many, ""), *((house, path) for path in PAGES)]:
        context = place.signed_in("olga", "owner", **phone)
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(f"{place.base}/{path}")
        ready(page, path)
        assert page.evaluate(SIDEWAYS) == 0, path
        assert page.evaluate(SMALL) == [], path


def ready(page, path):
    page.locator(READY[path]).first.wait_for()
    page.evaluate("() => document.fonts.ready")


@pytest.mark.slow  # seconds in a browser
def test_a_phone_labels_by_touch(many):
    context = many.signed_in("eve", "labeller", is_mobile=True, has_touch=True)
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(many.base)
    item = wait_for_item(page)
    assert not page.evaluate("() => document.activeElement === document.querySelector('.search')")  # no keyboard opens
    page.locator(".search").tap()
    page.locator(".search").fill("species 55")
    page.get_by_role("option", name="species 555").tap()
    wait_for_item(page, other_than=item)
    wait_for_sent(page)
    assert [(one.id, one.label) for one in kept(many.where, "eve")] == [(item, "species 555")]


@pytest.mark.slow  # seconds in a browser
@pytest.mark.parametrize("path", ["", *PAGES])
def test_at_twice_the_size_nothing_runs_out_sideways(house, path):
    context = house.signed_in("olga")
    page = context.new_page()
    page.set_viewport_size({"width": 640, "height": 400})  # what is left of 1280 x 800 at 200 %
    page.goto(f"{house.base}/{path}")
    ready(page, path)
    assert page.evaluate(SIDEWAYS) == 0


@pytest.mark.slow  # seconds in a browser
def test_an_address_that_leads_nowhere_says_so_once_and_leads_back(house):
    page = house.page(house.signed_in("olga"), "/nowhere")
    assert page.get_by_role("heading", level=1).inner_text() == "Page not found"
    assert page.locator(".card").inner_text().lower().count("not found") == 1
    page.get_by_role("link", name="Back to labelling").click()
    page.wait_for_url(f"{house.base}/")


@pytest.mark.slow  # seconds in a browser
def test_the_audit_trail_says_about_whom(house):
    page = house.page(house.signed_in("olga"), "/people")
    for name, value in (("Name", "new person"), ("Password", "correct horse")):
        page.get_by_label(name).fill(value)
    page.get_by_role("button", name="Add").click()
    page.get_by_text("Added: new person.").wait_for()
    page.locator("#audit").get_by_role("cell", name="name: new person, role: labeller").wait_for()
    made = page.locator("#audit").get_by_role("cell", name="role: owner, until: ").first.inner_text()
    assert re.search(r"until: \d{1,2} \w+, \d\d:\d\d$", made)  # a time as people write it


@pytest.mark.slow  # seconds in a browser
def test_light_dark_and_as_the_system_has_it(house):
    context = house.signed_in("olga", color_scheme="dark")
    page = house.page(context, "/history")
    colour = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(colour)
    assert light != dark
    page.locator("details.menu summary").click()
    for name, scheme, wanted in [("Dark", "light", dark), ("Light", "dark", light), ("System", "dark", dark)]:
        page.emulate_media(color_scheme=scheme)
        page.get_by_role("radio", name=name).check()
        assert page.evaluate(colour) == wanted
        page.reload()  # the choice is kept
        assert page.evaluate(colour) == wanted
        page.locator("details.menu summary").click()
    other = house.page(context, "/people")
    page.get_by_role("radio", name="Light").check()
    other.wait_for_function("() => document.documentElement.dataset.theme === 'light'")  # in every tab
