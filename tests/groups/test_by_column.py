import numpy as np
import pyarrow as pa
from hypothesis import given

import labelwise as lw
from labelwise.errors import ArgumentError, DataError, NotFoundError, UnanswerableError
from strategies import score_tables


def pool_of(**columns):
    n = len(next(iter(columns.values())))
    return lw.read_pool(pa.table({"pred": [i % 2 for i in range(n)], **columns}), classes=[0, 1])


def test_texts_are_sorted_as_texts_and_numbers_as_numbers():
    pool = pool_of(sex=["m", "f", "m"], age=[10, 9, 100])
    assert lw.by_column(pool, "sex").names == ("f", "m")
    assert lw.by_column(pool, "sex").of_item.tolist() == [1, 0, 1]
    assert lw.by_column(pool, "age").names == ("9", "10", "100")
    assert lw.by_column(pool, "age").of_item.tolist() == [1, 0, 2]
    assert lw.by_column(pool, "age").rule == "column 'age'"


def test_numbers_of_a_csv_file_are_sorted_as_numbers(tmp_path):
    path = tmp_path / "pool.csv"
    path.write_text("pred,age\n0,10\n1,9\n0,100\n")
    assert lw.by_column(lw.read_pool(path), "age").names == ("9", "10", "100")


def test_an_empty_cell_is_a_group_of_its_own_at_the_end():
    groups = lw.by_column(pool_of(sex=["m", None, "f", None]), "sex")
    assert groups.names == ("f", "m", "(missing)")
    assert groups.of_item.tolist() == [1, 2, 0, 2]


def test_a_number_that_is_nan_is_an_empty_cell():
    groups = lw.by_column(pool_of(age=pa.array([2.5, float("nan"), 1.5])), "age")
    assert groups.names == ("1.5", "2.5", "(missing)")


def test_a_value_called_like_the_empty_cells_stays_apart_from_them():
    groups = lw.by_column(pool_of(sex=["(missing)", None]), "sex")
    assert groups.names == ("(missing)", "(missing) (2)")
    assert groups.of_item.tolist() == [0, 1]


def test_a_column_without_values_is_one_group():
    groups = lw.by_column(pool_of(nothing=pa.nulls(3)), "nothing")
    assert groups.names == ("(missing)",)
    assert groups.n_items.tolist() == [3]


def test_several_columns_are_crossed_and_combinations_that_no_item_has_are_kept():
    pool = pool_of(sex=["f", "m", "f"], age=[30, 30, 41])
    groups = lw.by_column(pool, "sex", "age")
    assert groups.names == ("f × 30", "f × 41", "m × 30", "m × 41")
    assert groups.n_items.tolist() == [1, 1, 1, 0]
    assert groups.rule == "column 'sex' × column 'age'"


@given(score_tables())
def test_every_item_is_in_the_group_of_its_value(table):
    groups = lw.by_column(lw.read_pool(table), "group")
    values = ["(missing)" if value is None else value for value in table["group"].to_pylist()]
    assert [groups.names[g] for g in groups.of_item] == values
    assert groups.n_groups == len(set(values))
    assert groups.n_items.sum() == table.num_rows


def test_no_column_is_refused(refusal):
    assert refusal(ArgumentError, lw.by_column, pool_of(age=[1, 2])) == "Name at least one column to group by."


def test_a_column_that_is_not_kept_is_refused(refusal):
    assert refusal(NotFoundError, lw.by_column, pool_of(age=[1, 2]), "agee") == (
        "The pool has no column 'agee'. Did you mean 'age'?"
    )


def test_too_many_values_are_refused(refusal):
    pool = pool_of(x=np.arange(100_001))
    assert refusal(DataError, lw.by_column, pool, "x") == (
        "Column 'x' has 100,001 distinct values; at most 100,000 groups are allowed. Group by another column."
    )


def test_a_column_of_lists_is_refused(refusal):
    assert refusal(UnanswerableError, lw.by_column, pool_of(x=[[1], [2]]), "x") == (
        "Column 'x' has list<item: int64> values, such as [1], which cannot define groups. "
        "Group by a column of text or numbers."
    )
