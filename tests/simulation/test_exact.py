"""The exact engine: it plays a real assessment."""

from concurrent.futures import CancelledError

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import Scenario
from labelwise.simulation.exact import play_exactly


@pytest.fixture
def scenario():
    rng = np.random.default_rng(1)
    pool = lw.pool_from_arrays(predicted=rng.integers(0, 3, 60), labels=rng.integers(0, 3, 60))
    return Scenario(lw.by_prediction(pool), lw.Worst(), lw.Thompson())


def test_counts_are_those_of_an_assessment_with_that_seed(scenario):
    found = play_exactly(scenario, [5], np.array([0, 7, 60]))
    how = {"question": scenario.question, "policy": scenario.policy, "prior": lw.FlatPrior(), "target": scenario.target}
    assessment = lw.Assessment(scenario.groups.pool, scenario.groups, seed=5, **how)
    for _ in range(7):
        [ticket] = assessment.ask()
        assessment.tell(ticket, int(scenario.groups.pool.labels[ticket.item["id"]]))
    assert found["labels"][0, 0].tolist() == [0, 0, 0]
    assert found["labels"][0, 1].tolist() == assessment.belief.labels.tolist()
    assert found["hits"][0, 1].tolist() == assessment.belief.hits.tolist()
    assert found["hits"][0, 2].tolist() == scenario.known.hits.tolist()


def test_several_groups_are_played_at_once(scenario):
    several = Scenario(scenario.groups, lw.Worst(m=2), lw.policies.MultiplePlay())
    found = play_exactly(several, range(20), np.array([2]))["labels"][:, 0]
    assert (found.max(axis=1) == 1).all()  # two different groups each time


def test_a_run_that_is_halted_is_given_up_at_once(scenario):
    asked = []

    def is_halted():
        asked.append(None)
        return len(asked) > 3

    with pytest.raises(CancelledError):
        play_exactly(scenario, [5], np.array([60]), is_halted=is_halted)
    assert len(asked) == 4
