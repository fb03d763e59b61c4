import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import labelwise as lw
from labelwise.errors import ArgumentError, DataError, NotFoundError
from labelwise.pool.fold import fold
from labelwise.pool.layout import Layout
from labelwise.pool.source import BATCH_ROWS, Source, list_columns, table_source, without_views


def test_list_columns_of_every_layout_are_found():
    numbers = pa.float64()
    schema = pa.schema(
        {"a": pa.list_(numbers), "b": pa.large_list(numbers), "c": pa.list_(numbers, 2), "d": numbers, "e": pa.string()}
    )
    assert list_columns(schema) == ("a", "b", "c")


def test_batches_hold_the_wanted_columns_and_are_not_too_long():
    table = pa.table({"a": np.arange(BATCH_ROWS * 2 + 1), "b": np.arange(BATCH_ROWS * 2 + 1)})
    source = table_source(table, "Table")
    assert source.n_rows == len(table)
    batches = list(source.batches(["b"], []))
    assert [batch.num_rows for batch in batches] == [BATCH_ROWS, BATCH_ROWS, 1]
    assert all(batch.schema.names == ["b"] for batch in batches)


@pytest.mark.parametrize("thing", [{"pred": [1, 2]}, [[0.5, 0.5]], np.eye(2), None])
def test_what_does_not_speak_arrow_is_refused(thing, refusal):
    assert refusal(ArgumentError, lw.read_pool, thing) == (
        f"A pool is read from a path or an Arrow-compatible table, not from {type(thing).__name__}. "
        "Use `pool_from_arrays` for arrays."
    )


@pytest.mark.parametrize("kind", ["arrow", "pandas"])
def test_a_column_name_that_comes_twice_is_refused(kind, refusal):
    table = pa.Table.from_arrays([pa.array([0, 1]), pa.array(["f", "m"]), pa.array([1, 2])], names=["pred", "g", "g"])
    frame = pd.DataFrame([[0, "f", 1], [1, "m", 2]], columns=["pred", "g", "g"])
    data = {"arrow": table, "pandas": frame}[kind]
    assert refusal(DataError, lw.read_pool, data) == (
        f"Column 'g' appears twice in '{type(data).__name__}'. Column names must be unique."
    )


def test_a_pandas_column_that_arrow_does_not_know_is_named(refusal):
    frame = pd.DataFrame({"pred": [0, 1], "wave": [1j, 2j]})
    assert refusal(DataError, lw.read_pool, frame) == (
        "Column 'wave' of 'DataFrame' has type complex128, which cannot be read. Convert "
        "it to numbers or text, or leave it out."
    )


def test_a_table_that_cannot_be_streamed_at_all_is_refused(refusal):
    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            raise pa.ArrowInvalid("some internal state")

    assert refusal(DataError, lw.read_pool, Broken()) == (
        "'Broken' cannot be read as an Arrow table. Use only columns of numbers or text."
    )


def test_views_become_the_usual_layout_and_nothing_else_changes():
    words = pa.array(["a", None, "b" * 50], pa.string_view())
    batch = pa.record_batch(
        {
            "text": words,
            "bytes": pa.array([b"a", None, b"b" * 50], pa.binary_view()),
            "dictionary": pa.DictionaryArray.from_arrays(pa.array([0, None, 1], pa.uint32()), pa.array(["x", "y"])),
            "words": pa.array([["a"], None, []], pa.large_list(pa.string_view())),
            "pair": pa.array([["a", "b"], None, ["c", "d"]], pa.list_(pa.string_view(), 2)),
            "record": pa.array([{"w": "a"}, None, {"w": None}], pa.struct([("w", pa.string_view())])),
            "number": [1.0, None, 2.0],
        }
    )
    plain = without_views(batch)
    assert plain.to_pydict() == batch.to_pydict()
    assert [str(kind) for kind in plain.schema.types] == [
        "large_string",
        "large_binary",
        "dictionary<values=string, indices=uint32, ordered=0>",
        "large_list<item: large_string>",
        "fixed_size_list<item: large_string>[2]",
        "struct<w: large_string>",
        "double",
    ]


def test_a_batch_without_views_is_left_as_it_is():
    batch = pa.record_batch({"text": ["a"], "scores": [[0.5, 0.5]], "record": [{"x": 1}]})
    assert without_views(batch) is batch


def test_polars_columns_of_every_kind_may_be_kept():
    frame = pl.DataFrame(
        {
            "pred": ["x", "y"],
            "category": pl.Series(["u", "v"], dtype=pl.Categorical),
            "words": [["a"], ["b", None]],
            "record": [{"w": "a"}, {"w": "b"}],
            "nothing": [None, None],
        }
    )
    pool = lw.read_pool(frame)
    assert pool.column("category").tolist() == ["u", "v"]
    assert pool.item(1) == {"id": 1, "category": "v", "words": ["b", None], "record": {"w": "b"}, "nothing": None}


@pytest.mark.parametrize("mistake", [{"label": "truth"}, {"classes": ["cat", "emu"]}])
def test_a_database_connection_is_free_again_after_a_refusal(mistake):
    connection = duckdb.connect()
    relation = connection.sql("select unnest(['cat', 'dog']) as pred")
    with pytest.raises((NotFoundError, DataError)) as caught:
        lw.read_pool(relation, **mistake)
    assert connection.sql("select 7").fetchall() == [(7,)]
    assert "'" in str(caught.value)  # the traceback, which holds on to everything, is still alive


def test_a_source_is_closed_once_it_is_read():
    closed = []
    batch = pa.record_batch({"pred": ["cat", "dog"]})
    source = Source("s", ("pred",), (), lambda wanted, numeric: iter([batch]), close=lambda: closed.append(True))
    assert fold(source, Layout()).n_items == 2
    assert closed == [True]
