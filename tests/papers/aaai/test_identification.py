"""Table 6: the crossing of a curve, and the rows of Thompson sampling on the authors' predictions."""

import pytest

from papers import Sources, Study
from papers.aaai import identification
from papers.aaai.identification import table_6


@pytest.mark.data
def test_thompson_finds_the_worst_classes_of_cifar_100_with_the_published_share_of_labels(data_folder, monkeypatch):
    published = {"CIFAR-100": {"IPrior+TS": identification.TABLE_6["CIFAR-100"]["IPrior+TS"]}}
    monkeypatch.setattr(identification, "TABLE_6", published)
    found = table_6(Study(Sources(data_folder), 500, 0, 2))
    assert [row.where for row in found.rows] == [("CIFAR-100", "IPrior+TS", "1"), ("CIFAR-100", "IPrior+TS", "10")]
    assert all(row.agrees for row in found.rows)
