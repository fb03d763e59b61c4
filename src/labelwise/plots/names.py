"""Names as they stand on an axis: short, told apart, and harmless; frames keep the whole ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from unicodedata import category, east_asian_width

from labelwise.groups.grouping import unique_names

LONGEST = 28
_HARMLESS = "\ufffd"
_NOT_TEXT = ("Cc", "Cs", "Co", "Cn")  # control characters, halves of characters and what is no character at all


def clean(text: str) -> str:
    """Replace what no SVG file may hold, line ends and tabs by a blank.

    Examples
    --------
    >>> clean("a\\nb\\x00c")
    'a b\ufffdc'
    """
    return "".join(" " if c in "\n\r\t" else _HARMLESS if category(c) in _NOT_TEXT else c for c in text)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Cut a name that is too long for an axis, with an ellipsis.

    Examples
    --------
    >>> shortened("a" * 300, 5)
    'aaaa…'
    """
    text = clean(text)
    # Chinese, Japanese and Korean characters and most emoji are twice as wide
    width = [2 if east_asian_width(c) in "WF" else 1 for c in text]
    if sum(width) <= longest:
        return text
    n_kept = sum(end <= longest - 1 for end in accumulate(width))
    return f"{text[:n_kept].rstrip()}…"


def short_names(names: Sequence[str], longest: int = LONGEST) -> tuple[str, ...]:
    """Give names for an axis, numbering those that would read the same when cut.

    Examples
    --------
    >>> short_names(["abcdef", "abcxyz", "b"], 4)
    ('abc…', 'abc… (2)', 'b')
    """
    return unique_names([shortened(name, longest) or "(no name)" for name in names])
