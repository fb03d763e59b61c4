"""The reliability diagram: bins counted by hand, gaps, empty bins, panels."""

import numpy as np

import labelwise as lw
from labelwise.plots import reliability_chart


def test_bins_are_those_counted_by_hand(case):
    pool = case("three").pool
    belief = lw.belief_from_labels(lw.metrics.ECE(10), lw.everything(pool))
    frame = reliability_chart(belief).frame()
    place = np.minimum((pool.confidence * 10).astype(int), 9)
    for row, b in zip(frame.rows(), np.unique(place), strict=True):
        inside = place == b
        assert row["items"] == row["labels"] == inside.sum()
        assert np.isclose(row["confidence"], pool.confidence[inside].mean())
        hits = (pool.prediction == pool.labels)[inside].sum()
        s = pool.confidence[inside].mean()  # the informed prior: two labels' worth of the scores
        a, total = 2 * s + hits, 2 + inside.sum()
        assert np.isclose(row["accuracy"], a / total)
        assert np.allclose(
            [row["low"], row["high"]], np.ravel(lw.beliefs.beta_interval(np.array([a]), np.array([total - a]), 0.95))
        )
        assert np.isclose(row["gap"], abs(row["confidence"] - row["accuracy"]))


def test_a_bin_without_labels_is_hollow_and_said(case):
    pool = case("three").pool
    start = lw.metrics.ECE(10).start(lw.everything(pool))
    chart = reliability_chart(start.update([0], pool.labels[:1]))
    bare = [row for row in chart.frame().rows() if row["labels"] == 0]
    assert f"{len(bare)} bins have items but no labels." in chart.subtitle
    drawn = chart.spec()["vconcat"][0]["data"]["values"]
    assert sum(row["status"] == "no own labels" for row in drawn) == len(bare) > 0


def test_of_many_groups_the_six_that_are_off_most_have_a_panel(case):
    belief = case("hundred").learned(lw.metrics.ECE(10))
    chart = reliability_chart(belief)
    gap = (belief.weight * np.abs(belief.mean() - belief.confidence)).sum(axis=1)
    worst = [belief.names[g] for g in np.argsort(-gap)[:6]]
    assert [part["title"]["text"] for part in chart.spec()["concat"]] == worst
    assert "94 of 100 groups are hidden" in chart.subtitle
    assert set(chart.frame()["group"]) == set(belief.names)


def test_one_group_can_be_named(case, refusal):
    belief = case("hundred").learned(lw.metrics.ECE(10))
    assert reliability_chart(belief, group="class 7").title == "Reliability of class 7"
    sentence = "Group 'clas 7' does not exist. Did you mean 'class 7'?"
    assert refusal(lw.NotFoundError, reliability_chart, belief, group="clas 7") == sentence
