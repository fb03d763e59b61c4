"""Table 5 on the authors' predictions."""

import pytest

from papers import Sources, Study
from papers.aaai.calibration import table_5


@pytest.mark.data
def test_every_row_as_coded_agrees_and_the_flat_prior_as_printed_does_not(data_folder):
    found = table_5(Study(Sources(data_folder), 1_000, 0, 2))
    assert all(row.agrees for row in found.rows if row.protocol == "as coded")
    assert not any(row.agrees for row in found.rows if row.protocol == "as printed" and row.where[1] == "UPrior")
    assert not found.unexplained
