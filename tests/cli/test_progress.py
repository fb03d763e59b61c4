"""The progress bar: silent in pipes and in the first second, shown on a terminal after that."""

import io
import sys

from labelwise.cli import progress as module
from labelwise.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(monkeypatch, stream, patience):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(module, "_PATIENCE", patience)
    with Progress() as progress:
        progress.rows(5, 10)
        progress.step("ranking")
    return stream.getvalue()


def test_nothing_is_shown_in_a_pipe(monkeypatch):
    assert shown(monkeypatch, io.StringIO(), patience=0.0) == ""


def test_nothing_is_shown_while_the_work_is_quick(monkeypatch):
    assert shown(monkeypatch, Terminal(), patience=60.0) == ""


def test_a_bar_is_shown_when_it_takes_longer(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    assert "ranking" in shown(monkeypatch, Terminal(), patience=0.0)
