"""The site is built without a warning, and asks no other host for anything."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from patience import limit
from website.figures import FOLDER, PATH, page

ROOT = Path(__file__).parent.parent.parent
_FETCHED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(https?:)?//|<link\b[^>]*\bhref=["']?(https?:)?//"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, capture_output=True, text=True, timeout=limit(120), check=False,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow  # builds the site
def test_the_front_page_is_the_readme_with_its_pictures(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    assert "make demo" in text
    for name in ("worst.svg", "policies.svg"):
        assert f'src="pictures/{name}"' in text
        assert (site / "pictures" / name).is_file()
    assert 'href="guides/which.html"' in text


@pytest.mark.slow  # builds the site
def test_nothing_is_fetched_from_other_hosts(site):
    for path in site.rglob("*.html"):
        assert not _FETCHED.search(path.read_text(encoding="utf-8")), path.name
    for path in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", path.read_text(encoding="utf-8")), path.name


@pytest.mark.slow  # builds the site
def test_references_are_there(site):
    assert 'id="lw.Assessment"' in (site / "reference" / "assessment.html").read_text(encoding="utf-8")
    assert 'id="measure"' in (site / "commands.html").read_text(encoding="utf-8")


def test_the_page_of_figures_shows_all_that_are_drawn():
    text = PATH.read_text(encoding="utf-8")
    assert text == page(), "run `make figures`"
    assert [path.name for path in FOLDER.glob("*.svg") if f"figures/{path.name}" not in text] == []


def test_what_the_readme_says_of_the_papers_is_what_was_reproduced():
    table = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    counts = [(int(n), int(of)) for n, of in re.findall(r"(\d+) of (\d+) rows agree", table)]
    agree, rows = (sum(column) for column in zip(*counts, strict=True))
    coded = table.count("| no | the published code does otherwise: as coded it agrees |")
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"{agree} of {rows} comparisons with published numbers agree" in text
    assert f"of the other {rows - agree}, all but {rows - agree - coded} do" in text


@pytest.mark.parametrize(
    ("page", "claims"),
    [
        ("transcript.md", ["2,805 labels of 10,000 items"]),
        ("believing.md", ["0.95 to 1.00", "0.08 to 0.98", "740", "2,140", "fifteen pools"]),
        ("coverage.md", ["| 0.510 ±", "| 0.966 ±"]),
        ("guides/worst.md", ["\n660\n", "\n120\n"]),
        ("guides/policies.md", ["[0.97, 0.89, 0.64, 0.5]"]),
    ],
)
def test_what_the_readme_claims_stands_on_the_page_it_links(page, claims):
    source, readme = ((ROOT / name).read_text(encoding="utf-8") for name in (f"docs/{page}", "README.md"))
    source += " ".join(source.split())  # a claim may go over the end of a line
    assert f"](docs/{page}" in readme
    for claim in claims:
        assert claim in source, "the README says otherwise"
        for number in re.findall(r"\d[\d,.]*\d", claim):
            percent = f"{float(number):.0%}".replace("%", " %") if "[" in claim else number
            assert number in readme or percent in readme or number in ("0.89", "0.64")
