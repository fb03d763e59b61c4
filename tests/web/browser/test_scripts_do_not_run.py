"""Texts that mean harm, wherever a page shows a text: none runs, none is even tried, and each is shown as it is."""

from urllib.parse import quote

import pytest

import labelwise as lw
from browsing import House, wait_for_item, wait_for_sent
from payloads import PAYLOADS
from served import PASSWORD

pytestmark = pytest.mark.filterwarnings("ignore::labelwise.errors.DataWarning")  # some differ in spaces alone
PRINTABLE = [text for text in PAYLOADS if text.isprintable() and len(text) <= 100]  # what the audit trail may hold
COLUMN = "<img src=x onerror=window.ran=1>"
NAME = "<script>window.ran=1</script>"
FEW = 28  # classes that have a button each
WATCH = """
window.refused = [];
addEventListener("securitypolicyviolation", ({ violatedDirective, sourceFile, lineNumber }) =>
  window.refused.push(`${violatedDirective} ${sourceFile}:${lineNumber}`), true);
"""
MISSING = (
    "(texts) => { const all = document.documentElement.textContent; return texts.filter((one) => !all.includes(one)); }"
)

WALK = """async (n) => {
  const heading = document.querySelector("#item-heading"), found = [];
  while (found.length < n) {
    const old = heading.textContent;
    found.push([old, document.querySelector("#item dd")?.textContent]);
    document.querySelector("#unknown").click();
    const isThere = () => heading.textContent !== old && heading.textContent !== "Item";
    while (!isThere()) await new Promise((done) => setTimeout(done, 5));
  }
  return found;
}"""
SEARCH = """(texts) => texts.filter((text) => {
  const input = document.querySelector(".search");
  input.value = text;
  input.dispatchEvent(new InputEvent("input"));
  return ![...document.querySelectorAll(".option")].some((one) => one.textContent === text);
})"""
PEOPLE = [f"{payload} {k}" for k, payload in enumerate(PAYLOADS[:3])]  # no two may differ in case alone


def hostile(where, classes):
    """Begin an assessment whose every name means harm; a third of its items labelled, a third skipped, a third open."""
    n = len(classes)
    texts = [classes[k % n] for k in range(3 * n)]
    pool = lw.pool_from_arrays(
        predicted=texts, classes=classes, ids=[f"{text} {k}" for k, text in enumerate(texts)],
        columns={COLUMN: texts, "all": ["\n".join(PAYLOADS)] * len(texts)}, content=[COLUMN, "all"],
    )  # fmt: skip
    with lw.open_store(where) as store:
        assessment = lw.Assessment(
            pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=store.journal(NAME)
        )
        for name in classes:
            [ticket] = assessment.ask(labeller=name)
            assessment.tell(ticket, name)
            [ticket] = assessment.ask(labeller=name)
            assessment.skip(ticket, name)
        assessment.want_second_opinions(1.0)
        for k in range(10):
            [ticket] = assessment.ask(labeller=f"second {NAME}")
            assessment.tell(ticket, classes[k + 1])
        assessment.want_second_opinions(0.0)
        for name in PRINTABLE[:95]:
            lw.accounts.Audit(store).note(name, name, name=name)
        for name in PEOPLE:
            lw.accounts.Accounts(store).add(name, "owner", PASSWORD)


def opened(chromium, folder, classes):
    where = str(folder / f"{NAME.replace('/', '')} & spring.lw")
    hostile(where, classes)
    guidelines = folder / "guidelines.txt"
    guidelines.write_text("\n".join(PAYLOADS), encoding="utf-8")
    return House(chromium, where, "--guidelines", str(guidelines), "--labeller", "<img src=x onerror=window.ran=1>")


@pytest.fixture(scope="module")
def house(chromium, tmp_path_factory):
    house = opened(chromium, tmp_path_factory.mktemp("hostile"), PAYLOADS)
    yield house
    house.end()


@pytest.fixture(scope="module")
def small_house(chromium, tmp_path_factory):
    house = opened(chromium, tmp_path_factory.mktemp("small"), PAYLOADS[40 : 40 + FEW])
    yield house
    house.end()


class Watched:
    """A page that is watched: what runs, what is refused, and who is asked for anything."""

    def __init__(self, house, role="owner", name="olga"):
        self.base, self.asked, self.complaints = house.base, [], []
        context = house.signed_in(name, role)
        context.add_init_script(WATCH)
        self.page = context.new_page()
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("dialog", lambda dialog: (self.complaints.append("a dialog"), dialog.dismiss()))

    def go(self, path, ready):
        self.page.goto(f"{self.base}{path}")
        self.page.locator(ready).first.wait_for()

    def check(self, shown):
        """Nothing ran, nothing had to be stopped, nobody else was asked, and the texts are there."""
        page = self.page
        assert page.evaluate(MISSING, shown) == []
        assert page.evaluate(MISSING, ["[object Object]"]) == ["[object Object]"]
        assert page.evaluate("() => window.ran === undefined")
        assert page.evaluate("() => window.refused") == []
        assert (
            page.evaluate("() => document.querySelectorAll('#main script, #main iframe, #main [onerror]').length") == 0
        )
        assert page.evaluate("() => ({}).x === undefined")  # no prototype was changed
        assert [url for url in self.asked if not url.startswith((f"{self.base}/", "data:"))] == []
        assert self.complaints == []


@pytest.mark.slow  # seconds in a browser
def test_there_are_more_than_a_hundred_texts_and_they_do_run_where_nobody_takes_care(chromium):
    assert len(set(PAYLOADS)) > 100
    context = chromium.new_context()
    page = context.new_page()
    n_run = 0
    for text in PAYLOADS:
        page.evaluate("() => { window.ran = 0; }")
        page.evaluate("(text) => { document.body.innerHTML = text; }", text)
        n_run += page.evaluate("() => new Promise((done) => setTimeout(() => done(window.ran), 5))")
    context.close()
    assert n_run > 20  # as markup, set from a script; others need to be read with the page, or clicked


