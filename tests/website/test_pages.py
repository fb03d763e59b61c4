"""Pages with code: each runs once, says what it gives, and draws the committed pictures; its notebook says the same."""

import html
import json
import re

import nbformat
import pytest

from website.notebooks import notebook_of, path_of, run
from website.pages import DOCS, PAGES, Code, Picture, parts_of, run_page
from website.pictures import FOLDER, data_path

_DESC = re.compile(r"<desc>(.*?)</desc>", re.S)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def pictures(page):
    return [part for part in parts_of((DOCS / page).read_text(encoding="utf-8")) if isinstance(part, Picture)]


def assert_same(one, other, path="chart"):
    """Compare two descriptions of charts: words exactly, numbers within a ten-thousandth."""
    if isinstance(one, dict):
        assert isinstance(other, dict), path
        assert list(one) == list(other), path
        for key in one:
            assert_same(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, list):
        assert isinstance(other, list), path
        assert len(one) == len(other), path
        for k, (left, right) in enumerate(zip(one, other, strict=True)):
            assert_same(left, right, f"{path}[{k}]")
    elif isinstance(one, str) and isinstance(other, str):
        assert _NUMBER.sub("#", one) == _NUMBER.sub("#", other), path
        numbers = [[float(found) for found in _NUMBER.findall(text)] for text in (one, other)]
        assert numbers[0] == pytest.approx(numbers[1], abs=0.0011), path  # rounded to three digits on two machines
    elif one is None or other is None:
        assert one is other, path
    else:
        assert one == pytest.approx(other, rel=1e-4, abs=1e-6), path


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_its_code_gives_and_draws_its_pictures(page):
    done = run_page(page)
    assert done.failures == ""
    assert len(done.charts) == len(pictures(page)) > 0
    for picture, chart in done.charts:
        committed = json.loads(data_path(picture).read_text(encoding="utf-8"))
        assert_same(committed, chart.spec())  # else run `make pictures`, and look at them
        drawn = html.unescape(_DESC.search((FOLDER / picture.name).read_text(encoding="utf-8"))[1])
        assert picture.alt == drawn == committed["description"], "run `make pictures`"


def wants(page):
    """What a page says its code shows, in order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^(?:>>>|\.\.\.) .*\n((?:(?!>>>|\.\.\.|```|\n).+\n)+)", text, re.M)


@pytest.mark.parametrize("page", PAGES)
def test_the_committed_notebook_has_the_cells_of_its_page_and_shows_what_the_page_says(page):
    committed = nbformat.read(path_of(page), as_version=4)
    nbformat.validate(committed)
    made = notebook_of(page)
    assert [(cell.cell_type, cell.source) for cell in committed.cells] == [
        (cell.cell_type, cell.source) for cell in made.cells
    ], "run `make notebooks`"
    cells = [cell for cell in committed.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    shown = [cell.outputs[0]["data"]["text/plain"] for cell in cells if cell.outputs and cell.source != "chart"]
    assert [" ".join(text.split()) for text in shown] == [" ".join(text.split()) for text in wants(page)]
    svgs = [cell.outputs[0]["data"]["image/svg+xml"] for cell in cells if cell.source == "chart"]
    assert [html.unescape(_DESC.search(svg)[1]) for svg in svgs] == [picture.alt for picture in pictures(page)]
    assert path_of(page).stat().st_size < 100_000


@pytest.mark.slow  # a kernel takes seconds to start; what the code gives is tested above
@pytest.mark.filterwarnings("ignore")  # of the kernel's own libraries
def test_a_notebook_runs_in_a_kernel():
    done = run(notebook_of("guides/compare.md"))
    assert [cell.outputs[0]["data"]["image/svg+xml"][:4] for cell in done.cells if cell.source == "chart"] == ["<svg"]


def test_pictures_are_small_and_all_are_used():
    used = {picture.name for page in PAGES for picture in pictures(page)}
    assert {path.name for path in FOLDER.glob("*.svg")} == used | {"mark.svg"}
    assert {path.stem for path in FOLDER.glob("*.json")} == {name.removesuffix(".svg") for name in used}
    assert max(path.stat().st_size for path in FOLDER.glob("*.svg")) < 60_000


def test_a_cell_ends_where_something_is_shown():
    first, second = parts_of("```python\n>>> x = 1\n>>> x\n1\n>>> y = 2\n\n```\n")
    assert (first, second) == (Code("x = 1\nx"), Code("y = 2"))


def test_a_page_is_split_into_prose_code_and_pictures():
    block = "```python\n>>> x = 1\n>>> for y in (1, 2):\n...     x += y\n>>> x\n4\n\n```"
    _, code, picture = parts_of(f"# Title\n\n{block}\n\n![a [1, 2]](pictures/a.svg)\n")
    assert code == Code("x = 1\nfor y in (1, 2):\n    x += y\nx")
    assert picture == Picture("a [1, 2]", "a.svg")


@pytest.mark.parametrize(
    ("one", "other"),
    [({"a": 1.0}, {"a": 1.001}), ({"a": [1]}, {"a": [1, 2]}), ("P = 0.951", "P = 0.953"), ("8 is worst", "9 is worst"),
     ("low", "high")],
)  # fmt: skip
def test_charts_that_differ_are_not_taken_for_the_same(one, other):
    with pytest.raises(AssertionError):
        assert_same(one, other)
