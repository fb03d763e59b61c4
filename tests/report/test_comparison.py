"""Two assessments compared: the numbers, worked out another way, and what is refused."""

import numpy as np
import pytest
from scipy.stats import beta

import labelwise as lw
from labelwise.errors import UnanswerableError
from labelwise.report.comparison import Comparison, accuracies_of


def assessed(pool, n_labels, **options):
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Estimate(lw.accuracy), seed=1, **options)
    for _ in range(n_labels // 10):
        for ticket in assessment.ask(10):
            assessment.tell(ticket, pool.classes[pool.labels[ticket.item["id"]]])
    return assessment


@pytest.fixture(scope="module")
def both(pool_of):
    spring, autumn = pool_of(["cat", "dog", "emu"], right=0.7), pool_of(["cat", "dog", "fox"], right=0.95, seed=4)
    return tuple(assessed(pool, 150, prior=lw.FlatPrior(), target="population") for pool in (spring, autumn))


def test_the_whole_is_the_weighed_difference_of_betas(both):
    found = Comparison(*both, ("spring", "autumn"))
    rng = np.random.default_rng(0)
    draws = []
    for assessment in both:
        belief = assessment.belief
        draws.append(beta.rvs(belief.a, belief.b, size=(200_000, 3), random_state=rng) @ assessment.groups.share)
    delta = draws[1] - draws[0]
    assert found.overall.mean == pytest.approx(delta.mean(), abs=0.002)
    assert [found.overall.low, found.overall.high] == pytest.approx(np.quantile(delta, [0.025, 0.975]), abs=0.006)
    assert found.overall.p_higher == pytest.approx((delta > 0).mean(), abs=0.01)


def test_groups_of_the_same_name_are_compared_and_the_others_named(both):
    found = Comparison(*both, ("spring", "autumn"))
    assert sorted(row["group"] for row in found.groups) == ["cat", "dog"]
    assert found.alone() == [["emu"], ["fox"]]
    means = [row["mean"] for row in found.groups]
    assert means == sorted(means)
    for row in found.groups:
        assert row["mean"] == pytest.approx(row["second"] - row["first"], abs=0.01)


def test_turning_them_round_turns_the_sign(both):
    there, back = Comparison(*both, ("a", "b")), Comparison(*both[::-1], ("b", "a"))
    assert there.overall.mean == pytest.approx(-back.overall.mean, abs=0.003)
    assert there.overall.p_higher == pytest.approx(back.overall.p_lower, abs=0.01)


def test_without_a_prior_the_errors_add_up_as_squares(both):
    design = Comparison(*both, ("a", "b")).design()
    parts = [lw.metrics.design_based(assessment.belief)[0] for assessment in both]
    assert design["mean"] == pytest.approx(parts[1].mean - parts[0].mean)
    assert design["standard_error"] == pytest.approx(np.hypot(*(part.standard_error for part in parts)))
    assert design["low"] < design["mean"] < design["high"]


def test_other_metrics_are_learned_anew(pool_of):
    pool = pool_of(["cat", "dog"])
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.recall), seed=1)
    for ticket in assessment.ask(20):
        assessment.tell(ticket, "cat")
    assert int(accuracies_of(assessment).n_labels.sum()) == 20


def test_labels_of_two_rivals_say_nothing_of_either(pool_of, refusal):
    pool = pool_of(["cat", "dog"])
    pool = lw.metrics.with_rival(pool, lw.pool_from_arrays(predicted=["cat"] * 300, classes=["cat", "dog"]), "old")
    versus = lw.Assessment(pool, lw.everything(pool), question=lw.Versus("old"), seed=1)
    sentence = refusal(UnanswerableError, Comparison, versus, versus, ("a", "b"))
    assert sentence.startswith("'a' is an assessment of two classifiers against each other")


def test_all_three_formats_say_it(both):
    report = lw.comparison_of(*both, names=("spring", "<autumn>"))
    assert report.document["difference"]["p_better"] == report.document["difference"]["p_higher"]
    assert "&lt;autumn&gt;" in report.html()
    assert "<autumn>" not in report.html()
    assert "Only the first has: emu." in report.markdown()
    assert report.json() == lw.comparison_of(*both, names=("spring", "<autumn>")).json()
    assert [chart["kind"] for chart in report.document["charts"]] == ["difference", "differences"]


def test_nothing_in_common_is_said(pool_of):
    one, other = assessed(pool_of(["cat", "dog"]), 20), assessed(pool_of(["emu", "fox"], seed=2), 20)
    report = lw.comparison_of(one, other)
    assert report.document["groups"] == []
    assert "The two have no group of the same name" in report.html()
