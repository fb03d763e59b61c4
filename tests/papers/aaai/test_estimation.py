"""Tables 3 and 8 on the authors' predictions: every row as coded agrees, but for the one that is known not to."""

import pytest

from papers import REPRODUCTIONS, Sources, Study

pytestmark = pytest.mark.data


@pytest.mark.parametrize("table", ["3", "8"])
def test_every_row_as_coded_agrees_with_the_published_value(data_folder, table):
    found = REPRODUCTIONS[table](Study(Sources(data_folder), 1_000, 0, 2))
    disagree = [row.where for row in found.rows if row.protocol == "as coded" and not row.agrees]
    # nobody's code gets the published 4.7 here: 4.3 is what all re-implementations give, and the cause is not known
    assert disagree == ([("SVHN", "IPrior", "100")] if table == "3" else [])


def test_the_flat_prior_as_printed_does_not_give_the_published_values(data_folder):
    found = REPRODUCTIONS["3"](Study(Sources(data_folder), 200, 0, 2))
    printed = [row for row in found.rows if row.protocol == "as printed" and row.where[1] == "UPrior"]
    assert printed
    assert not any(row.agrees for row in printed)
