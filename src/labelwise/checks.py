"""Argument checks with standard error messages; data are validated where they are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from numbers import Real
from typing import Any

from labelwise.errors import ArgumentError, NotFoundError

_LISTED = 12
_SHOWN = 80  # characters; a cell may contain a whole document


def plain(value: Any) -> Any:
    """Convert a NumPy scalar to the corresponding Python value.

    Examples
    --------
    >>> import numpy as np
    >>> plain(np.float64(0.5))
    0.5
    """
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def shown(value: Any) -> str:
    """Format a value for a message: quoted if it is text, truncated if it is long.

    Examples
    --------
    >>> shown("img-0412")
    "'img-0412'"
    """
    text = repr(plain(value))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def counted(number: int, noun: str) -> str:
    """Format a number with its noun in the singular or plural.

    Examples
    --------
    >>> counted(1, "score"), counted(3, "score")
    ('1 score', '3 scores')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listing(values: Iterable[Any]) -> str:
    """Format values as a short list for a message.

    Examples
    --------
    >>> listing(["id", "pred"])
    "'id', 'pred'"
    """
    listed = list(values)
    more = f" and {len(listed) - _LISTED} more" if len(listed) > _LISTED else ""
    return ", ".join(map(shown, listed[:_LISTED])) + more if listed else "none"


def hint(wanted: Any, known: Sequence[Any]) -> str:
    """Return a hint for an error message: the most similar known name, or a list of all of them.

    Examples
    --------
    >>> hint("confidense", ["id", "confidence"])
    "Did you mean 'confidence'?"
    >>> hint("x", ["id", "confidence"])
    "Available: 'id', 'confidence'."
    """
    # 12 is not a misspelling of 1, so only text is compared
    texts = [name for name in known if isinstance(name, str)]
    close = get_close_matches(wanted, texts, n=1) if isinstance(wanted, str) else []
    return f"Did you mean {shown(close[0])}?" if close else f"Available: {listing(known)}."


def repeated(names: Iterable[Any]) -> Any:
    """Return the first duplicate; None if all names are unique.

    Examples
    --------
    >>> repeated(["id", "pred", "id"])
    'id'
    """
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def check_one_of(value: Any, name: str, allowed: Sequence[Any]) -> None:
    """Raise ArgumentError unless the value is one of the allowed ones."""
    if value not in allowed:
        raise ArgumentError(f"`{name}` must be one of {listing(allowed)}, but is {shown(value)}.")


def _is_number(value: Any) -> bool:
    return isinstance(plain(value), Real)


def check_between(value: float, name: str, low: float, high: float) -> None:
    """Raise ArgumentError unless `low` < value < `high`; NaN is refused."""
    if not _is_number(value) or not low < value < high:
        raise ArgumentError(f"`{name}` must lie between {low} and {high}, but is {shown(value)}.")


def check_within(value: float, name: str, low: float, high: float) -> None:
    """Raise ArgumentError unless `low` <= value <= `high`; NaN is refused."""
    if not _is_number(value) or not low <= value <= high:
        raise ArgumentError(f"`{name}` must lie between {low} and {high} inclusive, but is {shown(value)}.")


def check_positive(value: float, name: str) -> None:
    """Raise ArgumentError unless the value is a finite number above zero."""
    if not _is_number(value) or not 0 < value < float("inf"):
        raise ArgumentError(f"`{name}` must be a number above 0, but is {shown(value)}.")


def check_count(value: int, name: str, *, least: int = 1, most: int | None = None) -> None:
    """Raise ArgumentError unless the value is an integer from `least` to `most`."""
    is_integer = isinstance(plain(value), int) and not isinstance(value, bool)
    if not is_integer or value < least or (most is not None and value > most):
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ArgumentError(f"`{name}` must be a whole number {limits}, but is {shown(value)}.")


def find(wanted: Any, known: Sequence[Any], kind: str) -> int:
    """Return the position of a name; raise NotFoundError with a hint if it is unknown.

    Examples
    --------
    >>> find("dog", ["cat", "dog"], "Class")
    1
    """
    try:
        return known.index(wanted)
    except ValueError:
        raise NotFoundError(f"{kind} {shown(wanted)} does not exist. {hint(wanted, known)}") from None
