"""Which key stands for which class."""

import pytest

from labelwise.pool.keys import ACTIONS, keys_of

NAMES = [f"class {k}" for k in range(40)]


@pytest.mark.parametrize("n", [2, 10, 31])
def test_every_class_has_a_key_of_its_own(n):
    keys = keys_of(NAMES[:n])
    assert sorted(keys.values()) == list(range(n))
    assert not set(keys) & set(ACTIONS)
    assert list(keys)[:2] == ["1", "2"]


def test_more_classes_than_keys_have_none():
    assert keys_of(NAMES[:32]) is None
    assert keys_of(NAMES[:30], ACTIONS + "gz") is None


def test_a_name_that_is_a_key_is_its_own_key():
    assert keys_of(range(10)) == {str(k): k for k in range(10)}
    assert keys_of(["1", "cat", "s"]) == {"1": 0, "2": 1, "3": 2}  # s skips
