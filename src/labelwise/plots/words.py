"""Text formatting shared by charts."""

from __future__ import annotations

BARE = "no own labels"  # status of a group whose estimate comes from the prior, or from other groups


def many(number: int, noun: str = "group") -> str:
    """Format a count with its noun and a thousands separator.

    Examples
    --------
    >>> many(1), many(1_000), many(2, "label")
    ('1 group', '1,000 groups', '2 labels')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def interval_text(mean: float, low: float, high: float) -> str:
    """Format a value with its interval.

    Examples
    --------
    >>> interval_text(0.5, 0.25, 0.75)
    '0.500 [0.250, 0.750]'
    """
    return f"{mean:.3f} [{low:.3f}, {high:.3f}]"
