"""Plans as documents and text."""

import numpy as np

import labelwise as lw
from labelwise.assessment.forecast import Forecast
from labelwise.assessment.plan import PlanRow
from labelwise.report.planning import plan_document, render_plan


def document_of(gap):
    rows = (
        PlanRow("thompson", gap, Forecast(np.array([90, 100, 120]), 500)),
        PlanRow("random-item", gap, Forecast(np.array([300, -1, -1]), 500)),
    )
    return plan_document(lw.assessment.Plan(rows, 1_000, "Truth is imagined."), lw.Worst(), lw.Sure())


def test_a_plan_is_a_table_and_a_sentence():
    assert render_plan(document_of(0.05)).splitlines() == [
        "Which group is the worst in accuracy?",
        "  stop when the answer is believed with probability 0.95",
        "",
        "  policy       if over-confident by  labels  likely range  of the items",
        "  thompson                     0.05     100     90 to 120         10.0%",
        "  random-item                  0.05   > 500  300 to > 500",
        "",
        "With thompson: about 100 more labels expected (90 to 120). Random items: more than 500 more labels expected.",
        "Note: Truth is imagined.",
    ]


def test_without_an_assumption_about_scores_there_is_no_column_for_it():
    assert "over-confident" not in render_plan(document_of(None))
    assert document_of(None)["rows"][1]["labels"] is None
