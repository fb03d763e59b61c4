"""Every page and dialog under axe-core, light and dark: no violation, not even a small one."""

from importlib.resources import files

import pytest

import labelwise as lw
from browsing import House, begun, drawn_digits, wait_for_item
from served import PASSWORD
from strength import in_quick

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SCHEMES = pytest.mark.parametrize("scheme", in_quick(["light", "dark"], "light"))


@pytest.fixture(scope="module")
def house(chromium, tmp_path_factory):
    """A house in which everything has happened once."""
    folder = tmp_path_factory.mktemp("digits")
    where, digits = drawn_digits(folder)
    with lw.open_store(where) as store:
        assessment = store.open("main")
        for k in range(16):
            [ticket] = assessment.ask(labeller="ann")
            if k % 8 == 3:
                assessment.skip(ticket, "blurred", is_unknown=k > 8)
            else:
                assessment.tell(ticket, digits.truth[ticket.item["id"]])
        assessment.want_second_opinions(1.0)
        for k in range(6):
            [ticket] = assessment.ask(labeller="bob")
            assessment.tell(ticket, str((int(digits.truth[ticket.item["id"]]) + (k < 2)) % 10))
        assert len(assessment.disputes()) == 2
        lw.accounts.Accounts(store).add("olga", "owner", PASSWORD)
    (folder / "guidelines.txt").write_text("Look twice.\nA seven has no hook.", encoding="utf-8")
    house = House(chromium, where, "--images", str(folder), "--guidelines", str(folder / "guidelines.txt"))
    yield house
    house.end()


@pytest.fixture(scope="module")
def many(chromium, tmp_path_factory):
    classes = [f"species {k:03d}" for k in range(1_000)]
    pool = lw.pool_from_arrays(
        predicted=classes[:3] * 20, classes=classes, columns={"text": ["a small lizard"] * 60}, content=["text"]
    )
    house = House(chromium, begun(tmp_path_factory.mktemp("many"), pool=pool))
    yield house
    house.leave()
    house.end()


def opened(house, scheme, path="/", *, name="olga", is_signed_in=True, **options):
    """Open a page into which axe may be put: the policy of our pages would keep it out."""
    options |= {"color_scheme": scheme, "bypass_csp": True}
    context = house.signed_in(name, **options) if is_signed_in else house.context(**options)
    return house.page(context, path)


def violations(page):
    page.evaluate(AXE)
    found = page.evaluate("(rules) => axe.run(document, { runOnly: rules })", RULES)
    assert len(found["passes"]) > 10  # it did look
    return [
        (one["id"], one["impact"], [node["html"][:200] for node in one["nodes"][:3]], one["nodes"][0]["failureSummary"])
        for one in found["violations"]
    ]


@pytest.mark.slow  # axe on a page, seconds in a browser
@SCHEMES
def test_the_labelling_page_with_its_dialogs_panels_and_menu(house, scheme):
    page = opened(house, scheme)
    wait_for_item(page)
    page.locator(".tallies").wait_for()
    assert violations(page) == []
    for key, dialog in (("?", "#help-dialog[open]"), ("s", "#skip-dialog[open]")):
        page.keyboard.press(key)
        page.locator(dialog).wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.locator(dialog).wait_for(state="detached")  # an open dialog keeps the next key to itself
    page.keyboard.press("g")
    page.get_by_role("button", name="Show the answer").click()
    page.locator(".whisker-name").first.wait_for()
    page.locator("details.menu summary").click()
    assert violations(page) == []


@pytest.mark.slow  # axe on one more page
@SCHEMES
def test_the_search_over_a_thousand_classes(many, scheme):
    page = opened(many, scheme)
    wait_for_item(page)
    assert violations(page) == []
    page.keyboard.type("species 12")
    assert violations(page) == []
    page.keyboard.type("no such")
    assert violations(page) == []


@pytest.mark.slow  # axe on one more page
@SCHEMES
def test_the_dashboard_with_its_charts_and_the_numbers_behind_one(house, scheme):
    page = opened(house, scheme, "/dashboard")
    figures = page.locator("figure.chart")
    figures.first.locator("svg").wait_for()
    for place in range(figures.count()):
        figures.nth(place).scroll_into_view_if_needed()
        figures.nth(place).locator("svg").wait_for()
    figures.first.get_by_text("Data", exact=True).click()
    page.locator("#agreement table").wait_for()
    page.locator("#skipped table").wait_for()
    assert violations(page) == []


@pytest.mark.slow  # axe on more pages
@SCHEMES
@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/history", "#rows tbody tr"),
        ("/disputes", "article.dispute img"),
        ("/people", "#audit tbody tr"),
        ("/nothing-here", "h1"),
    ],
)
def test_the_other_pages(house, scheme, path, ready):
    page = opened(house, scheme, path)
    page.locator(ready).first.wait_for()
    assert violations(page) == []


@pytest.mark.slow  # axe on one more page
@SCHEMES
def test_signing_in_also_after_a_wrong_password(house, scheme):
    page = opened(house, scheme, "/sign-in", is_signed_in=False)
    assert violations(page) == []
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill("wrong horse")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    assert violations(page) == []


@pytest.mark.slow  # axe at one more width
@pytest.mark.parametrize("path", ["/", "/dashboard", "/history", "/people"])
def test_on_a_narrow_phone(house, path):
    page = opened(house, "light", path, is_mobile=True, has_touch=True)
    page.set_viewport_size({"width": 320, "height": 640})
    ready = {"/": ".tallies", "/dashboard": "#groups tbody tr", "/history": "#rows tbody tr", "/people": "#audit tr"}
    page.locator(ready[path]).first.wait_for()
    assert violations(page) == []


@pytest.mark.slow  # seconds in a browser
def test_everything_on_the_labelling_page_is_reached_and_done_by_keyboard(house):
    page = opened(house, "light", name="kay")
    wait_for_item(page)
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "Skip to main content"
    page.keyboard.press("Enter")
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("() => document.activeElement.innerText.split(/\\s+/)[0]"))
    wanted = {str(k) for k in range(10)} | {"Skip", "Don’t", "Undo", "Guidelines", "Shortcuts"}
    assert wanted <= reached
