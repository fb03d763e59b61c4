"""Table 2 of the preprint on the authors' predictions: the half about accuracy."""

import pytest

from papers import Sources, Study
from papers.aaai import preprint
from papers.aaai.preprint import preprint_table_2


@pytest.mark.data
def test_accuracy_rows_as_coded_agree(data_folder, monkeypatch):
    monkeypatch.setattr(preprint, "ece_rows", lambda study: ())
    found = preprint_table_2(Study(Sources(data_folder), 250, 0, 2))
    coded = [row for row in found.rows if row.protocol == "as coded"]
    assert len(coded) == 8
    assert all(row.agrees for row in coded)
