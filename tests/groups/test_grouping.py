import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelwise as lw
from labelwise.errors import NotFoundError, UnanswerableError
from labelwise.groups.grouping import divide, unique_names
from strategies import score_tables


@given(score_tables(), st.integers(1, 5))
def test_every_grouping_covers_each_item_exactly_once(table, bins):
    pool = lw.read_pool(table)
    by_class = {name: name % 2 for name in pool.classes}
    groupings = [
        lw.everything(pool),
        lw.by_prediction(pool),
        lw.by_score(pool, bins),
        lw.by_score(pool, bins, equal="mass"),
        lw.by_column(pool, "group"),
        lw.by_map(pool, by_class),
        lw.crossed(lw.by_prediction(pool), lw.by_score(pool, bins)),
    ]
    for groups in groupings:
        members = np.concatenate([groups.items_of(g) for g in range(groups.n_groups)])
        assert sorted(members.tolist()) == list(range(pool.n_items))
        assert groups.n_items.tolist() == [len(groups.items_of(g)) for g in range(groups.n_groups)]
        assert groups.share.sum() == pytest.approx(1)
        assert len(set(groups.names)) == groups.n_groups


@given(score_tables(), st.integers(1, 5))
def test_means_are_those_of_a_direct_computation(table, bins):
    pool = lw.read_pool(table)
    groups = lw.crossed(lw.by_prediction(pool), lw.by_score(pool, bins))
    for g in range(groups.n_groups):
        items = groups.items_of(g)
        if len(items) == 0:
            assert np.isnan(groups.mean_confidence[g])
            assert np.isnan(groups.mean_scores[g]).all()
        else:
            assert groups.mean_confidence[g] == pytest.approx(pool.confidence[items].mean(), rel=1e-14)
            np.testing.assert_allclose(groups.mean_scores[g], pool.scores[items].mean(axis=0, dtype=float), rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_means_of_more_than_one_block_are_exact(dtype):
    n, rng = 150_000, np.random.default_rng(7)
    scores = rng.dirichlet([8.0, 1.0, 1.0, 0.5], n).astype(dtype)
    column = rng.integers(0, 5, n)
    column[column == 3] = 4  # one group stays empty in the map below
    pool = lw.pool_from_arrays(scores=scores, columns={"part": column})
    for groups in (lw.by_prediction(pool), lw.by_column(pool, "part"), lw.everything(pool)):
        expected = np.array([scores[groups.of_item == g].mean(axis=0, dtype=float) for g in range(groups.n_groups)])
        np.testing.assert_allclose(groups.mean_scores, expected, rtol=1e-12)
        confidence = [scores[groups.of_item == g].max(axis=1).mean(dtype=float) for g in range(groups.n_groups)]
        np.testing.assert_allclose(groups.mean_confidence, confidence, rtol=1e-12)


def test_a_group_that_comes_only_in_the_last_block_has_its_mean():
    n = 65_537
    scores = np.tile([1.0, 0.0], (n, 1))
    scores[-1] = [0.25, 0.75]
    groups = lw.by_prediction(lw.pool_from_arrays(scores=scores))
    assert groups.mean_scores.tolist() == [[1.0, 0.0], [0.25, 0.75]]


def test_empty_groups_have_no_share_and_no_mean():
    pool = lw.pool_from_arrays(scores=[[0.5, 0.5, 0.0], [0.25, 0.0, 0.75]])
    groups = lw.by_prediction(pool)
    assert groups.share.tolist() == [0.5, 0.0, 0.5]
    np.testing.assert_array_equal(groups.mean_confidence, [0.5, np.nan, 0.75])
    np.testing.assert_array_equal(groups.mean_scores[1], [np.nan] * 3)


def test_means_need_what_they_are_made_of(refusal):
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"]))
    assert refusal(UnanswerableError, lambda: groups.mean_confidence) == (
        "This pool has no confidences, but a mean confidence needs them. Read it with `scores` or `confidence`."
    )
    assert refusal(UnanswerableError, lambda: groups.mean_scores) == (
        "This pool has no scores per class, but a mean score vector needs them. Read it with `scores`."
    )


def test_a_group_is_found_by_name(refusal):
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=[10, 3]))
    assert groups.index("10") == 1
    assert groups.index(3) == 0
    assert refusal(NotFoundError, groups.index, "7") == "Group '7' does not exist. Available: '3', '10'."


def test_items_of_a_group_are_in_the_order_of_the_pool():
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=["b", "a", "b", "b"]))
    assert groups.items_of(1).tolist() == [0, 2, 3]


def test_the_prediction_that_the_items_of_a_group_share_is_known_if_they_share_one():
    pool = lw.pool_from_arrays(predicted=["cat", "dog"], columns={"sex": ["f", "m"]}, classes=["cat", "dog", "emu"])
    classes, sexes = lw.by_prediction(pool), lw.by_column(pool, "sex")
    assert classes.prediction_of_group.tolist() == [0, 1, 2]
    assert lw.crossed(sexes, classes).prediction_of_group.tolist() == [0, 1, 2, 0, 1, 2]
    assert sexes.prediction_of_group is None
    assert lw.crossed(classes, sexes).prediction_of_group is None


def test_a_grouping_cannot_be_changed():
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"]))
    with pytest.raises(ValueError, match="read-only"):
        groups.of_item[0] = 1


def test_a_grouping_is_shown_in_one_line():
    pool = lw.pool_from_arrays(predicted=["cat", "dog"], classes=["cat", "dog", "emu"])
    assert repr(lw.by_prediction(pool)) == "<Grouping by prediction: 3 groups, 1 of them empty>"
    assert repr(lw.everything(pool)) == "<Grouping by nothing: 1 groups>"


def test_dividing_by_nothing_gives_nothing():
    np.testing.assert_array_equal(divide(np.array([1.0, 0.0]), np.array([4, 0])), [0.25, np.nan])


@given(st.lists(st.sampled_from(["a", "a (2)", "a (3)", "b", "", 1, "1"])))
def test_names_are_made_unique(values):
    names = unique_names(values)
    assert len(set(names)) == len(values)
    firsts = [str(value) not in map(str, values[:i]) for i, value in enumerate(values)]
    assert [n for n, first in zip(names, firsts, strict=True) if first] == list(dict.fromkeys(map(str, values)))


def test_a_name_that_comes_again_gets_the_next_free_number():
    assert unique_names(["a", "a (2)", "a", "a"]) == ("a", "a (2)", "a (3)", "a (4)")


def test_a_hundred_thousand_equal_names_are_numbered_quickly():
    assert unique_names(["empty"] * 100_000)[-1] == "empty (100000)"
