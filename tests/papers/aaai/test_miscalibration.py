"""Table 9: ranks, and the published search on the authors' predictions."""

import numpy as np
import pytest

from papers import Sources, Study
from papers.aaai.miscalibration import _coded, _ranked


def test_a_rank_leaves_the_other_true_groups_out():
    values = np.array([[0.5, 0.4, 0.3, 0.2]])
    assert _ranked(values, np.array([0, 1])) == pytest.approx([1.0])
    assert _ranked(values, np.array([2])) == pytest.approx([1 / 3])
    assert _ranked(values, np.array([0, 3])) == pytest.approx([(1 + 1 / 3) / 2])


@pytest.mark.data
def test_the_published_search_finds_the_worst_calibrated_digits_with_the_published_share_of_labels(data_folder):
    study = Study(Sources(data_folder), 300, 0, 2)
    pool = study.sources.pool("SVHN")
    for method, published in (("random", 58.8), ("TS", 40.7)):
        ours, error, _ = (100 * part / pool.n_items for part in _coded(study, pool, method, 1))
        # published from 100 runs
        assert abs(ours - published) < 3 * np.hypot(error, error * np.sqrt(3)) + 0.03 * published
