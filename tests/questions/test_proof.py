"""Proofs: a false claim is seldom proven, however often one looks; true ones are, once labels suffice."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.beliefs.trail import Trail
from labelwise.questions.proof import error_of, least_error
from strength import sized

N_RUNS = sized(full=500, quick=80)
ALPHA = 0.2


def pool_of(*groups, seed=0):
    """Return a pool with groups of (items, hits), in random order within each."""
    rng = np.random.default_rng(seed)
    names, hits = [], []
    for g, (n, k) in enumerate(groups):
        names += [f"g{g}"] * n
        hits += rng.permutation([True] * k + [False] * (n - k)).tolist()
    labels = np.where(hits, 0, 1)
    return lw.pool_from_arrays(predicted=[0] * len(hits), labels=labels, columns={"group": names}, classes=[0, 1])


def looked_at(question, pool, prior, target, seed, *, every, most=None):
    """Return the first claim with an error of at most ALPHA, and whether it was before the pool was exhausted."""
    groups = lw.by_column(pool, "group")
    rng = np.random.default_rng(seed)
    belief = question.start(groups, prior)
    trail = Trail.of(belief)
    queues = [rng.permutation(np.flatnonzero(groups.of_item == g)).tolist() for g in range(groups.n_groups)]
    n = 0
    while any(queues) and (most is None or n < most):
        g = int(np.argmax([len(queue) for queue in queues])) if n % 2 else n // 2 % groups.n_groups
        g = g if queues[g] else next(k for k, queue in enumerate(queues) if queue)
        item = queues[g].pop()
        belief, trail = belief.update([item], [pool.labels[item]]), trail.extended([item], [pool.labels[item]])
        n += 1
        if n % every == 0:
            how = {"target": target, "n_draws": 100, "rng": rng}
            answer = question.answer(belief, **how) if question.is_ranking else None
            proof = question.prove(answer, trail, target=target)
            if proof.error <= ALPHA:
                return proof.claim, n
    return None, n


def allowed(n_runs):
    return ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / n_runs)


@pytest.mark.parametrize("prior", [lw.FlatPrior(), lw.CustomPrior(9.0, 1.0)])
@pytest.mark.parametrize("target", ["pool", "population"])
def test_a_group_that_is_not_the_worst_is_seldom_proven_to_be(prior, target):
    """The second group is worse by one item; a stop that names the first or the third is wrong."""
    pool = pool_of((40, 20), (40, 19), (40, 20))
    claims = [looked_at(lw.Worst(), pool, prior, target, seed, every=6, most=100)[0] for seed in range(N_RUNS // 2)]
    wrong = [claim for claim in claims if claim is not None and not claim.startswith("g1")]
    assert len(wrong) / len(claims) <= allowed(len(claims))


@pytest.mark.parametrize("target", ["pool", "population"])
def test_a_wide_gap_is_proven_before_the_pool_is_exhausted(target):
    pool = pool_of((150, 30), (150, 135), (150, 140))
    claim, n = looked_at(lw.Worst(), pool, lw.FlatPrior(), target, 1, every=10)
    assert claim == "g0 is the worst in accuracy"
    assert n < 250


def test_a_near_tie_is_proven_within_a_tolerance():
    pool = pool_of((200, 100), (200, 104), (200, 180))
    assert looked_at(lw.Worst(within=0.2), pool, lw.FlatPrior(), "pool", 3, every=20)[1] < 450
    claim, _ = looked_at(lw.Best(m=1, within=0.3), pool, lw.FlatPrior(), "pool", 3, every=20)
    assert claim == "g2 is the best in accuracy, or within 0.3 of it"


@pytest.mark.parametrize(("hits", "true"), [((30, 30), "within"), ((30, 42), "lower"), ((45, 30), "higher")])
@pytest.mark.parametrize("target", ["pool", "population"])
def test_a_false_difference_is_seldom_proven(hits, true, target):
    pool = pool_of((60, hits[0]), (60, hits[1]))
    question = lw.Compare("g0", "g1", margin=0.1)
    claims = [looked_at(question, pool, lw.FlatPrior(), target, seed, every=4)[0] for seed in range(N_RUNS // 4)]
    wrong = [claim for claim in claims if claim is not None and true not in claim]
    assert len(wrong) / len(claims) <= allowed(len(claims))
    if target == "pool":
        assert sum(claim is not None for claim in claims) / len(claims) > 0.9  # the pool decides it in the end


@pytest.mark.parametrize("lead", [0, 6, 40])
@pytest.mark.parametrize("target", ["pool", "population"])
def test_a_false_lead_is_seldom_proven(lead, target):
    n = 400
    ours = np.zeros(n, int)
    rival = np.where(np.arange(n) < 120, 1, 0)
    labels = np.zeros(n, int)
    labels[: (120 - lead) // 2] = 1  # the rival is right on these
    question = lw.Versus("rival", margin=0.05)
    wrong = 0
    for seed in range(N_RUNS):
        rng = np.random.default_rng(seed)
        pool = lw.pool_from_arrays(predicted=ours, labels=labels, columns={"rival": rival}, classes=[0, 1])
        trail = Trail.of(question.start(lw.everything(pool)))
        order = rng.permutation(120)
        for k in range(5, 121, 5):
            trail = trail.extended(order[k - 5 : k], labels[order[k - 5 : k]])
            proof = question.prove(None, trail, target=target)
            if proof.error <= ALPHA:
                is_true = ("higher" in proof.claim and lead > 0) or ("within" in proof.claim and lead <= 0.05 * n)
                wrong += not is_true
                break
    assert wrong / N_RUNS <= allowed(N_RUNS)


def test_versus_in_strata_claims_nothing():
    pool = lw.pool_from_arrays(predicted=[0, 0, 1, 1], columns={"rival": [1, 1, 0, 0]}, classes=[0, 1])
    question = lw.Versus("rival")
    assert not question.is_provable(lw.by_prediction(pool))
    assert question.prove(None, Trail.of(question.start(lw.by_prediction(pool)))) is None
    assert question.is_provable(lw.everything(pool))


def test_the_least_error_is_found_to_a_few_percent():
    assert least_error(lambda log_error: log_error >= np.log(0.03)) == pytest.approx(0.03, rel=0.02)
    assert least_error(lambda log_error: False) == 1.0
    assert least_error(lambda log_error: True) <= 1e-6
    assert error_of(np.inf) < 1e-300
    assert error_of(-3.0) == 1.0
    assert error_of(np.log(40), 2) == pytest.approx(0.05)


def test_two_ways_to_compare_groups_share_the_error():
    """The labels of one group may be known before a pair is complete, so that the ways may not be averaged."""
    pool = pool_of((60, 20), (60, 45))
    groups = lw.by_column(pool, "group")
    question = lw.Compare("g0", "g1")
    items = np.r_[np.arange(40), np.arange(60, 100)]
    trail = Trail.of(question.start(groups, lw.FlatPrior())).extended(items, pool.labels[items])
    evidence = lw.accuracy.evidence(trail, target="pool")
    ways = (
        evidence.in_wrong_order(0, np.array([1]), low=True, tolerance=0.0)[0],
        evidence.in_pairs(trail, 0, 1, 0.0, at_most=False, target="pool"),
    )
    proof = question.prove(None, trail, target="pool")
    assert proof.claim == "accuracy of 'g0' is lower than that of 'g1'"
    assert proof.error == pytest.approx(min(1.0, 2 * 2 * np.exp(-max(ways))))
