"""The report: one document, written as a page (HTML), as Markdown or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labelwise.assessment import Assessment
from labelwise.checks import check_one_of, listing, shown
from labelwise.errors import ArgumentError, NotFoundError
from labelwise.files import write_file
from labelwise.plots import Chart
from labelwise.report.blocks import readable
from labelwise.report.changes import comparison_sections
from labelwise.report.comparison import Comparison
from labelwise.report.contrast import comparison_document
from labelwise.report.document import report_document
from labelwise.report.figures import figures_of
from labelwise.report.markdown import markdown_page
from labelwise.report.page import html_page
from labelwise.report.sections import assessment_sections
from labelwise.report.snapshot import snapshot_of

FORMATS = ("html", "md", "json")
_SUFFIXES = {".html": "html", ".htm": "html", ".md": "md", ".markdown": "md", ".json": "json"}


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What a report says, and its charts; the same input gives the same bytes.

    Attributes
    ----------
    document : everything it says as plain values; `json` writes it out.
    charts : one for each entry of `document["charts"]`.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=7)
    >>> for ticket in assessment.ask(20):
    ...     assessment.tell(ticket, "cat")
    >>> report = lw.report_of(assessment, title="Cats and dogs")
    >>> report
    <Report 'Cats and dogs': 'dog' is the worst of 2 groups in accuracy, with probability above 0.999.>
    >>> report.html(with_charts=False).startswith("<!DOCTYPE html>")
    True
    """

    document: dict[str, Any]
    charts: tuple[Chart, ...]

    def html(self, *, with_charts: bool = True) -> str:
        """Write one page with charts, light and dark, that needs neither network nor scripts."""
        charts = self.charts if with_charts else ()
        return html_page(self._title, self._sections(), charts, footer=self._footer)

    def markdown(self) -> str:
        """Write it as Markdown, charts in words and numbers."""
        return markdown_page(self._title, self._sections(), footer=self._footer)

    def json(self) -> str:
        """Write everything it says, all rows included, as one JSON document."""
        return json.dumps(self.document, ensure_ascii=False, allow_nan=False, default=str) + "\n"

    def write(self, format: str, *, with_charts: bool = True) -> str:
        """Write it in one of the formats html, md and json."""
        check_one_of(format, "format", FORMATS)
        if format == "html":
            return self.html(with_charts=with_charts)
        return self.markdown() if format == "md" else self.json()

    def save(self, path: str | Path) -> None:
        """Write a file whose name says what it is: html, md or json."""
        written = self.write(format_of(path))
        try:
            write_file(path, written)
        except OSError as error:
            raise NotFoundError(f"'{path}' cannot be written: {error.strerror}.") from None

    @property
    def _title(self) -> str:
        return readable(str(self.document["title"]), 300)

    @property
    def _footer(self) -> str:
        number = self.document.get("versions", self.document.get("reproduce", {}).get("versions"))["labelwise"]
        return f"Written by labelwise {number}. This file needs no network and runs no script."

    def _sections(self) -> list[Any]:
        is_comparison = self.document["kind"] == "comparison"
        return comparison_sections(self.document) if is_comparison else assessment_sections(self.document)

    def __repr__(self) -> str:
        return f"<Report '{self._title}': {readable(self.document['headline'], 200)}>"


def report_of(
    assessment: Assessment,
    *,
    title: str = "",
    source: str = "",
    with_forecast: bool = False,
    step: Callable[[str], None] | None = None,
) -> Report:
    """Report an assessment as it stood at its newest event, for a reader who was not there.

    Parameters
    ----------
    assessment : with whatever labels it has; it is read only.
    title : of the report; made from the pool's name unless given.
    source : the file that keeps it, for the commands that the report names.
    with_forecast : say how many more labels to expect, which takes seconds.
    step : told what is being worked out.
    """
    say = step or (lambda words: None)
    still = snapshot_of(assessment)
    say("answer")
    result = still.answer()
    figures = figures_of(still, result, step=step)
    say("document")
    document = report_document(still, result, figures, title=title, source=source, with_forecast=with_forecast)
    return Report(document, tuple(figure.chart for figure in figures))


def comparison_of(
    first: Assessment,
    second: Assessment,
    *,
    names: tuple[str, str] = ("first", "second"),
    title: str = "",
    step: Callable[[str], None] | None = None,
) -> Report:
    """Report whether the second assessment found a better classifier than the first, as a whole and by group.

    Parameters
    ----------
    first, second : before and after; their pools, groups and questions may differ.
    names : what to call them.
    title : of the report; made from the names unless given.

    Examples
    --------
    >>> import labelwise as lw
    >>> def assessed(label):
    ...     pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    ...     assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Estimate(lw.accuracy), seed=7)
    ...     for ticket in assessment.ask(20):
    ...         assessment.tell(ticket, label)
    ...     return assessment
    >>> report = comparison_of(assessed("cat"), assessed("dog"), names=("spring", "autumn"))
    >>> [row["group"] for row in report.document["groups"]]
    ['cat', 'dog']
    """
    say = step or (lambda words: None)
    say("both assessments")
    found = Comparison(snapshot_of(first), snapshot_of(second), names)
    figures = found.figures()
    document = comparison_document(found, title=title) | {"charts": [figure.document() for figure in figures]}
    return Report(document, tuple(figure.chart for figure in figures))


def format_of(path: str | Path) -> str:
    """Return the format that the name of a file asks for.

    Examples
    --------
    >>> format_of("report.html"), format_of("report.md")
    ('html', 'md')
    """
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        ways = listing(_SUFFIXES)
        raise ArgumentError(
            f"A report is written as one of {ways}, but is to be {shown(str(path))}. Or say `--format`."
        )
    return _SUFFIXES[suffix]
