"""Migrations: a new file goes through all of them, and a released one never changes."""

import hashlib

import labelwise as lw
from labelwise.store.migrations import MIGRATIONS

RELEASED = ["f004d1e9", "3d3286c4", "d8d2de4c"]  # the first digits of each step's hash, added when it is released


def test_a_new_file_has_the_newest_form(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    assert store._pragma("user_version") == len(MIGRATIONS)


def test_steps_that_were_released_stay_as_they_are():
    for step, digest in zip(MIGRATIONS, RELEASED, strict=True):
        assert hashlib.blake2b("".join(step).encode()).hexdigest().startswith(digest)
