"""Scores against hand-made truths."""

from dataclasses import replace

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import (
    Scenario,
    confusion_error,
    coverage,
    ece_error,
    overall_coverage,
    overall_error,
    overall_width,
    reciprocal_rank,
    regret,
    rmse,
    scores_for,
    success,
    width,
)
from labelwise.simulation.scores import ranks


def scenario_of(question=None, prior=None, n=10):
    """Four groups of n items with 2, 4, 6 and 8 tenths of hits."""
    predicted = np.repeat(np.arange(4), n)
    hit = np.tile(np.arange(n), 4) < np.repeat([0.2, 0.4, 0.6, 0.8], n) * n
    pool = lw.pool_from_arrays(
        predicted=predicted, labels=np.where(hit, predicted, (predicted + 1) % 4), confidence=np.full(4 * n, 0.7)
    )
    return Scenario(lw.by_prediction(pool), question or lw.Worst(), lw.Thompson(), prior or lw.CustomPrior(1e-9, 1e-9))


def after(scenario, hits, labels):
    return scenario.stacked({"hits": np.array([[hits]]), "labels": np.array([[labels]])})


def test_the_error_is_zero_when_all_is_known_and_is_the_weighed_root_else():
    scenario = scenario_of()
    assert rmse.of(scenario, after(scenario, [2, 4, 6, 8], [10] * 4)) == pytest.approx(0.0, abs=1e-8)
    found = rmse.of(scenario, after(scenario, [1, 2, 3, 3], [5] * 4))  # the last is off by 0.2
    assert found == pytest.approx(0.1, abs=1e-8)


def test_ranks_put_the_wanted_first_and_ties_in_order():
    assert ranks(scenario_of(), np.array([0.5, 0.2, 0.5, 0.9])).tolist() == [1, 0, 2, 3]
    assert ranks(scenario_of(lw.Best()), np.array([0.5, 0.2, 0.5, 0.9])).tolist() == [1, 3, 2, 0]
    assert ranks(scenario_of(lw.Worst(lw.calibration_bias)), np.array([0.5, 0.2, 0.5, 0.9])).tolist() == [1, 3, 2, 0]


def test_reciprocal_ranks_leave_the_other_true_ones_out():
    scenario = scenario_of()
    beliefs = after(scenario, [4, 3, 1, 5], [5] * 4)  # order: third, second, first, fourth
    assert reciprocal_rank(1).of(scenario, beliefs) == pytest.approx(1 / 3)
    # the second stands behind one wrong group; the first too, once the second is left out
    assert reciprocal_rank(2).of(scenario, beliefs) == pytest.approx((1 / 2 + 1 / 2) / 2)
    assert success(1).of(scenario, beliefs) == 0
    assert success(3).of(scenario, beliefs) == 1


def test_intervals_that_hold_the_truth_are_counted():
    scenario = scenario_of(prior=lw.FlatPrior())
    beliefs = after(scenario, [2, 4, 6, 0], [10, 10, 10, 9])
    assert coverage().of(scenario, beliefs) == pytest.approx(0.75)  # 0 of 9 cannot be 8 of 10
    assert width().of(scenario, beliefs) == pytest.approx(0.1 / 4)  # what is left is one item of the last group


def test_regret_adds_up_what_was_spent_elsewhere():
    scenario = scenario_of()
    assert regret.of(scenario, after(scenario, [0] * 4, [5, 1, 0, 2])) == pytest.approx(0.2 + 2 * 0.6)


def test_the_error_of_ece_is_a_part_of_the_true_one():
    scenario = scenario_of(lw.Estimate())
    assert ece_error().of(scenario, after(scenario, [2, 4, 6, 8], [10] * 4)) == pytest.approx(0.0, abs=1e-7)
    true = np.mean([0.5, 0.3, 0.1, 0.1])
    found = ece_error().of(scenario, after(scenario, [5, 4, 6, 8], [10] * 4))
    assert found == pytest.approx(abs(np.mean([0.2, 0.3, 0.1, 0.1]) - true) / true)


