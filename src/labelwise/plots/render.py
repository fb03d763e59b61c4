"""Rendering of Vega-Lite specifications; the only module that imports vl-convert."""

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
_TAG = re.compile(r"<[^>]*>")  # ids are replaced in tags only: a group may be named id="x"
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
    """Draw a specification as SVG; the same specification gives the same bytes, and nothing is downloaded."""
    drawn = _library().vegalite_to_svg(spec, allowed_base_urls=[])
    # screen readers get one description of the whole chart; marks without a name would only be noise
    quiet = _TAG.sub(lambda tag: _ROLE.sub("", tag.group()), drawn)
    return _described(_own_ids(quiet), title, alt)


def _own_ids(svg: str) -> str:
    """Renumber ids: the library numbers them across charts, and two charts on one page must not share any."""
    names = dict.fromkeys(name for tag in _TAG.findall(svg) for name in _ID.findall(tag))
    number = {name: str(k) for k, name in enumerate(names)}

    def renamed(prefix: str) -> str:
        def in_tag(tag: re.Match[str]) -> str:
            text = _ID.sub(lambda found: f'id="{prefix}-{number[found.group(1)]}"', tag.group())
            return _USE.sub(lambda found: f"url(#{prefix}-{number[found.group(1)]})", text)

        return _TAG.sub(in_tag, svg)

    return renamed(f"lw{hashlib.blake2b(renamed('').encode(), digest_size=4).hexdigest()}")


def _described(svg: str, title: str, alt: str) -> str:
    """Add title and alt text to the SVG, for screen readers."""
    found = _ROOT.search(svg)
    assert found is not None  # the library returns one SVG
    root = f'<svg{found.group(1)} role="img" aria-label="{escape(alt)}">'
    words = f"<title>{escape(title)}</title><desc>{escape(alt)}</desc>"
    return svg[: found.start()] + root + words + svg[found.end() :]


def script_bundle() -> str:
    """Return the script that draws specifications in a browser: `vega`, `vegaLite` and `vegaEmbed`, same versions.

    Bundling takes seconds, so the script is cached per version of the chart library (`cached_script`).
    """
    script = str(_library().javascript_bundle())
    cache_text(_script_name(), script)
    return script


def cached_script() -> str | None:
    """Return the cached script of `script_bundle`, or None if this version has not been bundled yet."""
    return cached_text(_script_name())


def _script_name() -> str:
    try:
        return f"vega-{version('vl-convert-python')}.js"
    except PackageNotFoundError:
        return "vega.js"


def png_of(svg: str, scale: float) -> bytes:
    """Convert SVG to PNG."""
    return bytes(_library().svg_to_png(svg, scale=scale))


def pdf_of(svg: str) -> bytes:
    """Convert SVG to PDF."""
    return bytes(_library().svg_to_pdf(svg))


def html_of(svg: str, title: str, alt: str, frame: Frame, *, ink: str, background: str) -> str:
    """Return a self-contained page: the SVG, its alt text, and its numbers as a table.

    It has no script and makes no requests; its Content-Security-Policy forbids both.
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
    more = f"<p>and {len(rows) - _MOST_ROWS:,} more rows</p>" if len(rows) > _MOST_ROWS else ""
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>{more}"


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
