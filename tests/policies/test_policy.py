"""The contract, over every policy and every question."""

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelwise as lw
from labelwise import policies
from labelwise.policies.policy import leader
from labelwise.testing import check_policy
from labelwise.testing.worlds import small_pool

CLASSES = [kind for _, kind in inspect.getmembers(policies, inspect.isclass) if kind is not lw.policies.Policy]
POLICIES = [kind() for kind in CLASSES]
QUESTIONS = [
    lw.Estimate(lw.accuracy),
    lw.Estimate(lw.metrics.ECE(bins=4)),
    lw.Worst(lw.accuracy, m=2),
    lw.Worst(lw.ExpectedCost([[0, 1, 5], [2, 0, 1], [9, 3, 0]])),
    lw.Best(lw.calibration_bias),
    lw.Worst(lw.recall),
    lw.Estimate(lw.recall),
    lw.Compare("0", "1"),
    lw.Versus("rival"),
    lw.Estimate(lw.metrics.Lead("rival")),
]


def test_all_policies_are_found():
    assert {p.name for p in POLICIES} >= {
        "random-item", "random-group", "thompson", "top-two", "border", "multiple-play",
        "greedy", "epsilon-greedy", "upper-bound",
    }  # fmt: skip


@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: f"{type(q).__name__}-{q.metric.name}")
def test_every_policy_keeps_the_contract_with_every_question(policy, question):
    groups = lw.by_prediction(small_pool())
    belief = question.start(groups).update(np.arange(12), np.arange(12) % 3)
    check_policy(policy, question, belief)


@given(st.lists(st.integers(0, 3), min_size=3, max_size=3), st.integers(0, 2**32))
def test_no_policy_ever_picks_an_exhausted_group(counts, seed):
    question = lw.Worst(lw.accuracy, m=2)
    belief = lw.beliefs.BetaBelief.from_counts([1, 2, 3], [3, 3, 3])
    n_open = np.array(counts)
    for policy in POLICIES:
        chosen = policy.choose(belief, question, n_open, rng=np.random.default_rng(seed))
        assert all(n_open[g] > 0 for g in chosen)
        assert bool(chosen) == bool(n_open.any())


def test_an_exhausted_group_loses_even_with_an_infinite_gain():
    assert leader(np.array([np.inf, 0.1, np.nan]), np.array([1, 2])) == 1
