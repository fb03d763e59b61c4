"""The lead over a rival, against counting and against the paired comparison of labelled pools."""

import numpy as np
import pytest

import labelwise as lw


def worlds(n=400, seed=1):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    ours = np.where(rng.uniform(size=n) < 0.8, labels, (labels + 1) % 3)
    theirs = np.where(rng.uniform(size=n) < 0.7, labels, (labels + 2) % 3)
    site = rng.choice(["north", "south"], n)
    pool = lw.pool_from_arrays(predicted=ours, labels=labels, classes=[0, 1, 2], columns={"old": theirs, "site": site})
    other = lw.pool_from_arrays(predicted=theirs, labels=labels, classes=[0, 1, 2])
    return pool, other, labels, ours, theirs


def test_when_all_is_labelled_the_pools_lead_is_the_difference_of_accuracies():
    pool, _, labels, ours, theirs = worlds()
    belief = lw.belief_from_labels(lw.metrics.Lead("old"), lw.everything(pool))
    expected = (ours == labels).mean() - (theirs == labels).mean()
    assert lw.metrics.Lead("old").mean(belief, target="pool")[0] == pytest.approx(expected, abs=1e-12)


def test_labels_of_the_differing_items_alone_are_worth_as_much_as_all():
    pool, _, labels, *_ = worlds()
    metric = lw.metrics.Lead("old")
    start = metric.start(lw.everything(pool))
    differ = np.flatnonzero(metric.items(lw.everything(pool)))
    some, every = start.update(differ, labels[differ]), start.update(np.arange(400), labels)
    np.testing.assert_allclose(some.mean(), every.mean(), rtol=0, atol=1e-12)
    assert len(differ) < 200


def test_it_agrees_with_the_paired_comparison_of_labelled_pools():
    pool, other, *_ = worlds()
    found = lw.metrics.Lead("old").overall(
        lw.belief_from_labels(lw.metrics.Lead("old"), lw.everything(pool)),
        n_draws=200_000,
        rng=np.random.default_rng(1),
    )
    exact = lw.compare_classifiers(pool, other, rng=np.random.default_rng(1)).difference
    # priors differ by a label or two among 400
    assert found.mean[0] == pytest.approx(exact.mean, abs=0.002)
    assert found.low[0] == pytest.approx(exact.low, abs=0.004)
    assert found.high[0] == pytest.approx(exact.high, abs=0.004)


def test_strata_add_up_to_the_whole():
    pool, *_ = worlds()
    by_site = lw.belief_from_labels(lw.metrics.Lead("old"), lw.by_column(pool, "site"))
    whole = lw.belief_from_labels(lw.metrics.Lead("old"), lw.everything(pool))
    metric, rng = lw.metrics.Lead("old"), np.random.default_rng(1)
    assert metric.overall(by_site, target="pool", rng=rng).mean[0] == pytest.approx(
        metric.mean(whole, target="pool")[0], abs=1e-9
    )
