"""The chain: every part of an event is in its hash."""

import pytest

from labelwise.store.chain import link

EVENT = {"before": b"x", "name": "a", "number": 1, "kind": "told", "body": "{}", "key": None}


@pytest.mark.parametrize(
    "change",
    [{"before": b"y"}, {"name": "b"}, {"number": 2}, {"kind": "asked"}, {"body": "{} "}, {"key": "None"}, {"key": ""}],
)
def test_any_change_changes_the_hash(change):
    assert link(**EVENT) != link(**EVENT | change)


def test_parts_cannot_be_shifted_into_each_other():
    assert link(b"", "a", 1, "told", "x", "y") != link(b"", "a", 1, "toldx", "", "y")
