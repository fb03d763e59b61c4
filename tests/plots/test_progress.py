"""Progress: a fold over the events, the rule's own line, the moments at which another answer stood."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.plots import progress_chart
from labelwise.plots.history import moments_of


def test_moments_are_what_an_assessment_of_the_first_labels_would_say(case):
    assessment = case("three").assessment
    told = [event for event in assessment.history() if event.kind == "told"]
    for moment in moments_of(assessment, most=5):
        belief = assessment.setup.start()
        first = told[: moment.n_labels]
        items = [assessment.ledger.slip(event.ticket).item for event in first]
        belief = belief.update(np.array(items, int), np.array([event.label for event in first], int))
        assert np.allclose(moment.answer.posterior.mean, belief.mean(target=assessment.setup.target))


def test_the_last_moment_is_now_and_the_first_is_the_prior(case):
    assessment = case("three").assessment
    frame = progress_chart(assessment).frame()
    assert (frame["labels"][0], frame["labels"][-1]) == (0, 40)
    answer = assessment.answer().answer
    g = answer.posterior.names.index(answer.named[0])
    assert np.isclose(frame["mean"][-1], answer.posterior.mean[g])
    assert frame["named"][-1] == answer.named[0]
    assert frame["probability"][-1] == pytest.approx(answer.probability, abs=0.05)


def test_many_labels_give_at_most_sixty_moments(case):
    assert len(progress_chart(case("hundred").assessment).frame()["labels"]) == 60


def test_withdrawn_labels_are_followed_down_again(case):
    assessment = case("three").assess(lw.Worst(lw.accuracy))
    for ticket in range(5):
        assessment.withdraw(ticket)
    labels = progress_chart(assessment).frame()["labels"]
    assert labels.max() == 40
    assert labels[-1] == 35


@pytest.mark.parametrize(
    ("question", "stop", "field", "at"),
    [
        (lw.Worst(lw.accuracy), lw.Sure(0.9), "probability", 0.9),
        (lw.Estimate(lw.accuracy), lw.Width(0.3), "widest", 0.3),
        (lw.Estimate(lw.accuracy), lw.AllOf((lw.Budget(50), lw.Width(0.2, "overall"))), "widest", 0.2),
        (lw.Compare("class 0", "class 1"), lw.Sure(0.8), "probability", 0.8),
    ],
)
def test_the_lower_panel_has_what_the_rule_looks_at_and_its_line(case, question, stop, field, at):
    assessment = case("three").assess(question, stop=stop)
    chart = progress_chart(assessment, most=5)
    upper, lower = chart.spec()["vconcat"]
    assert lower["layer"][0]["encoding"]["y"]["field"] == field
    assert lower["layer"][1]["encoding"]["y"] == {"datum": at}
    assert ({"datum": 50} in [layer["encoding"]["x"] for layer in upper["layer"]]) == isinstance(stop, lw.AllOf)
    if field == "widest":
        verdict = stop.rules[1] if isinstance(stop, lw.AllOf) else stop
        answer = assessment.answer().answer
        found = answer.overall if verdict.which == "overall" else answer.posterior
        assert chart.frame()["widest"][-1] == pytest.approx(float((found.high - found.low).max()), abs=0.02)


def test_a_budget_alone_has_no_lower_panel_and_no_labels_are_no_error(case):
    pool = case("three").pool
    fresh = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Estimate(), seed=1, stop=lw.Budget(9))
    chart = progress_chart(fresh)
    assert len(chart.spec()["vconcat"]) == 1
    assert chart.frame()["labels"].tolist() == [0]
