"""Single keys from a terminal, or lines from anything else; and which key stands for which class."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_CLASS_KEYS = "1234567890abcefgijklmnoprtvwxyz"  # d, h, q, s and u have a meaning of their own
CONTROL_C, CONTROL_D, ESCAPE, DELETE, BACKSPACE = "\x03", "\x04", "\x1b", "\x7f", "\x08"


def keys_of(classes: Sequence[object]) -> dict[str, int] | None:
    """Give one key a class; None if there are more classes than keys.

    Examples
    --------
    >>> keys_of(["cat", "dog"])
    {'1': 0, '2': 1}
    >>> keys_of(range(100)) is None
    True
    """
    if len(classes) > len(_CLASS_KEYS):
        return None
    return {key: code for code, key in enumerate(_CLASS_KEYS[: len(classes)])}


def has_keys() -> bool:
    """Say whether single keys can be read: a terminal, on a system that has termios."""
    if not sys.stdin.isatty():
        return False
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return True


def read_key() -> str:
    """Wait for one key; Ctrl-C interrupts, and the terminal is left as it was."""
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        return sys.stdin.read(1)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
