import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelwise as lw
from labelwise.errors import DataError
from labelwise.pool.fold import fold
from labelwise.pool.layout import Layout
from labelwise.pool.source import Source, list_columns
from strategies import cuts, score_tables, slices


def folded(table, positions, **said):
    batches = slices(table, positions)
    source = Source(
        "Table",
        tuple(table.column_names),
        list_columns(table.schema),
        lambda wanted, numeric: (batch.select(list(wanted)) for batch in batches),
    )
    return fold(source, Layout(**said))


def contents(pool: lw.Pool) -> dict:
    return {
        "fingerprint": pool.fingerprint,
        "classes": pool.classes,
        "prediction": pool.prediction.tolist(),
        "confidence": None if pool.confidence is None else pool.confidence.tolist(),
        "scores": None if pool.scores is None else pool.scores.tolist(),
        "labels": None if pool.labels is None else pool.labels.tolist(),
        "ids": pool.all_ids().tolist(),
        "columns": {name: array.to_pylist() for name, array in pool.columns.items()},
    }


@given(score_tables(), st.data())
def test_one_batch_equals_many(table, data):
    one = folded(table, [], label="label")
    many = folded(table, data.draw(cuts(table.num_rows)), label="label")
    assert contents(many) == contents(one)
    assert contents(lw.read_pool(table, label="label")) == contents(one)


@given(score_tables(), st.data())
def test_one_batch_equals_many_for_lists_of_scores(table, data):
    n_classes = sum(name.startswith("s") for name in table.column_names)
    matrix = np.column_stack([table[f"s{k}"].to_numpy() for k in range(n_classes)])
    lists = table.drop_columns([f"s{k}" for k in range(n_classes)]).append_column(
        "scores", pa.array(matrix.tolist(), pa.list_(pa.float32()))
    )
    many = folded(lists, data.draw(cuts(table.num_rows)), label="label")
    assert contents(many) == contents(folded(table, [], label="label"))  # and lists equal columns


@given(score_tables(), st.data())
def test_one_batch_equals_many_for_names_that_each_batch_encodes_anew(table, data):
    names = pa.array(["cat", "dog", "emu"]).take(pa.array(np.arange(table.num_rows) % 3))
    pools = table.select(["label", "group"]).append_column("pred", names)
    label = pa.array(["cat", "emu", None]).take(pa.array(np.arange(table.num_rows)[::-1] % 3))
    pools = pools.set_column(0, "label", label)
    positions = data.draw(cuts(table.num_rows))
    options = {"label": "label", "classes": ["emu", "dog", "cat"]}
    encoded = pools.set_column(2, "pred", pools["pred"].dictionary_encode())
    assert contents(folded(pools, positions, **options)) == contents(folded(pools, [], **options))
    assert contents(folded(encoded, positions, **options)) == contents(folded(pools, [], **options))


def test_lists_must_be_as_wide_as_those_of_the_first_batch(refusal):
    table = pa.table({"scores": [[0.5, 0.5], [0.5, 0.5], [0.5, 0.25, 0.25]]})
    assert refusal(DataError, folded, table, [2]) == (
        "There are 3 scores for row 3, but 2 classes. Every item needs one score per class."
    )


def test_progress_is_told_after_every_batch_that_has_rows():
    table = pa.table({"pred": ["a", "b", "a"]})
    batches = slices(table, [1, 1])
    source = Source("Table", ("pred",), (), lambda wanted, numeric: iter(batches), n_rows=3)
    told = []
    fold(source, Layout(), progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (3, 3)]


def test_only_columns_with_a_part_are_asked_for():
    asked = []
    table = pa.table({"s0": [0.5], "s1": [0.5], "label": [1], "x": [1], "y": [2]})

    def batches(wanted, numeric):
        asked.append((list(wanted), list(numeric)))
        return iter(table.select(list(wanted)).to_batches())

    fold(Source("Table", tuple(table.column_names), (), batches), Layout(label="label", columns=["y"]))
    assert asked == [(["label", "s0", "s1", "y"], ["s0", "s1"])]


@pytest.mark.parametrize("n_rows", [1, 65_536, 65_537])
def test_pools_of_every_length_around_a_batch_are_whole(n_rows):
    table = pa.table({"pred": np.arange(n_rows) % 2})
    pool = lw.read_pool(table, classes=[0, 1])
    assert pool.n_items == n_rows
    assert pool.prediction.sum() == n_rows // 2
