"""Two metrics against each other: the posteriors' own numbers, names that do not cover each other."""

import numpy as np

import labelwise as lw
from labelwise.plots import scatter_chart


def found_of(case):
    return [m.estimate(case.learned(m), n_draws=500, rng=np.random.default_rng(1)) for m in (lw.accuracy, lw.ece)]


def test_the_frame_is_both_posteriors(case):
    one, other = found_of(case("hundred"))
    frame = scatter_chart(one, other).frame()
    for found in (one, other):
        for end, own in {"": found.mean, "_low": found.low, "_high": found.high}.items():
            assert np.array_equal(frame[f"{found.metric}{end}"], own)


def test_a_group_without_items_has_no_calibration_error_and_is_left_out(case):
    chart = scatter_chart(*found_of(case("empty")))
    assert chart.title == "Accuracy against ECE of 5 groups"
    assert "2 groups without items or value not drawn." in chart.subtitle


def test_a_group_without_labels_is_hollow(case):
    pool, groups = case("three").pool, case("three").groups
    items = np.flatnonzero(groups.of_item != 2)
    found = [m.estimate(m.start(groups).update(items, pool.labels[items]), rng=np.random.default_rng(1))
             for m in (lw.accuracy, lw.ece)]  # fmt: skip
    chart = scatter_chart(*found)
    assert [row["status"] for row in chart.spec()["data"]["values"]] == ["labelled"] * 2 + ["no own labels"]
    assert "1 group without own labels, hollow." in chart.subtitle


def test_names_never_lie_on_each_other(case):
    spec = scatter_chart(*found_of(case("hundred"))).spec()
    names = spec["layer"][-1]["data"]["values"]
    low, high = spec["layer"][2]["encoding"]["y"]["scale"]["domain"]
    heights = sorted(row["at"] / (high - low) * 340 for row in names)
    assert len(names) == 5
    assert min(np.diff(heights)) > 12 or len({round(row["x"], 1) for row in names}) > 1


def test_two_groupings_are_refused(case, refusal):
    one, _ = found_of(case("three"))
    other = lw.ece.estimate(case("empty").learned(lw.ece), rng=np.random.default_rng(1))
    sentence = "The two metrics have different groups (3 and 7); estimate both on the same grouping."
    assert refusal(lw.ArgumentError, scatter_chart, one, other) == sentence
