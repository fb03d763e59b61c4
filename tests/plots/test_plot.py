"""One door: every kind of everything, and what is refused."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.plots import kinds_of

KINDS = ["groups", "reliability", "curve", "ece", "scatter", "ranks", "difference", "confusion", "cost"]


def options_of(kind, case):
    return {"difference": {"one": "class 0", "other": "class 1"}, "cost": {"metric": case.cost}}.get(kind, {})


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_a_labelled_pool(case, check_schema, kind):
    one = case("empty")
    chart = lw.plot(one.groups, kind, **options_of(kind, one))
    check_schema(chart.spec())
    again = lw.plot(one.groups, kind, **options_of(kind, one))
    assert chart.frame().rows().__repr__() == again.frame().rows().__repr__()  # NaN is NaN


@pytest.mark.parametrize("kind", ["progress", "allocation", *KINDS])
def test_every_kind_of_an_assessment(case, check_schema, kind):
    one = case("empty")
    check_schema(lw.plot(one.assessment, kind, **options_of(kind, one)).spec())


def test_other_metrics_of_an_assessment_are_learned_from_the_labels_so_far(case):
    assessment = case("three").assessment
    frame = lw.plot(assessment, "confusion").frame()
    assert frame["labels"].sum() == len(assessment.ledger.label_of)
    fresh = lw.Assessment(assessment.pool, assessment.groups, question=lw.Worst(lw.accuracy), seed=1)
    assert lw.plot(fresh, "confusion").frame()["labels"].sum() == 0


@pytest.mark.parametrize("kind", ["reliability", "ece", "confusion"])
def test_charts_of_an_assessment_go_by_the_prior_that_it_learns_by(case, kind):
    how = {"question": lw.Worst(), "policy": lw.RandomItem()}  # which asks the same, whatever is believed
    flat, learned = (case("three").assess(**how, prior=prior) for prior in (lw.FlatPrior(), lw.LearnedPrior()))
    assert flat.ledger.label_of == learned.ledger.label_of
    assert lw.plot(flat, kind).frame().rows() != lw.plot(learned, kind).frame().rows()


def test_the_truth_is_drawn_of_a_labelled_pool_and_never_of_an_assessment(case):
    one = case("three")
    known = dict(zip(*(lw.plot(one.groups, "ece", bins=10).frame()[name] for name in ("part", "ece")), strict=True))
    assert known["truth"] == lw.metrics.known_value(lw.metrics.ECE(10), one.pool)
    assert "truth" not in lw.plot(one.assessment, "ece").frame()["part"]
    assert "truth" not in lw.plot(one.groups, "ece", group="class 1").frame()["part"]


def test_a_comparison_is_drawn_as_the_difference_that_was_asked(case):
    assessment = case("three").assess(lw.Compare("class 0", "class 1"))
    chart = lw.plot(assessment)
    rows = {row["part"]: row for row in chart.frame().rows()}
    assert rows["lower"]["probability"] == assessment.answer().answer.difference.p_lower


def test_a_rival_is_drawn_as_the_lead_over_it():
    pool = lw.pool_from_arrays(predicted=[0, 1, 1, 0] * 25, columns={"old": [0, 1, 1, 1] * 25})
    assessment = lw.Assessment(pool, lw.everything(pool), question=lw.Versus("old"), seed=1)
    for ticket in assessment.ask(10):
        assessment.tell(ticket, 0)
    chart = lw.plot(assessment)
    assert chart.title == "Difference in accuracy: this classifier less old"
    mean = assessment.answer().answer.difference.mean
    assert dict(zip(chart.frame()["part"], chart.frame()["difference"], strict=True))["mean"] == mean


def test_beliefs_answers_and_results_have_their_charts(case):
    cells, confusion = case("three").learned(lw.metrics.ECE(10)), case("three").learned(lw.recall)
    assert list(kinds_of(cells)) == ["reliability", "curve", "ece"]
    assert lw.plot(cells).title == "Reliability"
    assert lw.plot(confusion).title == "Confusion matrix"
    result = case("three").assessment.answer()
    assert lw.plot(result).frame().rows() == lw.plot(result.answer).frame().rows()
    assert list(kinds_of(case("three").simulated())) == ["policies"]
    assert list(kinds_of(case("three").ensemble())) == ["uncertainty"]


def test_settings_reach_the_metric(case):
    groups = case("three").groups
    how = {"prior": lw.CustomPrior(9, 1), "level": 0.8, "target": "population"}
    frame = lw.plot(groups, "groups", **how).frame()
    belief = lw.belief_from_labels(lw.accuracy, groups, lw.CustomPrior(9, 1))
    assert np.allclose(np.sort(frame["low"]), np.sort(belief.interval(0.8)[0]))


@pytest.mark.parametrize(
    ("what", "options", "error", "sentence"),
    [
        (lambda c: 3, {}, lw.ArgumentError,
         "Objects of type 'int' cannot be drawn. There are charts of: 'Assessment', "),
        (lambda c: c.groups, {"kind": "pie"}, lw.ArgumentError, "`kind` must be one of 'groups', "),
        (lambda c: c.groups, {"kind": "cost"}, lw.ArgumentError, "A cost chart needs a cost matrix: "),
        (lambda c: lw.everything(c.pool), {"kind": "confusion"}, lw.ArgumentError,
         "A confusion matrix needs groups by prediction, but these are by nothing. Group by prediction."),
        (lambda c: c.groups, {"kind": "difference"}, lw.ArgumentError, "A difference chart needs two groups: "),
        (lambda c: lw.everything(lw.pool_from_arrays(predicted=[0, 1])), {},
         lw.UnanswerableError, "This pool has no labels"),
        (lambda c: lw.everything(lw.pool_from_arrays(predicted=[0, 1], labels=[0, 1])), {"kind": "ece"},
         lw.UnanswerableError, "This pool has no confidences"),
    ],
)  # fmt: skip
def test_refusals(case, refusal, what, options, error, sentence):
    assert refusal(error, lw.plot, what(case("three")), **options).startswith(sentence)
