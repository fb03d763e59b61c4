"""Light and dark in one picture: every colour that differs becomes a variable of the page's style."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from labelwise.plots import Chart
from labelwise.plots.theme import DARK, LIGHT

_COLOUR = re.compile(r'(?<=fill=")#[0-9a-fA-F]{3,8}(?=")|(?<=stroke=")#[0-9a-fA-F]{3,8}(?=")|'
                     r'(?<=fill=")rgba?\([^"]*\)(?=")|(?<=stroke=")rgba?\([^"]*\)(?=")|'
                     r'(?<=stop-color=")[^"]+(?=")')  # fmt: skip
_IDS = re.compile(r"lw[0-9a-f]{8}-")
_SHEET = ("background", "ink", "muted", "grid", "main", "bad", "close", "good", "shade")


@dataclass(eq=False)
class Colours:
    """Names pairs of colours, one for light and one for dark, in the order in which they are met.

    Examples
    --------
    >>> colours = Colours()
    >>> colours.of("#FFFFFF", "#16191D"), colours.of("#888888", "#888888")
    ('var(--background)', '#888888')
    >>> colours.of("#112233", "#445566")
    'var(--c0)'
    """

    _names: dict[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in _SHEET:
            self._names.setdefault((getattr(LIGHT, name), getattr(DARK, name)), name)

    def of(self, light: str, dark: str) -> str:
        """Return what stands for a pair; a colour that is the same in both stays as it is."""
        if light == dark:
            return light
        name = self._names.setdefault((light, dark), f"c{len(self._names) - len(_SHEET)}")
        return f"var(--{name})"

    def style(self) -> str:
        """Return the values of all names: light on paper and by default, dark where the reader wants it."""
        light = "".join(f"--{name}:{pair[0]};" for pair, name in self._names.items())
        dark = "".join(f"--{name}:{pair[1]};" for pair, name in self._names.items())
        return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"


def both(chart: Chart, colours: Colours) -> str:
    """Draw a chart without its title, its colours left to the page; title and subtitle are the page's to set.

    Where the two drawings differ in more than colours, both are given, and the style shows one of them.
    """
    bare = replace(chart, title="", subtitle="")
    light, dark = bare.svg("light"), bare.svg("dark")
    prefix = _IDS.search(light)
    if prefix is not None:
        dark = _IDS.sub(prefix.group(), dark)
    parts, others = _COLOUR.split(light), _COLOUR.split(dark)
    if parts != others:
        return f'<div class="light">{light}</div><div class="dark">{bare.svg("dark")}</div>'
    pairs = zip(_COLOUR.findall(light), _COLOUR.findall(dark), strict=True)
    named = [colours.of(one, other) for one, other in pairs]
    return "".join(a + b for a, b in zip(parts, [*named, ""], strict=True))
