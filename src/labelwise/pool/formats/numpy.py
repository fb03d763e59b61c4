"""NumPy files: a score matrix (NPY), or several named arrays (NPZ)."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from labelwise.checks import counted, shown
from labelwise.errors import DataError
from labelwise.pool.source import BATCH_ROWS, Source, empty

_DAMAGED = (ValueError, EOFError, OSError, KeyError, zipfile.BadZipFile, zlib.error)


def open_npy(path: Path) -> Source:
    """Open a score matrix with one row per item and one column per class."""
    _check_start(path, b"\x93NUMPY", "NPY")
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except _DAMAGED as error:
        raise _refused(path.name, "NPY", error) from None
    _check_plain(array, path.name)
    if array.ndim != 2:
        raise DataError(
            f"'{path.name}' has {counted(array.ndim, 'dimension')}; a score matrix has 2, with one row per item and "
            "one column per class. Save several arrays in one NPZ file."
        )
    return array_source({"scores": np.asarray(array)}, path.name)


def open_npz(path: Path) -> Source:
    """Open named arrays: `scores` with two dimensions, the others with one."""
    _check_start(path, b"PK", "NPZ")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: np.asarray(archive[name]) for name in archive.files}
    except _DAMAGED as error:
        raise _refused(path.name, "NPZ", error) from None
    for name, array in arrays.items():
        _check_plain(array, f"{path.name}: {name}")
        if array.ndim not in (1, 2):
            raise DataError(
                f"Array {name!r} of '{path.name}' has {counted(array.ndim, 'dimension')}; it must have 1 (one entry "
                "per item) or 2 (one row per item). Leave it out."
            )
    return array_source(arrays, path.name)


def array_source(arrays: Mapping[str, NDArray[Any]], name: str) -> Source:
    """Return a source that reads arrays of equal length; matrices become list columns without being copied."""
    lengths = {key: len(array) for key, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{key!r} {length}" for key, length in lengths.items())
        raise DataError(f"The arrays of {name!r} differ in length: {listed}. Each needs one entry per item.")
    n_rows = next(iter(lengths.values()), 0)
    # the type of Python objects must be inferred from all values, not from those of one batch
    columns = {key: _arrow(key, array) if array.dtype.kind in "OUST" else array for key, array in arrays.items()}

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for start in range(0, n_rows, BATCH_ROWS):
            parts = {key: columns[key][start : start + BATCH_ROWS] for key in wanted}
            yield pa.RecordBatch.from_pydict(
                {key: part if isinstance(part, pa.Array) else _arrow(key, part) for key, part in parts.items()}
            )

    matrices = tuple(key for key, array in arrays.items() if array.ndim == 2)
    return Source(name, tuple(arrays), matrices, batches, n_rows)


def _arrow(name: str, part: NDArray[Any]) -> pa.Array:
    if part.dtype.kind == "f":
        part = part.astype(np.dtype(f"=f{min(part.dtype.itemsize, 8)}"), copy=False)
    elif not part.dtype.isnative:
        part = part.astype(part.dtype.newbyteorder("="))
    values = part.ravel()
    try:
        array = pa.array(values.tolist() if part.dtype.kind in "OUST" else values)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        raise DataError(
            f"`{name}` holds values that cannot be read, such as {shown(values[0])} (type {part.dtype}). "
            "Use numbers or text."
        ) from None
    if part.ndim == 1:
        return array
    # not a fixed-size list: its size cannot be 0, and rows without scores need a clear error message
    return pa.LargeListArray.from_arrays(np.arange(len(part) + 1) * part.shape[1], array)


def _check_start(path: Path, start: bytes, kind: str) -> None:
    """Refuse a file without the magic bytes of its format, before NumPy takes it for pickled objects."""
    with path.open("rb") as file:
        first = file.read(len(start))
    if not first:
        raise empty(path.name)
    if first[:1] == b"\x80":
        raise _pickled(path.name)
    if first != start:
        raise DataError(f"'{path.name}' is not an {kind} file, or is damaged. Write it again.")


def _check_plain(array: NDArray[Any], name: str) -> None:
    if array.dtype.names is not None:
        raise DataError(f"'{name}' is a structured array. Save one array per column in an NPZ file.")


def _refused(name: str, kind: str, error: Exception) -> DataError:
    if "ickle" in str(error) or "Python objects" in str(error):
        return _pickled(name)
    return DataError(f"'{name}' is not an {kind} file, or is damaged. Write it again.")


def _pickled(name: str) -> DataError:
    return DataError(
        f"'{name}' contains pickled Python objects, which are not read because they could run code. "
        "Save it again as a plain array of numbers or text."
    )
