"""Means of many moments, compiled, against those of the belief."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import Scenario
from labelwise.simulation.exact import play_exactly
from labelwise.simulation.scores import estimates


@pytest.mark.parametrize("target", ["population", "pool"])
@pytest.mark.parametrize("has_scores", [True, False])
def test_means_are_those_of_the_belief_at_every_moment(has_scores, target):
    rng = np.random.default_rng(4)
    predicted = np.repeat(np.arange(5), [40, 30, 20, 15, 10])
    confidence = rng.beta(7, 2, len(predicted)) if has_scores else None
    pool = lw.pool_from_arrays(
        predicted=predicted, confidence=confidence, labels=np.where(rng.uniform(size=115) < 0.8, predicted, 0)
    )
    scenario = Scenario(lw.by_prediction(pool), lw.Worst(), lw.Thompson(), lw.LearnedPrior(), target=target)
    counts = play_exactly(scenario, [1, 2], np.array([0, 5, 20, 60, 115]))
    stacked = scenario.stacked(counts)
    # three nodes in each direction where the belief has five: a point at the most, without labels
    assert np.allclose(estimates(scenario, stacked), stacked.mean(target=target), atol=0.01)
