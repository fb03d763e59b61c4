"""Labels of random items as counts: their moments are those of drawing without replacement."""

import numpy as np
import pytest

import labelwise as lw
from papers.supplement.random_labels import hits_of, random_labels


def _groups():
    predicted = np.repeat(["cat", "dog"], [60, 40])
    labels = np.where(np.arange(100) % 4 == 0, "emu", predicted)
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, labels=labels))


def test_counts_have_the_hypergeometric_mean_and_variance():
    groups, n, n_runs = _groups(), 30, 20_000
    _, labels = random_labels(groups, n, n_runs, rng=np.random.default_rng(1))
    share = 0.6
    variance = n * share * (1 - share) * (100 - n) / 99
    assert labels[:, 0].mean() == pytest.approx(n * share, abs=5 * np.sqrt(variance / n_runs))
    assert labels[:, 0].var() == pytest.approx(variance, rel=5 * np.sqrt(2 / n_runs))


def test_all_labels_give_all_hits():
    groups = _groups()
    hits, labels = random_labels(groups, 100, 3, rng=np.random.default_rng(1))
    assert (hits == hits_of(groups)).all()
    assert (labels == groups.n_items).all()
