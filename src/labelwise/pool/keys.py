"""Keyboard shortcuts for classes."""

from __future__ import annotations

from collections.abc import Sequence

_KEYS = "1234567890abcdefghijklmnopqrstuvwxyz"
ACTIONS = "dhqsu"  # reserved while labelling: don't know, help, quit, skip, undo


def keys_of(classes: Sequence[object], taken: str = ACTIONS) -> dict[str, int] | None:
    """Return one key per class, or None if there are more classes than keys.

    A class whose name is a key gets that key.

    Parameters
    ----------
    taken : keys reserved for other actions.

    Examples
    --------
    >>> keys_of(["cat", "dog"])
    {'1': 0, '2': 1}
    >>> keys_of(["0", "1", "many"])
    {'0': 0, '1': 1, '2': 2}
    >>> keys_of(range(100)) is None
    True
    """
    free = [key for key in _KEYS if key not in taken]
    if len(classes) > len(free):
        return None
    key_of = {code: str(name) for code, name in enumerate(classes) if str(name) in free}
    rest = iter(key for key in free if key not in key_of.values())
    return {key_of[code] if code in key_of else next(rest): code for code in range(len(classes))}
