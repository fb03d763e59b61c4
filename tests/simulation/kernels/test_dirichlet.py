"""Whole assessments of confusion against the package, in law: a right kernel fails once in 10,000 seeds."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation.kernels.choice import POLICY_CODES
from labelwise.simulation.kernels.dirichlet import DIRICHLET_POLICIES, simulate_dirichlet
from labelwise.simulation.kernels.gain import ESTIMATE, RANK
from labelwise.simulation.kernels.upper import ESTIMATE_DRAWS, RANK_DRAWS
from strength import in_quick

AT = [3, 8]
COST = np.array([[0, 1, 5, 2], [2, 0, 1, 3], [9, 3, 0, 1], [4, 2, 6, 0]], float)
POLICIES = {
    policy.name: policy
    for policy in (
        lw.RandomItem(), lw.policies.RandomGroup(), lw.Thompson(), lw.TopTwo(), lw.policies.Border(0.5),
        lw.policies.MultiplePlay(),
        lw.policies.EpsilonGreedy(0.3), lw.policies.Greedy(), lw.policies.BayesianUpperBound(0.9),
    )
}  # fmt: skip
PARAMETERS = {"epsilon-greedy": 0.3, "upper-bound": 0.9, "border": 0.5}
QUESTIONS = {
    "estimate": lw.Estimate(lw.recall),
    "cost": lw.Worst(lw.ExpectedCost(COST), m=2),
    "cheap": lw.Best(lw.ExpectedCost(COST)),
}


def simulated(policy, name, groups, belief, at, seeds, *, budget=None):
    n = groups.n_groups
    classes = np.zeros((n, 4), np.int64)
    np.add.at(classes, (groups.of_item, groups.pool.labels), 1)
    weight = {"estimate": groups.share.astype(float), "cost": np.ones(n), "cheap": -np.ones(n)}[name]
    counts = np.full((len(seeds), len(at), n, 4), -1, np.int32)
    goal = ESTIMATE if name == "estimate" else RANK
    cost = np.ascontiguousarray(COST.T[groups.prediction_of_group])
    simulate_dirichlet(
        POLICY_CODES[policy], goal, classes, belief.prior_alpha, weight, cost, QUESTIONS[name].plays,
        PARAMETERS.get(policy, 0.0), budget or max(at), np.array(at), np.asarray(seeds, np.uint64), counts,
        ESTIMATE_DRAWS if name == "estimate" else RANK_DRAWS,
    )  # fmt: skip
    return counts, classes


CASES = [(name, policy) for name in QUESTIONS for policy in POLICIES if (name, policy) != ("estimate", "border")]
"""An estimate has no border between groups that are looked for and others."""


@pytest.mark.parametrize(("name", "policy"), in_quick(CASES, *[(name, "thompson") for name in QUESTIONS]))
def test_a_kernel_has_the_law_of_the_package(policy, name, groups, replayed, law_chance, kept_upper_bound):
    question = QUESTIONS[name]
    # different pseudo-counts for every class, one of them tiny
    prior = lw.beliefs.DirichletBelief.start(groups, lw.FlatPrior())
    alpha = prior.prior_alpha * np.array([1.7, 0.4, 2.3, 0.01]) * np.array([[1.0], [1.3], [1.0], [0.8]])
    belief = lw.beliefs.DirichletBelief(groups, alpha, np.zeros(alpha.shape, np.int64))
    slow = kept_upper_bound(0.9) if policy == "upper-bound" else POLICIES[policy]
    beliefs, counts = replayed(slow, question, belief, groups, AT, 100 if policy == "top-two" else 300, seed=1)
    quick, _ = simulated(policy, name, groups, belief, AT, range(4_000))
    for at in range(len(AT)):
        labels = [tuple(row) for row in quick[:, at].sum(axis=2).tolist()]
        assert law_chance([run[at] for run in counts], labels) > 1e-4
        by_class = [tuple(row) for row in quick[:, at].sum(axis=1).tolist()]
        assert law_chance([tuple(run[at].counts.sum(axis=0).tolist()) for run in beliefs], by_class) > 1e-4


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_whole_pool_ends_with_its_own_counts(policy, name, groups):
    belief = lw.beliefs.DirichletBelief.start(groups)
    counts, classes = simulated(policy, name, groups, belief, [0, 5, 18, 40], range(10), budget=99)
    assert (counts.sum(axis=(2, 3)) == [0, 5, 18, 18]).all()
    assert (counts[:, 2] == classes).all()
    assert (counts[:, 3] == classes).all()


def test_the_kernel_says_which_policies_it_has():
    assert set(DIRICHLET_POLICIES) == {POLICY_CODES[name] for name in POLICIES if name != "prove"}
