"""Scenarios: their truth, their limits, and what they refuse."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import Scenario


def pool_of(labels=None):
    return lw.pool_from_arrays(
        predicted=[0] * 6 + [1] * 4, confidence=[0.9] * 10, labels=labels or [0, 0, 0, 1, 1, 1, 1, 1, 1, 0],
        classes=["cat", "dog", "emu"], columns={"old": ["dog"] * 10},
    )  # fmt: skip


def test_the_truth_is_the_metric_on_all_labels():
    groups = lw.by_prediction(pool_of())
    assert Scenario(groups, lw.Worst(), lw.Thompson()).truth[:2].tolist() == [0.5, 0.75]
    assert Scenario(groups, lw.Worst(lw.calibration_bias), lw.Thompson()).truth[:2] == pytest.approx([0.4, 0.15])


def test_everything_may_be_spent_unless_a_budget_is_given():
    groups = lw.by_prediction(pool_of())
    assert Scenario(groups, lw.Worst(), lw.Thompson()).budget == 10
    assert Scenario(groups, lw.Compare("cat", "dog"), lw.Thompson(), budget=3).budget == 3
    assert Scenario(lw.everything(pool_of()), lw.Versus("old"), lw.RandomItem()).budget == 6  # items that differ


@pytest.mark.parametrize(
    ("labels", "options", "error", "sentence"),
    [
        ([0, None, None, 1, 1, 1, 1, 1, 1, 0], {}, lw.DataError,
         "A simulation needs the label of every item, but item 1 has none (unlabelled items: 2). Remove unlabelled "
         "items."),
        (None, {"budget": 11}, lw.ArgumentError, "`budget` must be a whole number from 1 to 10, but is 11."),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(refusal, labels, options, error, sentence):
    groups = lw.by_prediction(pool_of(labels))
    assert refusal(error, Scenario, groups, lw.Worst(), lw.Thompson(), **options) == sentence


def test_a_pool_without_labels_and_too_many_groups_are_refused(refusal):
    bare = lw.by_prediction(lw.pool_from_arrays(predicted=[0, 1]))
    assert refusal(lw.UnanswerableError, Scenario, bare, lw.Worst(), lw.Thompson()) == (
        "This pool has no labels, but a simulation needs them. Read it with `label`."
    )
    scenario = Scenario(lw.by_prediction(pool_of()), lw.Worst(m=3), lw.Thompson())
    with pytest.raises(lw.ArgumentError, match="`m` must be a whole number from 1 to 2, but is 3"):
        scenario.start  # noqa: B018  # worked out when first looked at


@pytest.mark.parametrize(
    "question", [lw.Worst(), lw.Worst(lw.metrics.ECE(bins=2)), lw.Worst(lw.ExpectedCost(np.ones((3, 3)) - np.eye(3)))]
)
def test_beliefs_of_many_moments_are_one(question):
    scenario = Scenario(lw.by_prediction(pool_of()), question, lw.Thompson())
    moments = [scenario.start.update(np.arange(n), pool_of().labels[:n]) for n in (0, 4, 10)]
    stacked = scenario.stacked({k: np.stack([m.state[k] for m in moments])[None] for k in moments[0].state})
    expected = np.stack([moment.mean() for moment in moments])[None]
    assert np.array_equal(stacked.mean(), expected)


@pytest.mark.parametrize(
    ("policy", "prior", "names"),
    [
        (lw.Thompson(), None, ("thompson", "flat")),
        (lw.policies.EpsilonGreedy(), lw.FlatPrior(), ("epsilon-greedy", "flat")),
        (lw.policies.EpsilonGreedy(0.25), lw.InformedPrior(), ("epsilon-greedy:0.25", "informed")),
        (lw.policies.BayesianUpperBound(0.9), lw.InformedPrior(4), ("upper-bound:0.9", "informed:4")),
        (lw.TopTwo(), lw.CustomPrior(9, 0.5), ("top-two", "9,0.5")),
        (lw.TopTwo(), lw.CustomPrior([9, 1, 1], 1), ("top-two", "custom")),
    ],
)
def test_policies_and_priors_are_called_as_on_the_command_line(policy, prior, names):
    scenario = Scenario(lw.by_prediction(pool_of()), lw.Worst(), policy, prior)
    assert (scenario.policy_name, scenario.prior_name) == names
    assert scenario.name == names[0]


@pytest.mark.parametrize(
    ("question", "name", "prior"),
    [
        (lw.Worst(), "flat", lw.FlatPrior()),
        (lw.Worst(lw.metrics.ECE(bins=2)), "informed", lw.InformedPrior()),
        (lw.Worst(lw.ExpectedCost(np.ones((3, 3)))), "flat", lw.FlatPrior()),
    ],
)
def test_a_prior_that_was_not_said_is_called_by_what_the_belief_starts_with(question, name, prior):
    unsaid = Scenario(lw.by_prediction(pool_of()), question, lw.Thompson())
    said = Scenario(lw.by_prediction(pool_of()), question, lw.Thompson(), prior)
    assert unsaid.prior_name == said.prior_name == name
    assert np.array_equal(unsaid.start.mean(), said.start.mean())


def test_a_policy_of_the_users_own_is_called_by_its_name():
    class Last:
        name = "last"

    assert Scenario(lw.by_prediction(pool_of()), lw.Worst(), Last()).policy_name == "last"
