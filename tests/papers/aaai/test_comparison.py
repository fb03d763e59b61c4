"""Table 7 on the authors' predictions."""

import pytest

from papers import Sources, Study
from papers.aaai.comparison import table_7


@pytest.mark.data
def test_every_row_as_coded_agrees_and_true_superclasses_take_more_labels(data_folder):
    found = table_7(Study(Sources(data_folder), 400, 0, 2))
    coded = {row.where: row for row in found.rows if row.protocol == "as coded"}
    assert len(coded) == 6
    assert all(row.agrees for row in coded.values())
    for row in found.rows:
        if row.protocol == "as printed" and row.where[0].startswith("CIFAR"):
            assert row.ours > 1.3 * coded[row.where].ours
