"""Plans: one row per policy and what-if, and sentences for each way they can end."""

import numpy as np

import labelwise as lw
from labelwise.assessment.forecast import Forecast
from labelwise.assessment.plan import PlanRow


def setup_of(confidence=True, **more):
    n = 1_000
    given = {"confidence": np.where(np.arange(n) % 5, 0.95, 0.55)} if confidence else {}
    pool = lw.pool_from_arrays(predicted=np.arange(n) % 5, **given)
    return lw.Setup(lw.by_prediction(pool), lw.Worst(), seed=1, **({"policy": lw.Thompson()} | more))


def test_there_is_a_row_for_each_policy_and_each_what_if():
    found = lw.plan(setup_of(), [lw.RandomItem(), lw.Thompson()], what_if=[0.0, 0.1], n_worlds=4).frame().rows()
    assert [(row["policy"], row["over_confidence"]) for row in found] == [
        ("thompson", 0.0), ("random-item", 0.0), ("thompson", 0.1), ("random-item", 0.1),
    ]  # fmt: skip
    assert all(row["low"] <= row["labels"] <= row["high"] for row in found if row["high"] is not None)


def test_top_two_needs_fewer_labels_than_plain_thompson_to_be_sure_of_the_worst():
    """Thompson sampling looks at the worst group over and over; what is missing is how good the others are."""
    found = lw.plan(setup_of(prior=lw.FlatPrior()), [lw.TopTwo()], what_if=[0.0], n_worlds=16).frame().rows()
    assert found[1]["labels"] < found[0]["labels"]


def test_without_confidences_the_prior_is_imagined_and_the_plan_says_so():
    found = lw.plan(setup_of(confidence=False), n_worlds=3)
    assert found.rows[0].over_confidence is None
    assert found.assumption.startswith("Without confidences")


def test_a_plan_on_the_way_starts_from_what_is_believed():
    setup = setup_of(stop=lw.Budget(60))
    assessment = lw.Assessment.of(setup)
    for ticket in assessment.ask(50):
        assessment.tell(ticket, 0)
    found = assessment.plan([lw.policies.RandomGroup()], n_worlds=3)
    # a rule is judged when labels have grown by a fifth: after 60
    assert [row.forecast.median for row in found.rows] == [10, 10]
    assert found.assumption == "Truth is imagined from what is believed after 50 labels."


def rows(first, other):
    one, two = (Forecast(np.array(n), 500) for n in (first, other))
    return lw.assessment.Plan((PlanRow("thompson", None, one), PlanRow("random-item", None, two)), 1_000, "")


def test_the_sentence_compares_with_random_items():
    assert rows([100, 110, 120], [300, 330, 340]).sentence() == (
        "With thompson: about 110 more labels expected (100 to 120). Random items: about 330, 3.0 times as many."
    )
    assert rows([100, 110, 120], [-1, -1, -1]).sentence() == (
        "With thompson: about 110 more labels expected (100 to 120). Random items: more than 500 more labels expected."
    )
    assert rows([0, 0, 0], [0, 0, 0]).sentence() == "The stopping rule is met already; no more labels are needed."


def test_steps_are_told_as_they_are_played():
    heard = []
    lw.plan(setup_of(stop=lw.Budget(5)), what_if=[0.0], n_worlds=2, step=heard.append)
    assert heard
    assert heard[0].startswith("thompson: ")
