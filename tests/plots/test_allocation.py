"""Where the labels went: counted from the events."""

from collections import Counter

import numpy as np

import labelwise as lw
from labelwise.plots import allocation_chart


def test_labels_are_counted_from_the_events(case):
    assessment = case("hundred").assess(case("hundred").question, prior=lw.FlatPrior())  # whose intervals are exact
    frame = allocation_chart(assessment).frame()
    told = Counter(assessment.ledger.slip(e.ticket).group for e in assessment.history() if e.kind == "told")
    names = assessment.groups.names
    assert {g: n for g, n in zip(frame["group"], frame["labels"].tolist(), strict=True) if n} == {
        names[g]: n for g, n in told.items()
    }
    assert (np.diff(frame["labels"]) <= 0).all()
    low, high = assessment.belief.interval(0.95, target=assessment.setup.target)
    place = [names.index(name) for name in frame["group"]]
    assert np.allclose(frame["width"], (high - low)[place])
    assert np.array_equal(frame["items"], assessment.groups.n_items[place])


def test_groups_without_labels_are_hollow_and_counted(case):
    chart = allocation_chart(case("empty").assessment)
    assert "groups without own labels, hollow." in chart.subtitle
    assert list(chart.frame()["group"][-2:]) == ["class 5", "class 6"]


def test_a_question_with_one_value_for_all_has_no_widths(case):
    assessment = case("three").assess(lw.Estimate(lw.balanced_accuracy))
    chart = allocation_chart(assessment)
    assert np.isnan(chart.frame()["width"]).all()
    assert len(chart.spec()["hconcat"]) == 2
