"""Whole assessments against the package's own policies, questions and beliefs, in law.

Seeds are fixed; a right kernel fails one of these tests once in 10,000 seeds.
"""

from functools import cache

import numpy as np
import pytest

import labelwise as lw
from labelwise.questions import compare
from labelwise.simulation.kernels.beta import simulate_beta
from labelwise.simulation.kernels.choice import POLICY_CODES
from labelwise.simulation.kernels.gain import COMPARE, ESTIMATE, RANK
from strength import in_quick

CHANCE = 1e-4
AT = [3, 8]
POLICIES = {
    policy.name: policy
    for policy in (
        lw.RandomItem(), lw.policies.RandomGroup(), lw.Thompson(), lw.TopTwo(), lw.policies.MultiplePlay(),
        lw.policies.EpsilonGreedy(0.3), lw.policies.BayesianUpperBound(0.9), lw.policies.Greedy(),
    )
}  # fmt: skip


class ExactEstimate(lw.Estimate):
    """Upper gains by exact quantiles, as in the kernel, instead of those of two hundred draws."""

    def upper_gains(self, belief, level, *, target="population"):
        ends = belief.interval(2 * level - 1)
        return np.maximum(*(belief.outer.share * belief.variance_drop(end) for end in ends))


class ExactCompare(lw.Compare):
    """The same for comparisons, with ties up to the accuracy of quadrature."""

    def mean_gains(self, belief, *, target="population"):
        return super().mean_gains(belief).round(8)

    def upper_gains(self, belief, level, *, target="population"):
        return np.maximum(*(self._gains_at(belief, end) for end in belief.interval(2 * level - 1))).round(8)


QUESTIONS = {
    "worst": lw.Worst(lw.accuracy, m=2),
    "best": lw.Best(lw.accuracy),
    "bias": lw.Worst(lw.calibration_bias),
    "estimate": ExactEstimate(lw.accuracy),
    "compare": ExactCompare("1", "3"),
}


def simulated(policy, name, groups, belief, at, seeds, *, budget=None):
    """Run the kernel; give hits and labels, shape (n_runs, n_snapshots, n_groups)."""
    hits = np.bincount(groups.of_item[groups.pool.hits], minlength=groups.n_groups)
    sign = {"worst": -1.0, "best": 1.0, "bias": -1.0}.get(name, 0.0)
    goal = {"estimate": ESTIMATE, "compare": COMPARE}.get(name, RANK)
    weight = groups.share.astype(float) if name == "estimate" else np.full(groups.n_groups, sign)
    offset = np.nan_to_num(groups.mean_confidence) if name == "bias" else np.zeros(groups.n_groups)
    parameter = {"epsilon-greedy": 0.3, "upper-bound": 0.9}.get(policy, 0.0)
    out_hits = np.full((len(seeds), len(at), groups.n_groups), -1, np.int32)
    out_labels = out_hits.copy()
    m = QUESTIONS[name].plays
    simulate_beta(
        POLICY_CODES[policy], goal, groups.n_items.astype(np.int64), hits, belief.prior_a, belief.prior_b, weight,
        offset, m, parameter, 1, 3, 0.05, budget or max(at), np.array(at), np.asarray(seeds, np.uint64), out_hits,
        out_labels,
    )  # fmt: skip
    return out_hits, out_labels


quick_integral = cache(compare.beta_difference_below)


@pytest.fixture
def quick_integrals(monkeypatch):
    monkeypatch.setattr(compare, "beta_difference_below", quick_integral)


@pytest.mark.parametrize("policy", in_quick(POLICIES, "thompson", "top-two"))
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_kernel_has_the_law_of_the_package(policy, name, groups, replayed, law_chance, quick_integrals):
    question = QUESTIONS[name]
    belief = question.start(groups, lw.InformedPrior())
    beliefs, counts = replayed(
        POLICIES[policy], question, belief, groups, AT, 150 if policy == "top-two" else 400, seed=1
    )
    hits, labels = simulated(policy, name, groups, belief, AT, range(5_000))
    for at in range(len(AT)):
        assert law_chance([run[at] for run in counts], [tuple(row) for row in labels[:, at].tolist()]) > CHANCE
        slow = [tuple(run[at].hits.tolist()) for run in beliefs]
        assert law_chance(slow, [tuple(row) for row in hits[:, at].tolist()]) > CHANCE


@pytest.mark.parametrize("policy", POLICIES)
def test_a_whole_pool_ends_with_its_own_counts(policy, groups):
    belief = lw.beliefs.BetaBelief.start(groups)
    hits, labels = simulated(policy, "worst", groups, belief, [0, 5, 18, 30], range(20), budget=100)
    assert (labels[:, 0] == 0).all()
    assert (labels[:, 1].sum(axis=1) == 5).all()
    for at in (2, 3):
        assert (labels[:, at] == groups.n_items).all()
        assert (hits[:, at] == np.bincount(groups.of_item[groups.pool.hits], minlength=4)).all()
    assert (hits <= labels).all()


def test_a_run_depends_on_its_seed_alone(groups):
    belief = lw.beliefs.BetaBelief.start(groups)
    _, all_labels = simulated("thompson", "worst", groups, belief, AT, [4, 5, 6])
    _, one = simulated("thompson", "worst", groups, belief, AT, [5])
    assert (all_labels[1] == one[0]).all()


def test_ties_go_to_the_lowest_position():
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=[0, 0, 1, 1], confidence=[0.5] * 4, labels=[0, 0, 1, 1]))
    _, labels = simulated("greedy", "worst", groups, lw.beliefs.BetaBelief.start(groups), [1, 2], [1])
    assert labels[0].tolist() == [[1, 0], [1, 1]]


def test_priors_with_almost_no_pseudo_counts_run(groups):
    prior = lw.beliefs.BetaBelief.start(groups, lw.FlatPrior(1e-6))
    for policy in POLICIES:
        for name in QUESTIONS:
            hits, labels = simulated(policy, name, groups, prior, [8], range(3))
            assert (labels.sum(axis=2) == 8).all()
            assert (hits >= 0).all()
