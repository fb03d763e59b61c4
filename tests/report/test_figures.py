"""Which charts a report has."""

import pytest

import labelwise as lw
from labelwise.report.figures import READINGS, figures_of


def kinds(assessment):
    return [figure.kind for figure in figures_of(assessment, assessment.answer())]


def test_every_kind_says_how_to_read_it(animal_report):
    assert all(chart["reading"] == READINGS[chart["kind"]] for chart in animal_report.document["charts"])


def test_scores_bring_calibration_and_predictions_alone_do_not(animals, pool_of):
    assert {"reliability", "curve", "ece", "confusion", "ranks"} <= set(kinds(animals))
    pool = lw.pool_from_arrays(predicted=["cat", "dog"] * 20)
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=1)
    for ticket in assessment.ask(12):
        assessment.tell(ticket, "cat")
    assert kinds(assessment) == ["groups", "progress", "allocation", "ranks", "confusion"]


@pytest.mark.slow  # draws many charts
def test_many_classes_have_no_confusion_matrix_and_many_groups_no_curves(pool_of, make_assessment):
    wide = make_assessment(pool_of([f"c{k}" for k in range(60)], 600), lw.Worst(lw.accuracy), 12)
    assert "confusion" not in kinds(wide)
    assert "curve" in kinds(wide)
    wider = make_assessment(pool_of([f"c{k}" for k in range(120)], 600), lw.Worst(lw.accuracy), 12)
    assert not {"curve", "ece"} & set(kinds(wider))


def test_ranks_have_a_row_a_group(animals):
    found = next(figure for figure in figures_of(animals, animals.answer()) if figure.kind == "ranks")
    rows = found.document()["rows"]
    assert [row["group"] for row in rows] == list(dict.fromkeys(found.chart.frame()["group"]))
    assert abs(sum(row["p_worst"] for row in rows) - 1) < 1e-9


def test_steps_are_told(animals):
    said = []
    figures_of(animals, animals.answer(), step=said.append)
    assert said[0] == "chart: groups"
