"""Sections as one HTML file: no script, no network, one style, and every word of the user's stays text."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from labelwise.plots import Chart
from labelwise.report.blocks import Block, Commands, Facts, Items, Picture, Section, Table, Text
from labelwise.report.colours import Colours, both

_ISOLATED = ' dir="auto"'  # a name that runs from right to left must not turn what stands beside it
_NUMBER = re.compile(r"(above |below )?[\[+\-−]?[\d.,]+( %)?(, [+\-−]?[\d.]+\])?( to [\d.,\-]+)?|-|")


def html_page(title: str, sections: Sequence[Section], charts: Sequence[Chart], *, footer: str) -> str:
    """Write sections as a page that holds all it shows.

    Parameters
    ----------
    title : of the page.
    sections : what it says.
    charts : what the pictures of the sections draw; none at all where pictures are to be left out.
    footer : the last line.

    Examples
    --------
    >>> page = html_page("<b>", [Section("a", "Answer", [Text("x < y")])], [], footer="")
    >>> "<title>&lt;b&gt;</title>" in page, "x &lt; y" in page, "<script" in page
    (True, True, False)
    """
    colours = Colours()
    panel = colours.of("#F3F5F7", "#20252B")
    body = "\n".join(_section(section, charts, colours) for section in sections)
    css = files("labelwise.report").joinpath("page.css").read_text(encoding="utf-8")
    style = "\n" + colours.style() + css.replace("var(--panel)", panel)
    links = "".join(f'<li><a href="#{section.name}">{escape(section.title)}</a></li>' for section in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy_of(style)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<header>\n<h1 dir="auto">{escape(title)}</h1>\n</header>\n'
        f'<nav aria-label="Contents"><ul>{links}</ul></nav>\n<main>\n{body}\n</main>\n'
        f"<footer><p>{escape(footer)}</p></footer>\n</body>\n</html>\n"
    )


def policy_of(style: str) -> str:
    """Return the policy under which the page may be shown: nothing is fetched, nothing runs, one style by its hash.

    Examples
    --------
    >>> policy_of("").split("; ")[:2]
    ["default-src 'none'", "style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"]
    """
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"


def _section(section: Section, charts: Sequence[Chart], colours: Colours) -> str:
    inner = "\n".join(_block(block, charts, colours) for block in section.blocks)
    heading = f'<h2 id="{section.name}">{escape(section.title)}</h2>'
    return f'<section aria-labelledby="{section.name}">\n{heading}\n{inner}\n</section>'


def _block(block: Block, charts: Sequence[Chart], colours: Colours) -> str:
    match block:
        case Text():
            role = f' class="{block.role}"' if block.role else ""
            return f'<p{role} dir="auto">{_words(block.words)}</p>'
        case Items():
            entries = "".join(f'<li dir="auto">{_words(words)}</li>' for words in block.sentences)
            return f"<ul>{entries}</ul>"
        case Commands():
            return f"<pre>{escape(chr(10).join(block.lines))}</pre>"
        case Facts():
            pairs = "".join(
                f"<div><dt>{escape(name)}</dt><dd{_ISOLATED}>{_words(value)}</dd></div>\n"
                for name, value in block.pairs
            )
            return f'<dl class="facts">\n{pairs}</dl>'
        case Table():
            return _scrolled(_table(block), block.caption) + _hidden(block)
        case Picture():
            return _figure(block, charts, colours)


def _scrolled(inner: str, name: str) -> str:
    """Make content that is wider than the window scroll, by keyboard too."""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(name)}">{inner}</div>'


def _table(table: Table) -> str:
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.header)
    kinds = [' class="number"' if k and all(map(_NUMBER.fullmatch, cells)) else "" for k, cells in enumerate(columns)]
    head = "".join(_head(name, kind) for name, kind in zip(table.header, kinds, strict=True))
    body = "".join(_row(row, kinds) for row in table.rows)
    caption = f"<caption>{_words(table.caption)}</caption>"
    return f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>"


def _head(name: str, kind: str) -> str:
    return f'<th scope="col"{kind}>{_words(name)}</th>' if name else "<td></td>"


def _row(row: Sequence[str], kinds: Sequence[str]) -> str:
    pairs = zip(row[1:], kinds[1:], strict=True)
    others = "".join(f"<td{kind or _ISOLATED}>{_words(value)}</td>" for value, kind in pairs)
    return f'<tr><th scope="row"{_ISOLATED}>{_words(row[0])}</th>{others}</tr>\n'


def _words(text: str) -> str:
    """Write text as text, and never break a line between a number and its percent sign."""
    return escape(text.replace(" %", "\u00a0%"))


def _hidden(table: Table) -> str:
    if not table.n_hidden:
        return ""
    words = f"{len(table.rows):,} of {table.n_all:,} rows are shown, {table.n_hidden:,} are hidden. {table.hidden}"
    return f'\n<p class="hidden">{escape(words)}</p>'


def _figure(picture: Picture, charts: Sequence[Chart], colours: Colours) -> str:
    title = f'<h3 dir="auto">{escape(picture.title)}</h3>'
    subtitle = f'<p class="subtitle" dir="auto">{_words(picture.subtitle)}</p>' if picture.subtitle else ""
    if charts:
        drawing = both(charts[picture.place], colours)
        shown = f'<div class="scroll drawing" tabindex="0" role="group" aria-label="Chart">{drawing}</div>'
    else:
        shown = f'<p dir="auto">{_words(picture.alt)}</p>'
    numbers = _scrolled(_table(picture.numbers), picture.numbers.caption) + _hidden(picture.numbers)
    caption = f'<figcaption class="reading">{escape(picture.reading)}</figcaption>'
    details = f"<details><summary>The numbers behind it</summary>\n{numbers}\n</details>"
    return f"<figure>\n<div>{title}\n{subtitle}\n{shown}</div>\n{caption}\n{details}\n</figure>"
