"""The page: its policy, its structure, and what a real browser makes of it."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

import labelwise as lw
from labelwise.report.blocks import Commands, Facts, Items, Section, Table, Text
from labelwise.report.page import html_page
from strength import in_quick

SCHEMES = in_quick(["light", "dark"], "light")


class Tags(HTMLParser):
    """Every tag with its attributes, as a browser would read them."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def page(animal_report):
    return animal_report.html()


@pytest.fixture(scope="module")
def hostile_page(hostile_report):
    return hostile_report.html()


def test_the_policy_allows_the_one_style_by_its_hash_and_nothing_else(page):
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL).group(1)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:")
    assert "unsafe" not in policy


@pytest.mark.parametrize("which", ["page", "hostile_page"])
def test_nothing_in_a_page_runs_or_asks_for_anything(which, request):
    for tag, attributes in Tags(request.getfixturevalue(which)).found:
        assert tag not in ("script", "iframe", "object", "embed", "link", "img", "base", "form", "foreignobject")
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name != "style"
            assert name not in ("src", "action", "formaction", "ping", "srcset")
            if name in ("href", "xlink:href"):
                assert value.startswith("#")


def test_a_page_has_landmarks_headings_in_order_and_tables_with_headers(page):
    tags = Tags(page).found
    names = [tag for tag, _ in tags]
    assert ("html", {"lang": "en"}) in tags
    assert [names.count(tag) for tag in ("header", "nav", "main", "footer", "h1")] == [1, 1, 1, 1, 1]
    levels = [int(tag[1]) for tag in names if re.fullmatch("h[1-6]", tag)]
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    assert names.count("table") == names.count("caption") == names.count("thead")
    assert all(attributes.get("scope") in ("col", "row") for tag, attributes in tags if tag == "th")
    targets = {attributes.get("id") for _, attributes in tags}
    assert all(attributes["href"][1:] in targets for tag, attributes in tags if tag == "a")


def test_ids_are_there_once(page):
    ids = [attributes["id"] for _, attributes in Tags(page).found if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_every_kind_of_block_is_text():
    bad = "<b>&"
    blocks = [Text(bad, "lead"), Items([bad]), Commands([bad]), Facts([(bad, bad)]), Table(bad, [bad], [[bad]], 3, bad)]
    html = html_page(bad, [Section("a", bad, blocks)], [], footer=bad)
    assert "<b>" not in html
    assert html.count("&lt;b&gt;&amp;") == 15  # the caption names its table twice, the section its link
    assert "1 of 3 rows are shown, 2 are hidden." in html


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_browser_opens_it_without_a_complaint_or_a_request(page, opened, scheme):
    with opened(page, color_scheme=scheme) as shown:
        assert shown.complaints == []
        assert len(shown.asked) == 1  # the page itself
        assert shown.title() == "Animals"
        background = shown.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 25, 29)"}[scheme]
        # the first rectangle of a chart is its sheet
        sheet = shown.evaluate("getComputedStyle(document.querySelector('.drawing svg rect')).fill")
        assert sheet == background


@pytest.mark.slow  # seconds in a browser
def test_it_reads_without_scripts(page, opened):
    with opened(page, java_script_enabled=False) as shown:
        assert shown.locator("figure svg").count() == page.count("<svg")
        assert "is the worst of 3 groups" in shown.locator(".lead").inner_text()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_script_runs_whatever_names_hold(hostile_page, opened, scheme):
    with opened(hostile_page, color_scheme=scheme) as shown:
        for summary in shown.locator("summary").all():
            summary.click()
        assert shown.evaluate("window.hacked") is None
        assert shown.evaluate("document.scripts.length") == 0
        assert shown.complaints == []
        assert len(shown.asked) == 1
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow  # seconds in a browser
@pytest.mark.parametrize("width", [320, 390, 1100])
def test_the_page_never_scrolls_sideways(page, opened, width):
    with opened(page, viewport={"width": width, "height": 800}) as shown:
        assert shown.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.slow  # seconds in a browser
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("which", ["page", "hostile_page"])
def test_axe_finds_nothing_serious(which, opened, scheme, request):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    html = request.getfixturevalue(which)
    with opened(html, color_scheme=scheme, bypass_csp=True) as shown:
        for summary in shown.locator("summary").all():
            summary.click()
        found = axe.run(shown).response["violations"]
    grave = [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found if v["impact"] in ("serious", "critical")]
    assert grave == []


@pytest.mark.slow  # seconds in a browser
def test_paper_is_light_and_has_the_numbers(page, opened):
    with opened(page, color_scheme="dark") as shown:
        shown.emulate_media(media="print")
        assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert shown.evaluate("document.querySelector('details table').getBoundingClientRect().height") > 0
        wide = "[...document.querySelectorAll('table')].filter(t => t.scrollWidth > t.parentElement.clientWidth + 1)"
        shown.set_viewport_size({"width": 718, "height": 1000})  # A4 with its margins
        assert shown.evaluate(f"{wide}.length") == 0
        assert shown.pdf(format="A4").startswith(b"%PDF")


def test_without_charts_there_are_words(animal_report):
    html = animal_report.html(with_charts=False)
    assert "<svg" not in html
    assert "Accuracy of 3 groups, worst first: " in html


@pytest.mark.slow  # draws many charts
def test_a_long_report_hides_rows_and_says_so(pool_of, make_assessment):
    pool = pool_of([f"class {k}" for k in range(70)], 700)
    html = lw.report_of(make_assessment(pool, lw.Estimate(lw.accuracy), 20)).html(with_charts=False)
    assert "50 of 70 rows are shown, 20 are hidden." in html
