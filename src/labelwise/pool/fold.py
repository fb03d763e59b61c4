"""The fold over Arrow batches that builds every pool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa

from labelwise.pool.batch import decode
from labelwise.pool.layout import Layout, roles_of
from labelwise.pool.pool import Pool
from labelwise.pool.rows import Rows
from labelwise.pool.size_limits import most_unpacked, too_large
from labelwise.pool.source import Source, without_views

Progress = Callable[[int, int | None], None]
"""Callback after every batch: rows read so far and, if known, the total number of rows."""


def fold(source: Source, layout: Layout, *, progress: Progress | None = None) -> Pool:
    """Build a pool from a source: decode each batch, add it to the state, and finish."""
    try:
        return _folded(source, layout, progress)
    finally:
        source.close()
        pa.default_memory_pool().release_unused()  # otherwise Arrow keeps the batches' memory


def _folded(source: Source, layout: Layout, progress: Progress | None) -> Pool:
    roles = roles_of(layout, source.columns, source.list_columns, source.name)
    state = Rows(roles, source=source.name, untyped=source.untyped, expected=source.n_rows or 0)
    numeric = [*roles.score_columns, *([roles.confidence] if roles.confidence else [])]
    n_bytes = 0
    for arrow_batch in source.batches(roles.used, numeric):
        if arrow_batch.num_rows == 0:
            continue
        plain_batch = without_views(arrow_batch)
        if source.n_packed is not None:
            n_bytes += plain_batch.nbytes
            if n_bytes > most_unpacked(source.n_packed):
                raise too_large(source.name, source.n_packed)
        batch = decode(plain_batch, roles, first_row=state.n_rows)
        if roles.classes is None and batch.scores is not None:
            roles = replace(roles, classes=tuple(range(batch.scores.shape[1])))  # later rows must have as many scores
        state.add(batch)
        if progress is not None:
            progress(state.n_rows, source.n_rows)
    return state.finish()
