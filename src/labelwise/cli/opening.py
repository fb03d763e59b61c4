"""Opening a store for the length of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from labelwise.assessment import Assessment
from labelwise.store import Store, open_store


@contextmanager
def opened(where: str | Path, name: str | None) -> Iterator[Assessment]:
    """Open an assessment of a store for the length of a command."""
    with store_at(where) as store:
        yield store.open(name)


def store_at(where: str | Path) -> Store:
    """Open a store that is there, to be used in a `with` statement for the length of a command."""
    return open_store(where, create=False)
