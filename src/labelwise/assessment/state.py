"""A snapshot of an assessment as bytes, and back: what saves a long assessment from folding every event again.

Events remain the truth. A snapshot can be thrown away at any time.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from labelwise.assessment.events import Event, Opened
from labelwise.assessment.ledger import Ledger
from labelwise.errors import DataError
from labelwise.pool.packing import read_table, write_table
from labelwise.pool.values import values_of

_FORM = 1  # raised when a column changes its meaning; snapshots of another form are left alone


def pack_state(ledger: Ledger) -> bytes:
    """Write everything that a ledger has folded, but for the belief, which follows from the labels."""
    columns = ledger.columns() | {"form": [_FORM]}
    # one row, with every column as a list in it: columns have different lengths
    arrays = {name: pa.array(values, *_type_of(name)) for name, values in columns.items()}
    return write_table(
        pa.table({name: pa.ListArray.from_arrays([0, len(array)], array) for name, array in arrays.items()})
    )


def _type_of(column: str) -> tuple[pa.DataType, ...]:
    """Return the type of a column of names, which Arrow cannot tell if there are none."""
    return (pa.string(),) if column.endswith("names") or column == "said.labeller" else ()


def restore_state(ledger: Ledger, state: bytes, first: Sequence[Event]) -> None:
    """Take a snapshot into a fresh ledger; `first` is the event that opened the assessment."""
    table = read_table([state])
    try:
        lists = [table.column(name).chunk(0).values for name in table.column_names]
        arrays = [values_of(values) for values in lists]
        columns = dict(zip(table.column_names, arrays, strict=True))
        [opened] = first
        if columns.pop("form").tolist() != [_FORM] or not isinstance(opened, Opened):
            raise DataError("The snapshot was made by another version of labelwise.")
        ledger.restore(columns, opened.setup)
    except (ArithmeticError, LookupError, TypeError, ValueError, pa.ArrowException) as error:
        raise DataError(f"The snapshot cannot be read ({type(error).__name__}).") from error