@pytest.mark.slow  # seconds in a browser
def test_as_an_item_a_column_a_class_and_in_the_guidelines(house):
    seen = Watched(house, "labeller", "ann")
    seen.go("/", ".search")
    page = seen.page
    wait_for_item(page)
    page.get_by_role("button", name="Guidelines").click()
    seen.check([*PAYLOADS, COLUMN, NAME])
    shown = page.evaluate(WALK, 40)
    assert [(heading, text) for heading, text in shown if text and not heading.startswith(f"Item {text} ")] == []
    assert len({text for _, text in shown}) > 20
    assert page.evaluate(SEARCH, [text for text in PAYLOADS if "\n" not in text]) == []  # found by their names
    seen.check(PAYLOADS)


@pytest.mark.slow  # seconds in a browser
def test_as_a_class_with_a_button_in_the_list_of_keys_in_the_answer_and_in_what_one_said(small_house):
    seen = Watched(small_house, "owner", NAME)
    seen.go("/", ".class")
    page, classes = seen.page, PAYLOADS[40 : 40 + FEW]
    wait_for_item(page)
    assert page.locator(".class-name").all_text_contents() == classes
    page.keyboard.press("?")
    page.locator("#help-dialog[open]").wait_for()
    assert page.locator("#help-dialog dd").all_text_contents()[:FEW] == classes
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Show the answer").click()
    page.locator(".whisker-name").first.wait_for()
    assert set(page.locator(".whisker-name").all_text_contents()) <= set(classes)
    for k in (0, 9, 10):
        page.locator(".class").nth(k).click()
        wait_for_sent(page)
        page.get_by_role("button", name="Undo").click()
        page.get_by_text(f"You answered: {classes[k]}", exact=True).wait_for()
    seen.check([*classes, f"Signed in as {NAME}"])
    small_house.leave()


@pytest.mark.slow  # seconds in a browser
def test_on_the_dashboard_as_a_group_a_labeller_a_reason_and_in_charts(house):
    seen = Watched(house)
    seen.go("/dashboard", "#groups tbody tr")
    page = seen.page
    assert sorted(page.locator("#groups tbody th").all_text_contents()) == sorted(PAYLOADS)
    page.locator("#labellers tbody tr").first.wait_for()
    page.locator("#skipped tbody tr").first.wait_for()
    assert set(page.locator("#labellers tbody th").all_text_contents()) >= set(PAYLOADS)
    assert set(page.locator("#skipped tbody td:nth-child(3)").all_text_contents()) >= set(PAYLOADS)
    figures = page.locator("figure.chart")
    figures.first.wait_for()
    for place in range(figures.count()):
        figures.nth(place).scroll_into_view_if_needed()
        figures.nth(place).locator("svg").wait_for()
        figures.nth(place).get_by_text("Data", exact=True).click()
        figures.nth(place).locator("table").wait_for()
    mark = page.locator("figure[data-kind=groups] svg .mark-symbol path").first
    mark.scroll_into_view_if_needed()
    mark.hover(force=True)
    seen.check([*PAYLOADS, NAME])


@pytest.mark.slow  # seconds in a browser
def test_in_the_history(house):
    seen = Watched(house)
    seen.go("/history", "#rows tbody tr")
    page = seen.page
    while page.locator("#older").is_visible():
        n_rows = page.locator("#rows tbody tr").count()
        page.locator("#older").click()
        page.wait_for_function("(n) => document.querySelectorAll('#rows tbody tr').length > n", arg=n_rows)
    seen.check(PAYLOADS)


@pytest.mark.slow  # seconds in a browser
def test_in_disputes_also_when_settled(house):
    seen = Watched(house)
    seen.go("/disputes", "article.dispute")
    seen.page.locator("summary", has_text="Another class").first.click()
    seen.check(PAYLOADS)
    seen.page.locator("article.dispute .button.strong").first.click()
    seen.page.get_by_text("Settled: ").first.wait_for()
    seen.check([])


@pytest.mark.slow  # seconds in a browser
def test_among_people_and_in_the_audit_trail(house):
    seen = Watched(house)
    seen.go("/people", "#audit tbody tr")
    page = seen.page
    page.locator("#accounts tbody tr").first.wait_for()
    assert set(page.locator("#accounts tbody th").all_text_contents()) == set(PEOPLE)
    page.get_by_role("button", name=f"Remove {PEOPLE[0]}", exact=True).click()
    page.get_by_role("heading", name=f"Remove {PEOPLE[0]}?").wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.locator("#labellers tbody tr").first.wait_for()
    seen.check(PRINTABLE[:95])


@pytest.mark.slow  # seconds in a browser
def test_in_an_address_a_form_and_an_error(house):
    seen = Watched(house)
    for text in PAYLOADS[::8]:
        seen.page.goto(f"{house.base}/nothing-{quote(text, safe='')}")
        assert seen.page.evaluate("() => window.ran === undefined && window.refused.length === 0")
        seen.page.goto(f"{house.base}/sign-in?next={quote('/' + text, safe='')}")
        assert seen.page.evaluate("() => window.ran === undefined && window.refused.length === 0")
    seen.page.get_by_label("Name").fill(NAME)
    seen.page.get_by_label("Password").fill(NAME)
    seen.page.get_by_role("button", name="Sign in").click()
    seen.page.get_by_role("alert").wait_for()
    assert seen.page.evaluate("() => window.ran === undefined && window.refused.length === 0")
