"""Notebooks and pictures: both come from the pages, run without error, and are what is committed."""

import html
import re

import nbformat
import pytest

from website.notebooks import notebook_of, path_of, run
from website.pages import DOCS, PAGES, Code, Picture, parts_of
from website.pictures import FOLDER, made_with

_DESC = re.compile(r"<desc>(.*?)</desc>", re.S)
IS_SAME_MACHINE = (FOLDER / "made_with.txt").read_text() == made_with()


def pictures(page):
    return [part for part in parts_of((DOCS / page).read_text(encoding="utf-8")) if isinstance(part, Picture)]


@pytest.mark.parametrize("page", PAGES)
def test_the_committed_notebook_has_the_cells_of_its_page_and_their_outputs(page):
    committed = nbformat.read(path_of(page), as_version=4)
    nbformat.validate(committed)
    made = notebook_of(page)
    assert [(cell.cell_type, cell.source) for cell in committed.cells] == [
        (cell.cell_type, cell.source) for cell in made.cells
    ], "run `make notebooks`"
    assert all(cell.execution_count for cell in committed.cells if cell.cell_type == "code")
    assert path_of(page).stat().st_size < 100_000


@pytest.mark.filterwarnings("ignore")  # of the kernel's own libraries
@pytest.mark.parametrize("page", PAGES)
def test_a_notebook_runs_and_draws_the_pictures_of_its_page(page):
    done = run(notebook_of(page))
    shown = [cell.outputs[0]["data"]["image/svg+xml"] for cell in done.cells if cell.source == "chart"]
    assert len(shown) == len(pictures(page)) > 0
    for picture, svg in zip(pictures(page), shown, strict=True):
        committed = (FOLDER / picture.name).read_text(encoding="utf-8")
        alt = html.unescape(_DESC.search(svg)[1])
        assert html.unescape(_DESC.search(committed)[1]) == alt, "run `make pictures`"
        assert picture.alt == alt, "run `make pictures`"
        if IS_SAME_MACHINE:  # other versions of libraries may draw the same a little differently
            assert committed == svg, "run `make pictures`"


def test_pictures_are_small_and_all_are_used():
    used = {picture.name for page in PAGES for picture in pictures(page)}
    assert {path.name for path in FOLDER.glob("*.svg")} == used | {"mark.svg"}
    assert max(path.stat().st_size for path in FOLDER.glob("*.svg")) < 60_000


def test_a_cell_ends_where_something_is_shown():
    first, second = parts_of("```python\n>>> x = 1\n>>> x\n1\n>>> y = 2\n\n```\n")
    assert (first, second) == (Code("x = 1\nx"), Code("y = 2"))


def test_a_page_is_split_into_prose_code_and_pictures():
    block = "```python\n>>> x = 1\n>>> for y in (1, 2):\n...     x += y\n>>> x\n4\n\n```"
    _, code, picture = parts_of(f"# Title\n\n{block}\n\n![a [1, 2]](pictures/a.svg)\n")
    assert code == Code("x = 1\nfor y in (1, 2):\n    x += y\nx")
    assert picture == Picture("a [1, 2]", "a.svg")
