"""Plain frequencies, losses of the scores, and the bootstrap."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing.worlds import small_pool


def scored_pool(n=5_000, k=7, dtype=np.float32, seed=1):
    rng = np.random.default_rng(seed)
    scores = rng.dirichlet(np.full(k, 0.4), n).astype(dtype)
    labels = np.array([rng.choice(k, p=row / row.sum()) for row in scores.astype(float)])
    return lw.pool_from_arrays(scores=scores, labels=labels)


def test_brier_and_log_loss_are_those_of_the_textbook():
    pool = scored_pool(dtype=np.float64)
    truth = np.eye(7)[pool.labels]
    assert lw.metrics.known_value(lw.metrics.brier, pool) == pytest.approx(
        ((pool.scores - truth) ** 2).sum(axis=1).mean()
    )
    chosen = pool.scores[np.arange(pool.n_items), pool.labels]
    assert lw.metrics.known_value(lw.metrics.log_loss, pool) == pytest.approx(-np.log(chosen).mean())


def test_a_true_class_with_score_zero_has_a_large_but_finite_loss():
    pool = lw.pool_from_arrays(scores=[[1.0, 0.0], [0.5, 0.5]], labels=[1, 0])
    assert 300 < lw.metrics.known_value(lw.metrics.log_loss, pool) < 400


def test_classwise_calibration_error_is_that_of_one_class_against_the_rest():
    pool = scored_pool()
    ours = lw.metrics.classwise_ece(pool, bins=10)
    for k in range(7):
        score = pool.scores[:, k].astype(float)
        bin_of = np.minimum((score * 10).astype(int), 9)
        gap = sum(abs((score - (pool.labels == k))[bin_of == b].sum()) for b in range(10))
        assert ours[k] == pytest.approx(gap / pool.n_items, abs=1e-9)


def test_classwise_calibration_error_leaves_unlabelled_items_out():
    pool = scored_pool(1_000)
    labels = [int(label) if i % 3 else None for i, label in enumerate(pool.labels)]
    part = lw.pool_from_arrays(scores=pool.scores, labels=labels)
    kept = [i for i in range(1_000) if i % 3]
    alone = lw.pool_from_arrays(scores=pool.scores[kept], labels=pool.labels[kept])
    assert np.allclose(lw.metrics.classwise_ece(part), lw.metrics.classwise_ece(alone))


def test_the_bootstrap_of_a_mean_has_the_moments_of_theory():
    """Dirichlet(1, ..., 1) weights give a mean the variance s^2 / (n + 1)."""
    pool = scored_pool(400)
    estimate = lw.metrics.bootstrap(lw.metrics.brier, pool, level=0.6827, n_draws=40_000, rng=np.random.default_rng(1))
    truth = np.eye(7)[pool.labels]
    losses = ((pool.scores - truth) ** 2).sum(axis=1)
    assert (estimate.high[0] - estimate.low[0]) / 2 == pytest.approx(losses.std() / np.sqrt(401), rel=0.03)


def test_the_bootstrap_of_a_pool_shrinks_to_a_point_as_labels_come_in():
    pool = scored_pool(300)
    widths = []
    for n in (30, 150, 300):
        labels = [int(label) if i < n else None for i, label in enumerate(pool.labels)]
        part = lw.pool_from_arrays(scores=pool.scores, labels=labels)
        estimate = lw.metrics.bootstrap(lw.metrics.brier, part, target="pool", rng=np.random.default_rng(2))
        widths.append(estimate.high[0] - estimate.low[0])
    assert widths[0] > widths[1] > widths[2] == 0


def test_bootstrap_intervals_of_the_brier_score_cover_at_their_level():
    """600 samples of 80 from a large pool: 95 % less three standard errors and a point lost to small samples."""
    pool = scored_pool(20_000)
    truth = lw.metrics.known_value(lw.metrics.brier, pool)
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(600):
        items = rng.permutation(20_000)[:80]
        part = lw.pool_from_arrays(scores=pool.scores[items], labels=pool.labels[items])
        estimate = lw.metrics.bootstrap(lw.metrics.brier, part, n_draws=400, rng=rng)
        covered += bool(estimate.low[0] <= truth <= estimate.high[0])
    assert 0.95 - 0.01 - 3 * np.sqrt(0.95 * 0.05 / 600) <= covered / 600 <= 0.98


@pytest.mark.parametrize("metric", [lw.metrics.brier, lw.metrics.log_loss])
def test_losses_of_a_partly_labelled_pool_are_those_of_its_labelled_items(metric):
    pool = scored_pool(30_000, k=3)
    kept = np.arange(0, 30_000, 600)
    labels = np.full(30_000, None)
    labels[kept] = pool.labels[kept]
    part = lw.pool_from_arrays(scores=pool.scores, labels=labels)
    alone = lw.pool_from_arrays(scores=pool.scores[kept], labels=pool.labels[kept])
    exact = lw.metrics.known_value(metric, alone)
    assert lw.metrics.known_value(metric, part) == pytest.approx(exact, abs=1e-12)
    assert metric.tally(part).of(kept) == pytest.approx(exact, abs=1e-12)


def test_losses_need_scores():
    pool = lw.pool_from_arrays(predicted=[0, 1], labels=[0, 1])
    with pytest.raises(lw.UnanswerableError) as refusal:
        lw.metrics.known_value(lw.metrics.brier, pool)
    assert str(refusal.value) == (
        "This pool has no scores per class, but the Brier score needs them. Read it with `scores`."
    )


def test_a_label_column_without_a_single_label_is_refused():
    pool = small_pool(4)
    empty = lw.pool_from_arrays(scores=pool.scores, labels=[None] * 4)
    with pytest.raises(lw.UnanswerableError, match="No item of this pool has a label"):
        lw.metrics.known_value(lw.accuracy, empty)
