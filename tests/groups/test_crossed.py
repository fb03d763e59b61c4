import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelwise as lw
from labelwise.errors import ArgumentError
from strategies import score_tables


@given(score_tables(), st.integers(1, 6))
def test_the_cells_of_a_crossing_add_up_to_its_factors(table, bins):
    pool = lw.read_pool(table)
    classes, scores = lw.by_prediction(pool), lw.by_score(pool, bins)
    both = lw.crossed(classes, scores)
    cells = both.n_items.reshape(classes.n_groups, scores.n_groups)
    assert cells.sum(axis=1).tolist() == classes.n_items.tolist()
    assert cells.sum(axis=0).tolist() == scores.n_items.tolist()
    expected = np.zeros_like(cells)
    np.add.at(expected, (classes.of_item, scores.of_item), 1)
    assert cells.tolist() == expected.tolist()


@given(score_tables())
def test_three_groupings_are_crossed_with_the_last_one_fastest(table):
    pool = lw.read_pool(table)
    factors = (lw.by_prediction(pool), lw.by_score(pool, 3), lw.by_column(pool, "group"))
    groups = lw.crossed(*factors)
    shape = [factor.n_groups for factor in factors]
    assert groups.n_groups == np.prod(shape)
    assert np.array_equal(groups.of_item, np.ravel_multi_index([f.of_item for f in factors], shape))
    assert groups.of_item.dtype == np.int32


@pytest.fixture
def pool():
    return lw.pool_from_arrays(
        predicted=["cat", "dog"], confidence=[0.25, 0.75], columns={"sex": ["f", "m"], "age": ["f × 1", "1"]}
    )


def test_names_and_rules_are_joined(pool):
    groups = lw.crossed(lw.by_prediction(pool), lw.by_score(pool, 2))
    assert groups.names == ("cat × 0-0.5", "cat × 0.5-1", "dog × 0-0.5", "dog × 0.5-1")
    assert groups.rule == "prediction × score (2 bins of equal width)"
    assert [factor.rule for factor in groups.factors] == ["prediction", "score (2 bins of equal width)"]
    assert groups.n_items.tolist() == [1, 0, 0, 1]


def test_one_grouping_crossed_with_nothing_is_itself(pool):
    one = lw.by_prediction(pool)
    assert lw.crossed(one).names == one.names
    assert lw.crossed(one).of_item.tolist() == one.of_item.tolist()


def test_a_grouping_crossed_with_everything_has_as_many_groups(pool):
    assert lw.crossed(lw.everything(pool), lw.by_prediction(pool)).n_items.tolist() == [1, 1]


def test_nothing_to_cross_is_refused(refusal):
    assert refusal(ArgumentError, lw.crossed) == "Pass at least one grouping to cross."


def test_groupings_of_two_pools_are_refused(pool, refusal):
    other = lw.pool_from_arrays(predicted=["cat", "dog"])
    assert refusal(ArgumentError, lw.crossed, lw.by_prediction(pool), lw.by_prediction(other)) == (
        "Groupings of different pools cannot be crossed. Create all of them from the same pool."
    )


def test_more_groups_than_can_be_held_are_refused(pool, refusal):
    many = lw.by_score(pool, 5_000)
    assert refusal(ArgumentError, lw.crossed, many, many) == (
        "Crossing 5,000 × 5,000 groups makes 25,000,000 groups; at most 10,000,000 are allowed. "
        "Cross fewer groupings, or coarser ones."
    )
