"""Single keys from a terminal, or lines from anything else; and which key stands for which class."""

from __future__ import annotations

import codecs
import os
import select
import sys
from collections.abc import Sequence

_CLASS_KEYS = "1234567890abcefgijklmnoprtvwxyz"  # d, h, q, s and u have a meaning of their own
END, ESCAPE, DELETE, BACKSPACE = "\x04", "\x1b", "\x7f", "\x08"


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
        import termios  # noqa: F401  # only whether it is there
    except ImportError:
        return False
    return True


def read_key() -> str:
    """Wait for one key; Ctrl-C interrupts, and the terminal is left as it was.

    A key that sends several bytes (a letter with an accent, an arrow) is one key. Bytes are read from the terminal
    itself: what a buffer of Python's held back would be lost to the next call.
    """
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSANOW)  # now: keys that were pressed before are not thrown away
        return _key(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)


def _key(terminal: int) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    key = ""
    while not key:
        byte = os.read(terminal, 1)
        if not byte:
            return ""
        key = decoder.decode(byte)
    if key != ESCAPE:
        return key
    # the rest of an arrow or function key comes at once: ESC [ parameters letter, or ESC O letter
    while _has_more(terminal):
        key += os.read(terminal, 1).decode("ascii", "replace")
        if len(key) > 2 and (key[-1].isalpha() or key[-1] == "~"):
            break
    return key


def _has_more(terminal: int) -> bool:
    return bool(select.select([terminal], [], [], 0.02)[0])
