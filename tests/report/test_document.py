"""What a report says, as plain values."""

import pytest

import labelwise as lw
from labelwise.report.document import labellers_of, prior_words, report_document
from labelwise.report.outcome import render_outcome


def test_labellers_add_up_to_the_labels(animals):
    rows = labellers_of(animals)
    assert {row["labeller"] for row in rows} == {"ann", "bob"}
    assert sum(row["labels"] for row in rows) == len(animals.ledger.label_of)
    assert sum(row["skipped"] + row["not_known"] for row in rows) == 7
    assert all(row["first"] <= row["last"] for row in rows)


def test_imported_labels_have_a_labeller_too(pool_of):
    pool = pool_of(["cat", "dog"])
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1)
    assessment.import_labels({0: "cat", 1: "dog"}, were_drawn_at_random=True, labeller="last year")
    assert labellers_of(assessment)[0]["labels"] == 2


def test_an_unlikely_answer_is_not_stated_as_a_fact(pool_of, make_assessment):
    assessment = make_assessment(pool_of([f"c{k}" for k in range(30)], right=0.8), lw.Worst(lw.accuracy, m=5), 10)
    document = report_document(assessment, assessment.answer())
    assert document["answer"]["probability"] < 0.5
    assert " look like the worst 5 of 30 groups in accuracy, but the probability of that is" in document["headline"]


@pytest.mark.parametrize(
    ("prior", "word"),
    [(None, "learned: "), (lw.FlatPrior(), "flat: "), (lw.FlatPrior(4), "worth 4 labels"),
     (lw.InformedPrior(), "informed: "), (lw.LearnedPrior(), "learned: "), (lw.CustomPrior(9, 1), "custom: ")],
)  # fmt: skip
def test_priors_are_said_in_words(pool_of, prior, word):
    pool = pool_of(["cat", "dog"])
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, prior=prior)
    assert word in prior_words(assessment)


def test_a_forecast_is_there_when_asked_for(pool_of, make_assessment):
    assessment = make_assessment(pool_of(["cat", "dog"], right=0.6), lw.Estimate(lw.accuracy), 10)
    result = assessment.answer()
    assert report_document(assessment, result)["forecast"] is None
    assert report_document(assessment, result, with_forecast=True)["forecast"]["sentence"]


def best_rate(joint):
    return joint[..., 0, 0] + joint[..., 1, 1]


@pytest.mark.parametrize(("question", "end"), [(lw.Worst, "worst"), (lw.Best, "best")])
def test_a_metric_with_best_in_its_name_does_not_turn_the_question_round(question, end):
    pool = lw.pool_from_arrays(predicted=["cat", "dog"] * 40, columns={"place": ["north", "south"] * 40})
    metric = lw.metrics.ConfusionFunction(function=best_rate)
    assessment = lw.Assessment(pool, lw.by_column(pool, "place"), question=question(metric), seed=1)
    for ticket in assessment.ask(40):
        assessment.tell(ticket, "cat")
    document = report_document(assessment, assessment.answer())
    assert f" is the {end} of 2 groups in best-rate" in document["headline"]
    assert document["question_kind"] == end
    text = render_outcome(document, unicode=False)
    assert f"P({end})" in text
