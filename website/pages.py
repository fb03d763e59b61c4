"""Pages with code: their prose, code and pictures in order, and what a picture shows when the code has run."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
PAGES = (
    "quickstart.md",
    *(f"guides/{name}.md" for name in ("estimate", "overall", "worst", "compare", "versus", "policies")),
)
"""The pages that have pictures, and are notebooks too."""
_PART = re.compile(r"^```python\n(?P<code>.*?)^```$|^!\[(?P<alt>.*?)\]\((?P<path>[^)]*\.svg)\)$", re.M | re.S)


@dataclass(frozen=True)
class Prose:
    """Markdown between code and pictures."""

    text: str


@dataclass(frozen=True)
class Code:
    """Code as it would be typed, without prompts and outputs, up to something that is shown."""

    source: str


@dataclass(frozen=True)
class Picture:
    """What the code before has drawn: the variable `chart`."""

    alt: str
    name: str


Part = Prose | Code | Picture


def parts_of(text: str) -> Iterator[Part]:
    """Return the parts of a page in order.

    Examples
    --------
    >>> list(parts_of("Hello\\n```python\\n>>> 1 + 1\\n2\\n```\\n![two](pictures/two.svg)\\n"))
    [Prose(text='Hello'), Code(source='1 + 1'), Picture(alt='two', name='two.svg')]
    """
    end = 0
    for found in _PART.finditer(text):
        yield from _prose(text[end : found.start()])
        end = found.end()
        if found["path"] is not None:
            yield _picture(found)
        else:
            yield from _cells(found["code"])
    yield from _prose(text[end:])


def _picture(found: re.Match[str]) -> Picture:
    return Picture(found["alt"].replace("\\|", "|"), found["path"].rpartition("/")[2])


def _cells(block: str) -> Iterator[Code]:
    """Cut a block where it shows something, which a cell of a notebook does only at its end."""
    lines = ""
    for one in doctest.DocTestParser().get_examples(block):
        lines += one.source
        if one.want:
            yield Code(lines.rstrip())
            lines = ""
    if lines:
        yield Code(lines.rstrip())


def _prose(text: str) -> Iterator[Prose]:
    if text.strip():
        yield Prose(text.strip())


@dataclass(frozen=True)
class Run:
    """What running a page gave: each of its pictures with its chart, and where the page says something else."""

    charts: list[tuple[Picture, Any]]
    failures: str


def run_page(page: str) -> Run:
    """Run the code of a page once, example by example, and keep its charts.

    One run serves as the page's test, as the source of its pictures and as the check of its notebook.
    """
    text = (DOCS / page).read_text(encoding="utf-8")
    charts: list[tuple[Picture, Any]] = []
    failures: list[str] = []
    names: dict[str, Any] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    for found in _PART.finditer(text):
        if found["path"] is not None:
            charts.append((_picture(found), names["chart"]))
            continue
        line = text.count("\n", 0, found.start("code"))
        test = doctest.DocTestParser().get_doctest(found["code"], names, page, page, line)
        runner.run(test, out=failures.append, clear_globs=False)
        names = test.globs  # the parser copies what it is given
    return Run(charts, "".join(failures))
