"""Groups worst first: what the frame has, which are tied, which are empty, which are hidden."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.plots import group_chart


def answer_of(case, question=None):
    question = question or lw.Worst(lw.accuracy)
    return question.answer(case.learned(question.metric), rng=np.random.default_rng(1))


def test_the_frame_is_the_posterior_in_the_order_of_the_ranking(case):
    answer = answer_of(case("hundred"))
    frame = group_chart(answer).frame()
    belief = case("hundred").learned(lw.accuracy)
    low, high = belief.interval(0.95)
    place = [belief.names.index(name) for name in frame["group"]]
    assert sorted(place) == list(range(100))
    assert (np.diff(frame["mean"]) >= 0).all()
    for name, own in {"mean": belief.mean(), "low": low, "high": high, "labels": belief.n_labels}.items():
        assert np.array_equal(frame[name], own[place])


def test_groups_of_a_ranking_are_tied_as_it_says(case):
    answer = answer_of(case("hundred"))
    frame = group_chart(answer).frame()
    tied = {answer.ranking.names[g] for g in np.flatnonzero(answer.ranking.tied)}
    assert {g for g, s in zip(frame["group"], frame["status"], strict=True) if "cannot be told" in s} == tied


def test_without_a_ranking_overlapping_intervals_are_tied():
    belief = lw.BetaBelief.from_counts([30, 40, 95], [100, 100, 100], names=["a", "b", "c"])
    found = lw.accuracy.estimate(belief, rng=np.random.default_rng(1))
    assert list(group_chart(found).frame()["status"]) == [
        "worst",
        "cannot be told from the worst",
        "better than the worst",
    ]
    assert found.low[1] <= found.high[0] < found.low[2]


def test_high_values_of_an_error_are_the_worst(case):
    frame = group_chart(answer_of(case("three"), lw.Estimate(lw.calibration_bias))).frame()
    assert (np.diff(frame["mean"]) <= 0).all()


def error_share(joint):
    return 1.0 - np.trace(joint, axis1=-2, axis2=-1)


@pytest.mark.parametrize("high_is_worse", [False, True])
def test_a_metric_of_the_users_own_is_drawn_in_its_own_direction(high_is_worse):
    rng = np.random.default_rng(1)
    pool = lw.pool_from_arrays(
        predicted=[0, 1] * 60, labels=rng.integers(0, 2, 120), columns={"place": ["north", "south", "west"] * 40}
    )
    metric = lw.ConfusionFunction(function=error_share, high_is_worse=high_is_worse)
    belief = lw.belief_from_labels(metric, lw.by_column(pool, "place"))
    frame = group_chart(metric.estimate(belief, n_draws=200, rng=rng)).frame()
    falls = np.diff(frame["mean"]) <= 0
    assert falls.all() if high_is_worse else not falls.any()
    chart = group_chart(metric.estimate(belief, n_draws=200, rng=rng))
    assert chart.title == "Error-share of 3 groups, worst first"


def test_empty_groups_come_last_with_a_hollow_mark_and_a_word(case):
    chart = group_chart(answer_of(case("empty")), goal=0.8)
    assert list(chart.frame()["group"][-2:]) == ["class 5", "class 6"]
    assert list(chart.frame()["status"][-2:]) == ["no own labels"] * 2
    assert "2 groups without own labels." in chart.subtitle
    point = chart.spec()["layer"][2]["encoding"]
    place = point["fill"]["scale"]["domain"].index("no own labels")
    assert point["fill"]["scale"]["range"][place] == chart.spec()["background"]
    assert point["stroke"]["scale"]["range"][place] != chart.spec()["background"]


def test_the_fifteen_worst_and_the_five_best_of_many_are_drawn(case):
    chart = group_chart(answer_of(case("hundred")))
    assert "80 of 100 groups are hidden: the 15 worst and the 5 best are shown." in chart.subtitle
    drawn = [row["label"] for row in chart.spec()["data"]["values"]]
    assert drawn == [*chart.frame()["group"][:15], "\u22ee", *chart.frame()["group"][-5:]]


def test_the_goal_is_a_line_and_counted(case):
    chart = group_chart(answer_of(case("hundred")), 0.8)
    frame = chart.frame()
    below, above = (frame["high"] < 0.8).sum(), (frame["low"] > 0.8).sum()
    assert f"Goal 0.8: {below} clearly below, {above} clearly above." in chart.alt
    assert {"datum": 0.8} in [layer["encoding"].get("x") for layer in chart.spec()["layer"]]


def test_one_group_and_an_assessment_without_labels(case):
    pool = case("three").pool
    found = lw.accuracy.estimate(lw.belief_from_labels(lw.accuracy, lw.everything(pool)), rng=np.random.default_rng(1))
    assert group_chart(found).frame()["status"].tolist() == ["worst"]
    fresh = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=1)
    assert set(group_chart(fresh.answer()).frame()["status"]) == {"no own labels"}
