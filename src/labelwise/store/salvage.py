"""Saving what is sound in a damaged file: a new store with all events up to the first damage, and the labels beyond."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labelwise.assessment.events import Asked, Event, Imported, Opened, Seconded, Told, event_of
from labelwise.assessment.journal import name_of
from labelwise.assessment.setup import Setup
from labelwise.errors import ConflictError, DataError, LabelwiseError, NotFoundError
from labelwise.files import is_database
from labelwise.store.journal import link_of
from labelwise.store.sqlite import SqliteStore
from labelwise.store.store import pieces_of
from labelwise.store.tables import Row

_AT_ONCE = 500  # events read in one go, and one by one where that fails
_GAP = 10_000  # numbers without an event after which there is none
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)  # the second where a message names a damaged table
_COLUMNS = "number, kind, body, key, hash"


@dataclass(frozen=True)
class Salvaged:
    """What could be saved of an assessment.

    Attributes
    ----------
    name : of the assessment.
    n_kept : events in the new store, all up to the first that is damaged; 0 if the pool is damaged too.
    n_later : sound events beyond, which are not in the new store.
    n_lost : events that are damaged or missing, as far as the file knows.
    labels : what the labels say that are not in the new store: id, label, labeller, at, ticket and event of each.
    """

    name: str
    n_kept: int
    n_later: int
    n_lost: int
    labels: tuple[dict[str, Any], ...]


def salvage(path: str | Path, target: str | Path) -> list[Salvaged]:
    """Copy what is sound in a damaged file to a new store; the damaged file is left as it is.

    An event is sound if its hash fits it and the event before. Accounts and the audit trail are not copied.

    Parameters
    ----------
    path : the damaged file.
    target : the new store; must not be there yet.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> from labelwise.store.salvage import salvage
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 9 + ["dog"] * 9)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with lw.open_store(f"{folder}/a.lw") as store:
    ...         _ = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=store.journal())
    ...     salvage(f"{folder}/a.lw", f"{folder}/b.lw")[0].n_kept
    1
    """
    source, target = Path(path), Path(target)
    if not source.is_file():
        raise NotFoundError(f"'{source}' does not exist. Check the path.")
    if not is_database(source):
        raise DataError(f"'{source.name}' does not begin as a labelwise file does; nothing can be read from it.")
    if target.exists():
        raise ConflictError(f"'{target}' is there already, and is not overwritten. Choose another name.")
    with _copied(source) as connection:
        damaged = _Damaged(connection)
        found = [damaged.assessment(number, name) for number, name in damaged.names()]
    if not found:
        raise DataError(f"No assessment can be read from '{source.name}'. Restore it from a backup.")
    with SqliteStore(target) as store:
        for one in found:
            if one.pieces is not None and one.kept:
                with store.whole() as tables:
                    tables.write(tables.enter(one.name).id, one.pieces, one.kept)
    return [one.summary() for one in found]


@dataclass(frozen=True)
class _Found:
    """What can be read of an assessment: `pieces` is None if the pool is damaged."""

    name: str
    rows: list[Row]
    kept: list[Row]
    pieces: dict[str, bytes] | None
    n_written: int

    def summary(self) -> Salvaged:
        n_kept = len(self.kept) if self.pieces is not None else 0
        later = self.rows[n_kept:]
        n_lost = max(self.n_written, self.rows[-1].number + 1 if self.rows else 0) - len(self.rows)
        return Salvaged(self.name, n_kept, len(later), n_lost, tuple(self._labels({row.number for row in later})))

    def _labels(self, numbers: set[int]) -> Iterator[dict[str, Any]]:
        """Return what the labels of some events say, by id and name where the pool and the set-up are sound."""
        events = {row.number: _event(row) for row in self.rows}
        opened = events.get(0)
        setup = opened.setup if isinstance(opened, Opened) else {}
        names = setup.get("pool", {}).get("classes", [])
        ids = self._ids(setup)
        item_of = {event.ticket: event.item for event in events.values() if isinstance(event, (Asked, Seconded))}
        for number in sorted(numbers):
            event = events[number]
            pairs: list[tuple[int | None, int]] = []
            if isinstance(event, Told):
                pairs = [(item_of.get(event.ticket), event.label)]
            elif isinstance(event, Imported):
                pairs = list(zip(event.items, event.labels, strict=True))
            for item, label in pairs:
                yield {
                    "id": ids[item] if ids and item is not None else None,
                    "item": item,
                    "label": names[label] if label < len(names) else label,
                    "labeller": getattr(event, "labeller", ""),
                    "at": event.at if event is not None else None,
                    "ticket": getattr(event, "ticket", None),
                    "event": number,
                }

    def _ids(self, setup: dict[str, Any]) -> list[Any] | None:
        if self.pieces is None:
            return None
        with contextlib.suppress(LabelwiseError, LookupError, TypeError, ValueError):
            ids: list[Any] = Setup.of_data(setup, self.pieces.__getitem__).pool.all_ids().tolist()
            return ids
        return None


class _Damaged:
    """Reads a database of which any part may be damaged."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def names(self) -> list[tuple[int, str]]:
        """Return the number and the name of every assessment that can be read."""
        rows = self._rows("SELECT id, name FROM assessments ORDER BY id")
        return [(number, name) for number, name in rows if isinstance(number, int) and isinstance(name, str)]

    def assessment(self, number: int, name: str) -> _Found:
        """Read the sound events of an assessment, and its pool."""
        heads = self._rows("SELECT n_events FROM assessments WHERE id = ?", number)
        n_written = heads[0][0] if heads and isinstance(heads[0][0], int) else 0
        rows = list(self._sound(number, name))
        is_whole = [row.number == place for place, row in enumerate(rows)]
        kept = rows[: is_whole.index(False) if False in is_whole else len(rows)]
        return _Found(name, rows, kept, self._pieces(kept), n_written)

    def _sound(self, assessment: int, name: str) -> Iterator[Row]:
        """Return the events whose hashes fit them and the hash that stands in the row before."""
        before: tuple[int, Any] = (-1, b"")
        for row in self._events(assessment):
            place, tied_to = before
            with contextlib.suppress(TypeError, UnicodeError):
                if place == row.number - 1 and link_of(tied_to, name, row) == row.hash and _event(row) is not None:
                    yield row
            before = (row.number, row.hash)

    def _events(self, assessment: int) -> Iterator[Row]:
        first, n_empty = 0, 0
        within = f"SELECT {_COLUMNS} FROM events WHERE assessment = ? AND number >= ? AND number < ? ORDER BY number"
        while n_empty < _GAP:
            end = first + _AT_ONCE
            try:
                found = self._connection.execute(within, (assessment, first, end)).fetchall()
            except _UNREADABLE:
                found = [row for n in range(first, end) for row in self._rows(within, assessment, n, n + 1)]
            yield from (Row(*row) for row in found if isinstance(row[0], int))
            n_empty = 0 if found else n_empty + _AT_ONCE
            first = end

    def _pieces(self, kept: list[Row]) -> dict[str, bytes] | None:
        found: dict[str, bytes] = {}
        for piece in pieces_of(kept[0].body) if kept else []:
            data = next((row[0] for row in self._rows("SELECT data FROM pieces WHERE name = ?", piece)), None)
            if not isinstance(data, bytes) or name_of(data) != piece:
                return None
            found[piece] = data
        return found

    def _rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with contextlib.suppress(*_UNREADABLE):
            return self._connection.execute(statement, values).fetchall()
        return []


def _event(row: Row) -> Event | None:
    with contextlib.suppress(LookupError, TypeError, ValueError, json.JSONDecodeError):
        return event_of(row.kind, row.body)
    return None


@contextlib.contextmanager
def _copied(source: Path) -> Iterator[sqlite3.Connection]:
    """Connect to a copy of a file and its log, so that nothing happens to the file itself."""
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("", "-wal"):
            beside = source.with_name(source.name + ending)
            if beside.is_file():
                shutil.copyfile(beside, Path(folder) / f"copy{ending}")
        connection = sqlite3.connect(Path(folder) / "copy")
        try:
            connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
            with contextlib.suppress(*_UNREADABLE):
                connection.execute("PRAGMA trusted_schema=OFF")
                connection.execute("PRAGMA cell_size_check=ON")
            yield connection
        finally:
            connection.close()
