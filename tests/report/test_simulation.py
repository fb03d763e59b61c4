"""Simulations as documents and text."""

import numpy as np

import labelwise as lw
from labelwise.report import render_simulation, simulation_document


def found(name, mrr):
    pool = lw.pool_from_arrays(predicted=[0, 1] * 50, labels=[0, 1] * 50)
    scenario = lw.Scenario(lw.by_prediction(pool), lw.Worst(), lw.Thompson(), name=name)
    at = np.array([1, 10, 100])
    return lw.Simulated(scenario, at, 7, {"mrr": np.array(mrr)}, {"mrr": np.zeros(3)})


def test_the_sentence_says_who_reaches_the_goal_when():
    both = [found("thompson", [0.5, 1.0, 1.0]), found("random-item", [0.5, 0.6, 0.9])]
    assert simulation_document(both)["sentence"] == (
        "A mean reciprocal rank of 0.99 is reached by thompson after 10.0% of the labels, by random-item never."
    )
    assert len(simulation_document(both)["rows"]) == 6


def test_the_table_has_a_row_for_each_score_and_scenario():
    text = render_simulation([found("thompson", [0.5, 1.0, 1.0]), found("random-item", [0.5, 0.6, 0.9])])
    assert "  policy       score       1      10     100\n" in text
    assert "  random-item  mrr    0.5000  0.6000  0.9000\n" in text
    assert "7 runs on 100 items" in text
