"""One way to open: a path is a file, an address a database."""

import pytest

import labelwise as lw
from labelwise.store import open_store
from labelwise.store.opening import is_store, shown_place


def test_a_path_gives_a_file_and_an_address_a_database(where):
    with open_store(where) as store:
        assert type(store) is (lw.SqliteStore if where.endswith(".lw") else lw.PostgresStore)
        assert is_store(where)


def test_what_is_not_there_is_not_made(where):
    for _ in range(2):
        with pytest.raises(lw.NotFoundError, match="with `labelwise new`"):
            open_store(where, create=False)
    open_store(where).close()
    with open_store(where, create=False) as store:
        assert store.names() == []


def test_another_kind_of_address_is_refused_without_what_it_says(refusal):
    sentence = refusal(lw.ArgumentError, open_store, "mysql://ann:secret@db/team")
    assert sentence == "A store is a file or postgresql://USER@HOST/DATABASE, but this address starts with 'mysql://'."


def test_files_of_predictions_are_no_stores(tmp_path):
    (tmp_path / "b.csv").write_text("a,b\n")
    assert not is_store(tmp_path / "b.csv")
    assert not is_store(str(tmp_path))


def test_places_are_shown_without_a_password():
    assert shown_place("./spring.lw") == "spring.lw"
    assert shown_place("postgresql://ann:secret@db/team") == "postgresql://ann@db/team"
