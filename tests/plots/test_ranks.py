"""Ranks: probabilities that add up, and agree with P(worst) and P(best)."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.plots import rank_chart


@pytest.mark.parametrize(("name", "n_groups", "n_bins"), [("three", 3, 3), ("hundred", 100, 30), ("empty", 5, 5)])
def test_ranks_of_a_group_and_groups_of_a_rank_add_up(case, name, n_groups, n_bins):
    frame = rank_chart(
        lw.accuracy, case(name).learned(lw.accuracy), n_draws=2_000, rng=np.random.default_rng(1)
    ).frame()
    chance = frame["probability"].reshape(n_groups, n_bins)
    assert np.allclose(chance.sum(axis=1), 1)
    width = (frame["rank_to"] - frame["rank_from"] + 1)[:n_bins]
    assert np.allclose(chance.sum(axis=0), width)
    if n_bins == n_groups:
        assert np.allclose(chance[:, 0], frame["p_worst"].reshape(n_groups, -1)[:, 0])
        assert np.allclose(chance[:, -1], frame["p_best"].reshape(n_groups, -1)[:, 0])


@pytest.mark.parametrize("target", ["population", "pool"])
def test_probabilities_are_shares_of_draws(case, target):
    belief = case("empty").assessment.belief
    draws = belief.draw(2_000, target=target, rng=np.random.default_rng(1))[:, :5]
    frame = rank_chart(lw.accuracy, belief, target=target, n_draws=2_000, rng=np.random.default_rng(1)).frame()
    worst = (draws <= draws.min(axis=1, keepdims=True)) / (draws == draws.min(axis=1, keepdims=True)).sum(axis=1)[
        :, None
    ]
    for row in frame.rows():
        share = worst[:, int(row["group"].removeprefix("class "))].mean()
        assert row["p_worst"] == pytest.approx(share, abs=0.04)  # equal values are put in random order


def test_empty_groups_have_no_rank_and_the_subtitle_says_so(case):
    chart = rank_chart(lw.accuracy, case("empty").learned(lw.accuracy), n_draws=200, rng=np.random.default_rng(1))
    assert set(chart.frame()["group"]) == {f"class {k}" for k in range(5)}
    assert "No rank for 2 groups without items." in chart.subtitle


def test_a_high_error_is_rank_one():
    pool = lw.pool_from_arrays(
        predicted=["a"] * 50 + ["b"] * 50, confidence=[0.9] * 100, labels=["a"] * 50 + ["a"] * 40 + ["b"] * 10
    )
    belief = lw.belief_from_labels(lw.calibration_bias, lw.by_prediction(pool))
    frame = rank_chart(lw.calibration_bias, belief, rng=np.random.default_rng(1)).frame()
    assert frame.rows()[0]["group"] == "b"
    assert frame.rows()[0]["probability"] > 0.99
