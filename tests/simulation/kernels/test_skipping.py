"""Exact skip-ahead against plain steps: the same law. A right kernel fails a test once in 10,000 seeds."""

import numpy as np
import pytest

from labelwise.simulation.kernels.beta import simulate_beta
from labelwise.simulation.kernels.choice import THOMPSON
from labelwise.simulation.kernels.gain import ESTIMATE, RANK
from labelwise.simulation.kernels.skipping import simulate_thompson

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one

AT = np.array([1, 2, 4, 9, 20, 40])
N_RUNS = 4000
SIZES = np.array([12, 9, 0, 15, 7, 20])
HITS = np.array([4, 5, 0, 9, 3, 14])
CONFIDENCE = np.array([0.5, 0.6, 0.5, 0.7, 0.3, 0.9])
PRIORS = {
    "flat": (np.ones(6), np.ones(6)),
    "informed": (2 * CONFIDENCE, 2 * (1 - CONFIDENCE)),
    "weak": (np.full(6, 0.01), np.full(6, 0.03)),
}
GOALS = {
    "worst": (RANK, -np.ones(6), np.zeros(6)),
    "best": (RANK, np.ones(6), np.zeros(6)),
    "bias": (RANK, -np.ones(6), CONFIDENCE),
    "estimate": (ESTIMATE, SIZES / SIZES.sum(), np.zeros(6)),
}


def run(skips, goal, prior, *, seed, n_runs=N_RUNS, at=AT, budget=40, fewest=2):
    code, weight, offset = GOALS[goal]
    seeds = np.random.default_rng(seed).integers(0, 2**63, n_runs).astype(np.uint64)
    hits, labels = np.full((2, n_runs, len(at), 6), -1, np.int32)
    common = (code, SIZES, HITS, *PRIORS[prior], weight, offset)
    if skips:
        simulate_thompson(*common, budget, at, seeds, hits, labels, fewest)
    else:
        simulate_beta(THOMPSON, *common, 1, 0.0, 0, 1, 0.05, budget, at, seeds, hits, labels)
    return hits, labels


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("prior", PRIORS)
def test_skipping_has_the_law_of_plain_steps(goal, prior, law_chance):
    slow_hits, slow = run(False, goal, prior, seed=1)
    quick_hits, quick = run(True, goal, prior, seed=2)
    for at in range(len(AT)):
        chances = [law_chance(list(map(tuple, slow[:, at].tolist())), list(map(tuple, quick[:, at].tolist())))]
        for g in range(6):
            one, other = slow[:, at, g] * 100 + slow_hits[:, at, g], quick[:, at, g] * 100 + quick_hits[:, at, g]
            chances.append(law_chance(one.tolist(), other.tolist()))
        assert min(chances) > 1e-4 / len(chances)


@pytest.mark.parametrize("goal", GOALS)
def test_it_does_skip_and_with_few_groups_it_does_not(goal):
    # plain steps take the same draws in the same order: equal seeds give equal runs if and only if nothing is skipped
    _, plain = run(False, goal, "informed", seed=1, n_runs=50)
    _, unskipped = run(True, goal, "informed", seed=1, n_runs=50, fewest=7)
    _, skipped = run(True, goal, "informed", seed=1, n_runs=50)
    assert (plain == unskipped).all()
    assert (plain != skipped).any()


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("prior", PRIORS)
def test_a_whole_pool_ends_with_its_own_counts(goal, prior):
    at = np.array([0, 10, 63, 80])
    hits, labels = run(True, goal, prior, seed=3, n_runs=50, at=at, budget=100)
    assert (labels.sum(axis=2) == np.minimum(at, 63)).all()
    for place in (2, 3):
        assert (labels[:, place] == SIZES).all()
        assert (hits[:, place] == HITS).all()


@pytest.mark.parametrize("goal", [RANK, ESTIMATE])
def test_many_groups_have_the_law_of_plain_steps(goal, law_chance):
    rng = np.random.default_rng(5)
    sizes, accuracy = rng.integers(5, 25, 60), rng.beta(5, 2, 60)
    hits = rng.binomial(sizes, accuracy)
    a, b = 2 * accuracy, 2 * (1 - accuracy)
    weight = np.full(60, -1.0) if goal == RANK else sizes / sizes.sum()
    at, outs = np.array([20, 100, 300, 600]), []
    for skips in (False, True):
        seeds = np.random.default_rng(skips).integers(0, 2**63, 1500).astype(np.uint64)
        out_hits, out = np.zeros((2, 1500, 4, 60), np.int32)
        if skips:
            simulate_thompson(goal, sizes, hits, a, b, weight, np.zeros(60), 600, at, seeds, out_hits, out, 24)
        else:
            plain = (weight, np.zeros(60), 1, 0.0, 0, 1, 0.05, 600)
            simulate_beta(THOMPSON, goal, sizes, hits, a, b, *plain, at, seeds, out_hits, out)
        outs.append(out)
    chances = [law_chance(outs[0][:, at, g].tolist(), outs[1][:, at, g].tolist()) for at in range(4) for g in range(60)]
    assert min(chances) > 1e-4 / len(chances)
    means = [out.mean(axis=0) for out in outs]
    error = np.sqrt((outs[0].var(axis=0) + outs[1].var(axis=0)) / 1500)
    assert (np.abs(means[0] - means[1]) <= 5 * error + 1e-9).all()
