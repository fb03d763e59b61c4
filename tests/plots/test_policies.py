"""Policies compared: the simulation's own means and errors."""

import numpy as np

import labelwise as lw
from labelwise.plots import policy_chart


def test_the_frame_is_means_and_errors_of_the_simulation(case):
    found = case("three").simulated()
    frame = policy_chart(found, score="success").frame()
    assert np.allclose(frame["mean"], np.concatenate([one.mean["success"] for one in found]))
    assert np.allclose(frame["error"], np.concatenate([one.error["success"] for one in found]))
    assert frame["labels"].tolist() == [5, 10, 20] * 2
    bands = policy_chart(found, score="success").spec()["data"]["values"]
    assert np.allclose([row["high"] - row["low"] for row in bands], 2 * frame["error"])


def test_two_scenarios_of_one_name_are_told_apart(case):
    one = case("three").simulated()[0]
    assert list(dict.fromkeys(policy_chart([one, one]).frame()["policy"])) == ["thompson", "thompson (2)"]


def test_refusals(case, refusal):
    one = case("three").simulated()[0]
    assert (
        refusal(lw.NotFoundError, policy_chart, [one], score="mmr") == "Score 'mmr' does not exist. Did you mean 'mrr'?"
    )
    assert refusal(lw.ArgumentError, policy_chart, [one] * 8) == "Between 1 and 7 simulations can be compared, not 8."
