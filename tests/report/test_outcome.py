"""The answer as a document and as text: every question, bounds, notes, JSON."""

import json

import numpy as np
import pytest

import labelwise as lw
from labelwise.report import outcome, render_outcome
from labelwise.testing.worlds import small_pool


def answered(question, groups=None, n=20, **options):
    pool = small_pool()
    groups = groups(pool) if groups else lw.by_column(pool, "site")
    assessment = lw.Assessment(pool, groups, question=question, seed=1, **options)
    for ticket in assessment.ask(n):
        assessment.tell(ticket, int(ticket.item["id"]) % 3)
    return assessment, outcome(assessment, assessment.answer(n_draws=500), with_forecast=False)


@pytest.mark.parametrize(
    ("question", "first_lines"),
    [
        (lw.Worst(), "Which group is the worst in accuracy?\n  go on: P("),
        (lw.Best(m=1), "Which group is the best in accuracy?\n  go on: P("),
        (lw.Estimate(), "What is the accuracy of every group?\n  go on: the widest interval is"),
        (lw.Compare("north", "south", margin=0), "Does accuracy differ between 'north' and 'south'?\n  go on: P("),
        (lw.Versus("rival"), "Does the classifier differ in accuracy from its rival 'rival'?\n  go on: P("),
    ],
    ids=lambda q: type(q).__name__,
)  # fmt: skip
def test_every_question_has_its_words(question, first_lines):
    _, document = answered(question)
    text = render_outcome(document)
    assert text.startswith(first_lines)
    assert "20 labels of 60 items" in text
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_the_numbers_are_those_of_the_answer():
    assessment, document = answered(lw.Worst(), n=12)
    answer = assessment.answer(n_draws=500).answer
    by_name = {row["group"]: row for row in document["groups"]}
    for g, name in enumerate(answer.posterior.names):
        assert by_name[name]["mean"] == answer.posterior.mean[g]
        assert by_name[name]["labels"] == answer.posterior.n_labels[g]
    assert document["groups"][0]["group"] == answer.named[0]
    assert document["labels"] == {"told": 12, "out": 0, "skipped": 0, "unknown": 0, "open": 48}


def test_the_best_group_comes_first_when_the_best_is_asked_for():
    _, document = answered(lw.Best())
    assert document["groups"][0]["group"] == document["answer"]["named"][0]
    assert "P(best)" in render_outcome(document)


def test_items_without_a_label_are_counted_and_bounded():
    pool = small_pool()
    assessment = lw.Assessment(pool, lw.by_column(pool, "site"), question=lw.Worst(), seed=1, target="pool")
    for number, ticket in enumerate(assessment.ask(30)):
        assessment.skip(ticket, is_unknown=number % 2 == 0)
    document = outcome(assessment, assessment.answer(n_draws=200), with_forecast=False)
    assert (document["labels"]["skipped"], document["labels"]["unknown"]) == (15, 15)
    for row in document["groups"]:
        assert row["if_misses"] <= row["mean"] <= row["if_hits"]
    text = render_outcome(document)
    assert "30 items have no label (15 because nobody knew, 15 passed by)" in text
    assert "bounds" in text


def test_an_estimate_gives_the_whole_pool_too():
    assessment, document = answered(lw.Estimate())
    expected = float(np.sum(assessment.belief.mean() * assessment.groups.share))
    assert document["overall"]["mean"] == pytest.approx(expected, abs=0.02)  # 500 draws
    assert "Overall accuracy: " in render_outcome(document)


def test_a_rule_that_is_met_needs_no_forecast_and_one_that_is_not_has_one():
    pool = small_pool()
    assessment = lw.Assessment(pool, lw.by_column(pool, "site"), question=lw.Worst(), seed=1, stop=lw.Budget(2))
    before = outcome(assessment, assessment.answer(n_draws=100))
    assert before["forecast"]["more"] == 2
    for ticket in assessment.ask(2):
        assessment.tell(ticket, 0)
    after = outcome(assessment, assessment.answer(n_draws=100))
    assert (after["forecast"], after["stop"]["is_met"]) == (None, True)
    assert render_outcome(after).splitlines()[1] == "  stop: 2 of 2 labels spent"


def test_plain_terminals_get_plain_marks():
    _, document = answered(lw.Worst())
    assert render_outcome(document, unicode=False).isascii()
