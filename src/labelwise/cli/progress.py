"""A progress bar on standard error, shown only on a terminal and only if the work takes longer than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

_PATIENCE = 1.0  # seconds


class Progress:
    """Counts what is done, and shows it once it is worth showing.

    Examples
    --------
    >>> with Progress() as progress:
    ...     progress.rows(10, 20)  # nothing is shown: this is no terminal, and no second has passed
    """

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Any = None
        self._task: Any = None
        self._shows = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def rows(self, done: int, total: int | None) -> None:
        """Show how many rows have been read."""
        self._show("reading", done, total)

    def step(self, words: str) -> None:
        """Show what is being computed."""
        self._show(words, None, None)

    def share(self, words: str, done: int, total: int) -> None:
        """Show what is being done, and how much of it."""
        self._show(words, done, total)

    def _show(self, words: str, done: int | None, total: int | None) -> None:
        if not self._shows or time.monotonic() - self._start < _PATIENCE:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(words, total=None)
            self._bar.start()
        self._bar.update(self._task, description=words, total=total, completed=done or 0)
