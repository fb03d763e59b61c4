"""The result of an assessment: sentences and bounds."""

import numpy as np

import labelwise as lw


def test_a_result_says_stop_or_go_on_and_why():
    pool = lw.pool_from_arrays(predicted=["cat"] * 40 + ["dog"] * 40, labels=["cat"] * 80)
    assessment = lw.Assessment(
        pool, lw.by_prediction(pool), question=lw.Worst(), policy=lw.policies.RandomGroup(), seed=1
    )
    assert assessment.answer().sentence().startswith("go on: cat is the worst in accuracy: nothing is proven yet")
    while not assessment.answer(n_draws=500).may_stop:
        for ticket in assessment.ask(2):
            assessment.tell(ticket, "cat")
    result = assessment.answer()
    assert result.sentence().startswith("stop: dog is the worst in accuracy: guaranteed with P(error) <= 0.0")
    assert result.bounds is None
    assert result.n_labels < 40


def test_the_same_events_give_the_same_result():
    pool = lw.pool_from_arrays(predicted=["cat"] * 40 + ["dog"] * 40)
    journal = lw.assessment.MemoryJournal()
    results = []
    for _ in range(2):
        assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=journal)
        if not results:
            for ticket in assessment.ask(8):
                assessment.tell(ticket, "cat")
        results.append(assessment.answer())
    assert results[0].answer.probability == results[1].answer.probability
    assert np.array_equal(results[0].answer.posterior.low, results[1].answer.posterior.low)


def test_the_answer_carries_what_holds_without_a_prior():
    pool = lw.pool_from_arrays(predicted=["cat"] * 40 + ["dog"] * 40 + ["emu"] * 40)
    groups = lw.by_prediction(pool)
    for question, shown in ((lw.Estimate(), [0, 1, 2]), (lw.Compare("emu", "cat"), [2, 0])):
        assessment = lw.Assessment(
            pool, groups, question=question, policy=lw.policies.RandomGroup(), prior=lw.FlatPrior(), seed=1
        )
        for ticket in assessment.ask(30):
            assessment.tell(ticket, "cat")
        answer, belief = assessment.answer(n_draws=200).answer, assessment.belief
        expected = lw.beliefs.always_valid(belief.hits, belief.labels, belief.n_items)
        assert np.array_equal(answer.always, np.array(expected)[:, shown])
        assert (answer.design is not None) == isinstance(question, lw.Estimate)
    assessment = lw.Assessment(pool, groups, question=lw.Worst(lw.recall), seed=1)
    assert assessment.answer(n_draws=200).answer.always is None
