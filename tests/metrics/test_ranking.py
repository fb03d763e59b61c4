"""Ranking: symmetric cases, ties, empty groups, and the published probability."""

import csv

import numpy as np
import pytest

import labelwise as lw


def test_equal_groups_are_equally_likely_to_be_the_worst():
    belief = lw.beliefs.BetaBelief.from_counts([5] * 4, [10] * 4)
    ranking = lw.rank(lw.accuracy, belief, m=2, n_draws=40_000, rng=np.random.default_rng(1))
    assert np.allclose(ranking.p_worst, 0.25, atol=5 * np.sqrt(0.25 * 0.75 / 40_000))
    assert np.allclose(ranking.p_among, 0.5, atol=5 * np.sqrt(0.25 / 40_000))
    assert ranking.p_among.sum() == pytest.approx(2)
    assert ranking.tied.tolist() == [False, True, True, True]


def test_two_groups_have_the_probability_of_the_quadrature():
    belief = lw.beliefs.BetaBelief.from_counts([60, 70], [100, 100])
    ranking = lw.rank(lw.accuracy, belief, n_draws=200_000, rng=np.random.default_rng(2))
    exact = lw.metrics.beta_difference_below(61, 41, 71, 31, 0.0)
    assert ranking.p_worst[0] == pytest.approx(exact, abs=5 * ranking.monte_carlo_error)


def test_high_values_are_worst_where_the_metric_says_so():
    pool = lw.pool_from_arrays(
        predicted=[0] * 50 + [1] * 50, confidence=[0.9] * 100, labels=[0] * 50 + [0] * 25 + [1] * 25
    )
    ranking = lw.rank(
        lw.calibration_bias,
        lw.belief_from_labels(lw.calibration_bias, lw.by_prediction(pool)),
        rng=np.random.default_rng(3),
    )
    assert ranking.order[0] == 1


def test_empty_groups_have_no_rank():
    pool = lw.pool_from_arrays(predicted=[0, 1], labels=[0, 0], classes=["a", "b", "c"])
    ranking = lw.rank(
        lw.accuracy, lw.belief_from_labels(lw.accuracy, lw.by_prediction(pool)), rng=np.random.default_rng(4)
    )
    assert ranking.order.tolist() == [1, 0]
    assert ranking.p_worst[2] == 0
    assert ranking.rank_high.tolist()[2] == 0


def test_groups_that_are_equal_in_a_wholly_labelled_pool_share_the_last_place():
    belief = lw.beliefs.BetaBelief.from_counts([5, 5], [10, 10], n_items=[10, 10])
    ranking = lw.rank(lw.accuracy, belief, target="pool", rng=np.random.default_rng(5))
    assert np.allclose(ranking.p_worst, 0.5, atol=0.025)


def test_more_places_than_groups_are_refused():
    with pytest.raises(lw.ArgumentError) as refusal:
        lw.rank(lw.accuracy, lw.beliefs.BetaBelief.from_counts([1], [2]), m=2, rng=np.random.default_rng(6))
    assert str(refusal.value) == "`m` must be a whole number from 1 to 1, but is 2."


def test_a_value_that_does_not_exist_has_no_rank():
    pool = lw.pool_from_arrays(predicted=[0, 1, 0], labels=[0, 1, 1], classes=["a", "b", "c"])
    belief = lw.belief_from_labels(lw.recall, lw.by_prediction(pool))
    ranking = lw.rank(lw.recall, belief, target="pool", rng=np.random.default_rng(7))
    assert [ranking.names[g] for g in ranking.order] == ["b", "a"]
    assert ranking.p_worst[2] == 0


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e6])
def test_ties_do_not_depend_on_the_unit(unit):
    labels = ([0] * 5 + [1] * 5) + ([1] * 5 + [0] * 5) + [2] * 10
    pool = lw.pool_from_arrays(predicted=[0] * 10 + [1] * 10 + [2] * 10, labels=labels)
    metric = lw.ExpectedCost(unit * (1 - np.eye(3)))
    ranking = lw.rank(
        metric, lw.belief_from_labels(metric, lw.by_prediction(pool)), target="pool", rng=np.random.default_rng(8)
    )
    assert np.allclose(ranking.p_worst, [0.5, 0.5, 0], atol=0.025)


@pytest.mark.data
def test_the_lizard_is_least_accurate_with_the_published_probability(data_folder):
    with (data_folder / "authors_perclass_cifar100.csv").open() as file:
        rows = list(csv.DictReader(file))
    belief = lw.beliefs.BetaBelief.from_counts(
        [int(row["R_k"]) for row in rows],
        [int(row["N_k"]) for row in rows],
        names=[row["Predicted_Class_k"] for row in rows],
    )
    ranking = lw.rank(lw.accuracy, belief, n_draws=200_000, rng=np.random.default_rng(7))
    lizard = belief.names.index("lizard")
    assert ranking.order[0] == lizard
    assert ranking.p_worst[lizard] == pytest.approx(0.678, abs=0.005)
