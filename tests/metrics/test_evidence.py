"""Evidence against values: over all orders of a finite group the true value is seldom refuted, at any moment."""

from itertools import permutations, product

import numpy as np
import pytest

import labelwise as lw
from labelwise.beliefs.trail import Trail
from labelwise.metrics.evidence import HitEvidence

PRIORS = [lw.FlatPrior(), lw.CustomPrior(40.0, 1.0), lw.CustomPrior(1.0, 40.0)]
LEVEL = 0.75


def labelled(n_hits, n_items):
    """Return a pool of one group, whose first items are hits."""
    labels = [0] * n_hits + [1] * (n_items - n_hits)
    return lw.pool_from_arrays(predicted=[0] * n_items, labels=labels, classes=[0, 1])


def distinct_orders(pool):
    """Return one order of the items per order of their labels; all are equally probable."""
    seen = {}
    for order in permutations(range(pool.n_items)):
        seen.setdefault(tuple(pool.labels[list(order)]), order)
    return list(seen.values())


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("n_hits", [0, 3, 5])
def test_the_interval_holds_at_all_times_with_its_probability_whatever_the_prior(prior, n_hits):
    pool = labelled(n_hits, 7)
    start = Trail.of(lw.accuracy.start(lw.by_prediction(pool), prior))
    orders = distinct_orders(pool)
    missed = 0
    for order in orders:
        for k in range(1, 8):
            trail = start.extended(order[:k], pool.labels[list(order[:k])])
            low, high = lw.accuracy.evidence(trail, target="pool").always(LEVEL)
            if not low[0] - 1e-9 <= n_hits / 7 <= high[0] + 1e-9:
                missed += 1
                break
    assert missed / len(orders) <= 1 - LEVEL
    whole = lw.accuracy.evidence(start.extended(range(7), pool.labels), target="pool").always(LEVEL)
    assert (whole[0][0], whole[1][0]) == pytest.approx((n_hits / 7, n_hits / 7))  # every item has its label


def test_a_recall_is_seldom_refuted_and_known_at_the_end():
    predicted, labels = [0, 0, 1, 0, 1, 0], [0, 0, 0, 1, 1, 1]
    pool = lw.pool_from_arrays(predicted=predicted, labels=labels, columns={"all": ["x"] * 6}, classes=[0, 1])
    recall = lw.metrics.Recall(positive=0)
    start = Trail.of(recall.start(lw.by_column(pool, "all")))
    orders = {tuple(zip(np.array(predicted)[list(o)], np.array(labels)[list(o)], strict=True)): o
              for o in permutations(range(6))}  # fmt: skip
    weight = 720 // len(orders)
    assert weight * len(orders) <= 720
    missed = 0
    for order in orders.values():
        for k in range(1, 7):
            trail = start.extended(order[:k], pool.labels[list(order[:k])])
            low, high = recall.evidence(trail, target="pool").always(LEVEL)
            if not low[0] <= 2 / 3 <= high[0]:
                missed += 1
                break
    assert missed / len(orders) <= 1 - LEVEL
    low, high = recall.evidence(start.extended(range(6), pool.labels), target="pool").always(LEVEL)
    assert high[0] - low[0] <= 2 / 400 + 1e-9


@pytest.mark.parametrize(("k_one", "k_other"), [(2, 1), (3, 3), (1, 2)])
@pytest.mark.parametrize("alpha", [0.5, 0.2])
def test_pairs_of_labels_seldom_refute_the_true_difference(k_one, k_other, alpha):
    sizes, hits = (4, 3), (k_one, k_other)
    predicted = [0] * 4 + [1] * 3
    labels = [0] * k_one + [1] * (4 - k_one) + [1] * k_other + [0] * (3 - k_other)
    pool = lw.pool_from_arrays(predicted=predicted, labels=labels, classes=[0, 1])
    start = Trail.of(lw.accuracy.start(lw.by_prediction(pool)))
    difference = hits[0] / sizes[0] - hits[1] / sizes[1]
    for at_most in (True, False):
        paths = []
        for one, other in product(permutations(range(4)), permutations(range(4, 7))):
            highest = 0.0
            for n in (1, 2, 3):
                items = [*one[:n], *other[:n]]
                trail = start.extended(items, pool.labels[items])
                evidence = lw.accuracy.evidence(trail, target="pool")
                found = evidence.in_pairs(trail, 0, 1, difference, at_most=at_most, target="pool")
                highest = max(highest, np.exp(found))
            paths.append(highest)
        assert (np.array(paths) >= 1 / alpha).mean() <= alpha


def evidence_of(hits, labels, sizes=None, **options):
    hits, labels = np.array(hits), np.array(labels)
    plain = lw.beliefs.BetaBelief.from_counts(hits, labels).log_marginal
    n = len(hits)
    how = {"offset": np.zeros(n), "slope": np.ones(n)} | options
    return HitEvidence(hits, labels, plain, None if sizes is None else np.array(sizes), **how)


@pytest.mark.parametrize("sizes", [None, [400, 300, 90]])
@pytest.mark.parametrize("low", [True, False])
def test_evidence_of_two_groups_is_the_least_sum_over_the_values_they_could_share(sizes, low):
    evidence = evidence_of([30, 60, 70], [80, 90, 85], sizes)
    one, others = (0, [1, 2]) if low else (2, [0, 1])
    found = evidence.in_wrong_order(one, np.array(others), low=low, tolerance=0.02)
    fine = np.linspace(0, 1, 200_001)
    shift = -0.02 if low else 0.02
    mine = evidence._against(np.array([one]), fine, above=low)
    theirs = evidence._against(np.array(others), fine + shift, above=not low)
    assert found == pytest.approx((mine + theirs).min(axis=1), abs=0.05)
    assert (found <= (mine + theirs).min(axis=1) + 1e-12).all()  # never more than there is


def test_a_bias_is_a_mirrored_accuracy():
    plain, mirrored = evidence_of([8], [10]), evidence_of([8], [10], offset=np.array([0.9]), slope=np.array([-1.0]))
    low, high = plain.always(0.95)
    assert mirrored.always(0.95)[0] == pytest.approx(0.9 - high)
    assert mirrored.always(0.95)[1] == pytest.approx(0.9 - low)


def test_values_that_no_labels_to_come_can_make_are_refuted_for_certain():
    evidence = evidence_of([9, 1], [10, 10], [10, 10])
    assert evidence.in_wrong_order(0, np.array([1]), low=False, tolerance=1e-9)[0] == np.inf
    assert evidence.in_wrong_order(0, np.array([1]), low=True, tolerance=1e-9)[0] <= 0


def test_a_metric_without_a_guarantee_has_no_evidence():
    pool = labelled(2, 4)
    groups = lw.by_prediction(pool)
    for metric in (lw.ece, lw.recall, lw.balanced_accuracy):
        assert not metric.is_provable(groups)
