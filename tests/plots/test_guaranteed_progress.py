"""The chart of progress under a guaranteed stop: what was proven at each moment."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.plots.history import moments_of
from labelwise.plots.progress import progress_chart


def assessed(question, n=30, **options):
    rng = np.random.default_rng(4)
    predicted = rng.integers(0, 3, 90)
    truth = np.where(rng.uniform(size=90) < np.array([0.3, 0.8, 0.9])[predicted], predicted, 0)
    pool = lw.pool_from_arrays(predicted=predicted, ids=np.arange(90), classes=[0, 1, 2, 3])
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=question, seed=3, **options)
    for ticket in assessment.ask(n):
        assessment.tell(ticket, int(truth[ticket.item["id"]]))
    return assessment


def test_each_moment_proves_what_its_labels_prove_in_their_order():
    assessment = assessed(lw.Worst())
    told = [event.ticket for event in assessment.history() if event.kind == "told"]
    for number in told[::7]:
        assessment.withdraw(number)
    first, *_, last = moments_of(assessment, most=5)
    assert first.answer.proof.error == 1
    trail = assessment.ledger.trail
    expected = lw.Worst().prove(last.answer, trail, target="pool")
    assert last.answer.proof == expected
    assert np.array_equal(last.answer.always, lw.accuracy.evidence(trail, target="pool").always(0.95))


def test_the_lower_panel_draws_the_guaranteed_probability():
    assessment = assessed(lw.Worst(), n=60)
    chart = progress_chart(assessment, most=4)
    guaranteed = chart.frame()["guaranteed"]
    assert guaranteed[0] == 0
    assert guaranteed[-1] == pytest.approx(1 - assessment.answer().answer.proof.error)
    panel = chart.spec("light")["vconcat"][1]["layer"][0]["encoding"]["y"]
    assert (panel["field"], panel["title"]) == ("guaranteed", "Guaranteed probability")


def test_the_width_of_always_valid_intervals_is_drawn():
    assessment = assessed(lw.Estimate())
    found = progress_chart(assessment, most=3).frame()["widest"]
    assert found[-1] == pytest.approx(lw.Width(0.1, is_guaranteed=True).found(assessment.answer().answer))


def test_a_believed_stop_draws_what_is_believed():
    chart = progress_chart(assessed(lw.Worst(), stop=lw.Sure()), most=3)
    assert "guaranteed" not in chart.frame()
    assert chart.spec("light")["vconcat"][1]["layer"][0]["encoding"]["y"]["field"] == "probability"
