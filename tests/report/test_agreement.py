"""Agreement and disputes as documents, as text and in a report."""

import json

import pytest

import labelwise as lw
from labelwise.report.agreement import agreement_document, disputes_document, render_agreement, render_disputes
from labelwise.report.history import labels_of


def assessment_of(n_seconds=12, others=("bob",)):
    pool = lw.pool_from_arrays(predicted=["cat", "dog"] * 20, ids=[f"i{k}" for k in range(40)])
    assessment = lw.Assessment(
        pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, clock=lambda: 0.0, prior=lw.FlatPrior()
    )
    for ticket in assessment.ask(24, labeller="ann"):
        assessment.tell(ticket, "cat" if int(ticket.item["id"][1:]) % 2 else "dog")
    assessment.want_second_opinions(1.0)
    for who in others:
        for ticket in assessment.ask(n_seconds, labeller=who):
            assessment.tell(ticket, "cat" if int(ticket.item["id"][1:]) % 4 else "dog")
    return assessment


def test_the_document_has_numbers_intervals_and_what_they_promise():
    found = agreement_document(lw.agreement_of(assessment_of()))
    n_items, n_agree = found["items"], found["agree"]
    assert n_items == 12
    assert 0 < n_agree < 12
    assert found["pairs"] == [
        {"one": "ann", "other": "bob", "items": 12, "agree": n_agree, "kappa": found["kappa"]["mean"]}
    ]
    assert found["share"]["low"] < n_agree / n_items < found["share"]["high"]
    assert set(found["guarantees"]) == {"share", "kappa"}
    assert found["guarantees"]["share"].startswith("if the prior is right, holds with 95 % probability")
    assert json.loads(json.dumps(found)) == found


def test_the_text_names_kappa_by_who_invented_it():
    two = render_agreement(agreement_document(lw.agreement_of(assessment_of())))
    three = render_agreement(agreement_document(lw.agreement_of(assessment_of(6, ("bob", "eve")))))
    assert "12 items labelled twice" in two
    assert "Cohen's kappa" in two
    assert "Fleiss' kappa" in three
    assert "95 % of kappa: if the prior is right" in three


def test_without_a_pair_the_text_says_the_way_out():
    found = agreement_document(lw.agreement_of(assessment_of(others=())))
    assert (found["items"], found["guarantees"], found["pairs"]) == (0, {}, [])
    assert render_agreement(found) == (
        "No item was labelled twice. Request second opinions: `labelwise review request STORE --share 0.1`."
    )


def test_disputes_are_listed_until_they_are_settled():
    assessment = assessment_of()
    found = disputes_document(assessment)
    assert {(row["labeller"], row["other_labeller"]) for row in found} == {("ann", "bob")}
    assert all(row["label"] != row["other"] for row in found)
    assert found[0]["id"] in render_disputes(found)
    for row in found:
        assessment.settle(row["id"], row["other"])
    assert disputes_document(assessment) == []
    assert render_disputes([]) == "Nothing is in dispute."
    assert sum(row["status"] == "settled" for row in labels_of(assessment)) == len(found)


@pytest.mark.parametrize("format", ["html", "markdown", "json"])
def test_a_report_has_a_section_of_agreement_if_items_were_labelled_twice(format):
    doubled, single = (lw.report_of(one) for one in (assessment_of(), assessment_of(others=())))
    with_it, without = (
        report.json() if format == "json" else getattr(report, format)() for report in (doubled, single)
    )
    if format == "json":
        assert json.loads(with_it)["agreement"]["items"] == 12
        assert json.loads(without)["agreement"]["items"] == 0
        return
    for words in ("Agreement by pair of labellers", "12 items were labelled by two people", "Cohen", "flat prior"):
        assert words in with_it
        assert words not in without
    assert "agreement: nobody labelled an item twice" in without


def test_a_report_without_kappa_says_why():
    pool = lw.pool_from_arrays(predicted=["cat", "dog"] * 20)
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, prior=lw.FlatPrior())
    assessment.want_second_opinions(1.0)
    for who in ("ann", "bob"):
        for ticket in assessment.ask(4, labeller=who):
            assessment.tell(ticket, "cat")
    assert "There is no kappa: only one class was ever said" in lw.report_of(assessment).markdown()
    text = render_agreement(agreement_document(lw.agreement_of(assessment)))
    assert "No kappa: only one class was ever said" in text
