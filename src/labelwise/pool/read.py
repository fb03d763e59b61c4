"""`read_pool`: read a pool from a file or data frame."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from labelwise.checks import check_one_of, listing
from labelwise.errors import ArgumentError, NotFoundError
from labelwise.pool.fold import Progress, fold
from labelwise.pool.layout import ClassName, Layout
from labelwise.pool.pool import Pool
from labelwise.pool.source import Source, table_source

# Each format has its own module, imported on first use, because some of Arrow's readers are slow to import.
FORMATS = {
    "parquet": "parquet.open_parquet",
    "csv": "csv.open_csv",
    "tsv": "csv.open_tsv",
    "jsonl": "json.open_jsonl",
    "npz": "numpy.open_npz",
    "npy": "numpy.open_npy",
    "papers": "papers.open_papers",
}
_ENDINGS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".npz": "npz",
    ".npy": "npy",
    ".txt": "papers",
}


def read_pool(
    data: Any,
    *,
    id: str | None = None,
    scores: str | Sequence[str] | None = None,
    predicted: str | None = None,
    confidence: str | None = None,
    label: str | None = None,
    columns: Sequence[str] | None = None,
    content: Sequence[str] = (),
    classes: Sequence[ClassName] | None = None,
    logits: bool = False,
    normalise: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
) -> Pool:
    """Read a pool of predictions from a file or a data frame.

    Columns that are not specified are recognised by common names (`id`; `scores` or `s0, s1, ...`; `pred`, `conf`),
    except the label, which is read only if it is specified. Scores must add up to 1 within 0.01.

    Parameters
    ----------
    data : path (Parquet, CSV, TSV, JSON Lines, NPZ, NPY, the papers' text format), or a table that implements the
        Arrow stream protocol (pandas, Polars, PyArrow, DuckDB).
    id : column of item ids; items are numbered from 0 by default.
    scores : list column, list of columns, or wildcard such as ``"p_*"``; the part matched by the star is the class.
    predicted, confidence : columns to use instead of scores; confidence is optional.
    label : column of true classes; an empty cell is an item without a label.
    columns : other columns to keep, for groups and for labellers; all of them by default.
    content : columns that labellers see (text, path of an image).
    classes : class names, in the order of the scores.
    logits : whether to apply softmax to the scores.
    normalise : whether to divide the scores of each item by their sum.
    format : one of parquet, csv, tsv, jsonl, npz, npy, papers; inferred from the file's extension by default.
    progress : called after every batch with the rows read so far and the total number of rows (None if unknown).

    Returns
    -------
    Pool

    Raises
    ------
    DataError : if the data are invalid; the message names the row or id, the value and the way out.
    NotFoundError : if a file or column does not exist.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"id": ["a", "b"], "p_cat": [0.9, 0.2], "p_dog": [0.1, 0.8], "truth": ["cat", "cat"]})
    >>> pool = read_pool(table, id="id", scores="p_*", label="truth")
    >>> pool.classes
    ('cat', 'dog')
    >>> pool.hits
    array([ True, False])
    """
    layout = Layout(id, scores, predicted, confidence, label, columns, content, classes, logits, normalise)
    if isinstance(data, (str, os.PathLike)):
        return fold(_open(Path(data), format), layout, progress=progress)
    if format is not None:
        raise ArgumentError(f"`format` ({format!r}) applies only to files, not to {type(data).__name__}. Leave it out.")
    return fold(table_source(data, type(data).__name__), layout, progress=progress)


def _open(path: Path, format: str | None) -> Source:
    if not path.is_file():
        kind = "is a folder, not a file" if path.is_dir() else "does not exist"
        raise NotFoundError(f"'{path}' {kind}. Check the path.")
    if format is None:
        inner = path.with_suffix("") if path.suffix == ".gz" else path
        format = _ENDINGS.get(inner.suffix.lower())
        if format is None:
            raise ArgumentError(
                f"The format of '{path.name}' is not clear from its extension. Set `format`: {listing(FORMATS)}."
            )
    check_one_of(format, "format", list(FORMATS))
    module, _, function = FORMATS[format].partition(".")
    source: Source = getattr(import_module(f"labelwise.pool.formats.{module}"), function)(path)
    return source
