"""Exact copies of assessments from one store to another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from labelwise.checks import shown
from labelwise.errors import ConflictError, DataError, LabelwiseError
from labelwise.store.chain import link
from labelwise.store.store import Store, broken_links, pieces_of
from labelwise.store.tables import Head, Row, Tables

_CHUNK = 500  # events between two progress reports


@dataclass(frozen=True)
class Copied:
    """The result of copying an assessment.

    Attributes
    ----------
    name : name of the copy.
    n_events : number of events.
    last_hash : last hash of the chain, in hexadecimal; the same in both stores unless the copy was renamed.
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

    The copy is atomic. Every hash depends on the name, so a renamed copy gets new hashes, after the hashes of the
    source have been verified.

    Parameters
    ----------
    source, target : the stores to copy from and to.
    name : name of the assessment; not needed if the source has only one.
    new_name : name of the copy; the same name by default.
    step : progress callback with the number of events copied and the total.

    Raises
    ------
    ConflictError : if the target has an assessment with that name.
    DataError : if the source was changed or is damaged.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 9 + ["dog"] * 9)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with lw.open_store(f"{folder}/a.lw") as here, lw.open_store(f"{folder}/b.lw") as there:
    ...         journal = here.journal("spring")
    ...         _ = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=journal)
    ...         lw.store.copy_assessment(here, there).n_events, there.names()
    (1, ['spring'])
    """
    name = source.named(name)
    wanted = name if new_name is None else new_name
    target.journal(wanted)  # raises DataError if the name cannot be stored
    head = source.read(lambda tables: tables.head(name))
    problems = source.verify(name)
    if head is None or problems:
        raise DataError(f"'{source.label}' was changed or is damaged, and was not copied: {' '.join(problems[:1])}")
    chain = Head(0, 0, b"")
    with target.whole() as tables:
        is_taken = wanted in tables.names()
        copy = tables.enter(wanted)
        if is_taken or copy.n_events:  # another process may have created it while we waited for the lock
            raise ConflictError(
                f"'{target.label}' already has an assessment {shown(wanted)}; nothing was copied. Choose another name "
                "with --as."
            )
        for rows in _chunks(source, head):
            if rows[0].number == 0:
                _copy_pieces(source, tables, copy.id, rows[0].body)
            renamed = rows if wanted == name else list(_renamed(rows, wanted, chain.last_hash))
            tables.write(copy.id, {}, renamed)
            chain = Head(copy.id, renamed[-1].number + 1, renamed[-1].hash)
            step(chain.n_events, head.n_events)
        _check(tables, wanted, chain, head, is_same=wanted == name)
    return Copied(wanted, chain.n_events, chain.last_hash.hex())


def _chunks(source: Store, head: Head) -> Iterable[list[Row]]:
    """Yield the rows up to a head in chunks; events are append-only, so separate reads are consistent."""
    for first in range(0, head.n_events, _CHUNK):
        yield _rows(source, head.id, first, min(first + _CHUNK, head.n_events))


def _rows(source: Store, assessment: int, first: int, before: int) -> list[Row]:
    return source.read(lambda tables: tables.rows(assessment, first, before))


def _piece(source: Store, name: str) -> bytes | None:
    return source.read(lambda tables: tables.piece(name))


def _copy_pieces(source: Store, tables: Tables, assessment: int, opened: str) -> None:
    for piece in pieces_of(opened):
        data = _piece(source, piece)
        if data is None:
            raise DataError(f"'{source.label}' is damaged: part of the pool is missing or was changed.")
        tables.write(assessment, {piece: data}, [])


def _renamed(rows: list[Row], name: str, before: bytes) -> Iterable[Row]:
    for row in rows:
        before = link(before, name, row.number, row.kind, row.body, row.key)
        yield row._replace(hash=before)


def _check(tables: Tables, name: str, chain: Head, source: Head, *, is_same: bool) -> None:
    """Read the copy back before committing, and raise LabelwiseError if it differs from the source."""
    rows = tables.all_rows(chain.id)
    wrong = broken_links(name, rows) or any(tables.piece(piece) is None for piece in pieces_of(rows[0].body))
    if wrong or len(rows) != source.n_events or (is_same and chain.last_hash != source.last_hash):
        raise LabelwiseError("The copy differs from the source and was discarded. Try again.")
