"""Migrations: a new schema goes through all of them, and a released one never changes."""

import hashlib

import labelwise as lw
from labelwise.store.postgres.migrations import MIGRATIONS

RELEASED = ["a3e81e34", "c2e151c0", "7935b3c7"]  # the first digits of each step's hash, added when it is released


def test_a_new_schema_has_the_newest_form(postgres):
    where = postgres.fresh()
    lw.PostgresStore(where).close()
    schema = where.rsplit("=", 1)[1]
    assert postgres.run(f"SELECT number FROM {schema}.form ORDER BY number") == [
        (number + 1,) for number in range(len(MIGRATIONS))
    ]


def test_steps_that_were_released_stay_as_they_are():
    for step, digest in zip(MIGRATIONS, RELEASED, strict=True):
        assert hashlib.blake2b("".join(step).encode()).hexdigest().startswith(digest)
