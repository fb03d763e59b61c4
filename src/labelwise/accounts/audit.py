"""The audit trail of a store: who did what when, append-only, each entry tied to the one before."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from labelwise.checks import check_count, shown
from labelwise.errors import ArgumentError, DataError
from labelwise.store.chain import link
from labelwise.store.journal import check_whole
from labelwise.store.store import Store
from labelwise.store.tables import Tables

_LONGEST = 100  # characters of what was done


@dataclass(frozen=True)
class Entry:
    """A line of the trail.

    Attributes
    ----------
    number : from 1 on, without a gap.
    at : when, in seconds since 1970.
    who : did it.
    what : was done, in a few words.
    about : what it was done to.
    """

    number: int
    at: float
    who: str
    what: str
    about: Mapping[str, Any]


class Audit:
    """The audit trail of a store.

    Entries are only ever added, by any number of processes at once, and each carries a hash over itself and the one
    before: what was edited, removed or put elsewhere shows.

    Parameters
    ----------
    store : where it is kept.
    clock : gives the time, in seconds since 1970.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> with tempfile.TemporaryDirectory() as folder, lw.open_store(f"{folder}/spring.lw") as store:
    ...     trail = lw.Audit(store)
    ...     _ = trail.note("ann", "signed in", browser="Firefox")
    ...     [(entry.who, entry.what, entry.about) for entry in trail.entries()], trail.problems()
    ([('ann', 'signed in', {'browser': 'Firefox'})], [])
    """

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def note(self, who: str, what: str, **about: Any) -> int:
        """Add an entry, and give its number; passwords and tokens do not belong in it.

        Parameters
        ----------
        who : did it; any text.
        what : was done, in up to 100 printable characters.
        **about : whatever JSON can say; anything else is kept as text.
        """
        line = drafted(who, what, about)
        at = float(self._clock())
        return self._store.change(lambda tables: noted(tables, at, line))

    def entries(self, after: int = 0, most: int | None = None, newest: bool = False) -> list[Entry]:
        """Give the entries with a number above `after`, at most so many: oldest first, or newest first."""
        if most is not None:
            check_count(most, "most", least=0)
        statement = (
            "SELECT number, at, who, what, about FROM {at}audit WHERE number > ? ORDER BY number"
            f"{' DESC' if newest else ''}{'' if most is None else ' LIMIT ?'}"
        )
        values = (after,) if most is None else (after, most)
        found = self._store.read(lambda tables: _readable(tables, tables.run(statement, values)))
        return [self._entry(*row) for row in found]

    def problems(self) -> list[str]:
        """Recompute the chain, and name every entry that does not fit; empty if all is well."""

        def look(tables: Tables) -> tuple[_Head | None, list[tuple[Any, ...]]]:
            rows = tables.run("SELECT number, at, who, what, about, hash FROM {at}audit ORDER BY number")
            return _head(tables), _readable(tables, rows)

        head, rows = self._store.read(look, is_one_look=True)
        if head is None:
            return ["The end of the audit trail is not known any more: somebody removed the note of it."]
        problems = _broken_links(rows)
        if problems:
            return problems
        if len(rows) != head.n_entries:
            return [f"There are {len(rows)} entries in the audit trail, but {head.n_entries} were written."]
        if rows and rows[-1][-1] != head.last_hash:
            return [f"Entry {len(rows)} of the audit trail is not the one that was written last."]
        return []

    def _entry(self, number: int, at: float, who: str | None, what: str, text: str) -> Entry:
        try:
            about = json.loads(text)
        except (TypeError, ValueError):
            about = None
        if who is None or not isinstance(about, dict):
            raise DataError(
                f"Entry {number} of the audit trail in '{self._store.label}' is not what was written. See with "
                "`labelwise verify` what else is not."
            )
        return Entry(number, at, who, what, about)


class Line(NamedTuple):
    """An entry before it has its number."""

    who: str
    what: str
    about: str


class _Head(NamedTuple):
    n_entries: int
    last_hash: bytes


def drafted(who: str, what: str, about: Mapping[str, Any]) -> Line:
    """Check an entry, and write what it is about as JSON.

    Examples
    --------
    >>> drafted("ann", "account added", {"name": "bob", "role": "labeller"}).about
    '{"name":"bob","role":"labeller"}'
    """
    if not what or len(what) > _LONGEST or not what.isprintable():
        raise ArgumentError(f"`what` must be 1 to {_LONGEST} printable characters, but is {shown(what)}.")
    try:
        text = json.dumps(about, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=str)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"`about` cannot be written as JSON: {error}. Give text and numbers.") from None
    for part in (who, text):
        check_whole(part)
    return Line(who, what, text)


def hold(tables: Tables) -> _Head:
    """Take hold of the trail until the transaction ends; whoever adds to it waits here."""
    head = _head(tables, tables.locking)
    if head is None:
        raise DataError("The audit trail is damaged: the note of its end is missing. Restore the store from a backup.")
    return head


def noted(tables: Tables, at: float, line: Line) -> int:
    """Add an entry inside a transaction, and give its number."""
    n_before, before = hold(tables)
    number = n_before + 1
    tied = _tied(before, number, at, line)
    tables.run(
        "INSERT INTO {at}audit (number, at, who, what, about, hash) VALUES (?, ?, ?, ?, ?, ?)",
        (number, at, tables.coded(line.who), line.what, line.about, tied),
    )
    tables.run("UPDATE {at}audit_head SET n_entries = ?, last_hash = ? WHERE id = 1", (number, tied))
    return number


def _head(tables: Tables, locking: str = "") -> _Head | None:
    found = tables.run(f"SELECT n_entries, last_hash FROM {{at}}audit_head WHERE id = 1{locking}")
    return _Head(*found[0]) if found else None


def _readable(tables: Tables, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Give rows with who it was as text; None where that was edited into something else."""

    def who(kept: Any) -> str | None:
        try:
            return tables.decoded(kept)
        except (TypeError, UnicodeDecodeError):
            return None

    return [(*row[:2], who(row[2]), *row[3:]) for row in rows]


def _tied(before: bytes, number: int, at: float, line: Line) -> bytes:
    return link(before, line.who, number, line.what, line.about, repr(at))


def _broken_links(rows: list[tuple[Any, ...]]) -> list[str]:
    problems: list[str] = []
    before = b""
    for expected, (number, at, *texts, tied) in enumerate(rows, start=1):
        if number != expected:
            problems.append(f"Entry {expected} of the audit trail is missing: entry {number} stands in its place.")
            break
        is_text = all(isinstance(text, str) for text in texts)  # SQLite takes anything anywhere
        if not is_text or _tied(before, number, at, Line(*texts)) != tied:
            problems.append(f"Entry {number} of the audit trail is not what was written.")
        before = tied if isinstance(tied, bytes) else b""
    return problems
