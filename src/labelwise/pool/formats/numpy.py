"""NumPy files: a score matrix (NPY), or several named arrays (NPZ)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from labelwise.errors import DataError
from labelwise.pool.source import BATCH_ROWS, Source


def open_npy(path: Path) -> Source:
    """Open a score matrix, one row an item and one column a class."""
    array = _loaded(path, path.name)
    if array.ndim != 2:
        raise DataError(
            f"'{path.name}' has {array.ndim} dimensions; a score matrix has 2, one row an item and one column a class. "
            "Save several arrays in one NPZ file."
        )
    return array_source({"scores": array}, path.name)


def open_npz(path: Path) -> Source:
    """Open named arrays: `scores` with two dimensions, the others with one."""
    try:
        archive = np.load(path, allow_pickle=False)
        arrays = {name: _plain(archive[name], f"{path.name}: {name}") for name in archive.files}
    except zipfile.BadZipFile:
        raise DataError(f"'{path.name}' is not an NPZ file, or a damaged one. Write it again.") from None
    except (ValueError, EOFError) as error:
        raise _pickled(path.name, error) from None
    return array_source(arrays, path.name)


def array_source(arrays: Mapping[str, NDArray[Any]], name: str) -> Source:
    """Make a source of arrays of one length; matrices become list columns without being copied."""
    lengths = {key: len(array) for key, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{key!r} {length}" for key, length in lengths.items())
        raise DataError(f"The arrays of {name!r} differ in length: {listed}. Give one entry an item.")
    n_rows = next(iter(lengths.values()), 0)

    def batches(wanted: Sequence[str], numeric: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for start in range(0, n_rows, BATCH_ROWS):
            parts = {key: arrays[key][start : start + BATCH_ROWS] for key in wanted}
            yield pa.RecordBatch.from_pydict({key: _arrow(part) for key, part in parts.items()})

    matrices = tuple(key for key, array in arrays.items() if array.ndim == 2)
    return Source(name, tuple(arrays), matrices, batches, n_rows)


def _arrow(part: NDArray[Any]) -> pa.Array:
    if part.ndim == 2:
        return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(part).ravel()), part.shape[1])
    return pa.array(part.tolist() if part.dtype.kind in "US" else part)


def _loaded(path: Path, name: str) -> NDArray[Any]:
    try:
        return _plain(np.load(path, mmap_mode="r", allow_pickle=False), name)
    except (ValueError, EOFError) as error:
        raise _pickled(name, error) from None


def _plain(array: Any, name: str) -> NDArray[Any]:
    if array.dtype.names is not None:
        raise DataError(f"'{name}' is a structured array. Save one array a column in an NPZ file.")
    return np.asarray(array)


def _pickled(name: str, error: Exception) -> DataError:
    if "ickle" in str(error):
        return DataError(
            f"'{name}' holds pickled Python objects, which could run code when opened, and is not read. "
            "Save it again as a plain array of numbers or text."
        )
    return DataError(f"'{name}' is not a NumPy file, or an empty or damaged one. Write it again.")
