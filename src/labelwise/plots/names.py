"""Group names as axis labels: short, unique and safe in SVG. Frames keep the full names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from unicodedata import category, east_asian_width

from labelwise.groups.grouping import unique_names

LONGEST = 28
_REPLACEMENT = "\ufffd"
_NOT_TEXT = ("Cc", "Cs", "Co", "Cn")  # control, surrogate, private-use and unassigned code points


def clean(text: str) -> str:
    """Replace characters that SVG does not allow, and line breaks and tabs by a space.

    Examples
    --------
    >>> clean("a\\nb\\x00c")
    'a b\ufffdc'
    """
    return "".join(" " if c in "\n\r\t" else _REPLACEMENT if category(c) in _NOT_TEXT else c for c in text)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Truncate a name that is too long for an axis, with an ellipsis.

    Examples
    --------
    >>> shortened("a" * 300, 5)
    'aaaa…'
    """
    text = clean(text)
    # CJK characters and most emoji are two columns wide
    width = [2 if east_asian_width(c) in "WF" else 1 for c in text]
    if sum(width) <= longest:
        return text
    n_kept = sum(end <= longest - 1 for end in accumulate(width))
    return f"{text[:n_kept].rstrip()}…"


def short_names(names: Sequence[str], longest: int = LONGEST) -> tuple[str, ...]:
    """Return axis labels, numbering those that would be equal after truncation.

    Examples
    --------
    >>> short_names(["abcdef", "abcxyz", "b"], 4)
    ('abc…', 'abc… (2)', 'b')
    """
    return unique_names([shortened(name, longest) or "(no name)" for name in names])
