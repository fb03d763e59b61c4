"""Versus: only differing items are asked, the verdict is right, and the bounds go both ways."""

import numpy as np
import pytest

import labelwise as lw


def world(n=300, gap=0.25, seed=3):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    ours = np.where(rng.uniform(size=n) < 0.9, labels, (labels + 1) % 3)
    theirs = np.where(rng.uniform(size=n) < 0.9 - gap, labels, (labels + 1) % 3)
    return lw.pool_from_arrays(predicted=ours, classes=[0, 1, 2], columns={"old": theirs}), labels


def test_only_items_that_differ_are_asked_and_the_answer_says_how_few():
    pool, labels = world()
    assessment = lw.Assessment(pool, lw.everything(pool), question=lw.Versus("old"), seed=1)
    tickets = assessment.ask(300)
    differ = np.flatnonzero(pool.prediction != pool.column("old"))
    assert sorted(t.item["id"] for t in tickets) == differ.tolist()
    for ticket in tickets:
        assessment.tell(ticket, int(labels[ticket.item["id"]]))
    result = assessment.answer()
    assert result.may_stop
    assert result.answer.named == ("this classifier",)
    assert result.answer.notes[0].startswith(f"Only the {len(differ)} items")


def test_in_the_pool_the_truth_is_certain_once_the_differing_items_are_labelled():
    pool, labels = world(gap=0.0, seed=5)
    question = lw.Versus("old")
    differ = np.flatnonzero(question.items(lw.everything(pool)))
    belief = question.start(lw.everything(pool)).update(differ, labels[differ])
    answer = question.answer(belief, target="pool", rng=np.random.default_rng(1))
    lead = (pool.prediction == labels).mean() - (pool.column("old") == labels).mean()
    assert answer.overall.low[0] == pytest.approx(lead)
    assert answer.overall.high[0] == pytest.approx(lead)
    assert answer.probability == 1.0


def test_the_probability_is_that_of_two_binomials_with_two_classes():
    """With two classes the lead's sign is that of w - 1/2, w ~ Beta(1 + ours, 1 + theirs): a closed form."""
    from scipy.special import betaincc

    pool = lw.pool_from_arrays(predicted=[0, 1] * 50, classes=["no", "yes"], columns={"old": ["yes", "no"] * 50})
    question = lw.Versus("old")
    labels = np.array([0, 1] * 10)
    labels[:6] = 1 - labels[:6]
    belief = question.start(lw.everything(pool)).update(np.arange(20), labels)
    answer = question.answer(belief, n_draws=200_000, rng=np.random.default_rng(1))
    assert answer.difference.p_higher == pytest.approx(betaincc(15, 7, 0.5), abs=0.005)  # 10 standard errors


def test_items_nobody_knew_bound_the_lead_on_both_sides():
    pool, _ = world()
    assessment = lw.Assessment(pool, lw.everything(pool), question=lw.Versus("old"), seed=1, target="pool")
    for ticket in assessment.ask(30):
        assessment.skip(ticket, is_unknown=True)
    bounds = assessment.answer().bounds
    assert bounds.if_misses[0] < 0 < bounds.if_hits[0]


def test_classifiers_that_never_differ_are_refused(refusal):
    pool = lw.pool_from_arrays(predicted=[0, 1], columns={"old": [0, 1]})
    assert refusal(lw.UnanswerableError, lw.Versus("old").start, lw.everything(pool)) == (
        "The classifier and 'old' predict the same class for every item: they are equally good, and no label can tell "
        "them apart."
    )


def test_a_margin_makes_small_leads_equal():
    pool, labels = world(gap=0.0, seed=5)
    belief = lw.Versus("old").start(lw.everything(pool)).update(np.arange(300), labels)
    answer = lw.Versus("old", margin=0.2).answer(belief, rng=np.random.default_rng(1))
    assert answer.difference.verdict == "equal"
    assert answer.probability > 0.99
