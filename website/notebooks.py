"""Pages as notebooks, with what their code gives: `python -m website.notebooks` (or `make notebooks`)."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from website.pages import DOCS, PAGES, Code, Picture, Prose, parts_of

FOLDER = DOCS / "notebooks"
_LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
_SELF = re.compile(r"\n*This page is also a \[notebook\][^\n]*\n?")
_PATIENCE = 120  # seconds per cell


def path_of(page: str) -> Path:
    """Return the file of a page's notebook."""
    return FOLDER / f"{Path(page).stem}.ipynb"


def notebook_of(page: str) -> Any:
    """Make the notebook of a page, not yet run: prose, code, and each picture as a cell that shows its chart."""
    cells = []
    for part in parts_of((DOCS / page).read_text(encoding="utf-8")):
        match part:
            case Prose(text):
                text = _SELF.sub("", _moved(text, page))
                cells += [new_markdown_cell(text)] if text.strip() else []
            case Code(source):
                cells.append(new_code_cell(source))
            case Picture():
                cells.append(new_code_cell("chart"))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"  # drawn at random otherwise
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return new_notebook(cells=cells, metadata=kernel)


def _moved(text: str, page: str) -> str:
    """Let links of a page lead to the same place from the folder of notebooks."""
    folder = posixpath.dirname(page)
    return _LINK.sub(
        lambda found: f"]({posixpath.relpath(posixpath.normpath(posixpath.join(folder, found[1])), 'notebooks')}", text
    )


def run(notebook: Any) -> Any:
    """Run every cell; the first error is raised."""
    done = NotebookClient(notebook, timeout=_PATIENCE, kernel_name="python3", record_timing=False).execute()
    done["metadata"].pop("language_info", None)  # the version of Python that happened to be there
    return done


def main() -> None:
    """Write every notebook with its outputs."""
    FOLDER.mkdir(exist_ok=True)
    for page in PAGES:
        nbformat.write(run(notebook_of(page)), path_of(page))
        print(path_of(page).relative_to(DOCS))


if __name__ == "__main__":
    main()
