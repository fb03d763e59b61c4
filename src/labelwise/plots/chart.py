"""`Chart`: a tidy frame and a drawing of it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from labelwise.checks import listing, shown
from labelwise.errors import ArgumentError, NotFoundError
from labelwise.files import write_file
from labelwise.plots.names import clean
from labelwise.plots.render import html_of, pdf_of, png_of, svg_of
from labelwise.plots.theme import Theme, theme_named
from labelwise.pool import Frame

Drawing = Callable[[Theme], dict[str, Any]]
"""A function from a theme to a Vega-Lite specification without title and schema."""
FORMATS = (".svg", ".png", ".pdf", ".html", ".json")
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_SCALE = 2.0
_LINE = 92  # characters per line of a subtitle


@dataclass(frozen=True, eq=False, repr=False)
class Chart:
    """A chart: its numbers, its texts and how to draw it.

    The frame has every number, including those of hidden groups. Nothing is drawn, and no chart library is imported,
    until an image is requested.

    Attributes
    ----------
    title, subtitle : above the drawing; the subtitle says what is hidden.
    alt : text alternative: what the chart shows, with its main numbers.

    Examples
    --------
    >>> import labelwise as lw
    >>> from labelwise.plots.groups import group_chart
    >>> belief = lw.beliefs.BetaBelief.from_counts(hits=[95, 40], labels=[100, 100], names=["cat", "dog"])
    >>> chart = group_chart(lw.accuracy.estimate(belief, rng=np.random.default_rng(1)))
    >>> chart.alt
    'Accuracy of 2 groups, worst first: dog 0.402 [0.309, 0.498] to cat 0.941 [0.888, 0.978]; 95% intervals.'
    >>> chart.svg().startswith("<svg")
    True
    """

    title: str
    alt: str
    table: Frame = field()
    drawing: Drawing = field()
    subtitle: str = ""

    def frame(self) -> Frame:
        """Return the numbers as a tidy table."""
        return self.table

    def spec(self, theme: str = "light") -> dict[str, Any]:
        """Return the Vega-Lite specification, which any Vega-Lite viewer can draw."""
        colours = theme_named(theme)
        title: dict[str, Any] = {"text": clean(self.title)}
        if self.subtitle:
            title["subtitle"] = _lines(clean(self.subtitle))
        whole = {
            "$schema": _SCHEMA,
            "description": clean(self.alt),
            "title": title,
            "background": colours.background,
            "padding": 12,
            "config": colours.config(),
            **self.drawing(colours),
        }
        plain: dict[str, Any] = _plain(whole)
        return plain

    def svg(self, theme: str = "light") -> str:
        """Draw the chart as SVG; equal charts give identical bytes."""
        return svg_of(self.spec(theme), clean(self.title), clean(self.alt))

    def png(self, theme: str = "light", *, scale: float = _SCALE) -> bytes:
        """Draw the chart as PNG with `scale` pixels per point."""
        return png_of(self.svg(theme), scale)

    def html(self, theme: str = "light") -> str:
        """Return a self-contained page with the drawing, its alt text and its numbers; it runs no script."""
        colours = theme_named(theme)
        return html_of(
            self.svg(theme), clean(self.title), clean(self.alt), self.table,
            ink=colours.ink, background=colours.background,
        )  # fmt: skip

    def altair(self, theme: str = "light") -> Any:
        """Return an `altair.Chart`, for further changes."""
        try:
            import altair
        except ImportError as error:
            raise ArgumentError(
                f"`Chart.altair` needs altair ({error}). Install it with `pip install 'labelwise[charts]'`."
            ) from None
        return altair.Chart.from_dict(self.spec(theme))

    def save(self, path: str | Path, theme: str = "light") -> None:
        """Write a file in the format of its extension: svg, png, pdf, html (self-contained) or json (Vega-Lite)."""
        name = Path(path)
        content = self._encode(name, theme)
        try:
            write_file(name, content)
        except OSError as error:
            raise NotFoundError(f"'{name}' cannot be written: {error.strerror}.") from None

    def _encode(self, name: Path, theme: str) -> bytes:
        check_format(name)
        match name.suffix.lower():
            case ".svg":
                return self.svg(theme).encode()
            case ".png":
                return self.png(theme)
            case ".pdf":
                return pdf_of(self.svg(theme))
            case ".html":
                return self.html(theme).encode()
            case _:
                return json.dumps(self.spec(theme), ensure_ascii=False, indent=1).encode()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Show the chart in a notebook: as an image, or as text where no chart library is installed."""
        try:
            return {"image/svg+xml": self.svg(), "text/plain": repr(self)}
        except ArgumentError:
            return {"text/plain": f"{self!r}\n{self.alt}"}

    def __repr__(self) -> str:
        return f"<Chart '{self.title}': {', '.join(self.table)}>"


def check_format(name: Path) -> None:
    """Raise an error unless the file extension is one of `FORMATS`."""
    if name.suffix.lower() not in FORMATS:
        raise ArgumentError(f"A chart file must end in one of {listing(FORMATS)}, but it is {shown(str(name))}.")


def _lines(text: str) -> list[str]:
    """Wrap a subtitle between words; Vega-Lite does not wrap text."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > _LINE:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line]


def _plain(value: Any) -> Any:
    """Convert to JSON values: no NumPy types, null for NaN and infinity, floats with 12 significant digits."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return float(f"{value:.12g}") if math.isfinite(value) else None
    return value
