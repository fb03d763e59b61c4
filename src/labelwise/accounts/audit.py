"""The audit trail of a store: an append-only, hash-chained log of who did what and when."""

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

_LONGEST = 100  # characters of `what`


@dataclass(frozen=True)
class Entry:
    """An entry of the audit trail.

    Attributes
    ----------
    number : consecutive number, starting at 1.
    at : Unix time of the action.
    who : who performed the action.
    what : the action, in a few words.
    about : details, such as the account that was changed.
    """

    number: int
    at: float
    who: str
    what: str
    about: Mapping[str, Any]


class Audit:
    """The audit trail of a store.

    Entries are only appended, possibly by several processes at once. Each has a hash over itself and the entry before,
    so that edited, removed or reordered entries are detected.

    Parameters
    ----------
    store : the store of the audit trail.
    clock : function that returns the Unix time.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> with tempfile.TemporaryDirectory() as folder, lw.open_store(f"{folder}/spring.lw") as store:
    ...     trail = lw.accounts.Audit(store)
    ...     _ = trail.note("ann", "signed in", browser="Firefox")
    ...     [(entry.who, entry.what, entry.about) for entry in trail.entries()], trail.problems()
    ([('ann', 'signed in', {'browser': 'Firefox'})], [])
    """

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def note(self, who: str, what: str, **about: Any) -> int:
        """Append an entry and return its number; never include passwords or tokens.

        Parameters
        ----------
        who : who performed the action; any text.
        what : the action, in up to 100 printable characters.
        **about : details; values that JSON cannot represent are converted to text.
        """
        line = drafted(who, what, about)
        at = float(self._clock())
        return self._store.change(lambda tables: noted(tables, at, line))

    def entries(self, after: int = 0, most: int | None = None, newest: bool = False) -> list[Entry]:
        """Return at most `most` entries with a number above `after`, oldest first unless `newest` is set."""
        if most is not None:
            check_count(most, "most", least=0)
        statement = (
            "SELECT number, at, who, what, about FROM {at}audit WHERE number > ? ORDER BY number"
            f"{' DESC' if newest else ''}{'' if most is None else ' LIMIT ?'}"
        )
        values = (after,) if most is None else (after, most)
        rows = self._store.read(lambda tables: _readable(tables, tables.run(statement, values)))
        return [self._entry(*row) for row in rows]

    def problems(self) -> list[str]:
        """Verify the hash chain and return one sentence per problem; an empty list if there are none."""

        def query(tables: Tables) -> tuple[_Head | None, list[tuple[Any, ...]]]:
            rows = tables.run("SELECT number, at, who, what, about, hash FROM {at}audit ORDER BY number")
            return _head(tables), _readable(tables, rows)

        head, rows = self._store.read(query, is_one_look=True)
        if head is None:
            return ["The record of where the audit trail ends was removed."]
        problems = _broken_links(rows)
        if problems:
            return problems
        if len(rows) != head.n_entries:
            return [f"There are {len(rows)} entries in the audit trail, but {head.n_entries} were written."]
        if rows and rows[-1][-1] != head.last_hash:
            return [f"Entry {len(rows)} of the audit trail is not the last one that was written."]
        return []

    def _entry(self, number: int, at: float, who: str | None, what: str, text: str) -> Entry:
        try:
            about = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            about = None
        if who is None or not isinstance(about, dict):
            raise DataError(
                f"Entry {number} of the audit trail in '{self._store.label}' was changed after it was written. Run "
                "`labelwise store verify` to check the rest."
            )
        return Entry(number, at, who, what, about)


class Line(NamedTuple):
    """An entry that has no number yet."""

    who: str
    what: str
    about: str


class _Head(NamedTuple):
    n_entries: int
    last_hash: bytes


def drafted(who: str, what: str, about: Mapping[str, Any]) -> Line:
    """Validate an entry and serialise its details as JSON.

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
        raise ArgumentError(f"`about` cannot be written as JSON: {error}. Use text and numbers.") from None
    for part in (who, text):
        check_whole(part)
    return Line(who, what, text)


def hold(tables: Tables) -> _Head:
    """Lock the audit trail until the transaction ends; other writers wait here."""
    head = _head(tables, tables.locking)
    if head is None:
        raise DataError(
            "The audit trail is damaged: the record of where it ends is missing. Restore the store from a backup."
        )
    return head


def noted(tables: Tables, at: float, line: Line) -> int:
    """Append an entry within the current transaction, and return its number."""
    n_before, before = hold(tables)
    number = n_before + 1
    chained = _chained(before, number, at, line)
    tables.run(
        "INSERT INTO {at}audit (number, at, who, what, about, hash) VALUES (?, ?, ?, ?, ?, ?)",
        (number, at, tables.coded(line.who), line.what, line.about, chained),
    )
    tables.run("UPDATE {at}audit_head SET n_entries = ?, last_hash = ? WHERE id = 1", (number, chained))
    return number


def _head(tables: Tables, locking: str = "") -> _Head | None:
    rows = tables.run(f"SELECT n_entries, last_hash FROM {{at}}audit_head WHERE id = 1{locking}")
    return _Head(*rows[0]) if rows else None


def _readable(tables: Tables, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the rows with `who` decoded; None where tampering made it undecodable."""

    def who(stored: Any) -> str | None:
        try:
            return tables.decoded(stored)
        except (TypeError, UnicodeDecodeError):
            return None

    return [(*row[:2], who(row[2]), *row[3:]) for row in rows]


def _chained(before: bytes, number: int, at: float, line: Line) -> bytes:
    return link(before, line.who, number, line.what, line.about, repr(at))


def _broken_links(rows: list[tuple[Any, ...]]) -> list[str]:
    problems: list[str] = []
    before = b""
    for expected, (number, at, *texts, stored) in enumerate(rows, start=1):
        if number != expected:
            problems.append(f"Entry {expected} of the audit trail is missing: entry {number} is in its place.")
            break
        is_text = all(isinstance(text, str) for text in texts)  # SQLite columns accept values of any type
        if not is_text or _chained(before, number, at, Line(*texts)) != stored:
            problems.append(f"Entry {number} of the audit trail was changed after it was written.")
        before = stored if isinstance(stored, bytes) else b""
    return problems
