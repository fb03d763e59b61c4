"""Colours: those that colour-blind readers tell apart, readable on their background."""

import pytest

from labelwise.plots.theme import DARK, LIGHT, PALETTE


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_and_marks_stand_out(theme):
    for colour in (theme.ink, theme.muted):
        assert contrast(colour, theme.background) >= 4.5
    for colour in (theme.main, theme.bad, theme.good):
        assert contrast(colour, theme.background) >= 3
    assert contrast(theme.close, theme.background) >= 2
    assert len(set(theme.series)) == len(theme.series)


def test_the_palette_is_that_of_okabe_and_ito():
    assert sorted(PALETTE.values()) == sorted(
        ["#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"]
    )
