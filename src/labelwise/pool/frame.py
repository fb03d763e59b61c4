"""A small immutable table for results; pandas, Polars and DuckDB read it by the Arrow stream protocol."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from labelwise.files import write_file
from labelwise.pool.html_table import ROWS, html_table

_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")


def harmless(value: Any) -> Any:
    """Return the value, with an apostrophe before text that a spreadsheet would run as a formula.

    Examples
    --------
    >>> harmless("@SUM(A1)"), harmless("cat"), harmless(-1)
    ("'@SUM(A1)", 'cat', -1)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_DANGEROUS) else value


def _line(values: Sequence[Any]) -> str:
    line = StringIO()
    # the csv module quotes a carriage return inside a cell only if the line terminator contains one
    csv.writer(line, lineterminator="\r\n").writerow([harmless(value) for value in values])
    return line.getvalue()[:-2] + "\n"


def csv_text(columns: Mapping[str, Sequence[Any]]) -> str:
    """Return columns of plain values as CSV, with formulas made harmless (see `harmless`).

    Examples
    --------
    >>> print(csv_text({"id": ["=1+1", "b"], "n": [-1, None]}))
    id,n
    '=1+1,-1
    b,
    <BLANKLINE>
    """
    return "".join(_line(row) for row in [tuple(columns), *zip(*columns.values(), strict=True)])


class Frame(Mapping[str, Any]):
    """Named columns of equal length, as returned by every result's `frame()`.

    A frame is a mapping from column name to NumPy array. `pandas.DataFrame.from_arrow(frame)`,
    `polars.DataFrame(frame)` and `pyarrow.table(frame)` read it directly.

    Examples
    --------
    >>> frame = Frame({"group": ["cat", "dog"], "accuracy": [0.9, 0.7]})
    >>> frame["accuracy"]
    array([0.9, 0.7])
    >>> frame.rows()[1]
    {'group': 'dog', 'accuracy': 0.7}
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        # copied, because Arrow would share the array's memory, and the frame would change with it
        copies = {name: values.copy() if isinstance(values, np.ndarray) else values for name, values in columns.items()}
        self._table = pa.table({name: pa.array(values) for name, values in copies.items()})

    def __getitem__(self, name: str) -> Any:
        return np.asarray(self._table.column(name).to_numpy())

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.column_names)

    def __len__(self) -> int:
        return int(self._table.num_columns)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)

    def save(self, path: str | Path) -> None:
        """Write the table to a file: Parquet if the name ends in .parquet, otherwise CSV.

        In CSV, text that a spreadsheet would run as a formula is prefixed with an apostrophe.
        """
        if Path(path).suffix == ".parquet":
            sink = pa.BufferOutputStream()
            pq.write_table(self._table, sink)
            write_file(path, sink.getvalue().to_pybytes())
        else:
            write_file(path, self.to_csv())

    def to_csv(self) -> str:
        """Return the table as CSV, with formulas made harmless (see `harmless`).

        Examples
        --------
        >>> print(Frame({"id": ["=1+1", "b"], "n": [-1, 2]}).to_csv())
        id,n
        '=1+1,-1
        b,2
        <BLANKLINE>
        """
        return csv_text({name: self._table.column(name).to_pylist() for name in self})

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows as a list of plain dictionaries."""
        return list(self._table.to_pylist())

    def _repr_html_(self) -> str:
        n_rows = int(self._table.num_rows)
        return html_table(self._table.slice(0, ROWS).to_pylist(), n_rows=n_rows)

    def __repr__(self) -> str:
        return f"<Frame of {self._table.num_rows} rows: {', '.join(self._table.column_names)}>"
