"""Hypothesis strategies for pools: tables of predictions, confidences and ways to cut them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

GROUPS = ["", "f", "m", "ü × 漢", "x" * 70, None]


def confidences(least: int = 1, most: int = 60) -> st.SearchStrategy[np.ndarray]:
    """Arrays of numbers between 0 and 1, both included, many of them round."""
    number = st.one_of(
        st.floats(0, 1),
        st.sampled_from([0.0, 1.0, 0.5, 0.29, 0.57, 0.58, 1 / 3, 1 - 2**-53, 5e-324]),
        st.integers(0, 100).map(lambda i: i / 100),
    )
    return st.lists(number, min_size=least, max_size=most).map(lambda values: np.array(values, np.float64))


@st.composite
def score_tables(draw: st.DrawFn, *, with_ids: bool | None = None, most: int = 30) -> pa.Table:
    """Tables with score columns s0..., a label that may be missing, a kept text column, and ids or none.

    Scores are eighths, so that they add up to 1 exactly and there are many ties.
    """
    n_rows, n_classes = draw(st.integers(1, most)), draw(st.integers(2, 5))
    rows = draw(st.lists(_eighths(n_classes), min_size=n_rows, max_size=n_rows))
    label = st.one_of(st.none(), st.integers(0, n_classes - 1))
    columns: dict[str, Any] = {f"s{k}": pa.array([row[k] for row in rows], pa.float32()) for k in range(n_classes)}
    columns["label"] = pa.array(draw(st.lists(label, min_size=n_rows, max_size=n_rows)), pa.int64())
    columns["group"] = pa.array(draw(st.lists(st.sampled_from(GROUPS), min_size=n_rows, max_size=n_rows)), pa.string())
    if draw(st.booleans()) if with_ids is None else with_ids:
        ids = draw(st.lists(st.text(max_size=70), min_size=n_rows, max_size=n_rows, unique=True))
        columns["id"] = pa.array(ids, pa.string())
    return pa.table(columns)


def _eighths(n_classes: int) -> st.SearchStrategy[list[float]]:
    cuts = st.lists(st.integers(0, 8), min_size=n_classes - 1, max_size=n_classes - 1).map(sorted)
    return cuts.map(lambda c: [(b - a) / 8 for a, b in zip([0, *c], [*c, 8], strict=True)])


def cuts(n_rows: int) -> st.SearchStrategy[list[int]]:
    """Sorted positions at which to cut rows into batches; a batch may be empty."""
    return st.lists(st.integers(0, n_rows), max_size=5).map(sorted)


def slices(table: pa.Table, positions: list[int]) -> list[pa.RecordBatch]:
    """Cut a table into record batches at the positions."""
    whole = table.combine_chunks().to_batches()[0]
    return [
        whole.slice(start, stop - start)
        for start, stop in zip([0, *positions], [*positions, table.num_rows], strict=True)
    ]
