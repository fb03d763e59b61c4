"""Kappa: against scikit-learn and worked examples, what is not defined, and how often the interval covers."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import labelwise as lw
from labelwise.metrics.kappa import kappa_draws

# a worked example that many textbooks and articles use: 14 raters, 10 subjects, 5 categories
SUBJECTS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def table_of(one, other, k):
    table = np.zeros((k, k))
    np.add.at(table, (one, other), 1)
    return table


@pytest.mark.parametrize("k", [2, 3, 10])
def test_cohens_kappa_is_that_of_scikit_learn(k):
    rng = np.random.default_rng(k)
    for _ in range(20):
        one = rng.integers(0, k, 50)
        other = np.where(rng.uniform(size=50) < 0.6, one, rng.integers(0, k, 50))
        assert lw.metrics.cohen_kappa(table_of(one, other, k)) == pytest.approx(
            cohen_kappa_score(one, other), abs=1e-12
        )


def test_fleiss_kappa_of_the_worked_example():
    assert lw.metrics.fleiss_kappa(SUBJECTS) == pytest.approx(0.20993, abs=5e-6)


def test_fleiss_kappa_by_hand():
    # three of four items agree; the classes have shares 5/8 and 3/8, so chance is 34/64
    assert lw.metrics.fleiss_kappa([[2, 0], [2, 0], [0, 2], [1, 1]]) == pytest.approx((3 / 4 - 34 / 64) / (1 - 34 / 64))


def test_with_two_labels_an_item_fleiss_takes_rows_and_columns_for_alike():
    pairs = [(0, 0), (0, 1), (1, 1), (2, 2), (1, 2), (0, 0), (2, 0)]
    counts = [np.bincount(pair, minlength=3) for pair in pairs]
    both_ways = table_of(*np.array(pairs + [pair[::-1] for pair in pairs]).T, 3)
    assert lw.metrics.fleiss_kappa(counts) == pytest.approx(lw.metrics.cohen_kappa(both_ways))


def test_all_alike_is_one_and_one_class_alone_is_not_defined():
    assert lw.metrics.cohen_kappa(np.diag([3, 4])) == 1
    assert lw.metrics.fleiss_kappa([[2, 0], [0, 2]]) == 1
    assert np.isnan(lw.metrics.cohen_kappa([[5, 0], [0, 0]]))
    assert np.isnan(lw.metrics.fleiss_kappa([[2, 0], [2, 0]]))
    ends = lw.metrics.kappa_interval([[5, 0], [0, 0]], is_ordered=True, rng=np.random.default_rng(1))
    assert np.isnan(ends).all()


def test_the_interval_of_labellers_who_always_agree_reaches_one_and_narrows():
    rng = np.random.default_rng(1)
    few, many = (lw.metrics.kappa_interval(np.diag([n, n]), is_ordered=True, rng=rng) for n in (5, 500))
    assert few[1] == many[1] == 1
    assert 0.3 < few[0] < 0.8
    assert many[0] > 0.99


def test_the_kappa_of_the_table_lies_in_its_interval():
    rng = np.random.default_rng(2)
    for _ in range(50):
        pairs = rng.poisson(0.5, (4, 4)) + np.diag([1, 1, 0, 0])
        low, high = lw.metrics.kappa_interval(pairs, is_ordered=True, level=0.5, rng=rng)
        assert low <= lw.metrics.cohen_kappa(pairs) <= high


def test_with_many_items_draws_have_the_mean_and_spread_of_theory():
    """Large-sample standard error of Fleiss, Cohen and Everitt (1969), within 5 %."""
    pairs = 100 * np.array([[20, 5], [10, 15]])
    draws = kappa_draws(pairs, is_ordered=True, n_draws=20_000, rng=np.random.default_rng(3))
    assert draws.mean() == pytest.approx(0.4, abs=0.002)
    p, rows, columns, kappa = pairs / pairs.sum(), np.array([0.5, 0.5]), np.array([0.6, 0.4]), 0.4
    alike = (np.diag(p) * (1 - (rows + columns) * (1 - kappa)) ** 2).sum()
    unlike = (1 - kappa) ** 2 * (p[0, 1] * (columns[0] + rows[1]) ** 2 + p[1, 0] * (columns[1] + rows[0]) ** 2)
    chance = float(rows @ columns)
    variance = (alike + unlike - (kappa - chance * (1 - kappa)) ** 2) / (pairs.sum() * (1 - chance) ** 2)
    assert draws.std() == pytest.approx(np.sqrt(variance), rel=0.05)


def test_classes_that_nobody_said_change_nothing():
    small = kappa_draws([[8, 1], [2, 9]], is_ordered=True, n_draws=50, rng=np.random.default_rng(1))
    padded = np.zeros((9, 9))
    padded[np.ix_([2, 7], [2, 7])] = [[8, 1], [2, 9]]
    large = kappa_draws(padded, is_ordered=True, n_draws=50, rng=np.random.default_rng(1))
    np.testing.assert_allclose(small, large, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("n", "kappa", "k"), [(20, 0.95, 3), (20, 0.8, 10), (50, 0.4, 10), (200, 0.95, 3)])
@pytest.mark.parametrize("is_ordered", [True, False])
def test_the_interval_covers(n, kappa, k, is_ordered):
    """At least 0.88 of 400 runs at level 0.95; a coverage of 0.92 fails that once in 500 times, and it is seeded."""
    shares = np.arange(1, k + 1) / np.arange(1, k + 1).sum()
    truth = kappa * np.diag(shares) + (1 - kappa) * np.outer(shares, shares)
    rng = np.random.default_rng([n, k, is_ordered])
    tables = rng.multinomial(n, truth.ravel(), 400).reshape(-1, k, k)
    ends = np.array([lw.metrics.kappa_interval(t, is_ordered=is_ordered, n_draws=500, rng=rng) for t in tables])
    covered = ((ends[:, 0] <= kappa) & (kappa <= ends[:, 1])).mean()
    assert covered >= 0.88
    assert (ends[:, 1] - ends[:, 0]).mean() < 0.75


@pytest.mark.parametrize("pairs", [[[1, 2]], [[0, 0], [0, 0]], [[1, -1], [0, 2]], []])
def test_what_is_no_table_of_pairs_is_refused(pairs):
    with pytest.raises(lw.DataError, match="Pairs of labels must be a square table of counts, not all of them 0"):
        lw.metrics.cohen_kappa(pairs)


@pytest.mark.parametrize("counts", [[], [[1, 0]], [[2, 0], [2, 1]]])
def test_items_that_were_not_labelled_equally_often_are_refused(counts):
    with pytest.raises(lw.DataError, match="Every item must have been labelled equally often, at least twice"):
        lw.metrics.fleiss_kappa(counts)
