"""Whole assessments of calibration errors against the package, in law: a right kernel fails once in 10,000 seeds."""

import numpy as np
import pytest
from scipy import stats

import labelwise as lw
from labelwise.simulation.kernels.cells import CELL_POLICIES, mean_gap, simulate_cells
from labelwise.simulation.kernels.choice import POLICY_CODES

AT = [3, 8]
POLICIES = {
    policy.name: policy
    for policy in (
        lw.RandomItem(), lw.policies.RandomGroup(), lw.Thompson(), lw.TopTwo(), lw.policies.Border(0.5),
        lw.policies.MultiplePlay(),
        lw.policies.EpsilonGreedy(0.3), lw.policies.Greedy(), lw.policies.BayesianUpperBound(0.9),
    )
}  # fmt: skip
PARAMETERS = {"epsilon-greedy": 0.3, "upper-bound": 0.9, "border": 0.5}


def simulated(policy, question, belief, at, seeds, *, budget=None):
    shape = belief.confidence.shape
    cells = belief.cells
    hits = np.bincount(cells.of_item[cells.pool.hits], minlength=cells.n_groups).reshape(shape)
    out_hits, out_labels = np.full((2, len(seeds), len(at), *shape), -1, np.int32)
    simulate_cells(
        POLICY_CODES[policy], -1.0 if isinstance(question, lw.Best) else 1.0, cells.n_items.reshape(shape), hits,
        belief.beta.prior_a.reshape(shape), belief.beta.prior_b.reshape(shape), np.ascontiguousarray(belief.confidence),
        question.plays, PARAMETERS.get(policy, 0.0), budget or max(at), np.array(at), np.asarray(seeds, np.uint64),
        out_hits, out_labels,
    )  # fmt: skip
    return out_hits, out_labels


@pytest.mark.slow  # test_compiled.py holds the engine against the exact one
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "question", [lw.Worst(lw.metrics.ECE(bins=3), m=2), lw.Best(lw.metrics.ECE(bins=3))], ids=["worst", "best"]
)
def test_a_kernel_has_the_law_of_the_package(policy, question, groups, replayed, law_chance, kept_upper_bound):
    belief = question.start(groups)
    slow = kept_upper_bound(0.9) if policy == "upper-bound" else POLICIES[policy]
    beliefs, counts = replayed(slow, question, belief, groups, AT, 300, seed=1)
    hits, labels = simulated(policy, question, belief, AT, range(4_000))
    for at in range(len(AT)):
        quick = [tuple(row) for row in labels[:, at].sum(axis=2).tolist()]
        assert law_chance([run[at] for run in counts], quick) > 1e-4
        cells = [tuple(row.ravel().tolist()) for row in labels[:, at]]
        assert law_chance([tuple(run[at].beta.labels.tolist()) for run in beliefs], cells) > 1e-4
        n_hits = hits[:, at].sum(axis=2)
        slow = [tuple(run[at].beta.hits.reshape(n_hits.shape[1], -1).sum(axis=1).tolist()) for run in beliefs]
        assert law_chance(slow, [tuple(row) for row in n_hits.tolist()]) > 1e-4


@pytest.mark.parametrize("policy", POLICIES)
def test_a_whole_pool_ends_with_its_own_counts(policy, groups):
    question = lw.Worst(lw.metrics.ECE(bins=3))
    belief = question.start(groups)
    hits, labels = simulated(policy, question, belief, [0, 5, 18, 40], range(10), budget=99)
    assert (labels.sum(axis=(2, 3)) == [0, 5, 18, 18]).all()
    assert (labels[:, 2].reshape(10, -1) == belief.cells.n_items).all()
    assert (hits[:, 3].sum(axis=(1, 2)) == groups.pool.hits.sum()).all()


def test_the_mean_gap_is_that_of_the_metric():
    for a, b, s in ((2.0, 3.0, 0.4), (0.2, 1.8, 0.1), (50.0, 3.0, 1.0)):
        expected = stats.beta(a, b).expect(lambda x, s=s: abs(x - s))
        assert mean_gap(a, b, s) == pytest.approx(expected, abs=1e-7)


def test_the_kernel_says_which_policies_it_has():
    assert set(CELL_POLICIES) == {POLICY_CODES[name] for name in POLICIES if name != "prove"}
