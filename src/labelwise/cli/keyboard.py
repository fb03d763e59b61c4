"""Single keys from a terminal, or lines from anything else."""

from __future__ import annotations

import codecs
import os
import select
import sys

END, ESCAPE, DELETE, BACKSPACE = "\x04", "\x1b", "\x7f", "\x08"


def has_keys() -> bool:
    """Return whether single keys can be read: a terminal, on a system that has termios."""
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
