"""Table 4 on the authors' predictions, and what their code takes for labels."""

import numpy as np
import pytest

import labelwise as lw
from papers import Sources, Study
from papers.aaai import confusion
from papers.aaai.confusion import as_predicted, table_4


def test_the_published_code_sees_predictions_for_labels():
    pool = lw.pool_from_arrays(scores=[[0.8, 0.2], [0.3, 0.7]], labels=["b", "a"], classes=["a", "b"])
    assert not pool.hits.any()
    assert as_predicted(pool).hits.all()
    assert np.array_equal(as_predicted(pool).scores, pool.scores)


@pytest.mark.data
def test_every_row_as_coded_agrees(data_folder, monkeypatch):
    monkeypatch.setattr(confusion, "_COUNTS", (20, 50))  # the stand-in takes its time
    found = table_4(Study(Sources(data_folder), 1_000, 0, 2))
    coded = [row for row in found.rows if row.protocol == "as coded"]
    assert len(coded) == 9
    assert all(row.agrees for row in coded)
    assert not [row for row in found.rows if not row.agrees and not found.cause_of(row)]
