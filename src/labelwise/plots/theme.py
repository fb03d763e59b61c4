"""Colours and fonts of all charts, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from labelwise.checks import check_one_of

ThemeName = Literal["light", "dark"]
THEMES: tuple[ThemeName, ...] = ("light", "dark")
FONT = "Helvetica, Arial, sans-serif"  # present everywhere, or substituted: no font is downloaded
PALETTE = {
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
}
"""The colour-blind-safe palette of Okabe and Ito (2008)."""


@dataclass(frozen=True)
class Theme:
    """The colours of a chart, by role.

    Attributes
    ----------
    background, ink, muted, grid : background, text, secondary text and marks, grid lines.
    main, bad, close, good : estimates, the worst, groups not distinguishable from the worst, goal lines.
    shade : areas behind marks.
    series : categorical colours, in order.
    ramp : ends of the sequential colour scale, from low to high.
    """

    background: str
    ink: str
    muted: str
    grid: str
    main: str
    bad: str
    close: str
    good: str
    shade: str
    series: tuple[str, ...]
    ramp: tuple[str, str]

    def config(self) -> dict[str, Any]:
        """Return the Vega-Lite configuration for marks, axes and legends."""
        text = {"labelColor": self.ink, "titleColor": self.ink, "labelFont": FONT, "titleFont": FONT}
        return {
            "font": FONT,
            "aria": False,  # screen readers get one description of the whole chart, not one per mark
            "view": {"stroke": None},
            "axis": {
                **text, "gridColor": self.grid, "domainColor": self.muted, "tickColor": self.muted,
                "titleFontWeight": "normal", "labelFontSize": 11, "titleFontSize": 12, "titlePadding": 8,
            },
            "legend": {
                **text, "titleFontWeight": "normal", "labelFontSize": 11, "titleFontSize": 11, "labelLimit": 260,
                "symbolSize": 70, "rowPadding": 4,
            },
            "header": {**text, "labelFontSize": 12, "titleFontSize": 12},
            "title": {
                "anchor": "start", "color": self.ink, "subtitleColor": self.muted, "fontSize": 15,
                "subtitleFontSize": 12, "fontWeight": 600, "offset": 14, "subtitlePadding": 5, "subtitleLineHeight": 16,
                "font": FONT, "subtitleFont": FONT,
            },
            "text": {"color": self.ink, "font": FONT},
            "concat": {"spacing": 18},
        }  # fmt: skip


LIGHT = Theme(
    background="#FFFFFF", ink="#1F2328", muted="#656D76", grid="#E4E7EB", main=PALETTE["blue"],
    bad=PALETTE["vermilion"], close=PALETTE["orange"], good=PALETTE["green"], shade="#FCEBD0",
    series=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#1F2328"), ramp=("#F4F8FB", "#0072B2"),
)  # fmt: skip
DARK = Theme(
    background="#16191D", ink="#E8EAED", muted="#A3ABB5", grid="#2E343B", main=PALETTE["sky"],
    bad="#F0803C", close=PALETTE["orange"], good="#2FBF97", shade="#3D3117",
    series=("#56B4E9", "#F0803C", "#2FBF97", "#CC79A7", "#F0E442", "#4F9BCB", "#E8EAED"), ramp=("#1D242B", "#56B4E9"),
)  # fmt: skip


def theme_named(name: str) -> Theme:
    """Return a theme by name.

    Examples
    --------
    >>> theme_named("light").main
    '#0072B2'
    """
    check_one_of(name, "theme", THEMES)
    return LIGHT if name == "light" else DARK
