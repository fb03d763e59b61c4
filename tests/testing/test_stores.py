"""The contract of stores is kept by both, and refuses one that forgets."""

import pytest

import labelwise as lw
from labelwise.store.sqlite import SqliteTables
from labelwise.testing import check_store


def test_a_file_keeps_the_contract(tmp_path):
    check_store(lambda: lw.open_store(tmp_path / "a.lw"))


def test_a_database_keeps_the_contract(postgres):
    where = postgres.fresh()
    check_store(lambda: lw.open_store(where))


def test_a_store_that_forgets_keys_breaks_the_contract(tmp_path, monkeypatch):
    monkeypatch.setattr(SqliteTables, "keyed", lambda *_: None)
    with pytest.raises(AssertionError, match="an event must be found by its key"):
        check_store(lambda: lw.open_store(tmp_path / "a.lw"))
