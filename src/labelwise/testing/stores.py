"""Contract test of stores, whatever their database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from labelwise.accounts import Audit
from labelwise.assessment.events import Closed, Told
from labelwise.store import Store
from labelwise.store.tables import Tables

_HOSTILE = "it's \x00 \U0001f989; DROP TABLE events; -- %s ?"


def check_store(opened: Callable[[], Store]) -> None:
    """Check that a store fulfils its contract.

    Parameters
    ----------
    opened : opens the same store at every call; the store must be new at the first.

    Examples
    --------
    >>> import tempfile, labelwise as lw
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     check_store(lambda: lw.open_store(f"{folder}/spring.lw"))
    """
    with opened() as store:
        _expect(store.names() == [], "a new store must be empty")
        _check_pages(store)
        _check_texts(store)
        _check_changes(store)
    with opened() as store, opened() as other:
        _expect(store.names() == ["first", _HOSTILE], "names must be listed unchanged, oldest first")
        with other.journal("first").writing() as page:
            page.append(Closed(3.0))
        _expect(len(store.journal("first").events(2)) == 1, "events written by another connection must be visible")
        for name in store.names():
            _expect(store.verify(name) == [], "the hash chain of events must be intact")


def _check_pages(store: Store) -> None:
    journal = store.journal("first")
    with journal.writing() as page:
        page.append(Told(1.0, 0, 1, "ann"), key="a")
        page.append(Told(2.0, 1, 1, "bob"))
        piece = page.keep(b"piece")
        _expect(len(page.events(0)) == 2, "a transaction must see the events appended in it")
    _expect([event.at for event in journal.events()] == [1.0, 2.0], "events must be returned in order")
    _expect([event.at for event in journal.events(0, 1)] == [1.0], "a range of events must be readable alone")
    _expect(journal.piece(piece) == b"piece", "a blob must be returned unchanged")
    try:
        with journal.writing() as page:
            page.append(Closed(9.0), key="b")
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    with journal.writing() as page:
        _expect(page.keyed("b") is None, "a failed transaction must be rolled back")
        found = page.keyed("a")
        _expect(isinstance(found, Told) and found.ticket == 0, "an event must be found by its key")


def _check_texts(store: Store) -> None:
    journal = store.journal(_HOSTILE)
    with journal.writing() as page:
        page.append(Told(1.0, 0, 1, _HOSTILE), key=_HOSTILE)
    with journal.writing() as page:
        found = page.keyed(_HOSTILE)
        _expect(isinstance(found, Told) and found.labeller == _HOSTILE, "any text must be returned unchanged")


def _check_changes(store: Store) -> None:
    trail = Audit(store)
    trail.note(_HOSTILE, "began", text=_HOSTILE)

    def fail(tables: Tables) -> None:
        tables.run("DELETE FROM {at}audit")
        raise ZeroDivisionError

    with suppress(ZeroDivisionError):
        store.change(fail)
    _expect([entry.who for entry in trail.entries()] == [_HOSTILE], "a failed change must be rolled back")
    _expect(trail.problems() == [], "the hash chain of the audit trail must be intact")


def _expect(is_met: bool, requirement: str) -> None:
    if not is_met:
        raise AssertionError(requirement)
