"""Whether labels bear out the prior, in words."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.assessment.prior_checks import design_notes, prior_notes


def _groups(confidence=0.95, n_groups=5, n_items=80):
    predicted = np.repeat(np.arange(n_groups), n_items)
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, confidence=[confidence] * len(predicted)))


def test_an_informed_prior_that_is_far_off_is_said():
    belief = lw.beliefs.BetaBelief.start(_groups(), lw.InformedPrior())
    [note] = prior_notes(belief.add([10] * 5, [20] * 5))
    assert note.startswith("The prior expected 95.0 hits among 100 labels, give or take ")
    assert note.endswith("and there are 50: it is far off, and intervals that rest on it mislead. Use the learned "
                         "prior (`--prior learned`).")  # fmt: skip
    assert prior_notes(belief.add([19] * 5, [20] * 5)) == ()


def test_a_flat_prior_claims_nothing_and_a_few_labels_say_nothing():
    assert prior_notes(lw.beliefs.BetaBelief.start(_groups()).add([0] * 5, [20] * 5)) == ()
    assert prior_notes(lw.beliefs.BetaBelief.start(_groups(), lw.InformedPrior()).add([0] * 5, [1] * 5)) == ()
    assert prior_notes(lw.beliefs.DirichletBelief.start(_groups())) == ()


@pytest.mark.parametrize(("confidence", "hits", "word"), [(0.95, 12, "over"), (0.6, 19, "under")])
def test_a_learned_prior_says_how_far_the_scores_are_off(confidence, hits, word):
    belief = lw.beliefs.LearnedAccuracy.start(_groups(confidence)).add([hits] * 5, [20] * 5)
    [note] = prior_notes(belief)
    assert f"points {word}-confident (95 %); the learned prior has allowed for it." in note
    low, high = (float(number) for number in note.removeprefix("The scores are ").split(" points")[0].split(" to "))
    assert low < 100 * abs(confidence - hits / 20) < high


def test_scores_that_are_right_need_no_note():
    assert prior_notes(lw.beliefs.LearnedAccuracy.start(_groups(0.8)).add([16] * 5, [20] * 5)) == ()


def test_false_alarms_are_as_rare_as_three_standard_deviations():
    """2,000 assessments whose truth is drawn from the informed prior: 0.3 % expected, at most 1.5 % allowed."""
    rng = np.random.default_rng(3)
    start = lw.beliefs.BetaBelief.start(_groups(0.8), lw.InformedPrior())
    labels = np.full(5, 20)
    said = 0
    for _ in range(2_000):
        truth = rng.beta(start.prior_a, start.prior_b)
        said += bool(prior_notes(start.add(rng.binomial(labels, truth), labels)))
    assert said / 2_000 < 0.015


def test_the_answer_carries_the_note():
    pool = _groups().pool
    labels = np.where(np.arange(pool.n_items) % 2, pool.prediction, (pool.prediction + 1) % 5)
    labelled = lw.pool_from_arrays(predicted=pool.prediction, confidence=pool.confidence, labels=labels)
    setup = lw.Setup(lw.by_prediction(labelled), lw.Estimate(), 1, prior=lw.InformedPrior())
    assessment = lw.Assessment.of(setup)
    for ticket in assessment.ask(40):
        item = assessment.ledger.slip(ticket.number).item
        assessment.tell(ticket, labelled.classes[labels[item]])
    assert any("far off" in note for note in assessment.answer().answer.notes)


def _both(hits, labels, sizes, prior=1.0, rng=None):
    belief = lw.beliefs.BetaBelief.from_counts(hits, labels, n_items=sizes, prior_a=prior, prior_b=prior)
    rng = rng or np.random.default_rng(0)
    return lw.metrics.overall_accuracy(belief, n_draws=1_000, rng=rng), lw.metrics.design_based(belief)[0]


def test_priors_of_many_groups_that_outweigh_the_labels_are_said():
    [note] = design_notes(*_both([3] * 100, [3] * 100, [50] * 100))
    assert "the two do not fit together" in note
    assert note.endswith("label more, or use the learned prior (`--prior learned`).")
    [note] = design_notes(*_both([3] * 100, [3] * 100, [50] * 100), is_learned=True)
    assert note.endswith("Trust the one without it, or label more.")
    assert design_notes(*_both([28] * 10, [30] * 10, [50] * 10)) == ()


def test_a_prior_that_is_right_raises_no_alarm():
    """2,000 assessments of five groups, 20 labels each, truth drawn from the prior: at most 0.2 % may be said."""
    rng = np.random.default_rng(4)
    said = 0
    for _ in range(2_000):
        hits = rng.binomial(20, rng.beta(1, 1, 5))
        said += bool(design_notes(*_both(hits, [20] * 5, [100] * 5, rng=rng)))
    assert said <= 4


def test_the_answer_says_that_the_prior_outweighs_the_labels():
    predicted = np.repeat(np.arange(60), 10)
    pool = lw.pool_from_arrays(predicted=predicted)
    groups = lw.by_prediction(pool)
    how = {"policy": lw.policies.RandomGroup(), "prior": lw.FlatPrior()}
    assessment = lw.Assessment(pool, groups, question=lw.Estimate(), seed=1, **how)
    while (assessment.belief.labels < 2).any():
        for ticket in assessment.ask(10):
            assessment.tell(ticket, int(predicted[ticket.item["id"]]))
    answer = assessment.answer().answer
    assert any("do not fit together" in note for note in answer.notes)
    assert answer.design.mean == 1.0
