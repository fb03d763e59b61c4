"""Stores of both kinds, as fixtures: what the tests of stores and of accounts share."""

from __future__ import annotations

import sqlite3

import pytest

import labelwise as lw


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def where(request, tmp_path):
    """The place of a store that is not there yet: a path, or an address."""
    if request.param == "sqlite":
        return str(tmp_path / "a.lw")
    return request.getfixturevalue("postgres").fresh()


@pytest.fixture
def opening():
    """Opens stores, and closes them when the test is over."""
    opened = []

    def start(where, **options):
        kind = lw.PostgresStore if str(where).startswith("postgresql://") else lw.SqliteStore
        opened.append(kind(where, **options))
        return opened[-1]

    yield start
    for store in opened:
        store.close()


@pytest.fixture
def store(where, opening):
    """A new store."""
    return opening(where)


@pytest.fixture
def edit(where):
    """Changes the tables of a store behind its back, and says how many rows were changed; {blob} is a null byte."""

    def run(statement):
        if where.startswith("postgresql://"):
            import psycopg

            url, schema = where.rsplit("&schema=", 1)
            with psycopg.connect(url) as connection:
                connection.execute(f"SET search_path = {schema}")
                return connection.execute(statement.format(blob="'\\x00'")).rowcount
        connection = sqlite3.connect(where)
        with connection:
            n_changed = connection.execute(statement.format(blob="x'00'")).rowcount
        connection.close()
        return n_changed

    return run
