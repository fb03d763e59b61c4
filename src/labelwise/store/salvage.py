"""Recovery of a damaged file: a new store with all events before the first damage, and a list of later labels."""

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

_AT_ONCE = 500  # events per query; if the query fails, they are read one by one
_GAP = 10_000  # stop after so many event numbers without an event
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)  # the latter if an error message quotes a damaged table name
_COLUMNS = "number, kind, body, key, hash"
_NO_TABLES = (  # a view in place of a table may have rows without end
    "SELECT 1 FROM sqlite_master WHERE lower(name) IN ('assessments', 'events', 'pieces') "
    "AND sql NOT LIKE 'CREATE TABLE %'"
)


@dataclass(frozen=True)
class Salvaged:
    """The recovered part of an assessment.

    Attributes
    ----------
    name : name of the assessment.
    n_kept : number of events in the new store, all before the first damaged one; 0 if the pool is damaged.
    n_later : number of later intact events, which are not in the new store.
    n_lost : number of damaged or missing events, as far as is known.
    labels : the labels that are not in the new store: id, label, labeller, at, ticket and event of each.
    """

    name: str
    n_kept: int
    n_later: int
    n_lost: int
    labels: tuple[dict[str, Any], ...]


def salvage(path: str | Path, target: str | Path) -> list[Salvaged]:
    """Copy the intact part of a damaged file to a new store; the damaged file is not changed.

    An event is intact if its hash matches it and the event before. Accounts and the audit trail are not copied.

    Parameters
    ----------
    path : the damaged file.
    target : the new store, which must not exist yet.

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
        raise DataError(f"'{source.name}' does not start like a labelwise file, so nothing can be recovered from it.")
    if target.exists():
        raise ConflictError(f"'{target}' already exists and is not overwritten. Choose another name.")
    with _copied(source) as connection:
        damaged = _Damaged(connection)
        recovered = [damaged.assessment(number, name) for number, name in damaged.names()]
    if not recovered:
        raise DataError(f"No assessment can be read from '{source.name}'. Restore it from a backup.")
    with SqliteStore(target) as store:
        for one in recovered:
            if one.pieces is not None and one.kept:
                with store.whole() as tables:
                    tables.write(tables.enter(one.name).id, one.pieces, one.kept)
    return [one.summary() for one in recovered]


@dataclass(frozen=True)
class _Recovered:
    """The readable part of an assessment; `pieces` is None if the pool is damaged."""

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
        """Yield the labels of some events, with ids and class names if the pool and the set-up are intact."""
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
    """A database of which any part may be damaged."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def names(self) -> list[tuple[int, str]]:
        """Return the number and name of every readable assessment."""
        if self._rows(_NO_TABLES):
            return []
        rows = self._rows("SELECT id, name FROM assessments ORDER BY id")
        return [(number, name) for number, name in rows if isinstance(number, int) and isinstance(name, str)]

    def assessment(self, number: int, name: str) -> _Recovered:
        """Read the intact events of an assessment, and its pool."""
        heads = self._rows("SELECT n_events FROM assessments WHERE id = ?", number)
        n_written = heads[0][0] if heads and isinstance(heads[0][0], int) else 0
        rows = list(self._intact(number, name))
        is_gapless = [row.number == position for position, row in enumerate(rows)]
        kept = rows[: is_gapless.index(False) if False in is_gapless else len(rows)]
        return _Recovered(name, rows, kept, self._pieces(kept), n_written)

    def _intact(self, assessment: int, name: str) -> Iterator[Row]:
        """Yield the events whose hashes match them and the hash in the row before."""
        last_number, last_hash = -1, b""
        for row in self._events(assessment):
            with contextlib.suppress(TypeError, UnicodeError):
                is_next = last_number == row.number - 1
                if is_next and link_of(last_hash, name, row) == row.hash and _event(row) is not None:
                    yield row
            last_number, last_hash = row.number, row.hash

    def _events(self, assessment: int) -> Iterator[Row]:
        first, n_empty = 0, 0
        query = f"SELECT {_COLUMNS} FROM events WHERE assessment = ? AND number >= ? AND number < ? ORDER BY number"
        while n_empty < _GAP:
            end = first + _AT_ONCE
            try:
                rows = self._connection.execute(query, (assessment, first, end)).fetchall()
            except _UNREADABLE:
                rows = [row for n in range(first, end) for row in self._rows(query, assessment, n, n + 1)]
            yield from (Row(*row) for row in rows if isinstance(row[0], int))
            n_empty = 0 if rows else n_empty + _AT_ONCE
            first = end

    def _pieces(self, kept: list[Row]) -> dict[str, bytes] | None:
        pieces: dict[str, bytes] = {}
        for piece in pieces_of(kept[0].body) if kept else []:
            data = next((row[0] for row in self._rows("SELECT data FROM pieces WHERE name = ?", piece)), None)
            if not isinstance(data, bytes) or name_of(data) != piece:
                return None
            pieces[piece] = data
        return pieces

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
    """Connect to a copy of a file and its write-ahead log, so that the original is never changed."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            original = source.with_name(source.name + suffix)
            if original.is_file():
                shutil.copyfile(original, Path(folder) / f"copy{suffix}")
        connection = sqlite3.connect(Path(folder) / "copy")
        try:
            connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
            with contextlib.suppress(*_UNREADABLE):
                connection.execute("PRAGMA trusted_schema=OFF")
                connection.execute("PRAGMA cell_size_check=ON")
            yield connection
        finally:
            connection.close()
