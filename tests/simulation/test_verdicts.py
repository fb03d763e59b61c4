"""Scores of comparisons against hand-made truths."""

import sys

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import Scenario, decided, labels_until_decided, simulate, verdict_right
from labelwise.simulation.verdicts import regions, true_region
from strength import sized


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
    lower, up_to = (lw.metrics.beta_difference_below(a1, b1, a2, b2, d) for d in (-margin, margin))
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
    exact = simulate(scenario, scores, n_runs=sized(full=150, quick=40), at=range(1, 41), engine="exact")
    fast = simulate(scenario, scores, n_runs=3_000, at=range(1, 41), jobs=2)
    for name in ("labels", "decided", "right"):
        gap = np.abs(exact.mean[name] - fast.mean[name])[[9, 19, 39]]
        assert (gap <= 5 * np.hypot(exact.error[name], fast.error[name])[[9, 19, 39]] + 1e-9).all(), name
    assert 5 < fast.mean["labels"][-1] < 40


@pytest.mark.parametrize("question", [lw.Worst(), lw.Compare("0", "1", metric=lw.calibration_bias)])
def test_only_comparisons_of_accuracies_have_a_verdict(refusal, question):
    pool = lw.pool_from_arrays(predicted=[0, 1] * 20, labels=[0, 1] * 20, confidence=[0.7] * 40)
    scenario = Scenario(lw.by_prediction(pool), question, lw.Thompson())
    for score in (labels_until_decided(), decided(), verdict_right):
        assert refusal(lw.UnanswerableError, score.of, scenario, scenario.start) == (
            f"Verdicts are scored only for comparisons of accuracy; this question is {str(question)!r}. "
            "Compare accuracies instead."
        )


def test_a_tolerance_must_be_above_zero(refusal):
    sentence = "`tolerance` must be a number above 0, but is 0."
    assert refusal(lw.ArgumentError, labels_until_decided, 0) == sentence
    assert refusal(lw.ArgumentError, decided, 0) == sentence


def test_without_the_compiler_a_comparison_says_how_to_get_it(monkeypatch, refusal):
    monkeypatch.setitem(sys.modules, "labelwise.simulation.kernels.regions", None)
    scenario = pair_scenario()
    sentence = refusal(lw.ArgumentError, verdict_right.of, scenario, moments(scenario, [[0, 0, 0]], [[0, 0, 0]]))
    assert sentence.startswith("Scoring a comparison requires numba (")
    assert sentence.endswith("). Install it with `pip install 'labelwise[simulate]'`.")
