"""Pools as bytes: everything that matters comes back, in whatever pieces, and labels never go in."""

import numpy as np
import pyarrow as pa
import pytest

import labelwise as lw
from labelwise.pool import packing
from labelwise.pool.packing import pack, unpack


def pool_of(n=10, **more):
    rng = np.random.default_rng(1)
    scores = rng.dirichlet([1, 1, 1], n)
    columns = {"text": [f"t{i}" if i else None for i in range(n)], "age": np.arange(n)}
    given = {"scores": scores, "labels": rng.integers(0, 3, n), "ids": [f"i{i}" for i in range(n)], "columns": columns}
    return lw.pool_from_arrays(**given | {"content": ["text"]} | more)


def again(pool, pieces):
    return unpack(pieces, classes=pool.classes, fingerprint=pool.fingerprint, source=pool.source, content=pool.content)


@pytest.mark.parametrize("rows", [3, 10, 1_000])
def test_a_pool_comes_back_whatever_its_pieces(monkeypatch, rows):
    monkeypatch.setattr(packing, "_ROWS", rows)
    pool = pool_of()
    split = (["a", "b"], np.arange(10, dtype=np.int32) % 2)
    pieces = pack(pool, splits=[split], has_scores=True)
    assert len(pieces) == -(-10 // rows)
    found, [(names, of_item)] = again(pool, pieces)
    assert np.array_equal(found.prediction, pool.prediction)
    assert np.array_equal(found.confidence, pool.confidence)
    assert np.array_equal(found.scores, pool.scores)
    assert found.all_ids().tolist() == pool.all_ids().tolist()
    assert found.item(0) == pool.item(0)
    assert (found.classes, found.fingerprint, found.content) == (pool.classes, pool.fingerprint, pool.content)
    assert (names, of_item.tolist()) == (["a", "b"], split[1].tolist())
    assert np.array_equal(found.shuffled_keys(3), pool.shuffled_keys(3))


def test_labels_and_unneeded_scores_stay_out():
    pool = pool_of()
    found, _ = again(pool, pack(pool))
    assert found.labels is None
    assert found.scores is None


def test_a_pool_of_predictions_alone_comes_back():
    pool = lw.pool_from_arrays(predicted=["cat", "dog"])
    found, splits = again(pool, pack(pool))
    assert (found.confidence, found.ids, splits) == (None, None, [])
    assert found.prediction.tolist() == [0, 1]


def test_arrays_that_came_back_cannot_be_written_to():
    found, _ = again(pool_of(), pack(pool_of()))
    for array in (found.prediction, found.confidence):
        assert not array.flags.writeable


def streamed(table):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def test_a_piece_with_offsets_that_point_elsewhere_is_refused():
    """Such a piece would show memory beyond its own, or end the process."""
    whole = streamed(pa.table({"prediction": pa.array([0, 1], pa.int32()), "id": ["ab", "cd"]}))
    offsets = [np.array(ends, np.int32).tobytes() for ends in ([0, 2, 4], [0, 2**20, 2**20 + 8])]
    assert whole.count(offsets[0]) == 1
    piece = whole.replace(*offsets)
    with pytest.raises(lw.DataError, match="A piece of the pool is damaged"):
        again(pool_of(), [piece])


def test_a_piece_that_is_no_arrow_stream_is_refused():
    whole = pack(pool_of(), splits=[], has_scores=True)[0]
    rng = np.random.default_rng(1)
    for cut in rng.integers(0, len(whole) - 1, 20):
        with pytest.raises(lw.DataError, match="A piece of the pool is damaged"):
            again(pool_of(), [whole[:cut]])