def test_the_error_of_confusion_is_the_distance_of_the_rows():
    scenario = scenario_of(lw.Worst(lw.ExpectedCost(np.ones((4, 4)) - np.eye(4))))
    beliefs = scenario.stacked({"counts": scenario.known.counts[None, None]})
    assert confusion_error.of(scenario, beliefs) == pytest.approx(0.0, abs=1e-7)
    with pytest.raises(lw.UnanswerableError, match="needs a question about confusion"):
        confusion_error.of(scenario_of(), None)


def test_metrics_that_have_no_mean_are_refused():
    scenario = scenario_of(lw.Worst(lw.recall))
    with pytest.raises(lw.UnanswerableError, match="cannot score recall"):
        rmse.of(scenario, scenario.start)


def test_every_question_has_scores_that_suit_it():
    def names(question):
        return [score.name for score in scores_for(question, 0.9)]

    assert names(lw.Worst(m=2)) == names(lw.Best(lw.ece)) == ["mrr", "success"]
    assert names(lw.Estimate()) == names(lw.Estimate(lw.calibration_bias)) == ["rmse", "coverage-0.9", "width-0.9"]
    assert names(lw.Estimate(lw.ExpectedCost(np.eye(4)))) == ["rmse"]
    assert names(lw.Estimate(lw.recall)) == ["confusion"]
    assert names(lw.Compare("0", "1")) == ["labels", "decided", "right"]


def test_groups_that_mix_predictions_are_scored_too():
    """Rows of the confusion matrix are finer than such groups; with all labels next to nothing is left to get wrong."""
    n = 40
    predicted, side = np.arange(n) % 2, np.where(np.arange(n) < 24, "left", "right")
    labels = np.where(np.arange(n) % 5 == 0, 1 - predicted, predicted)
    pool = lw.pool_from_arrays(predicted=predicted, labels=labels, columns={"side": side})
    cost = lw.ExpectedCost([[0, 1], [4, 0]])
    for question, score in ((lw.Estimate(cost), rmse), (lw.Estimate(cost), confusion_error), (lw.Worst(cost), rmse)):
        scenario = Scenario(lw.by_column(pool, "side"), question, lw.Thompson(), lw.FlatPrior(1e-6))
        none, all_of_it = (counts[None, None] for counts in (scenario.start.counts, scenario.known.counts))
        beliefs = scenario.stacked({"counts": np.concatenate([none, all_of_it], axis=1)})
        before, after = score.of(scenario, beliefs)[0]
        assert before > 0.2
        assert after < 0.05  # the shares of predictions among new items are not those of the pool to the last digit


def test_the_whole_is_scored_by_its_error_and_its_interval():
    scenario = replace(scenario_of(lw.Overall(), lw.InformedPrior()), target="pool")
    known = after(scenario, [2, 4, 6, 8], [10] * 4)
    assert overall_error.of(scenario, known) == pytest.approx(0.0, abs=1e-12)
    assert overall_coverage().of(scenario, known).tolist() == [[1.0]]
    assert overall_width().of(scenario, known).tolist() == [[0.0]]
    few = after(scenario, [2, 2, 2, 2], [2] * 4)  # all hits, in a pool of which half are
    assert overall_error.of(scenario, few)[0, 0] > 0.2
    assert overall_coverage(0.5).of(scenario, few).tolist() == [[0.0]]
    assert 0 < overall_width(0.5).of(scenario, few)[0, 0] < overall_width(0.95).of(scenario, few)[0, 0]


def test_a_metric_that_makes_no_whole_cannot_be_scored_as_one(refusal):
    pool = lw.pool_from_arrays(predicted=[0, 1] * 20, labels=[0, 0, 1, 1] * 10)
    scenario = Scenario(lw.by_prediction(pool), lw.Estimate(lw.recall), lw.RandomItem())
    beliefs = scenario.stacked({"counts": np.ones((1, 1, 2, 2), int)})
    assert refusal(lw.UnanswerableError, overall_width().of, scenario, beliefs) == (
        "Simulations cannot score recall of the whole pool."
    )
