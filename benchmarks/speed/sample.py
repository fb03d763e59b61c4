"""The synthetic pool of all benchmarks: an over-confident classifier of 100 classes, right three times in four."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

N_CLASSES = 100
_SEED = 20
_SPREAD, _LIFT = 2.0, 9.4  # of all logits, and of the one class that each item looks like
_TEMPERATURE = 1.3  # labels follow a softmax this much flatter than the scores: that is the over-confidence
_BLOCK = 65_536  # rows; bounds the memory beside the matrix


def scores_and_labels(rows: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Draw scores, shape (rows, 100), and labels."""
    rng = np.random.default_rng(_SEED)
    scores, labels = np.empty((rows, N_CLASSES), np.float32), np.empty(rows, np.int64)
    for start in range(0, rows, _BLOCK):
        part = slice(start, min(start + _BLOCK, rows))
        n = part.stop - part.start
        logits = _SPREAD * rng.standard_normal((n, N_CLASSES), dtype=np.float32)
        logits[np.arange(n), rng.integers(N_CLASSES, size=n)] += _LIFT
        logits -= logits.max(axis=1, keepdims=True)
        flatter = np.exp(logits / _TEMPERATURE).cumsum(axis=1)
        labels[part] = (flatter[:, :-1] <= rng.random((n, 1)) * flatter[:, -1:]).sum(axis=1)
        np.exp(logits, out=logits)
        np.divide(logits, logits.sum(axis=1, keepdims=True), out=scores[part])
    return scores, labels


def parquet_file(folder: Path, rows: int, columns: Sequence[str] = ("id", "scores", "label")) -> Path:
    """Write the pool as Parquet with pyarrow's default settings, scores as a list column; once a run."""
    path = folder / f"{'-'.join(columns)}.parquet"
    if not path.exists():
        scores, labels = scores_and_labels(rows)
        starts = pa.array(np.arange(0, scores.size + 1, N_CLASSES, dtype=np.int32))
        lists = pa.ListArray.from_arrays(starts, pa.array(scores.ravel()))
        table = pa.table({"id": pa.array(np.arange(rows)), "scores": lists, "label": pa.array(labels)})
        pq.write_table(table.select(list(columns)), path)
    return path
