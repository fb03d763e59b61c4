"""Exact skip-ahead for calibration errors against plain steps, in law: a right kernel fails once in 10,000 seeds."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation.kernels.cells import simulate_cells
from labelwise.simulation.kernels.cells_skipping import simulate_celled_thompson
from labelwise.simulation.kernels.choice import THOMPSON

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one

N_MANY = 400
AT = np.array([1, 2, 4, 9, 20, 40])
N_RUNS = 3000
# a group with one cell, one with none, confidences of 0, one half and 1, and cells of a single item
SIZES = np.array([[9, 3, 0], [0, 12, 0], [0, 0, 0], [4, 4, 5], [1, 1, 9], [6, 1, 2], [5, 0, 6], [2, 7, 1]] * 2)
CONFIDENCE = np.array(
    [[0.9, 0.4, 0.5], [0.5, 0.7, 0.5], [0.5, 0.5, 0.5], [0.2, 0.5, 0.8], [0.0, 0.3, 1.0], [1.0, 0.6, 0.1],
     [0.0, 0.5, 0.95], [0.3, 0.45, 0.99]] * 2
)  # fmt: skip
HITS = np.minimum(
    SIZES, np.array([[7, 0, 0], [0, 6, 0], [0, 0, 0], [2, 1, 4], [1, 0, 5], [6, 0, 1], [1, 0, 5]] * 3)[:16]
)
PRIORS = {
    "flat": (np.ones((16, 3)), np.ones((16, 3))),
    "informed": (0.05 + 2 * CONFIDENCE, 2.05 - 2 * CONFIDENCE),
    "weak": (np.full((16, 3), 0.01), np.full((16, 3), 0.03)),
    "improper": (np.full((16, 3), 5e-7), np.full((16, 3), 5e-7)),
    "strong": (np.full((16, 3), 30.0), np.full((16, 3), 20.0)),
}


def run(skips, prior, *, seed, n_runs=N_RUNS, at=AT, budget=40, fewest=2, pool=(SIZES, HITS, CONFIDENCE)):
    sizes, hits, confidence = pool
    seeds = np.random.default_rng(seed).integers(0, 2**63, n_runs).astype(np.uint64)
    out_hits, out = np.full((2, n_runs, len(at), *sizes.shape), -1, np.int32)
    common = (sizes, hits, *prior, confidence)
    if skips:
        simulate_celled_thompson(*common, budget, at, seeds, out_hits, out, fewest)
    else:
        simulate_cells(THOMPSON, 1.0, *common, 1, 0.0, budget, at, seeds, out_hits, out)
    return out_hits, out


@pytest.mark.parametrize("prior", PRIORS)
def test_skipping_has_the_law_of_plain_steps(prior, law_chance):
    slow_hits, slow = run(False, PRIORS[prior], seed=1)
    quick_hits, quick = run(True, PRIORS[prior], seed=2)
    for at in range(len(AT)):
        by_group = [list(map(tuple, out[:, at].sum(axis=2).tolist())) for out in (slow, quick)]
        chances = [law_chance(*by_group)]
        for g, b in zip(*np.nonzero(SIZES), strict=True):
            one, other = (
                100 * n[:, at, g, b] + n_hits[:, at, g, b] for n, n_hits in ((slow, slow_hits), (quick, quick_hits))
            )
            chances.append(law_chance(one.tolist(), other.tolist()))
        assert min(chances) > 1e-4 / len(chances)


@pytest.mark.parametrize("prior", PRIORS)
def test_it_does_skip_and_with_few_groups_it_does_not(prior):
    # plain steps take the same draws in the same order: equal seeds give equal runs if and only if nothing is skipped
    _, plain = run(False, PRIORS[prior], seed=1, n_runs=50)
    _, unskipped = run(True, PRIORS[prior], seed=1, n_runs=50, fewest=17)
    _, skipped = run(True, PRIORS[prior], seed=1, n_runs=50)
    assert (plain == unskipped).all()
    assert (plain != skipped).any()


@pytest.mark.parametrize("prior", PRIORS)
def test_a_whole_pool_ends_with_its_own_counts(prior):
    n = SIZES.sum()
    at = np.array([0, 10, n, n + 7])
    hits, labels = run(True, PRIORS[prior], seed=3, n_runs=50, at=at, budget=n + 9)
    assert (labels.sum(axis=(2, 3)) == np.minimum(at, n)).all()
    for place in (2, 3):
        assert (labels[:, place] == SIZES).all()
        assert (hits[:, place] == HITS).all()


def test_many_groups_have_the_law_of_plain_steps(law_chance):
    rng = np.random.default_rng(5)
    sizes = rng.multinomial(20, rng.dirichlet([0.3, 0.5, 0.7, 1, 3], 150)[:, None, :])[:, 0]
    confidence = np.clip(np.linspace(0.1, 0.9, 5) + rng.uniform(-0.1, 0.1, (150, 5)), 0, 1)
    hits = rng.binomial(sizes, rng.beta(5 * confidence + 0.1, 5.1 - 5 * confidence))
    pool, prior = (sizes, hits, confidence), (0.01 + 2 * confidence, 2.01 - 2 * confidence)
    at = np.array([50, 300, 1000])
    outs = [run(s, prior, seed=s, n_runs=N_MANY, at=at, budget=1000, fewest=24, pool=pool)[1] for s in (False, True)]
    slow, quick = (out.sum(axis=3) for out in outs)
    chances = [law_chance(slow[:, i, g].tolist(), quick[:, i, g].tolist()) for i in range(3) for g in range(150)]
    assert min(chances) > 1e-4 / len(chances)
    error = np.sqrt((outs[0].var(axis=0) + outs[1].var(axis=0)) / N_MANY)
    assert (np.abs(outs[0].mean(axis=0) - outs[1].mean(axis=0)) <= 5.5 * error + 1e-9).all()


def test_skipping_has_the_law_of_the_package(replayed, law_chance):
    rng = np.random.default_rng(4)
    predicted = np.repeat(np.arange(12), rng.integers(3, 9, 12))
    confidence = rng.uniform(0.2, 1, len(predicted))
    labels = np.where(rng.uniform(size=len(predicted)) < confidence, predicted, (predicted + 1) % 12)
    pool = lw.pool_from_arrays(predicted=predicted, confidence=confidence, labels=labels, classes=range(12))
    groups, question, at = lw.by_prediction(pool), lw.Worst(lw.metrics.ECE(bins=3)), [3, 12]
    belief = question.start(groups)
    _, counts = replayed(lw.Thompson(), question, belief, groups, at, 300, seed=1)
    shape, cells = belief.confidence.shape, belief.cells
    hits = np.bincount(cells.of_item[pool.hits], minlength=cells.n_groups).reshape(shape)
    prior = belief.beta.prior_a.reshape(shape), belief.beta.prior_b.reshape(shape)
    pool_counts = cells.n_items.reshape(shape), hits, np.ascontiguousarray(belief.confidence)
    _, out = run(True, prior, seed=2, at=np.array(at), budget=12, pool=pool_counts)
    for i in range(2):
        quick = out[:, i].sum(axis=2)
        chances = [law_chance([run[i][g] for run in counts], quick[:, g].tolist()) for g in range(12)]
        assert min(chances) > 1e-4 / len(chances)
