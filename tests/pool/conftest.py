"""The same table in every format that a pool is read from."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

import labelwise as lw

UNTYPED = ["csv", "tsv", "csv.gz"]
TYPED = ["parquet", "jsonl", "jsonl.gz", "pandas", "polars", "arrow", "reader", "duckdb"]
ARRAYS = ["npz", "arrays"]


@pytest.fixture(params=[*TYPED, *UNTYPED])
def table_kind(request: pytest.FixtureRequest) -> str:
    """Every kind of source that holds a table with named columns and empty cells."""
    return request.param


@pytest.fixture(params=TYPED)
def typed_kind(request: pytest.FixtureRequest) -> str:
    """Every kind of table whose columns have types."""
    return request.param


@pytest.fixture(params=[*TYPED, *UNTYPED, *ARRAYS])
def kind(request: pytest.FixtureRequest) -> str:
    """Every kind of source that can hold scores, labels, ids and kept columns."""
    return request.param


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Writes a file of that name and gives its path."""

    def written(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


@pytest.fixture
def source_of(tmp_path: Path) -> Callable[[str, pa.Table], Any]:
    """Turns a table into what `read_pool` takes: a path, a data frame, a stream."""

    def source(kind: str, table: pa.Table) -> Any:
        if kind in IN_MEMORY:
            return IN_MEMORY[kind](table)
        path = tmp_path / f"pool.{kind}"
        ON_DISK[kind](table, path)
        return path

    return source


@pytest.fixture
def read_as(source_of: Callable[[str, pa.Table], Any]) -> Callable[..., lw.Pool]:
    """Reads a table as a pool through one of the kinds."""

    def read(kind: str, table: pa.Table, **options: Any) -> lw.Pool:
        if kind == "arrays":
            return _from_arrays(table, **options)
        return lw.read_pool(source_of(kind, table), **options)

    return read


@pytest.fixture
def name_of() -> Callable[[str], str]:
    """The name that a source of that kind has in messages."""
    in_memory = {
        "pandas": "DataFrame",
        "polars": "DataFrame",
        "arrow": "Table",
        "reader": "RecordBatchReader",
        "duckdb": "DuckDBPyRelation",
        "arrays": "arrays",
    }
    return lambda kind: in_memory.get(kind, f"pool.{kind}")


@pytest.fixture
def score_name() -> Callable[[str, int], str]:
    """The name that a score has in messages: by column, or by number where there is one matrix."""
    return lambda kind, k: f"number {k + 1}" if kind in ARRAYS else f"'s{k}'"


@pytest.fixture
def scored() -> pa.Table:
    """Four items with scores of three classes, some without label or group; ties, a 1 and a 0 among them."""
    return pa.table(
        {
            "id": ["a", "b", "c", "d"],
            "s0": [0.5, 0.25, 0.0, 0.125],
            "s1": [0.25, 0.375, 1.0, 0.4375],
            "s2": [0.25, 0.375, 0.0, 0.4375],
            "label": pa.array([0, 2, None, 1], pa.int64()),
            "group": ["f", "m", None, "f"],
        }
    )


@pytest.fixture
def predicted() -> pa.Table:
    """Three items with predicted classes by name and confidences."""
    return pa.table(
        {
            "id": ["a", "b", "c"],
            "pred": ["cat", "dog", "cat"],
            "conf": [0.5, 1.0, 0.0],
            "label": ["cat", None, "emu"],
        }
    )


@pytest.fixture
def change() -> Callable[..., pa.Table]:
    """Return a table with some columns replaced or added."""

    def changed(table: pa.Table, **columns: Any) -> pa.Table:
        for name, values in columns.items():
            array = values if isinstance(values, (pa.Array, pa.ChunkedArray)) else pa.array(values)
            if name in table.column_names:
                table = table.set_column(table.column_names.index(name), name, array)
            else:
                table = table.append_column(name, array)
        return table

    return changed


def _score_names(table: pa.Table) -> list[str]:
    return [name for name in table.column_names if name[0] == "s" and name[1:].isdecimal()]


def _matrix(table: pa.Table) -> np.ndarray:
    return np.column_stack([table[name].to_numpy() for name in _score_names(table)])


def _from_arrays(table: pa.Table, **options: Any) -> lw.Pool:
    columns = {name: table[name].to_pylist() for name in table.column_names if name not in _score_names(table)}
    label = columns.pop(options.pop("label"), None) if "label" in options else None
    parts = {"predicted": columns.pop("pred", None), "confidence": columns.pop("conf", None)}
    scores = _matrix(table) if _score_names(table) else None
    return lw.pool_from_arrays(
        scores=scores, labels=label, ids=columns.pop("id", None), columns=columns, **parts, **options
    )


def _write_csv(table: pa.Table, path: Path) -> None:
    separator = "\t" if path.suffix == ".tsv" else ","
    pacsv.write_csv(table, path, pacsv.WriteOptions(delimiter=separator))


def _write_csv_gz(table: pa.Table, path: Path) -> None:
    with pa.CompressedOutputStream(str(path), "gzip") as stream:
        pacsv.write_csv(table, stream)


def _jsonl(table: pa.Table) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in table.to_pylist()).encode()


def _write_npz(table: pa.Table, path: Path) -> None:
    names = [name for name in table.column_names if name not in _score_names(table)]
    arrays = {name: _plain_array(table[name]) for name in names}
    if _score_names(table):
        arrays["scores"] = _matrix(table)
    np.savez(path, **arrays)


def _plain_array(column: pa.ChunkedArray) -> np.ndarray:
    array = column.to_numpy()
    return array.astype(str) if array.dtype == object else array


ON_DISK: dict[str, Callable[[pa.Table, Path], Any]] = {
    "parquet": lambda table, path: pq.write_table(table, path, row_group_size=2 if len(table) < 10 else 50_000),
    "csv": _write_csv,
    "tsv": _write_csv,
    "csv.gz": _write_csv_gz,
    "jsonl": lambda table, path: path.write_bytes(_jsonl(table)),
    "jsonl.gz": lambda table, path: path.write_bytes(gzip.compress(_jsonl(table))),
    "npz": _write_npz,
}
IN_MEMORY: dict[str, Callable[[pa.Table], Any]] = {
    "pandas": lambda table: table.to_pandas(),
    "polars": pl.from_arrow,
    "arrow": lambda table: table,
    "reader": lambda table: table.to_reader(max_chunksize=max(3, len(table) // 7)),
    "duckdb": duckdb.from_arrow,
}
