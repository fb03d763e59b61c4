"""A snapshot of an assessment as bytes, and back: what saves a long assessment from folding every event again.

Events remain the truth. A snapshot can be thrown away at any time.
"""

from __future__ import annotations

from collections.abc import Sequence

from labelwise.assessment.events import Event, Opened
from labelwise.assessment.ledger import Ledger
from labelwise.errors import DataError
from labelwise.pool.packing import pack_columns, unpack_columns

_FORM = 1  # raised when a column changes its meaning; snapshots of another form are left alone
_TEXTS = ("names", "said.labeller", "seconds.first.names", "seconds.other.names", "seconds.settled.names")


def pack_state(ledger: Ledger) -> bytes:
    """Write everything that a ledger has folded, but for the belief, which follows from the labels."""
    return pack_columns(ledger.columns() | {"form": [_FORM]}, texts=_TEXTS)


def restore_state(ledger: Ledger, state: bytes, first: Sequence[Event]) -> None:
    """Restore an empty ledger from a snapshot; `first` is the event that opened the assessment."""
    try:
        columns = unpack_columns(state)
        [opened] = first
        if columns.pop("form").tolist() != [_FORM] or not isinstance(opened, Opened):
            raise DataError("The snapshot was made by another version of labelwise.")
        ledger.restore(columns, opened.setup)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise DataError(f"The snapshot cannot be read ({type(error).__name__}).") from error
