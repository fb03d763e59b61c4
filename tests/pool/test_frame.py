import csv

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import labelwise as lw
from labelwise.pool import Frame


@pytest.fixture
def frame():
    return Frame({"group": ["cat", "dog"], "n": np.array([3, 0]), "accuracy": [0.75, None]})


def test_a_frame_is_a_mapping_from_name_to_array(frame):
    assert list(frame) == ["group", "n", "accuracy"]
    assert len(frame) == 3
    assert frame["n"].tolist() == [3, 0]
    assert frame["group"].tolist() == ["cat", "dog"]
    np.testing.assert_array_equal(frame["accuracy"], [0.75, np.nan])
    assert "n" in frame
    assert "m" not in frame
    assert frame.get("m") is None


def test_rows_are_plain_dictionaries(frame):
    assert frame.rows() == [{"group": "cat", "n": 3, "accuracy": 0.75}, {"group": "dog", "n": 0, "accuracy": None}]
    assert [type(value) for value in frame.rows()[0].values()] == [str, int, float]


def test_pandas_takes_a_frame_as_it_is(frame):
    expected = pd.DataFrame({"group": ["cat", "dog"], "n": [3, 0], "accuracy": [0.75, np.nan]})
    pd.testing.assert_frame_equal(pd.DataFrame.from_arrow(frame), expected, check_dtype=False)


def test_polars_takes_a_frame_as_it_is(frame):
    taken = pl.DataFrame(frame)
    assert taken.schema == {"group": pl.String, "n": pl.Int64, "accuracy": pl.Float64}
    assert taken.select("group", "n").rows() == [("cat", 3), ("dog", 0)]
    assert taken["accuracy"].fill_nan(None).to_list() == [
        0.75,
        None,
    ]  # a mapping of arrays has NaN where there is nothing


def test_pyarrow_takes_a_frame_as_it_is(frame):
    assert pa.table(frame).to_pydict() == {"group": ["cat", "dog"], "n": [3, 0], "accuracy": [0.75, None]}


def test_duckdb_takes_a_frame_as_it_is(frame):
    assert duckdb.sql("select sum(n) from frame").fetchall() == [(3,)]


def test_a_frame_can_be_read_as_a_pool():
    frame = Frame({"pred": ["cat", "dog"], "conf": [0.5, 0.75]})
    assert lw.read_pool(frame).confidence.tolist() == [0.5, 0.75]


def test_a_frame_does_not_change_when_the_array_it_was_made_of_does():
    counts = np.array([3, 0])
    frame = Frame({"n": counts})
    counts[0] = 99
    assert frame["n"].tolist() == [3, 0]


def test_a_frame_cannot_be_changed_through_an_array_taken_from_it(frame):
    with pytest.raises(ValueError, match="read-only"):
        frame["n"][0] = 99
    frame["group"][0] = "emu"
    assert frame["group"].tolist() == ["cat", "dog"]


def test_an_empty_frame_has_no_rows():
    empty = Frame({"group": [], "n": []})
    assert empty.rows() == []
    assert repr(empty) == "<Frame of 0 rows: group, n>"


def test_a_frame_is_shown_in_one_line(frame):
    assert repr(frame) == "<Frame of 2 rows: group, n, accuracy>"


def test_a_saved_frame_is_read_back_and_runs_nothing(tmp_path):
    frame = Frame({"id": ["=1+1", "+a", "-b", "@c", "\tt", "\rr", "plain", None], "n": [-1, 2, 3, 4, 5, 6, 7, 8]})
    frame.save(tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert [row[0] for row in rows[1:]] == ["'=1+1", "'+a", "'-b", "'@c", "'\tt", "'\rr", "plain", ""]
    assert rows[1][1] == "-1"  # a number runs nothing
    frame.save(tmp_path / "x.parquet")
    assert pq.read_table(tmp_path / "x.parquet").to_pylist() == frame.rows()
