"""The belief about cells of group and score bin."""

import numpy as np

import labelwise as lw
from labelwise.testing.worlds import small_pool


def test_cells_are_those_of_the_crossed_grouping():
    pool = small_pool()
    belief = lw.beliefs.CellBelief.start(lw.by_prediction(pool), bins=5)
    cells = lw.crossed(lw.by_prediction(pool), lw.by_score(pool, 5))
    assert belief.mean().shape == (3, 5)
    assert np.array_equal(belief.cells.of_item, cells.of_item)
    assert np.allclose(belief.weight.sum(axis=1), [1, 1, 0])


def test_the_default_prior_is_the_score_of_the_cell():
    belief = lw.beliefs.CellBelief.start(lw.by_prediction(small_pool()), bins=5)
    there = belief.weight > 0
    assert np.allclose(belief.mean()[there], belief.confidence[there], atol=1e-3)


def test_labels_are_counted_a_group():
    pool = small_pool()
    belief = lw.beliefs.CellBelief.start(lw.by_prediction(pool), bins=5).update(np.arange(10), np.zeros(10, int))
    assert np.array_equal(belief.n_labels, np.bincount(pool.prediction[:10], minlength=3))
