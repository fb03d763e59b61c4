"""Serialisation of pools for stores, so that an assessment needs no other file.

A pool becomes a few byte strings called pieces, each a compressed Arrow stream.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from labelwise.errors import DataError
from labelwise.pool.layout import ClassName
from labelwise.pool.pool import Pool
from labelwise.pool.size_limits import check_unpacked
from labelwise.pool.values import values_of

_ROWS = 250_000  # per piece: stays far below SQLite's limit of 1 GB per value
_COLUMN, _SPLIT = "column ", "split "
Split = tuple[Sequence[str], NDArray[np.int32]]
"""The group names, and the group of every item."""


def pack(pool: Pool, *, splits: Sequence[Split] = (), has_scores: bool = False) -> list[bytes]:
    """Serialise the ids, predictions, confidences, columns and splits of a pool, but not its labels.

    Parameters
    ----------
    splits : splits of the items into named groups, stored with the pool.
    has_scores : whether to include the score of every class, which most questions never read.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"], confidence=[0.9, 0.6], labels=["cat", "cat"])
    >>> again, _ = unpack(pack(pool), classes=pool.classes, fingerprint=pool.fingerprint, source=pool.source)
    >>> again.confidence, again.labels
    (array([0.9, 0.6]), None)
    """
    arrays: dict[str, pa.Array] = {"prediction": pa.array(pool.prediction)}
    if pool.ids is not None:
        arrays["id"] = pool.ids
    if pool.confidence is not None:
        arrays["confidence"] = pa.array(pool.confidence)
    if has_scores and pool.scores is not None:
        arrays["scores"] = pa.FixedSizeListArray.from_arrays(pa.array(pool.scores.ravel()), pool.n_classes)
    arrays |= {_COLUMN + name: array for name, array in pool.columns.items()}
    for number, (names, of_item) in enumerate(splits):
        arrays[f"{_SPLIT}{number}"] = pa.DictionaryArray.from_arrays(pa.array(of_item), pa.array(names, pa.string()))
    table = pa.table(arrays)
    return [write_table(table.slice(start, _ROWS)) for start in range(0, pool.n_items, _ROWS)]


def unpack(
    pieces: Sequence[bytes],
    *,
    classes: Sequence[ClassName],
    fingerprint: str,
    source: str,
    content: Sequence[str] = (),
) -> tuple[Pool, list[Split]]:
    """Restore a pool and its splits from the pieces that `pack` returned."""
    table = read_table(pieces).unify_dictionaries()
    arrays = {name: _whole(table.column(name)) for name in table.column_names}
    scores = arrays.get("scores")
    confidence = arrays.get("confidence")
    pool = Pool(
        classes=tuple(classes),
        prediction=_numbers(arrays["prediction"]),
        confidence=None if confidence is None else _numbers(confidence),
        scores=None if scores is None else _numbers(scores.flatten()).reshape(-1, len(classes)),
        labels=None,
        fingerprint=fingerprint,
        source=source,
        ids=arrays.get("id"),
        columns={name.removeprefix(_COLUMN): a for name, a in arrays.items() if name.startswith(_COLUMN)},
        content=tuple(content),
    )
    splits = [arrays[name] for name in arrays if name.startswith(_SPLIT)]
    return pool, [(split.dictionary.to_pylist(), _numbers(split.indices)) for split in splits]


def pack_columns(columns: Mapping[str, Any], *, texts: Collection[str] = ()) -> bytes:
    """Serialise arrays of different lengths as one piece.

    `texts` names the text columns, because the type of an empty one cannot be inferred.

    Examples
    --------
    >>> columns = unpack_columns(pack_columns({"n": [1, 2], "who": ["ann"]}, texts=["who"]))
    >>> {name: values.tolist() for name, values in columns.items()}
    {'n': [1, 2], 'who': ['ann']}
    """
    arrays = {name: pa.array(values, pa.string() if name in texts else None) for name, values in columns.items()}
    # one row with one list per column
    return write_table(pa.table({name: pa.ListArray.from_arrays([0, len(a)], a) for name, a in arrays.items()}))


def unpack_columns(piece: bytes) -> dict[str, NDArray[Any]]:
    """Restore the arrays that `pack_columns` serialised."""
    table = read_table([piece])
    return {name: values_of(_whole(table.column(name)).values) for name in table.column_names}


def write_table(table: pa.Table) -> bytes:
    """Serialise a table as one piece."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def read_table(pieces: Sequence[bytes]) -> pa.Table:
    """Restore a table from its pieces, checking every size and offset, because the file may be malicious."""
    check_unpacked(pieces)
    try:
        table = pa.concat_tables([pa.ipc.open_stream(piece).read_all() for piece in pieces])
        table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DataError(f"A piece of the pool is damaged ({str(error).splitlines()[0]}). Restore the store.") from None
    return table


def _whole(column: pa.ChunkedArray) -> pa.Array:
    combined = column.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined


def _numbers(array: pa.Array) -> NDArray[Any]:
    """Return the values as a read-only array."""
    values = values_of(array)
    values.flags.writeable = False
    return values
