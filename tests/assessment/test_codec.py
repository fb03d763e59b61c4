"""Set-up objects as data and back: every public class, and nothing that runs."""

import json

import numpy as np
import pytest

import labelwise as lw
from labelwise.assessment.codec import decode, encode

OBJECTS = [
    lw.Estimate(lw.metrics.ECE(bins=7, equal="mass")),
    lw.Worst(lw.ExpectedCost(np.array([[0.0, 1.5], [2.0, 0.0]])), m=2),
    lw.Best(lw.metrics.Recall(positive="cat")),
    lw.Compare("a", "b", metric=lw.calibration_bias, margin=0.01),
    lw.Versus("old", margin=0.02),
    lw.Worst(lw.metrics.Lead("old")),
    *[
        lw.Thompson(),
        lw.TopTwo(),
        lw.policies.MultiplePlay(),
        lw.policies.EpsilonGreedy(0.3),
        lw.policies.BayesianUpperBound(0.9),
        lw.policies.Greedy(),
    ],
    *[lw.RandomItem(), lw.policies.RandomGroup()],
    *[None, lw.FlatPrior(3.0), lw.InformedPrior(), lw.CustomPrior(9, 1), lw.CustomPrior(np.array([1.0, 0.1]), [2, 3])],
    lw.AnyOf((lw.Sure(0.9), lw.AllOf((lw.Width(0.1, "overall"), lw.Budget(10))), lw.Price(1e-9))),
]


@pytest.mark.parametrize("value", OBJECTS, ids=lambda value: type(value).__name__)
def test_what_is_written_is_read_back(value):
    data = json.loads(json.dumps(encode(value)))
    found = decode(data)
    assert type(found) is type(value)
    assert encode(found) == data


def test_numbers_come_back_to_the_last_bit():
    prior = decode(json.loads(json.dumps(encode(lw.CustomPrior(np.array([1 / 3, np.pi]), 0.1)))))
    assert prior.a == (1 / 3, np.pi)


def test_what_is_not_ours_is_named_and_never_made():
    data = encode(lw.metrics.ConfusionFunction(function=np.trace))
    assert data["function"] == {"python": "numpy:trace"}
    with pytest.raises(lw.DataError, match="set up in Python with 'numpy:trace', which a file cannot bring along"):
        decode(data)


@pytest.mark.parametrize("name", ["os.system", "eval", "Assessment", "SqliteStore", "Pool", ""])
def test_a_foreign_name_in_a_file_makes_nothing(name):
    with pytest.raises(lw.DataError, match="which this labelwise does not know"):
        decode({"is": name, "command": "true"})
