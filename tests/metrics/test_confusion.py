"""Functions of confusion against plain counting, and fairness rates."""

import numpy as np
import pytest

import labelwise as lw


def pool_of(n=3_000, k=4, seed=2):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, n)
    predicted = np.where(rng.uniform(size=n) < 0.7, labels, rng.integers(0, k, n))
    return lw.pool_from_arrays(predicted=predicted, labels=labels, columns={"site": rng.choice(["n", "s"], n)})


def counts_of(pool):
    table = np.zeros((pool.n_classes, pool.n_classes))
    np.add.at(table, (pool.labels, pool.prediction), 1)
    return table  # true x predicted


@pytest.mark.parametrize("name", ["recall", "precision", "f1", "false_positive_rate"])
def test_rates_of_a_wholly_labelled_pool_are_the_plain_ones(name):
    pool = pool_of()
    table = counts_of(pool)
    right, true, predicted = np.diag(table), table.sum(axis=1), table.sum(axis=0)
    plain = {
        "recall": right / true,
        "precision": right / predicted,
        "f1": 2 * right / (true + predicted),
        "false_positive_rate": (predicted - right) / (table.sum() - true),
    }[name]
    metric = getattr(lw.metrics, name)
    found = metric.draw(
        lw.belief_from_labels(metric, lw.by_prediction(pool)), 1, target="pool", rng=np.random.default_rng(1)
    )
    assert np.allclose(found[0], plain)


def test_precision_of_a_class_is_the_accuracy_of_its_group():
    pool = pool_of()
    groups = lw.by_prediction(pool)
    metric = lw.precision
    draws = metric.draw(lw.belief_from_labels(metric, groups), 20_000, rng=np.random.default_rng(1))
    # Dirichlet(1/4 each) + counts marginalises to Beta(1/4 + hits, 3/4 + misses)
    beta = lw.belief_from_labels(lw.accuracy, groups, lw.CustomPrior(0.25, 0.75))
    error = 5 * np.sqrt(beta.variance() / 20_000)
    assert np.all(np.abs(draws.mean(axis=0) - beta.mean()) <= error)


def test_a_class_that_never_occurs_has_no_recall_and_does_not_spoil_the_mean():
    pool = lw.pool_from_arrays(predicted=[0, 1, 0], labels=[0, 1, 1], classes=[0, 1, 2])
    metric = lw.recall
    found = metric.draw(
        lw.belief_from_labels(metric, lw.by_prediction(pool)), 1, target="pool", rng=np.random.default_rng(1)
    )
    assert found[0].tolist()[:2] == [1.0, 0.5]
    assert np.isnan(found[0, 2])
    assert lw.metrics.known_value(lw.balanced_accuracy, pool) == 0.75


def test_rates_a_group_are_those_of_its_own_items():
    pool = pool_of()
    metric = lw.metrics.Recall(positive=2)
    found = metric.draw(
        lw.belief_from_labels(metric, lw.by_column(pool, "site")), 1, target="pool", rng=np.random.default_rng(1)
    )
    for g, site in enumerate(["n", "s"]):
        mine = (pool.column("site") == site) & (pool.labels == 2)
        assert found[0, g] == pytest.approx((pool.prediction[mine] == 2).mean())


def test_the_confusion_table_has_a_row_a_pair_and_its_shares_add_up():
    pool = pool_of()
    frame = lw.metrics.confusion_matrix(lw.belief_from_labels(lw.recall, lw.by_prediction(pool)), target="pool")
    assert len(frame["mean"]) == 16
    assert np.allclose(frame["mean"].reshape(4, 4).sum(axis=1), 1)
    assert np.array_equal(frame["labels"].reshape(4, 4).T, counts_of(pool))


def test_any_function_of_the_users_works_like_a_metric():
    def confused_pair(joint):
        return joint[..., 0, 1] + joint[..., 1, 0]

    pool = pool_of()
    metric = lw.metrics.ConfusionFunction(function=confused_pair, high_is_worse=True)
    table = counts_of(pool)
    assert metric.name == "confused-pair"
    assert metric.worse == "high"
    assert lw.metrics.known_value(metric, pool) == pytest.approx((table[0, 1] + table[1, 0]) / table.sum())
    estimate = metric.estimate(lw.belief_from_labels(metric, lw.by_column(pool, "site")), rng=np.random.default_rng(1))
    assert len(estimate.mean) == 2


def test_a_function_of_the_wrong_shape_is_refused():
    metric = lw.metrics.ConfusionFunction(function=lambda joint: joint)
    with pytest.raises(lw.ArgumentError, match="it must give"):
        lw.metrics.known_value(metric, pool_of())


def test_positive_and_average_exclude_each_other():
    with pytest.raises(lw.ArgumentError) as refusal:
        lw.metrics.Recall(positive=1, average="macro")
    assert str(refusal.value) == "Give either `positive` or `average`, not both."


def test_intervals_of_rates_cover_in_the_population():
    """400 samples of 400 items from a population with known rates: 95 % nominal, four standard errors allowed.

    With the pool's shares of predictions taken for granted the false positive rate would be covered 85 times in 100.
    """
    rng = np.random.default_rng(8)
    joint = np.array([[0.45, 0.15], [0.1, 0.3]])  # true x predicted
    exact = {"fpr": 0.15 / 0.6, "recall": 0.3 / 0.4}
    covered = dict.fromkeys(exact, 0)
    for _ in range(400):
        cell = rng.choice(4, 400, p=joint.ravel())
        pool = lw.pool_from_arrays(predicted=cell % 2, labels=cell // 2, classes=[0, 1])
        for metric in (lw.metrics.FalsePositiveRate(positive=1), lw.metrics.Recall(positive=1)):
            found = metric.estimate(lw.belief_from_labels(metric, lw.everything(pool)), n_draws=1_000, rng=rng)
            covered[metric.name] += bool(found.low[0] <= exact[metric.name] <= found.high[0])
    for name, count in covered.items():
        assert abs(count / 400 - 0.95) <= 4 * np.sqrt(0.95 * 0.05 / 400), name


def test_many_predicted_classes_do_not_bring_many_priors():
    """A hundred classes, about a hundred items a group: the 0-1 cost must be the error rate, not the prior."""
    rng = np.random.default_rng(9)
    labels = rng.integers(0, 100, 3_000)
    predicted = np.where(rng.uniform(size=3_000) < 0.7, labels, rng.integers(0, 100, 3_000))
    pool = lw.pool_from_arrays(
        predicted=predicted, labels=labels, classes=list(range(100)), columns={"site": rng.integers(0, 30, 3_000)}
    )
    groups = lw.by_column(pool, "site")
    metric = lw.ExpectedCost(1 - np.eye(100))
    found = metric.mean(lw.belief_from_labels(metric, groups))
    errors = 1 - lw.accuracy.mean(lw.belief_from_labels(lw.accuracy, groups), target="pool")
    assert np.abs(found - errors).max() < 0.03


def test_a_function_that_fails_is_named():
    def broken(joint):
        raise KeyError("x")

    with pytest.raises(lw.ArgumentError, match="The function 'broken' failed: KeyError"):
        lw.metrics.known_value(lw.metrics.ConfusionFunction(function=broken), pool_of())
