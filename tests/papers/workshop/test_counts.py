"""Pools that are known by their counts alone."""

import pytest

import labelwise as lw
from papers.workshop.counts import pool_of_counts


def test_a_pool_of_counts_has_them():
    pool = pool_of_counts(["a", "b", "c"], hits=[2, 0, 5], items=[4, 0, 5], confidence=[0.7, float("nan"), 0.9])
    groups = lw.by_prediction(pool)
    assert groups.n_items.tolist() == [4, 0, 5]
    assert lw.belief_from_labels(lw.accuracy, groups).hits.tolist() == [2, 0, 5]
    assert groups.mean_confidence[[0, 2]] == pytest.approx([0.7, 0.9])
