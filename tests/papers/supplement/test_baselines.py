"""Thompson sampling against other policies: it finds the least accurate class sooner than random items do."""

import pytest

pytestmark = pytest.mark.data


def test_thompson_needs_no_more_labels_than_random_items(figure):
    claims = [claim for claim in figure("supplement-baselines").claims if claim.where.endswith(", random")]
    assert len(claims) == 4  # one a pool
    assert all(claim.holds for claim in claims)
