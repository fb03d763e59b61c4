"""Packed data that would exhaust the memory are refused before they are unpacked."""

import numpy as np
import pyarrow as pa
import pytest

import labelwise as lw
from labelwise.pool.packing import pack, read_table, write_table
from labelwise.pool.size_limits import _batches, _messages, check_unpacked


def sizes(piece):
    return [batch for message in _messages(piece) for batch in _batches(message)]


def test_the_size_that_is_announced_is_the_size_that_comes_out():
    table = pa.table(
        {
            "number": np.arange(5_000),
            "text": [f"text {k}" for k in range(5_000)],
            "code": pa.array(["a", "b"] * 2_500).dictionary_encode(),
            "list": [[k, k + 1] for k in range(5_000)],
        }
    )
    found = sizes(write_table(table))
    whole = read_table([write_table(table)])
    assert sum(batch.n_bytes for batch in found) == pytest.approx(whole.nbytes, rel=0.01)
    assert max(batch.n_values for batch in found) == 10_000


@pytest.mark.parametrize(
    "bomb",
    [
        pa.table({"prediction": np.zeros(60_000_000, np.int64)}),
        pa.table({"prediction": pa.nulls(10**9)}),
        pa.table({"x": pa.RunEndEncodedArray.from_arrays(pa.array([10**9]), pa.array([1]))}),
        pa.table({"x": pa.array(["a" * 300_000_000]).dictionary_encode()}),
    ],
    ids=["compressed", "nulls", "run ends", "dictionary"],
)
def test_a_small_piece_that_would_fill_the_memory_is_refused(bomb):
    piece = write_table(bomb)
    assert len(piece) < 60_000
    before = pa.total_allocated_bytes()
    with pytest.raises(lw.DataError, match="would exhaust the memory"):
        check_unpacked([piece])
    assert pa.total_allocated_bytes() - before < 10_000_000


def test_many_small_pieces_are_added_up():
    piece = write_table(pa.table({"x": np.zeros(10_000_000, np.int64)}))
    check_unpacked([piece] * 2)
    with pytest.raises(lw.DataError, match="would exhaust the memory"):
        check_unpacked([piece] * 10)


def test_pools_as_they_are_pass():
    rng = np.random.default_rng(1)
    for n in (1, 10, 100_000):
        pool = lw.pool_from_arrays(predicted=["cat", "dog"] * n, confidence=rng.uniform(size=2 * n))
        check_unpacked(pack(pool))
