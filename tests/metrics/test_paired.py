"""Two classifiers on the same items: quadrature against draws, matching by id, refusals."""

import numpy as np
import pytest
from scipy.special import betainc

import labelwise as lw
from labelwise.metrics.paired import _paired_above


def two_pools(n=2_000, seed=1):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    pools = []
    for accuracy in (0.8, 0.75):
        scores = np.full((n, 3), 0.15) + 0.55 * np.eye(3)[np.where(rng.uniform(size=n) < accuracy, labels, 0)]
        pools.append(lw.pool_from_arrays(scores=scores, labels=labels, ids=np.arange(n), classes=["a", "b", "c"]))
    return pools


@pytest.mark.parametrize(("a", "b", "rest"), [(1, 1, 2), (4.0, 9.0, 60.0), (300.0, 270.0, 9000.0)])
@pytest.mark.parametrize("d", [-0.1, 0.0, 0.02])
def test_the_paired_quadrature_agrees_with_draws(a, b, rest, d):
    n = 1_000_000
    draws = np.random.default_rng(2).dirichlet([a, b, rest], n)
    exact = _paired_above(a, b, rest, d)
    share = (draws[:, 0] - draws[:, 1] > d).mean()
    assert share == pytest.approx(exact, abs=5 * np.sqrt(max(exact * (1 - exact), 1e-7) / n))


def test_at_zero_only_the_items_that_differ_count():
    """P(x > y) = P(Beta(a, b) > 1/2), whatever the rest."""
    exact = float(betainc(3, 7, 0.5))
    for rest in (2.0, 1e5):
        assert _paired_above(7, 3, rest, 0.0) == pytest.approx(exact, abs=1e-12)


def test_counts_and_mean_of_the_comparison():
    one, other = two_pools()
    found = lw.compare_classifiers(one, other, rng=np.random.default_rng(3))
    only_one = int((one.hits & ~other.hits).sum())
    only_other = int((~one.hits & other.hits).sum())
    assert (found.n_only_one, found.n_only_other) == (only_one, only_other)
    assert found.n_differ == int((one.prediction != other.prediction).sum())
    assert found.difference.mean == pytest.approx((only_one - only_other) / 2_004)
    assert found.difference.method == "exact"


def test_pairing_is_narrower_than_two_separate_intervals():
    one, other = two_pools()
    rng = np.random.default_rng(4)
    paired = lw.compare_classifiers(one, other, rng=rng).difference
    apart = [lw.metrics.bootstrap(lw.accuracy, pool, rng=rng) for pool in (one, other)]
    unpaired = np.sqrt(sum((e.high[0] - e.low[0]) ** 2 for e in apart))
    assert paired.high - paired.low < unpaired


def test_exact_and_bootstrap_agree_on_accuracy():
    one, other = two_pools()
    exact = lw.compare_classifiers(one, other, rng=np.random.default_rng(5)).difference
    drawn = lw.compare_classifiers(one, other, kind="highest-density", rng=np.random.default_rng(6)).difference
    assert drawn.method == "draws"
    assert (drawn.mean, drawn.low, drawn.high) == pytest.approx((exact.mean, exact.low, exact.high), abs=0.002)


@pytest.mark.parametrize(
    "metric", [lw.ece, lw.metrics.brier, lw.metrics.log_loss, lw.f1, lw.balanced_accuracy, lw.calibration_bias]
)
def test_any_metric_can_be_compared_and_the_pool_target_is_exact(metric):
    one, other = two_pools(500)
    found = lw.compare_classifiers(one, other, metric, target="pool", rng=np.random.default_rng(7)).difference
    exact = lw.metrics.known_value(metric, one) - lw.metrics.known_value(metric, other)
    assert (found.mean, found.low, found.high) == pytest.approx((exact, exact, exact), abs=1e-9)
    spread = lw.compare_classifiers(one, other, metric, n_draws=1_000, rng=np.random.default_rng(8)).difference
    assert spread.low < exact < spread.high


def test_items_are_matched_by_id_and_not_by_row():
    one, other = two_pools(300)
    order = np.random.default_rng(9).permutation(300)
    shuffled = lw.pool_from_arrays(
        scores=other.scores[order], labels=other.labels[order], ids=order, classes=["a", "b", "c"]
    )
    results = [
        lw.compare_classifiers(one, p, lw.metrics.brier, rng=np.random.default_rng(10)) for p in (other, shuffled)
    ]
    assert results[0].difference.mean == pytest.approx(results[1].difference.mean, abs=1e-12)
    assert results[0].n_differ == results[1].n_differ


def test_classes_in_another_order_are_the_same_classes():
    one = lw.pool_from_arrays(predicted=["a", "b"], labels=["a", "a"], classes=["a", "b"])
    other = lw.pool_from_arrays(predicted=["a", "a"], labels=["a", "a"], classes=["b", "a"])
    assert lw.compare_classifiers(one, other, rng=np.random.default_rng(1)).n_differ == 1


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        (
            {"predicted": ["a", "b"], "labels": ["a", "b"]},
            {"predicted": ["a", "c"], "labels": ["a", "c"]},
            "The two pools differ in their classes: 'b', 'c'. Name the same `classes` for both.",
        ),
        (
            {"predicted": ["a", "b"], "labels": ["a", "b"], "ids": [1, 2]},
            {"predicted": ["a", "b"], "labels": ["a", "b"]},
            "One of the two pools has ids and the other has none. Name the id column of both.",
        ),
        (
            {"predicted": ["a", "b"], "labels": ["a", "b"]},
            {"predicted": ["a", "b", "a"], "labels": ["a", "b", "a"]},
            "The pools have 2 and 3 items and no ids to match them by. Name an id column.",
        ),
        (
            {"predicted": ["a", "b"], "labels": ["a", "b"], "ids": [1, 2]},
            {"predicted": ["a", "b"], "labels": ["a", "b"], "ids": [3, 4]},
            "The two pools have no id in common; a paired comparison needs the same items.",
        ),
        (
            {"predicted": ["a", "b"], "labels": ["a", "b"], "ids": ["x", "y"]},
            {"predicted": ["a", "b"], "labels": ["a", "a"], "ids": ["x", "y"]},
            "Item 'y' has label 'b' in one pool and 'a' in the other; a paired comparison needs the same items with "
            "the same labels. Match them by id.",
        ),
    ],
)
def test_pools_that_do_not_pair_are_refused(one, other, sentence):
    with pytest.raises(lw.DataError) as refusal:
        lw.compare_classifiers(lw.pool_from_arrays(**one), lw.pool_from_arrays(**other), rng=np.random.default_rng(1))
    assert str(refusal.value) == sentence


def test_a_rival_is_matched_by_id_and_changes_the_fingerprint():
    one = lw.pool_from_arrays(predicted=["cat", "dog", "cat"], ids=[1, 2, 3])
    other = lw.pool_from_arrays(predicted=["dog", "cat", "dog"], ids=[3, 2, 1], classes=["dog", "cat"])
    both = lw.metrics.with_rival(one, other)
    assert both.column("rival").tolist() == ["dog", "cat", "dog"]
    assert both.fingerprint != one.fingerprint
    assert lw.metrics.with_rival(one, other).fingerprint == both.fingerprint


def test_a_rival_that_lacks_an_item_is_refused(refusal):
    one = lw.pool_from_arrays(predicted=["cat", "dog"], ids=[1, 2])
    other = lw.pool_from_arrays(predicted=["cat", "dog"], ids=[1, 9])
    assert refusal(lw.DataError, lw.metrics.with_rival, one, other) == (
        "The other classifier has no prediction for item 2; it must predict every item."
    )
