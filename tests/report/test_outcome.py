"""The answer as a document and as text: every question, bounds, notes, JSON."""

import json

import numpy as np
import pytest

import labelwise as lw
from labelwise.report.outcome import outcome, render_outcome
from labelwise.testing.worlds import small_pool


def answered(question, groups=None, n=20, **options):
    pool = small_pool()
    groups = groups(pool) if groups else lw.by_column(pool, "site")
    assessment = lw.Assessment(pool, groups, question=question, seed=1, **options)
    for ticket in assessment.ask(n):
        assessment.tell(ticket, int(ticket.item["id"]) % 3)
    return assessment, outcome(assessment, assessment.answer(n_draws=500), with_forecast=False)


@pytest.mark.parametrize(
    ("question", "first_line", "guaranteed", "believed"),
    [
        (lw.Worst(), "Which group is the worst in accuracy?", "north is the worst in accuracy: ", "P("),
        (lw.Best(m=1), "Which group is the best in accuracy?", "south is the best in accuracy: ", "P("),
        (
            lw.Estimate(), "What is the accuracy of every group?", "the widest always-valid interval is",
            "the widest interval is"
        ),
        (
            lw.Compare("north", "south", margin=0), "Does accuracy differ between 'north' and 'south'?",
            "accuracy of 'north' is higher than that of 'south': ", "P("
        ),
        (lw.Versus("rival"), "Does the classifier differ in accuracy from its rival 'rival'?", "P(", "P("),
    ],
    ids=lambda q: type(q).__name__,
)  # fmt: skip
@pytest.mark.parametrize("promise", ["guaranteed", "believed"])
def test_every_question_has_its_words(question, first_line, guaranteed, believed, promise):
    width = lw.Width(0.1) if question.kind == "estimate" else lw.Sure()
    _, document = answered(question, stop=width if promise == "believed" else None)
    text = render_outcome(document)
    assert text.startswith(f"{first_line}\n  go on: {guaranteed if promise == 'guaranteed' else believed}")
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
    assert "30 items have no label (15 because nobody knew, 15 skipped)" in text
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


@pytest.mark.parametrize("target", ["population", "pool"])
@pytest.mark.parametrize("question", [lw.Worst(), lw.Estimate(), lw.Compare("south", "north")], ids=str)
def test_every_group_has_an_always_valid_interval_beside_the_credible_one(question, target):
    assessment, document = answered(question, target=target, stop=lw.Budget(100))
    belief = assessment.belief
    low, high = lw.beliefs.always_valid(belief.hits, belief.labels, belief.n_items if target == "pool" else None)
    for row in document["groups"]:
        g = belief.names.index(row["group"])
        assert (row["always_low"], row["always_high"]) == pytest.approx((low[g], high[g]), abs=1e-12)
        assert row["always_low"] <= row["mean"] <= row["always_high"]
    text = render_outcome(document)
    assert "always valid" in text
    for kind, sentence in document["guarantees"].items():
        assert kind.split("_")[0] in text
        assert " ".join(sentence.split()) in " ".join(text.split())


@pytest.mark.parametrize("target", ["population", "pool"])
@pytest.mark.parametrize("metric", [lw.accuracy, lw.calibration_bias], ids=str)
def test_a_guaranteed_stop_has_the_intervals_that_it_looks_at(metric, target):
    assessment, document = answered(lw.Worst(metric), target=target)
    low, high = metric.evidence(assessment.ledger.trail, target=target).always(0.95)
    for row in document["groups"]:
        g = assessment.belief.names.index(row["group"])
        assert (row["always_low"], row["always_high"]) == pytest.approx((low[g], high[g]), abs=1e-12)
    assert list(document["guarantees"]) == ["credible", "always_valid"]
    assert "always valid" in render_outcome(document)


def test_the_whole_has_its_always_valid_interval():
    _, document = answered(lw.Overall(), lw.everything)
    (row,), overall = document["groups"], document["overall"]
    ends_of_group = (row["always_low"], row["always_high"])
    assert (overall["always_low"], overall["always_high"]) == pytest.approx(ends_of_group, abs=1e-12)
    ends = f"[{overall['always_low']:.4f}, {overall['always_high']:.4f}] (always valid)"
    assert ends in render_outcome(document).partition("By ")[0]


