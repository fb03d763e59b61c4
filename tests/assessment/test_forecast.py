"""How many more labels: against rules whose answer is known, and against what then happens."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.assessment.forecast import Forecast, believed, forecast, scored
from labelwise.assessment.queue import Queue


def setup_of(n=2_000, stop=None, question=None, n_groups=2, **more):
    pool = lw.pool_from_arrays(
        predicted=np.arange(n) % n_groups, confidence=np.where(np.arange(n) % n_groups, 0.6, 0.95)
    )
    return lw.Setup(lw.by_prediction(pool), question or lw.Worst(), seed=1, stop=stop, **more)


def played(setup, world=None, **more):
    start = setup.start()
    queue = Queue(setup.groups, seed=1)
    return forecast(setup, start, queue, world or believed(start), seed=1, **more)


def test_a_budget_is_forecast_to_within_a_step():
    found = played(setup_of(stop=lw.Budget(100)))
    assert 100 <= found.median <= 113
    assert found.quantile(0.1) == found.quantile(0.9)


def test_labels_told_before_count_towards_a_budget():
    setup = setup_of(stop=lw.Budget(100))
    found = forecast(setup, setup.start(), Queue(setup.groups, seed=1), believed(setup.start()), n_labels=90, seed=1)
    assert 10 <= found.median <= 22


def test_a_rule_that_is_met_needs_nothing():
    assert played(setup_of(stop=lw.Budget(1)), n_worlds=3).median <= 1


def test_the_width_of_one_group_needs_what_theory_says():
    """A flat Beta after n labels has a 95 % interval of about 3.92 sqrt(p (1 - p)/(n + 3)): n = 93 for p = 0.6."""
    pool = lw.pool_from_arrays(predicted=[0, 1] * 2_000, confidence=[0.6] * 4_000)
    setup = lw.Setup(lw.everything(pool), lw.Estimate(), seed=1, stop=lw.Width(0.2))
    found = played(setup, scored(pool))
    expected = (3.92 / 0.2) ** 2 * 0.24 - 3
    assert found.median == pytest.approx(expected, rel=0.15)  # a step of the schedule


def test_what_is_forecast_is_what_then_happens():
    """The real process from the same prior, in worlds drawn from it: the medians agree within a factor of 1.6."""
    setup = setup_of(stop=lw.Sure(0.9))
    found = played(setup, n_worlds=60)
    needed = []
    for seed in range(60):
        rng = np.random.default_rng([7, seed])
        accuracy = rng.uniform(size=2)
        assessment = lw.Assessment(setup.pool, setup.groups, question=setup.question, seed=seed, stop=setup.stop)
        while not assessment.answer(n_draws=400).may_stop and assessment.answer(n_draws=50).n_labels < 1_500:
            for ticket in assessment.ask(3):
                predicted = int(setup.pool.prediction[ticket.item["id"]])
                hit = rng.uniform() < accuracy[predicted]
                assessment.tell(ticket, predicted if hit else 1 - predicted)
        needed.append(assessment.answer(n_draws=50).n_labels)
    assert np.median(needed) / 1.6 - 3 <= found.median <= 1.6 * np.median(needed) + 3


def test_over_confident_scores_are_imagined_less_often_right():
    pool = setup_of().pool
    items = np.arange(2_000)
    shares = []
    for gap in (0.0, 0.2):
        labels = scored(pool, gap)(np.random.default_rng(1))(items)
        shares.append((labels == pool.prediction).mean())
    assert shares[0] == pytest.approx(0.775, abs=0.05)
    assert shares[1] == pytest.approx(0.575, abs=0.05)


def test_misses_are_drawn_by_the_scores_where_they_are_known():
    pool = lw.pool_from_arrays(scores=[[0.6, 0.3, 0.1]] * 30_000)
    labels = scored(pool)(np.random.default_rng(1))(np.arange(30_000))
    assert np.bincount(labels, minlength=3) / 30_000 == pytest.approx([0.6, 0.3, 0.1], abs=0.015)


def test_a_pool_that_runs_out_is_said_to():
    found = played(setup_of(n=20, stop=lw.Width(1e-6), question=lw.Estimate(), target="population"))
    assert found.median is None
    assert found.sentence() == "not expected within the 20 items that can still be asked"


def test_a_limit_is_said_to_be_one():
    found = played(setup_of(stop=lw.Width(1e-3), question=lw.Estimate()), limit=50, n_worlds=3)
    assert found.sentence() == "more than 50 more labels expected"


def test_nothing_that_is_given_changes():
    setup = setup_of()
    start, queue = setup.start(), Queue(setup.groups, seed=1)
    before = (start.a.copy(), queue.n_open.copy(), queue.peek(0))
    first = forecast(setup, start, queue, believed(start), seed=1, n_worlds=4)
    assert np.array_equal(start.a, before[0])
    assert np.array_equal(queue.n_open, before[1])
    assert queue.peek(0) == before[2]
    again = forecast(setup, start, queue, believed(start), seed=1, n_worlds=4)
    assert np.array_equal(first.n_more, again.n_more)


def test_quantiles_count_worlds_that_were_given_up_as_longest():
    found = Forecast(np.array([10, 20, 30, -1]), 100)
    assert (found.quantile(0.25), found.median, found.quantile(0.75), found.quantile(0.9)) == (10, 20, 30, None)


def test_an_answer_that_may_not_stop_says_how_many_more_are_expected():
    setup = setup_of()
    assessment = lw.Assessment.of(setup)
    sentence = assessment.answer().sentence()
    assert "is the worst in accuracy: nothing is proven yet; about" in sentence
    assert "more labels expected (" in sentence
