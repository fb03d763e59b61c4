"""The confusion matrix: counts by hand, the mistakes of many classes, classes without labels."""

import numpy as np

import labelwise as lw
from labelwise.plots import confusion_chart


def test_the_frame_is_the_confusion_matrix_and_the_share_of_all_items(case):
    chart = confusion_chart(case("three").learned(lw.recall))
    pool = case("three").pool
    for row in chart.frame().rows():
        p, t = pool.classes.index(row["predicted"]), pool.classes.index(row["true"])
        n = int(((pool.prediction == p) & (pool.labels == t)).sum())
        size = int((pool.prediction == p).sum())
        assert row["labels"] == n
        assert row["low"] <= row["mean"] <= row["high"]
        assert np.isclose(row["share"], row["mean"] * size / pool.n_items)
        assert abs(row["mean"] - n / size) < 0.05  # the prior is worth a few labels


def test_of_many_classes_the_mistakes_that_befall_most_items_are_drawn(case):
    chart = confusion_chart(case("hundred").learned(lw.recall))
    rows = [row for row in chart.frame().rows() if row["predicted"] != row["true"]]
    most = sorted(rows, key=lambda row: -row["share"])[:20]
    drawn = chart.spec()["data"]["values"]
    assert np.allclose([row["mean"] for row in drawn], [row["share"] for row in most])
    assert drawn[0]["label"] == f"{most[0]['predicted']} → {most[0]['true']}"
    assert "9,880 of 9,900 kinds of confusion are hidden" in chart.subtitle


def test_a_class_without_labels_has_a_broken_edge(case):
    chart = confusion_chart(case("empty").learned(lw.recall))
    bare = {row["down"] for row in chart.spec()["data"]["values"] if row["is_bare"]}
    assert bare == {"class 5", "class 6"}
    assert "2 predicted classes without own labels, dashed border." in chart.subtitle
