"""Calibration error: the slides' example, and the exact mean against many draws."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing.worlds import small_pool
from strength import sized

N_PARTS = sized(full=10, quick=2)


def test_the_nine_items_of_the_slides_give_47_over_450():
    """Five bins of equal width; gaps times counts are 0.09, 0.25 and 0.60, so that ECE = 0.94/9 = 47/450."""
    first = np.array([0.78, 0.36, 0.08, 0.58, 0.49, 0.85, 0.30, 0.63, 0.17])
    pool = lw.pool_from_arrays(scores=np.stack([first, 1 - first], axis=1), labels=[0, 1, 0, 0, 0, 0, 1, 1, 1])
    assert lw.metrics.known_value(lw.metrics.ECE(bins=5), pool) == pytest.approx(47 / 450, abs=1e-15)
    metric = lw.metrics.ECE(bins=5)
    believed = metric.estimate(
        lw.belief_from_labels(metric, lw.everything(pool)), target="pool", rng=np.random.default_rng(1)
    )
    assert (believed.mean[0], believed.low[0], believed.high[0]) == pytest.approx((47 / 450,) * 3, abs=1e-15)


@pytest.mark.parametrize("target", ["pool", "population"])
def test_the_exact_mean_agrees_with_many_draws(target):
    pool = small_pool(120)
    labels = np.random.default_rng(3).integers(0, 3, 120)
    metric = lw.metrics.ECE(bins=6)
    belief = metric.start(lw.by_prediction(pool)).update(np.arange(50), labels[:50])
    rng = np.random.default_rng(4)
    parts = [metric.draw(belief, 100_000, target=target, rng=rng) for _ in range(N_PARTS)]
    draws = np.concatenate(parts)
    exact = metric.mean(belief, target=target)
    assert np.all(np.abs(draws.mean(axis=0) - exact) <= 5 * draws.std(axis=0) / np.sqrt(len(draws)) + 1e-15)


def test_the_three_numbers_called_ece_differ_with_few_labels_and_agree_with_all():
    rng = np.random.default_rng(5)
    n = 40_000
    confidence = rng.uniform(0.4, 1, n)
    labels = (rng.uniform(size=n) > confidence - 0.1).astype(int)
    pool = lw.pool_from_arrays(predicted=np.zeros(n, int), confidence=confidence, labels=labels, classes=[0, 1])
    metric = lw.ece
    few = metric.start(lw.everything(pool)).update(np.arange(30), labels[:30])
    all_of_them = lw.belief_from_labels(metric, lw.everything(pool))
    assert metric.mean(few)[0] > metric.plug_in(few)[0]
    known = lw.metrics.known_value(metric, pool)
    assert metric.mean(all_of_them)[0] == pytest.approx(known, abs=0.002)
    assert metric.plug_in(all_of_them)[0] == pytest.approx(known, abs=0.002)
    assert metric.mean(all_of_them, target="pool")[0] == pytest.approx(known, abs=1e-12)


def test_confidences_of_zero_and_one_have_a_bin():
    pool = lw.pool_from_arrays(predicted=[0, 0], confidence=[0.0, 1.0], labels=[0, 0], classes=[0, 1])
    assert lw.metrics.known_value(lw.metrics.ECE(bins=10), pool) == 0.5


def test_the_maximum_is_over_bins_that_hold_items():
    pool = lw.pool_from_arrays(predicted=[0, 0], confidence=[0.8, 0.85], labels=[0, 0], classes=[0, 1])
    assert lw.metrics.known_value(lw.metrics.MCE(bins=10), pool) == pytest.approx(0.175)


def test_a_pool_without_confidences_is_refused():
    with pytest.raises(lw.UnanswerableError, match="a grouping by score needs them"):
        lw.ece.start(lw.by_prediction(lw.pool_from_arrays(predicted=[0, 1])))


def test_the_overall_error_lets_groups_cancel_within_a_bin():
    """On a wholly labelled pool the pool target is the plain ECE of all items, whatever the grouping."""
    rng = np.random.default_rng(3)
    n = 500
    pool = lw.pool_from_arrays(
        predicted=rng.integers(0, 2, n), confidence=rng.uniform(0.5, 1, n), labels=rng.integers(0, 2, n),
        columns={"site": rng.choice(["n", "s"], n)},
    )  # fmt: skip
    metric = lw.metrics.ECE(bins=5)
    belief = lw.belief_from_labels(metric, lw.by_column(pool, "site"))
    found = metric.overall(belief, target="pool", n_draws=10, rng=rng)
    assert found.mean[0] == pytest.approx(lw.metrics.known_value(metric, pool), abs=1e-12)


@pytest.mark.parametrize(("prior", "is_honest"), [(lw.LearnedPrior(), True), (lw.InformedPrior(), False)])
def test_a_hundred_labels_tell_the_error_of_a_modest_classifier_only_through_the_learned_map(prior, is_honest):
    """Scores about 0.2 too low, 10 groups in 15 bins: a hundred labels leave most cells without one. Of 40 runs."""
    rng = np.random.default_rng(5)
    predicted, confidence = rng.integers(0, 10, 1_500), rng.beta(6, 3, 1_500)
    hit = rng.uniform(size=1_500) < confidence ** (1 / 3)
    labels = np.where(hit, predicted, (predicted + 1) % 10)
    pool = lw.pool_from_arrays(predicted=predicted, confidence=confidence, labels=labels, classes=range(10))
    metric = lw.metrics.ECE(15)
    truth, start = lw.metrics.known_value(metric, pool), metric.start(lw.by_prediction(pool), prior)
    assert truth == pytest.approx(0.2, abs=0.02)
    inside = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        items = rng.choice(1_500, 100, replace=False)
        draws = metric.draw_overall(start.update(items, labels[items]), 2_000, target="pool", rng=rng)
        low, high = np.quantile(draws, [0.025, 0.975])
        inside.append(low <= truth <= high)
    assert np.mean(inside) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 40) if is_honest else np.mean(inside) < 0.1