@pytest.mark.parametrize("stop", [None, lw.Sure(), lw.Budget(100)], ids=str)
def test_what_is_guaranteed_stands_beside_what_is_believed(stop):
    assessment, document = answered(lw.Worst(), n=30, stop=stop)
    belief, ledger = assessment.belief, assessment.ledger
    proof = lw.Worst().prove(assessment.answer(n_draws=500).answer, ledger.trail, target="pool")
    answer, other = document["answer"], document["other_target"]
    assert answer["proof"] == {"claim": proof.claim, "error": proof.error}
    assert answer["sentence"] == f"P({proof.claim}) = {answer['probability']:.3f}"
    assert other["target"] == "population"
    expected = lw.Worst().answer(belief, target="population", n_draws=20_000, rng=np.random.default_rng(0))
    assert other["named"] == list(expected.named)
    assert other["probability"] == pytest.approx(expected.probability, abs=0.05)  # 4 standard errors of 2,000 draws
    text = render_outcome(document)
    assert f"Believed: {answer['sentence']}.\n" in text
    assert f"For new items of the same kind: {other['sentence']} (believed).\n" in text
    assert "\nGuaranteed: " in text


def test_nothing_proven_yet_is_said():
    _, document = answered(lw.Worst(), n=2)
    assert document["answer"]["proof"]["error"] == 1
    assert "\nGuaranteed: nothing yet.\n" in render_outcome(document)


def test_no_known_guarantee_is_said():
    _, document = answered(lw.Worst(lw.recall), lw.by_prediction, n=2)
    assert document["answer"]["proof"] is None
    assert "\nGuaranteed: nothing, for no guarantee is known for this question.\n" in render_outcome(document)


def test_new_items_asked_about_the_pool_stands_beside():
    _, document = answered(lw.Worst(), target="population")
    assert document["other_target"]["target"] == "pool"
    assert "For exactly the items of this pool: P(" in render_outcome(document)


def test_an_estimate_claims_nothing():
    _, document = answered(lw.Estimate())
    assert (document["answer"]["proof"], document["other_target"]["probability"]) == (None, None)
    text = render_outcome(document)
    assert "Guaranteed: " not in text
    assert "Believed: accuracy of " in text


def test_other_metrics_have_none():
    _, document = answered(lw.Worst(lw.recall), lw.by_prediction)
    assert "always_low" not in document["groups"][0]
    assert list(document["guarantees"]) == ["credible"]
    assert "always valid" not in render_outcome(document)


def test_a_narrow_terminal_gets_numbers_but_no_drawing():
    _, document = answered(lw.Worst(), n=30)
    wide, narrow = (render_outcome(document, width=width) for width in (160, 100))
    assert "●" in wide
    assert "●" not in narrow
    assert max(len(line) for line in narrow.splitlines() if not line.startswith("Note")) <= 100


def test_the_overall_accuracy_is_said_with_and_without_the_prior():
    assessment, document = answered(lw.Estimate(), n=40, policy=lw.policies.RandomGroup(), target="population")
    design, _ = lw.metrics.design_based(assessment.belief)
    assert document["overall"]["design"] == {
        "mean": design.mean, "low": design.low, "high": design.high, "standard_error": design.standard_error
    }  # fmt: skip
    text = render_outcome(document)
    assert f"(credible), {design.mean:.4f} [{design.low:.4f}, {design.high:.4f}] (design-based, no prior)" in text
    assert "95 % design-based: without a prior" in text


def test_without_enough_labels_the_reason_is_said():
    _, document = answered(lw.Estimate(), n=1)
    assert document["overall"]["design"] is None
    assert document["overall"]["design_reason"].endswith("the design-based estimate needs 2 of every group.")
    assert f"  without a prior: none. {document['overall']['design_reason']}" in render_outcome(document)


def test_plain_terminals_get_plain_marks():
    _, document = answered(lw.Worst())
    assert render_outcome(document, unicode=False).isascii()
