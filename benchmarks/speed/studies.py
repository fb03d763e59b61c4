"""Optuna's ask and tell on SQLite, as the latency benchmark compares with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import optuna
from sqlalchemy import event

optuna.logging.set_verbosity(optuna.logging.WARNING)


class Optuna:
    """A study that looks for the worst of many groups: one trial is one group, its value whether an item was a hit.

    Parameters
    ----------
    is_safe : write-ahead log and full synchronisation, as labelwise has them; else Optuna's default settings.
    is_number : suggest the group as a whole number, which spares Optuna the writing of all choices with every trial.
    """

    def __init__(
        self,
        path: Path,
        sampler: optuna.samplers.BaseSampler,
        truth: Callable[[int], bool],
        n_groups: int,
        *,
        is_safe: bool = True,
        is_number: bool = False,
    ) -> None:
        self.storage = optuna.storages.RDBStorage(f"sqlite:///{path}")
        if is_safe:
            event.listen(self.storage.engine, "connect", _make_safe)
            self.storage.engine.dispose()  # the connection that made the tables has not heard of it
        self.study = optuna.create_study(storage=self.storage, sampler=sampler, direction="minimize")
        self._truth, self._n_groups, self._is_number = truth, n_groups, is_number
        self._choices = tuple(range(n_groups))

    def ask_and_tell(self) -> None:
        """Ask for a group, and tell whether an item of it was a hit."""
        trial = self.study.ask()
        if self._is_number:
            group = trial.suggest_int("group", 0, self._n_groups - 1)
        else:
            group = trial.suggest_categorical("group", self._choices)
        self.study.tell(trial, float(self._truth(group)))

    def settings(self) -> str:
        """Say what the open connection really has."""
        with self.storage.engine.connect() as connection:
            mode, level = (connection.exec_driver_sql(f"PRAGMA {n}").scalar() for n in ("journal_mode", "synchronous"))
        return f"journal_mode={mode} synchronous={level}"

    def close(self) -> None:
        """Let go of the file."""
        self.storage.remove_session()
        self.storage.engine.dispose()


def _make_safe(connection: Connection, record: Any) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
