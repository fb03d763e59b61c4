"""Random choice: by items, and by groups."""

import numpy as np
import pytest

import labelwise as lw


@pytest.mark.parametrize(
    ("policy", "expected"), [(lw.RandomItem(), [0.25, 0.0, 0.75]), (lw.policies.RandomGroup(), [0.5, 0.0, 0.5])]
)
def test_groups_are_picked_by_their_open_items_or_evenly(policy, expected):
    rng = np.random.default_rng(1)
    picks = [policy.choose(None, None, np.array([10, 0, 30]), rng=rng)[0] for _ in range(10_000)]
    found = np.bincount(picks, minlength=3) / 10_000
    assert found == pytest.approx(expected, abs=5 * np.sqrt(0.25 / 10_000))
