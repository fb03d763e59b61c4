"""Small groups pooled into one: every item keeps exactly one group."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelwise as lw
from strategies import score_tables


@given(score_tables(), st.integers(1, 4))
def test_every_item_has_exactly_one_group(table, least):
    every = lw.by_column(lw.read_pool(table), "group")
    found = lw.groups.pooled(every, least)
    assert found.n_items.sum() == every.n_items.sum()
    for item, (old, new) in enumerate(zip(every.of_item, found.of_item, strict=True)):
        is_small = every.n_items[old] < least
        assert found.names[new].startswith("others (") if is_small else found.names[new] == every.names[old], item


@pytest.fixture
def every():
    region = ["north"] * 30 + ["isle"] * 4 + ["south"] * 20 + ["rock"] * 3
    return lw.by_column(
        lw.pool_from_arrays(predicted=["yes"] * 57, columns={"region": region}, classes=["yes", "no"]), "region"
    )


def test_the_pooled_group_comes_last_and_says_how_many_it_holds(every):
    found = lw.groups.pooled(every, 10)
    assert found.names == ("north", "south", "others (2 groups)")
    assert found.n_items.tolist() == [30, 20, 7]
    assert found.rule == "column 'region' (groups with fewer than 10 items pooled)"


def test_a_group_of_that_name_keeps_it():
    pool = lw.pool_from_arrays(predicted=["a", "b"] * 2, columns={"region": ["others (1 group)"] * 3 + ["rock"]})
    assert lw.groups.pooled(lw.by_column(pool, "region"), 2).names == ("others (1 group)", "others (1 group) (2)")


def test_without_small_groups_nothing_is_pooled(every):
    assert lw.groups.pooled(every, 3) is every


def test_groups_without_items_are_kept():
    pool = lw.pool_from_arrays(predicted=["cat"] * 5 + ["dog"], classes=["cat", "dog", "emu"])
    found = lw.groups.pooled(lw.by_prediction(pool), 2)
    assert found.names == ("cat", "emu", "others (1 group)")
    assert found.n_items.tolist() == [5, 0, 1]


def test_a_store_reopens_with_the_pooled_group(every, tmp_path):
    groups = lw.groups.pooled(every, 10)
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        lw.Assessment(groups.pool, groups, question=lw.Worst(), journal=store.journal("main"), seed=1)
        again = store.open("main").groups
    assert (again.names, again.rule) == (groups.names, groups.rule)
    assert again.of_item.tolist() == groups.of_item.tolist()


def test_a_cost_of_pooled_classes_is_the_mean_of_their_items():
    labels = ["cat"] * 24 + ["dog", "emu", "emu", "cat"]
    pool = lw.pool_from_arrays(predicted=["cat"] * 24 + ["dog"] * 3 + ["emu"], labels=labels)
    cost = lw.ExpectedCost(1 - np.eye(3))
    groups = lw.groups.pooled(lw.by_prediction(pool), 10)
    mean = cost.mean(lw.belief_from_labels(cost, groups), target="pool")
    assert mean == pytest.approx([0, 3 / 4])


def test_one_value_per_class_cannot_be_had_of_pooled_classes(refusal):
    pool = lw.pool_from_arrays(predicted=["cat"] * 24 + ["dog"] * 3 + ["emu"])
    groups = lw.groups.pooled(lw.by_prediction(pool), 10)
    assert refusal(lw.UnanswerableError, lw.recall.start, groups) == (
        "recall has one value per class; for one value per group (prediction (groups with fewer than 10 items "
        "pooled)) name the `positive` class or an `average`."
    )
