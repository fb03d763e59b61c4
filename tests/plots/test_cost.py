"""Expected cost: the metric's own numbers, the matrix as given, empty groups last."""

import numpy as np

import labelwise as lw
from labelwise.plots import cost_chart


def test_the_frame_is_the_expected_cost_dearest_first(case):
    cost, belief = case("three").cost, case("three").learned(case("three").cost)
    frame = cost_chart(cost, belief, n_draws=200, rng=np.random.default_rng(1)).frame()
    # sum over true classes of cost times probability, by hand
    exact = (np.asarray(cost.matrix).T * belief.mean()).sum(axis=1)
    place = [belief.names.index(name) for name in frame["group"]]
    assert np.allclose(frame["mean"], exact[place])
    assert (np.diff(frame["mean"]) <= 0).all()


def test_the_matrix_is_drawn_as_given_up_to_twelve_classes(case):
    cost = case("three").cost
    spec = cost_chart(cost, case("three").learned(cost), n_draws=200, rng=np.random.default_rng(1)).spec()
    cells = spec["hconcat"][0]["data"]["values"]
    assert [cell["cost"] for cell in cells] == np.asarray(cost.matrix).ravel().tolist()
    assert (cells[1]["true"], cells[1]["predicted"]) == ("class 0", "class 1")


def test_groups_without_items_come_last(case):
    cost = case("empty").cost
    chart = cost_chart(cost, case("empty").learned(cost), n_draws=200, rng=np.random.default_rng(1))
    assert list(chart.frame()["group"][-2:]) == ["class 5", "class 6"]
    assert "2 groups without items." in chart.alt


def test_a_free_classifier_can_be_drawn(case, check_schema):
    cost = lw.ExpectedCost(np.zeros((3, 3)))
    chart = cost_chart(cost, case("three").learned(cost), n_draws=200, rng=np.random.default_rng(1))
    check_schema(chart.spec())
    assert chart.frame()["mean"].tolist() == [0, 0, 0]
