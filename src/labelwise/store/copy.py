"""Copying an assessment from one store to another, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from labelwise.checks import shown
from labelwise.errors import ConflictError, DataError, LabelwiseError
from labelwise.store.chain import link
from labelwise.store.store import Store, broken_links, pieces_of
from labelwise.store.tables import Head, Row, Tables

_MORE = 500  # events between two words about how far it is


@dataclass(frozen=True)
class Copied:
    """What was copied.

    Attributes
    ----------
    name : of the assessment where it is now.
    n_events : how many events it has.
    last_hash : ties all of them together, in hexadecimal digits; the same in both stores unless it was renamed.
    """

    name: str
    n_events: int
    last_hash: str


def copy_assessment(
    source: Store,
    target: Store,
    name: str | None = None,
    *,
    new_name: str | None = None,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> Copied:
    """Copy an assessment to another store: the same events in the same order, with the same keys and hashes.

    All of it arrives, or nothing. The name is part of every hash; under another one, they are computed anew after
    those of the source were found right.

    Parameters
    ----------
    source, target : from where, and to where.
    name : which assessment; the only one unless named.
    new_name : what to call it there, if not the same.
    step : told how many of how many events have been copied.

    Raises
    ------
    ConflictError : if the target has an assessment of that name.
    DataError : if the source is not as it was written.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 9 + ["dog"] * 9)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with lw.open_store(f"{folder}/a.lw") as here, lw.open_store(f"{folder}/b.lw") as there:
    ...         journal = here.journal("spring")
    ...         _ = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=journal)
    ...         lw.copy_assessment(here, there).n_events, there.names()
    (1, ['spring'])
    """
    name = source.named(name)
    wanted = name if new_name is None else new_name
    target.journal(wanted)  # refuses a name that cannot be kept
    head = source.read(lambda tables: tables.head(name))
    problems = source.verify(name)
    if head is None or problems:
        raise DataError(f"'{source.label}' is not as it was written, and is not copied: {' '.join(problems[:1])}")
    chain = Head(0, 0, b"")
    with target.whole() as tables:
        is_taken = wanted in tables.names()
        here = tables.enter(wanted)
        if is_taken or here.n_events:  # somebody may have begun it while we waited for the row
            raise ConflictError(
                f"'{target.label}' has an assessment {shown(wanted)} already; nothing was copied. Give another name "
                "with --as."
            )
        for rows in _chunks(source, head):
            if rows[0].number == 0:
                _copy_pieces(source, tables, here.id, rows[0].body)
            renamed = rows if wanted == name else list(_renamed(rows, wanted, chain.last_hash))
            tables.write(here.id, {}, renamed)
            chain = Head(here.id, renamed[-1].number + 1, renamed[-1].hash)
            step(chain.n_events, head.n_events)
        _check(tables, wanted, chain, head, is_same=wanted == name)
    return Copied(wanted, chain.n_events, chain.last_hash.hex())


def _chunks(source: Store, head: Head) -> Iterable[list[Row]]:
    """Give the rows up to a head, some at a time; events are only ever added, so that several looks are one."""
    for first in range(0, head.n_events, _MORE):
        yield _rows(source, head.id, first, min(first + _MORE, head.n_events))


def _rows(source: Store, assessment: int, first: int, before: int) -> list[Row]:
    return source.read(lambda tables: tables.rows(assessment, first, before))


def _piece(source: Store, name: str) -> bytes | None:
    return source.read(lambda tables: tables.piece(name))


def _copy_pieces(source: Store, tables: Tables, assessment: int, opened: str) -> None:
    for piece in pieces_of(opened):
        data = _piece(source, piece)
        if data is None:
            raise DataError(f"'{source.label}' is damaged: a piece of the pool is missing or was changed.")
        tables.write(assessment, {piece: data}, [])


def _renamed(rows: list[Row], name: str, before: bytes) -> Iterable[Row]:
    for row in rows:
        before = link(before, name, row.number, row.kind, row.body, row.key)
        yield row._replace(hash=before)


def _check(tables: Tables, name: str, chain: Head, source: Head, *, is_same: bool) -> None:
    """Read all back before it is kept: what arrived must be what was sent."""
    rows = tables.all_rows(chain.id)
    wrong = broken_links(name, rows) or any(tables.piece(piece) is None for piece in pieces_of(rows[0].body))
    if wrong or len(rows) != source.n_events or (is_same and chain.last_hash != source.last_hash):
        raise LabelwiseError("What arrived is not what was sent; nothing was copied. Try again.")
