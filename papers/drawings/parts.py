"""Parts of a frame: the rows that have a value, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.reproduction import Reproduction

Columns = dict[str, NDArray[Any]]


def columns_of(found: Reproduction) -> Columns:
    """Return what a figure draws as arrays."""
    assert found.frame is not None  # only what has a frame is drawn from it
    return {name: np.asarray(found.frame[name]) for name in found.frame}


def split(columns: Columns, *by: str) -> Iterator[tuple[Any, Columns]]:
    """Return the parts of a table in the order in which they first occur, each with what tells it from others.

    Examples
    --------
    >>> table = {"data": np.array(["b", "b", "a"]), "x": np.array([1, 2, 3])}
    >>> [(key, part["x"].tolist()) for key, part in split(table, "data")]
    [('b', [1, 2]), ('a', [3])]
    """
    keys = list(zip(*(columns[name].tolist() for name in by), strict=True))
    for key in dict.fromkeys(keys):
        at = np.array([one == key for one in keys])
        yield key[0] if len(by) == 1 else key, {name: values[at] for name, values in columns.items()}
