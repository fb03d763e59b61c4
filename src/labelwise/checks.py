"""Checks of arguments that raise the one standard sentence; what data must obey is checked where data are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from labelwise.errors import ArgumentError, NotFoundError

_LISTED = 12


def plain(value: Any) -> Any:
    """Turn a NumPy scalar into the plain Python value that belongs in a message.

    Examples
    --------
    >>> import numpy as np
    >>> plain(np.float64(0.5))
    0.5
    """
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def listing(values: Iterable[Any]) -> str:
    """Write values as a short list for a message.

    Examples
    --------
    >>> listing(["id", "pred"])
    "'id', 'pred'"
    """
    shown = [repr(plain(value)) for value in values]
    more = f" and {len(shown) - _LISTED} more" if len(shown) > _LISTED else ""
    return ", ".join(shown[:_LISTED]) + more


def hint(wanted: Any, known: Sequence[Any]) -> str:
    """Say which known name was probably meant, or list them all.

    Examples
    --------
    >>> hint("confidense", ["id", "confidence"])
    "Did you mean 'confidence'?"
    >>> hint("x", ["id", "confidence"])
    "There are: 'id', 'confidence'."
    """
    by_text = {str(name): name for name in known}
    close = get_close_matches(str(wanted), list(by_text), n=1)
    return f"Did you mean {by_text[close[0]]!r}?" if close else f"There are: {listing(known)}."


def check_one_of(value: Any, name: str, allowed: Sequence[Any]) -> None:
    """Refuse a value that is not among the allowed ones."""
    if value not in allowed:
        raise ArgumentError(f"`{name}` must be one of {listing(allowed)}, but is {plain(value)!r}.")


def check_between(value: float, name: str, low: float, high: float) -> None:
    """Refuse a number outside the open interval from `low` to `high` (NaN included)."""
    if not low < value < high:
        raise ArgumentError(f"`{name}` must lie between {low} and {high}, but is {plain(value)!r}.")


def check_within(value: float, name: str, low: float, high: float) -> None:
    """Refuse a number outside the closed interval from `low` to `high` (NaN included)."""
    if not low <= value <= high:
        raise ArgumentError(f"`{name}` must lie between {low} and {high} inclusive, but is {plain(value)!r}.")


def check_positive(value: float, name: str) -> None:
    """Refuse a number that is not finite and above zero."""
    if not 0 < value < float("inf"):
        raise ArgumentError(f"`{name}` must be a number above 0, but is {plain(value)!r}.")


def check_count(value: int, name: str, *, least: int = 1, most: int | None = None) -> None:
    """Refuse anything but a whole number from `least` to `most`."""
    whole = isinstance(plain(value), int) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ArgumentError(f"`{name}` must be a whole number {limits}, but is {plain(value)!r}.")


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
        raise NotFoundError(f"{kind} {plain(wanted)!r} is not there. {hint(wanted, known)}") from None
