"""The difference of two groups: the metric's own probabilities, pieces that are cut where the meaning changes."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.plots import difference_chart


@pytest.mark.parametrize("margin", [0.0, 0.05, 0.3])
def test_the_three_probabilities_are_those_of_the_metric(case, margin):
    belief = case("three").learned(lw.accuracy)
    how = {"margin": margin, "rng": np.random.default_rng(1)}
    found = lw.difference(lw.accuracy, belief, "class 0", "class 1", **how)
    chart = difference_chart(lw.accuracy, belief, "class 0", "class 1", margin=margin, rng=np.random.default_rng(1))
    rows = {row["part"]: row for row in chart.frame().rows()}
    assert [rows[part]["probability"] for part in ("lower", "equal", "higher")] == [
        found.p_lower, found.p_equal, found.p_higher,
    ]  # fmt: skip
    assert [rows[part]["difference"] for part in ("mean", "low", "high")] == [found.mean, found.low, found.high]
    assert found.sentence() in chart.subtitle


def test_areas_are_about_the_probabilities(case):
    belief = case("three").learned(lw.accuracy)
    chart = difference_chart(lw.accuracy, belief, "class 0", "class 1", margin=0.05, rng=np.random.default_rng(1))
    area = {}
    for row in chart.spec()["layer"][1]["data"]["values"]:
        area.setdefault(row["region"].split(":")[0], []).append((row["x"], row["y"]))
    rows = {row["part"]: row for row in chart.frame().rows()}
    for word, part in {"lower": "lower", "within 0.05": "equal", "higher": "higher"}.items():
        x, y = np.array(area[word]).T
        assert ((y[1:] + y[:-1]) / 2 * np.diff(x)).sum() == pytest.approx(rows[part]["probability"], abs=0.03)


def test_without_a_margin_there_is_no_band(case):
    belief = case("three").learned(lw.accuracy)
    chart = difference_chart(lw.accuracy, belief, "class 0", "class 1", margin=0, rng=np.random.default_rng(1))
    assert len(chart.spec()["layer"]) == 4
    assert "within" not in str(chart.spec()["layer"][0]["encoding"]["fill"]["scale"]["domain"])


def test_an_unknown_group_is_refused(case, refusal):
    belief = case("three").learned(lw.accuracy)
    args = (lw.accuracy, belief, "class 0", "class 9")
    assert refusal(lw.NotFoundError, difference_chart, *args, rng=np.random.default_rng(1)).startswith(
        "Group 'class 9' does not exist."
    )
