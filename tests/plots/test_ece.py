"""The density of the calibration error: its numbers, and that it is a density."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.plots import ece_chart


def said(chart):
    return {row["part"]: row["ece"] for row in chart.frame().rows() if row["part"] != "density"}


@pytest.mark.parametrize("target", ["population", "pool"])
def test_numbers_are_those_of_the_metric(case, target):
    pool = case("three").pool
    metric = lw.metrics.ECE(10)
    belief = lw.belief_from_labels(metric, lw.everything(pool))
    chart = ece_chart(belief, truth=0.25, target=target, rng=np.random.default_rng(3))
    draws = metric.draw(belief, 10_000, target=target, rng=np.random.default_rng(3))[:, 0]
    assert np.isclose(said(chart)["mean"], draws.mean())
    assert np.allclose([said(chart)["low"], said(chart)["high"]], np.quantile(draws, [0.025, 0.975]))
    assert np.isclose(said(chart)["plug-in"], metric.plug_in(belief, target=target)[0])
    assert said(chart)["truth"] == 0.25
    # all labels known: the error of the pool is what it is
    assert target == "population" or np.isclose(said(chart)["mean"], lw.metrics.known_value(metric, pool))


def test_the_curve_is_a_density(case):
    chart = ece_chart(case("three").learned(lw.metrics.ECE(10)), rng=np.random.default_rng(1))
    rows = [row for row in chart.frame().rows() if row["part"] == "density"]
    x, y = (np.array([row[name] for row in rows]) for name in ("ece", "density"))
    assert np.isclose(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum(), 1, atol=0.01)
    assert x.min() >= 0


def test_several_groups_make_the_whole_and_one_can_be_named(case):
    belief = case("three").learned(lw.metrics.ECE(10))
    whole = ece_chart(belief, rng=np.random.default_rng(1))
    gap = (belief.groups.share[:, None] * belief.weight * (belief.mean() - belief.confidence)).sum(axis=0)
    assert np.isclose(said(whole)["plug-in"], np.abs(gap).sum())
    one = ece_chart(belief, group="class 1", rng=np.random.default_rng(1))
    assert one.title == "Calibration error of class 1"
    assert np.isclose(said(one)["plug-in"], lw.ece.plug_in(belief)[1])
