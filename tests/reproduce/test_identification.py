"""Table 6: the crossing of a curve, and the rows of Thompson sampling on the authors' predictions."""

import numpy as np
import pytest

from labelwise.reproduce import Sources, identification
from labelwise.reproduce.identification import _first, table_6


def test_the_crossing_is_the_first_count_above_the_goal_or_above_its_part_of_the_highest():
    at = np.array([10, 20, 30])
    assert _first(np.array([0.5, 0.995, 0.9]), at) == 20
    assert _first(np.array([0.5, 0.8, 0.9]), at) == 30  # the goal is 0.99 of 0.9


@pytest.mark.data
def test_thompson_finds_the_worst_classes_of_cifar_100_with_the_published_share_of_labels(data_folder, monkeypatch):
    published = {"CIFAR-100": {"IPrior+TS": identification.TABLE_6["CIFAR-100"]["IPrior+TS"]}}
    monkeypatch.setattr(identification, "TABLE_6", published)
    found = table_6(Sources(data_folder), 1_000, 0, 2, lambda words: None)
    assert [row.where for row in found.rows] == [("CIFAR-100", "IPrior+TS", "1"), ("CIFAR-100", "IPrior+TS", "10")]
    assert all(row.agrees for row in found.rows)
