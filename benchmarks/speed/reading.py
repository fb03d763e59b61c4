"""Reading a Parquet file into a pool: labelwise against pyarrow's bare read into one NumPy array."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from numpy.typing import NDArray

import labelwise as lw
from benchmarks.speed.clock import in_turns, medians, verdict
from benchmarks.speed.sample import parquet_file

_REPEATS = 9


def bare(path: Path, columns: Sequence[str]) -> tuple[NDArray[Any], ...]:
    """Read columns, the scores as one matrix. Nothing is checked, hashed or searched for its maximum."""
    table = pq.read_table(path, columns=list(columns))
    lists = table.column("scores").combine_chunks()
    matrix = lists.flatten().to_numpy().reshape(table.num_rows, -1)
    return matrix, *(table.column(name).to_numpy() for name in columns if name != "scores")


def run(rows: int, folder: Path) -> None:
    """Time both ways of reading, with and without id and label, in turns."""
    whole, scores = parquet_file(folder, rows), parquet_file(folder, rows, ["scores"])
    print(f"{rows:,} x 100 float32, {whole.stat().st_size / 1e6:.0f} MB on disk, in the cache of the operating system")
    calls = {
        "pyarrow": partial(bare, whole, ["id", "scores", "label"]),
        "labelwise": partial(lw.read_pool, whole, id="id", scores="scores", label="label"),
        # a file of its own: a column called id is read as the id even if nobody names it
        "pyarrow, scores only": partial(bare, scores, ["scores"]),
        "labelwise, scores only": partial(lw.read_pool, scores, scores="scores"),
    }
    # Fresh memory costs more than decoding, and a reader that gives its own back would leave that bill to the next.
    times, _ = in_turns(calls, _REPEATS, rehearsed=True)
    middle, best = medians(times), {name: min(values) for name, values in times.items()}
    print(f"{f'{_REPEATS} rounds, in turns':<24} {'median':>10} {'best':>10}")
    for name in calls:
        print(f"{name:<24} {middle[name]:8.3f} s {best[name]:8.3f} s")
    for part in ("", ", scores only"):
        ours, limit = f"labelwise{part}", f"pyarrow{part}"
        print(f"ratio{part}: {middle[ours] / middle[limit]:.2f} (medians), {best[ours] / best[limit]:.2f} (best)")
    # The best rounds decide: what other work adds to a round says nothing about either reader.
    verdict("at most 2 times pyarrow's bare read (best)", best["labelwise"] / best["pyarrow"], at_most=2)
