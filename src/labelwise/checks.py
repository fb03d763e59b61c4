"""Checks of arguments that raise the one standard sentence; what data must obey is checked where data are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from numbers import Real
from typing import Any

from labelwise.errors import ArgumentError, NotFoundError

_LISTED = 12
_SHOWN = 80  # characters; a whole document may stand in a column


def plain(value: Any) -> Any:
    """Turn a NumPy scalar into the plain Python value that belongs in a message.

    Examples
    --------
    >>> import numpy as np
    >>> plain(np.float64(0.5))
    0.5
    """
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def shown(value: Any) -> str:
    """Write a value as it belongs in a message: plain, quoted if it is text, cut if it is long.

    Examples
    --------
    >>> shown("img-0412")
    "'img-0412'"
    """
    text = repr(plain(value))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def counted(number: int, noun: str) -> str:
    """Write a number with its noun in the singular or the plural.

    Examples
    --------
    >>> counted(1, "score"), counted(3, "score")
    ('1 score', '3 scores')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listing(values: Iterable[Any]) -> str:
    """Write values as a short list for a message.

    Examples
    --------
    >>> listing(["id", "pred"])
    "'id', 'pred'"
    """
    listed = list(values)
    more = f" and {len(listed) - _LISTED} more" if len(listed) > _LISTED else ""
    return ", ".join(map(shown, listed[:_LISTED])) + more if listed else "none"


def hint(wanted: Any, known: Sequence[Any]) -> str:
    """Say which known name was probably meant, or list them all.

    Examples
    --------
    >>> hint("confidense", ["id", "confidence"])
    "Did you mean 'confidence'?"
    >>> hint("x", ["id", "confidence"])
    "There are: 'id', 'confidence'."
    """
    # 12 is not a misspelt 1, so only text is likened to text
    texts = [name for name in known if isinstance(name, str)]
    close = get_close_matches(wanted, texts, n=1) if isinstance(wanted, str) else []
    return f"Did you mean {shown(close[0])}?" if close else f"There are: {listing(known)}."


def repeated(names: Iterable[Any]) -> Any:
    """Give the first name that comes a second time; None if all differ.

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
    """Refuse a value that is not among the allowed ones."""
    if value not in allowed:
        raise ArgumentError(f"`{name}` must be one of {listing(allowed)}, but is {shown(value)}.")


def _is_number(value: Any) -> bool:
    return isinstance(plain(value), Real)


def check_between(value: float, name: str, low: float, high: float) -> None:
    """Refuse a number outside the open interval from `low` to `high` (NaN included)."""
    if not _is_number(value) or not low < value < high:
        raise ArgumentError(f"`{name}` must lie between {low} and {high}, but is {shown(value)}.")


def check_within(value: float, name: str, low: float, high: float) -> None:
    """Refuse a number outside the closed interval from `low` to `high` (NaN included)."""
    if not _is_number(value) or not low <= value <= high:
        raise ArgumentError(f"`{name}` must lie between {low} and {high} inclusive, but is {shown(value)}.")


def check_positive(value: float, name: str) -> None:
    """Refuse a number that is not finite and above zero."""
    if not _is_number(value) or not 0 < value < float("inf"):
        raise ArgumentError(f"`{name}` must be a number above 0, but is {shown(value)}.")


def check_count(value: int, name: str, *, least: int = 1, most: int | None = None) -> None:
    """Refuse anything but a whole number from `least` to `most`."""
    whole = isinstance(plain(value), int) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ArgumentError(f"`{name}` must be a whole number {limits}, but is {shown(value)}.")


def find(wanted: Any, known: Sequence[Any], kind: str) -> int:
    """Give the position of a name, or say that it is not there and what is.

    Examples
    --------
    >>> find("dog", ["cat", "dog"], "Class")
    1
    """
    try:
        return known.index(wanted)
    except ValueError:
        raise NotFoundError(f"{kind} {shown(wanted)} is not there. {hint(wanted, known)}") from None
