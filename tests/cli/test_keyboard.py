"""Single keys, and how they are read from a terminal."""

import os
import pty
import sys
import termios
import threading

import pytest

from labelwise.cli.keyboard import has_keys, read_key
from labelwise.pool.keys import ACTIONS


def test_there_are_no_keys_without_a_terminal(monkeypatch, tmp_path):
    (tmp_path / "x").write_text("cat\n")
    with (tmp_path / "x").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert not has_keys()


@pytest.fixture
def keyboard(monkeypatch):
    """A terminal as standard input, and what presses its keys."""
    master, slave = pty.openpty()
    with os.fdopen(slave, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield lambda keys: os.write(master, keys.encode())
    os.close(master)


@pytest.fixture
def pressed(keyboard):
    """Reads one key; if none comes, an exclamation mark is pressed after a second."""

    def read():
        late = threading.Timer(1.0, keyboard, ["!"])
        late.start()
        try:
            return read_key()
        finally:
            late.cancel()

    return read


def test_a_terminal_has_keys(keyboard):
    assert has_keys()


def test_a_key_is_read_without_enter(keyboard, pressed):
    threading.Timer(0.1, keyboard, ["1"]).start()
    assert pressed() == "1"


def test_keys_that_were_pressed_before_are_not_lost(keyboard, pressed):
    keyboard("12")
    assert pressed() == "1"
    keyboard("3")
    assert [pressed(), pressed()] == ["2", "3"]


def test_a_letter_of_several_bytes_is_one_key(keyboard, pressed):
    keyboard("ä1")
    assert [pressed(), pressed()] == ["ä", "1"]


@pytest.mark.parametrize("key", ["\x1b[A", "\x1b[D", "\x1bOP", "\x1b[3~", "\x1b[1;5D"])
def test_an_arrow_is_one_key_and_no_letter(keyboard, pressed, key):
    keyboard(f"{key}1")
    assert pressed().lower() not in tuple(ACTIONS)
    assert pressed() == "1"


def test_the_terminal_is_left_as_it_was(keyboard, pressed):
    before = termios.tcgetattr(sys.stdin.fileno())
    threading.Timer(0.1, keyboard, ["1"]).start()
    pressed()
    assert termios.tcgetattr(sys.stdin.fileno()) == before


def test_the_terminal_is_left_as_it_was_after_an_interruption(keyboard, monkeypatch):
    before = termios.tcgetattr(sys.stdin.fileno())

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "read", interrupted)
    monkeypatch.setattr(sys, "stdin", Interrupted(sys.stdin.fileno()))
    with pytest.raises(KeyboardInterrupt):
        read_key()
    assert termios.tcgetattr(sys.stdin.fileno()) == before


class Interrupted:
    """A terminal at which Ctrl-C is pressed whatever one reads."""

    def __init__(self, descriptor):
        self._descriptor = descriptor

    def fileno(self):
        return self._descriptor

    def read(self, size):
        raise KeyboardInterrupt
