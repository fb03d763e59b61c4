"""What every score is made of: one value per run and moment, and only groups that have items."""

import numpy as np

import labelwise as lw
from labelwise.simulation import Scenario
from labelwise.simulation.score import by_moment, groups_there


def _scenario():
    pool = lw.pool_from_arrays(predicted=["a"] * 30 + ["c"] * 10, labels=["a"] * 40, classes=["a", "b", "c"])
    return Scenario(lw.by_prediction(pool), lw.Worst(lw.accuracy), lw.Thompson(), lw.FlatPrior())


def test_one_belief_after_the_other_gives_what_all_at_once_give():
    scenario = _scenario()
    labels = np.arange(18).reshape(2, 3, 3) // 2 * [1, 0, 1]  # two runs, three moments, three groups
    beliefs = scenario.stacked({"hits": labels // 2, "labels": labels})
    found = by_moment(scenario, beliefs, lambda belief: belief.mean())
    assert found.shape == (2, 3, 3)
    assert np.allclose(found, (labels // 2 + 1) / (labels + 2))


def test_a_group_without_items_has_no_truth():
    assert groups_there(_scenario()).tolist() == [0, 2]
