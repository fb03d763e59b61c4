"""From a Vega-Lite description to pictures: the only door to the library that draws."""

from __future__ import annotations

import hashlib
import re
from html import escape
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from labelwise.caching import cache_text, cached_text
from labelwise.errors import ArgumentError
from labelwise.pool import Frame

_ID = re.compile(r'\bid="([^"]+)"')
_USE = re.compile(r"url\(#([^)]+)\)")
_TAG = re.compile(r"<[^>]*>")  # ids in tags only: a group may be called id="x"
_ROOT = re.compile(r"<svg\b([^>]*)>")
_ROLE = re.compile(r'\s(role|aria-[a-z]+)="[^"]*"')
_MOST_ROWS = 200


def _library() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise ArgumentError(
            f"Drawing a chart needs vl-convert ({error}). Install it with `pip install 'labelwise[charts]'`."
        ) from None
    return vl_convert


def svg_of(spec: dict[str, Any], title: str, alt: str) -> str:
    """Draw a description; the same description gives the same bytes, and nothing in them asks the network."""
    drawn = _library().vegalite_to_svg(spec, allowed_base_urls=[])
    # the picture is told as a whole; marks that are symbols without a name are noise to those who listen
    quiet = _TAG.sub(lambda tag: _ROLE.sub("", tag.group()), drawn)
    return _described(_own_ids(quiet), title, alt)


def _own_ids(svg: str) -> str:
    """Number ids anew: the library counts on from chart to chart, and two charts on one page must not share any."""
    names = dict.fromkeys(name for tag in _TAG.findall(svg) for name in _ID.findall(tag))
    number = {name: str(k) for k, name in enumerate(names)}

    def renamed(prefix: str) -> str:
        def in_tag(tag: re.Match[str]) -> str:
            text = _ID.sub(lambda found: f'id="{prefix}-{number[found.group(1)]}"', tag.group())
            return _USE.sub(lambda found: f"url(#{prefix}-{number[found.group(1)]})", text)

        return _TAG.sub(in_tag, svg)

    return renamed(f"lw{hashlib.blake2b(renamed('').encode(), digest_size=4).hexdigest()}")


def _described(svg: str, title: str, alt: str) -> str:
    """Say in the picture what it shows, for those who hear it read aloud."""
    found = _ROOT.search(svg)
    assert found is not None  # the library gives one picture
    root = f'<svg{found.group(1)} role="img" aria-label="{escape(alt)}">'
    words = f"<title>{escape(title)}</title><desc>{escape(alt)}</desc>"
    return svg[: found.start()] + root + words + svg[found.end() :]


def script_bundle() -> str:
    """Return the script that draws descriptions in a browser: `vega`, `vegaLite` and `vegaEmbed` of the same versions.

    Making it takes seconds; it is cached for this version of the chart library (`cached_script`).
    """
    made = str(_library().javascript_bundle())
    cache_text(_script_name(), made)
    return made


def cached_script() -> str | None:
    """Return the script of `script_bundle` if this version of it was made before, else None."""
    return cached_text(_script_name())


def _script_name() -> str:
    try:
        return f"vega-{version('vl-convert-python')}.js"
    except PackageNotFoundError:
        return "vega.js"


def png_of(svg: str, scale: float) -> bytes:
    """Turn a picture into pixels."""
    return bytes(_library().svg_to_png(svg, scale=scale))


def pdf_of(svg: str) -> bytes:
    """Turn a picture into a page."""
    return bytes(_library().svg_to_pdf(svg))


def html_of(svg: str, title: str, alt: str, frame: Frame, *, ink: str, background: str) -> str:
    """Write a page that holds all it shows: the picture, what it says in words, and its numbers as a table.

    It has no script and asks no other address, which its policy forbids besides.
    """
    style = (
        f"body{{margin:2rem;font-family:Helvetica,Arial,sans-serif;color:{ink};background:{background}}}"
        "figure{margin:0}svg{max-width:100%;height:auto}figcaption{max-width:44rem;margin:1rem 0}"
        "table{border-collapse:collapse;font-size:.85rem}th,td{text-align:left;padding:.15rem .8rem .15rem 0}"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<figure>\n{svg}\n<figcaption>{escape(alt)}</figcaption>\n</figure>\n"
        f"<details>\n<summary>The numbers</summary>\n{_table(frame)}\n</details>\n</body>\n</html>\n"
    )


def _table(frame: Frame) -> str:
    rows = frame.rows()
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in frame)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_cell(value))}</td>" for value in row.values()) + "</tr>\n"
        for row in rows[:_MOST_ROWS]
    )
    more = f"<p>and {len(rows) - _MOST_ROWS:,} rows more</p>" if len(rows) > _MOST_ROWS else ""
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>{more}"


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
