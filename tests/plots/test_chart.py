"""What holds for every chart: valid, drawn alike every time, told in words, asking no network."""

import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import labelwise as lw
from gallery import CASES, CHARTS

EVERY = [(kind, name) for kind in CHARTS for name in CASES if kind != "coverage" or name == "three"]
SOME = [pytest.param(*one, marks=[] if one[1] == "three" else [pytest.mark.slow]) for one in EVERY]
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "<script>alert(1)</script>",
    "🦊 fox & 'co' \"x\"",
    "שלום עולם",
    "a" * 300,
    "a" * 299 + "b",
    "nul\x00\x1b[31m\nx",
)


@pytest.mark.parametrize(("kind", "name"), SOME)
def test_the_description_obeys_the_schema_and_is_plain_json(chart_of, check_schema, kind, name):
    chart = chart_of(kind, name)
    for theme in ("light", "dark"):
        spec = chart.spec(theme)
        check_schema(spec)
        assert json.loads(json.dumps(spec, allow_nan=False)) == spec == chart.spec(theme)
    assert chart.spec("light")["background"] != chart.spec("dark")["background"]


@pytest.mark.parametrize(("kind", "name"), SOME)
def test_the_same_chart_is_the_same_bytes_and_says_what_it_shows(chart_of, kind, name):
    chart = chart_of(kind, name)
    svg = chart.svg()
    chart_of("groups", "empty").svg("dark")  # another chart between must not change the numbering
    assert chart.svg() == svg
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.find(f"{SVG}desc").text == chart.alt
    assert root.find(f"{SVG}title").text == chart.title
    assert re.search(r"\d", chart.alt)
    assert not re.search(r"(href|src|@import|@font-face)", svg)
    assert set(re.findall(r"https?://[^\"'\s<)]+", svg)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


@pytest.mark.parametrize("kind", [kind for kind in CHARTS if kind not in ("difference", "coverage", "ece", "curve")])
def test_of_a_hundred_groups_the_extremes_are_drawn_and_the_rest_is_counted(chart_of, kind):
    chart = chart_of(kind, "hundred")
    if kind not in ("reliability", "progress", "policies"):
        assert "hidden" in chart.subtitle
    svg = chart.svg()
    assert svg.count("<text") < 120
    assert float(ElementTree.fromstring(svg).get("height")) < 800


@pytest.mark.parametrize("kind", [kind for kind in CHARTS if kind not in ("coverage", "policies")])
def test_hostile_names_stay_names(named_case, check_schema, kind):
    case = named_case(HOSTILE)
    chart = CHARTS[kind](case)
    check_schema(chart.spec())
    svg = chart.svg()
    ElementTree.fromstring(svg)  # well-formed, whatever the names
    assert "<script" not in svg
    assert "\x1b" not in svg
    assert "a" * 40 not in svg
    page = chart.html()
    assert "<script" not in page
    whole = set(chart.frame().get("group", chart.frame().get("predicted", []))) if kind != "policies" else set()
    if whole & set(HOSTILE):
        assert "a" * 300 in whole


def test_files_are_written_by_their_name(chart_of, tmp_path):
    chart = chart_of("groups", "three")
    for suffix, start in {
        "svg": b"<svg",
        "png": b"\x89PNG",
        "pdf": b"%PDF",
        "html": b"<!DOCTYPE",
        "json": b"{",
    }.items():
        chart.save(tmp_path / f"x.{suffix}", theme="dark")
        assert (tmp_path / f"x.{suffix}").read_bytes().startswith(start)
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8")) == chart.spec("dark")


def test_a_page_needs_neither_network_nor_scripts(chart_of):
    page = chart_of("reliability", "three").html()
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert page.count("<svg") == 1
    assert "<table>" in page
    assert chart_of("reliability", "three").alt[:40] in page


def test_refusals_are_one_sentence_and_write_nothing(chart_of, tmp_path, refusal):
    chart = chart_of("groups", "three")
    assert refusal(lw.ArgumentError, chart.save, tmp_path / "x.gif").startswith(
        "A chart file must end in one of '.svg', '.png', '.pdf', '.html', '.json', but it is '"
    )
    assert refusal(lw.NotFoundError, chart.save, tmp_path / "no" / "x.svg").endswith(
        "cannot be written: No such file or directory."
    )
    sentence = "`theme` must be one of 'light', 'dark', but is 'blue'."
    assert refusal(lw.ArgumentError, chart.svg, "blue") == sentence
    assert list(tmp_path.iterdir()) == []


def test_without_the_libraries_there_is_one_sentence_and_the_numbers_remain():
    code = (
        "import sys\n"
        "sys.modules.update(vl_convert=None, altair=None)\n"
        "import numpy as np, labelwise as lw\n"
        "belief = lw.beliefs.BetaBelief.from_counts([9], [10])\n"
        "chart = lw.plot(lw.accuracy.estimate(belief, rng=np.random.default_rng(1)))\n"
        "print(len(chart.frame()['mean']), chart.spec()['title']['text'], *chart._repr_mimebundle_())\n"
        "for draw in (chart.svg, chart.altair):\n"
        "    try:\n"
        "        draw()\n"
        "    except lw.ArgumentError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, *rest = done.stdout.splitlines()
    assert first == "1 Accuracy of 1 group, worst first text/plain"
    assert len(rest) == 2
    for line in rest:
        assert line.endswith("Install it with `pip install 'labelwise[charts]'`.")


def test_notebooks_get_a_picture_and_altair_a_chart(chart_of):
    chart = chart_of("groups", "three")
    assert chart._repr_mimebundle_()["image/svg+xml"] == chart.svg()
    assert chart.altair().to_dict()["title"] == chart.spec()["title"]
    assert repr(chart) == "<Chart 'Accuracy of 3 groups, worst first': group, mean, low, high, labels, status>"


def test_nothing_is_drawn_before_it_is_asked_for():
    code = (
        "import sys, numpy as np, labelwise as lw\n"
        "belief = lw.beliefs.BetaBelief.from_counts([9], [10])\n"
        "lw.plot(lw.accuracy.estimate(belief, rng=np.random.default_rng(1))).spec()\n"
        "print([m for m in ('altair', 'vl_convert') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_two_charts_on_a_page_share_no_id(chart_of):
    svgs = [chart_of("reliability", name).svg() for name in CASES] + [chart_of("curve", "three").svg()]
    ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in svgs]
    assert all(ids)
    assert sum(map(len, ids)) == len(set().union(*ids))
    for svg, own in zip(svgs, ids, strict=True):
        assert set(re.findall(r"url\(#([^)]+)\)", svg)) == own
