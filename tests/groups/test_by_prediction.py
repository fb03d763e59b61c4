import pyarrow as pa
from hypothesis import given

import labelwise as lw
from strategies import score_tables


@given(score_tables())
def test_every_item_is_in_the_group_of_its_prediction(table):
    pool = lw.read_pool(table)
    groups = lw.by_prediction(pool)
    assert groups.of_item.tolist() == pool.prediction.tolist()
    assert groups.n_groups == pool.n_classes
    assert groups.n_items.sum() == pool.n_items


def test_a_class_that_is_never_predicted_is_an_empty_group():
    pool = lw.pool_from_arrays(predicted=["cat", "cat", "emu"], classes=["cat", "dog", "emu"])
    groups = lw.by_prediction(pool)
    assert groups.names == ("cat", "dog", "emu")
    assert groups.n_items.tolist() == [2, 0, 1]
    assert groups.rule == "prediction"


def test_a_class_that_occurs_only_among_labels_is_an_empty_group():
    pool = lw.pool_from_arrays(predicted=["cat", "cat"], labels=["cat", "dog"])
    assert lw.by_prediction(pool).n_items.tolist() == [2, 0]


def test_classes_that_are_numbers_are_named_by_their_text():
    groups = lw.by_prediction(lw.read_pool(pa.table({"pred": [10, 9, 10]})))
    assert groups.names == ("9", "10")
    assert groups.n_items.tolist() == [1, 2]


def test_the_grouping_does_not_share_memory_with_the_pool():
    pool = lw.pool_from_arrays(predicted=["cat", "dog"])
    assert lw.by_prediction(pool).of_item is not pool.prediction
