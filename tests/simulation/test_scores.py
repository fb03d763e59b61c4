"""Scores against hand-made truths."""

import sys

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import (
    Scenario,
    confusion_error,
    coverage,
    decided,
    ece_error,
    labels_until_decided,
    reciprocal_rank,
    regret,
    rmse,
    scores_for,
    simulate,
    success,
    verdict_right,
    width,
)
from labelwise.simulation.scores import ranks, regions, true_region


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
    with pytest.raises(lw.UnanswerableError, match="does not score recall"):
        rmse.of(scenario, scenario.start)


def pair_scenario(hits=(12, 36), n=40, one="0", other="1", margin=0.05, **more):
    """Two groups of n items each with so many hits, and a third that nobody asks about."""
    predicted = np.repeat(np.arange(3), n)
    hit = np.tile(np.arange(n), 3) < np.repeat([*hits, 5], n)
    pool = lw.pool_from_arrays(predicted=predicted, labels=np.where(hit, predicted, (predicted + 1) % 3))
    question = lw.Compare(one, other, margin=margin)
    return Scenario(lw.by_prediction(pool), question, lw.RandomItem(), **more)


def moments(scenario, hits, labels):
    """One run at as many moments as there are rows."""
    return scenario.stacked({"hits": np.array([hits]), "labels": np.array([labels])})


def by_package(a1, b1, a2, b2, margin):
    lower, up_to = (lw.beta_difference_below(a1, b1, a2, b2, d) for d in (-margin, margin))
    return [lower, up_to - lower, 1 - up_to]


def test_chances_of_the_three_verdicts_are_read_in_the_order_of_the_question():
    there, back = pair_scenario(), pair_scenario(one="1", other="0")
    counts = [[0, 0, 0], [2, 7, 0]], [[0, 0, 0], [8, 9, 3]]
    chances = regions(there, moments(there, *counts))
    assert chances.shape == (1, 2, 3)
    assert chances[0, 1] == pytest.approx(by_package(3.0, 7.0, 8.0, 3.0, 0.05), abs=1e-8)
    assert regions(back, moments(back, *counts)) == pytest.approx(chances[..., ::-1], abs=1e-8)


@pytest.mark.parametrize(
    ("hits", "margin", "region"),
    [((12, 36), 0.05, 0), ((36, 12), 0.05, 2), ((30, 30), 0.05, 1), ((30, 32), 0.05, 1), ((30, 33), 0.05, 0),
     ((32, 30), 0.05, 1), ((30, 31), 0.0, 0), ((0, 40), 0.05, 0)],
)  # fmt: skip
def test_the_truth_is_where_the_difference_lies_and_how_sure_all_labels_are_of_it(hits, margin, region):
    """Differences at the edge of the margin, here 2 of 40, count as equal."""
    found, chance = true_region(pair_scenario(hits, margin=margin))
    guard = 40e-6  # of a group of 40
    a1, a2 = (count + guard for count in hits)
    expected = by_package(a1, 40 - hits[0] + guard, a2, 40 - hits[1] + guard, margin)
    assert found == region
    assert chance == pytest.approx(expected[region], abs=1e-12)


def test_a_comparison_counts_labels_to_the_first_moment_that_is_right_and_as_sure_as_all_labels():
    scenario = pair_scenario()
    _, final = true_region(scenario)
    hits = [[0, 0, 0], [1, 0, 0], [0, 5, 0], [3, 9, 0], [9, 9, 0], [12, 36, 0]]
    labels = [[0, 0, 0], [2, 1, 0], [3, 6, 0], [10, 10, 0], [18, 10, 0], [40, 40, 0]]
    beliefs = moments(scenario, hits, labels)
    chances = regions(scenario, beliefs)[0, :, 0]
    # nothing known; wrong way; right but not sure; decided; unsure again; all known
    assert (np.abs(chances - final) < 0.05 * final).tolist() == [False, False, False, True, False, True]
    assert labels_until_decided().of(scenario, beliefs).tolist() == [[0, 3, 9, 20, 20, 20]]
    assert decided().of(scenario, beliefs).tolist() == [[0, 0, 0, 1, 1, 1]]
    assert verdict_right.of(scenario, beliefs).tolist() == [[1, 0, 1, 1, 1, 1]]
    # a wider bound is met earlier; one that is never met counts all labels that were spent
    assert labels_until_decided(0.5).of(scenario, beliefs)[0, -1] == 9
    assert labels_until_decided(1e-9).of(scenario, beliefs).tolist() == [[0, 3, 9, 20, 28, 80]]
    assert decided(1e-9).of(scenario, beliefs)[0, -1] == 0


def test_being_as_sure_of_the_truth_decides_nothing_while_another_verdict_is_likelier():
    scenario = pair_scenario((20, 20))
    region, final = true_region(scenario)
    beliefs = moments(scenario, [[20, 21, 0]], [[40, 40, 0]])
    chances = regions(scenario, beliefs)[0, 0]
    assert (region, int(chances.argmax())) == (1, 0)
    assert abs(chances[region] - final) < 0.05 * final
    assert decided(0.05).of(scenario, beliefs)[0, 0] == 0


def test_beliefs_that_are_alike_say_lower_whatever_the_rounding():
    for hits, right in (((12, 36), 1), ((36, 12), 0)):
        scenario = pair_scenario(hits)
        assert verdict_right.of(scenario, moments(scenario, [[0, 0, 0]], [[0, 0, 0]])).tolist() == [[right]]


def test_both_engines_need_as_many_labels_for_a_verdict():
    """Mean labels of 150 exact and 3,000 compiled runs within 5 standard errors, and right as often."""
    scenario = pair_scenario(budget=40)
    scores = [labels_until_decided(), decided(), verdict_right]
    exact = simulate(scenario, scores, n_runs=150, at=range(1, 41), engine="exact")
    fast = simulate(scenario, scores, n_runs=3_000, at=range(1, 41), jobs=2)
    for name in ("labels", "decided", "right"):
        gap = np.abs(exact.mean[name] - fast.mean[name])[[9, 19, 39]]
        assert (gap <= 5 * np.hypot(exact.error[name], fast.error[name])[[9, 19, 39]] + 1e-9).all(), name
    assert 5 < fast.mean["labels"][-1] < 40


@pytest.mark.parametrize("question", [lw.Worst(), lw.Compare("0", "1", metric=lw.calibration_bias)])
def test_only_comparisons_of_accuracies_have_a_verdict(refusal, question):
    scenario = scenario_of(question)
    for score in (labels_until_decided(), decided(), verdict_right):
        assert refusal(lw.UnanswerableError, score.of, scenario, scenario.start) == (
            f"Only a comparison of accuracies has a verdict to score, and this question is {str(question)!r}; ask "
            "`Compare` of accuracy."
        )


def test_a_tolerance_must_be_above_zero(refusal):
    sentence = "`tolerance` must be a number above 0, but is 0."
    assert refusal(lw.ArgumentError, labels_until_decided, 0) == sentence
    assert refusal(lw.ArgumentError, decided, 0) == sentence


def test_without_the_compiler_a_comparison_says_how_to_get_it(monkeypatch, refusal):
    monkeypatch.setitem(sys.modules, "labelwise.simulation.kernels.regions", None)
    scenario = pair_scenario()
    sentence = refusal(lw.ArgumentError, verdict_right.of, scenario, moments(scenario, [[0, 0, 0]], [[0, 0, 0]]))
    assert sentence.startswith("Scores of a comparison need numba (")
    assert sentence.endswith("). Install it with `pip install 'labelwise[simulate]'`.")


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
