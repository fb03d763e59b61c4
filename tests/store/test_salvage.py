"""Salvage: what is sound in a damaged file is saved, what is not is counted, and the file is left alone."""

import random
import sqlite3

import pytest

import labelwise as lw
from assessed import labelled, pool_of
from labelwise.store.salvage import salvage
from strength import sized


@pytest.fixture
def damaged(tmp_path):
    """A file of 41 events and 20 labels, and a function that changes it behind the store's back."""
    path = tmp_path / "a.lw"
    with lw.SqliteStore(path) as store:
        labelled(store)

    def change(statement):
        connection = sqlite3.connect(path)
        with connection:
            assert connection.execute(statement).rowcount > 0
        connection.close()
        return path

    return change


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = replace(body, '\"label\":', '\"label\": ') WHERE number = 30",
        "UPDATE events SET kind = 'skipped' WHERE number = 30",
        "DELETE FROM events WHERE number = 30",
        "UPDATE events SET body = x'ff00' WHERE number = 30",
    ],
)
def test_all_up_to_the_first_damage_is_a_store_and_labels_beyond_are_told(damaged, tmp_path, statement):
    path = damaged(statement)
    before = path.read_bytes()
    [found] = salvage(path, tmp_path / "b.lw")
    assert path.read_bytes() == before
    assert (found.name, found.n_kept) == ("main", 30)
    assert found.n_later + found.n_lost == 11
    assert 1 <= found.n_lost <= 2
    with lw.open_store(tmp_path / "b.lw", create=False) as store:
        assert store.verify("main") == []
        assessment = store.open()
        n_labels = assessment.answer(n_draws=100).n_labels
        assert n_labels == 9
        assert assessment.ask(2)
    assert 9 <= len(found.labels) <= 11
    for row in found.labels:
        assert row["label"] == row["id"] % 3  # as `labelled` tells it
        assert row["ticket"] >= n_labels


@pytest.mark.parametrize("hash", ["x'00'", "'text'", "7"])
def test_a_lost_hash_costs_two_events_at_most(damaged, tmp_path, refusal, hash):
    path = damaged(f"UPDATE events SET hash = {hash} WHERE number = 30")
    with lw.SqliteStore(path) as store:
        assert "Event 30 of the store" in refusal(lw.DataError, store.open)
    [found] = salvage(path, tmp_path / "b.lw")
    assert (found.n_kept, found.n_later, found.n_lost) == (30, 9, 2)


def test_a_sound_file_is_saved_whole(damaged, tmp_path):
    [found] = salvage(damaged("UPDATE assessments SET name = name"), tmp_path / "b.lw")
    assert (found.n_kept, found.n_later, found.n_lost, found.labels) == (41, 0, 0, ())


def test_labels_survive_a_damaged_pool(damaged, tmp_path):
    [found] = salvage(damaged("UPDATE pieces SET data = x'00'"), tmp_path / "b.lw")
    assert (found.n_kept, found.n_lost, len(found.labels)) == (0, 0, 20)
    order = pool_of().all_ids().tolist()
    assert all(row["id"] is None and row["label"] == order[row["item"]] % 3 for row in found.labels)


def test_what_a_salvage_does_not_know_it_does_not_claim(damaged, tmp_path, refusal):
    path = damaged("UPDATE assessments SET name = name")
    assert refusal(lw.ConflictError, salvage, path, path).endswith("is not overwritten. Choose another name.")
    assert refusal(lw.NotFoundError, salvage, tmp_path / "none.lw", tmp_path / "b.lw").endswith("Check the path.")
    (tmp_path / "text.lw").write_text("no database at all")
    assert "nothing can be recovered from it" in refusal(lw.DataError, salvage, tmp_path / "text.lw", tmp_path / "b.lw")
    assert not (tmp_path / "b.lw").exists()


def test_a_damaged_name_of_a_table_is_a_sentence(damaged, tmp_path, refusal):
    """SQLite's own message then has bytes that are no text."""
    path = damaged("UPDATE assessments SET name = name")
    spoiled = path.read_bytes().replace(b"tableassessments", b"table\x8assessments")
    path.write_bytes(spoiled.replace(b"CREATE TABLE assessments", b"CREATE TABLX assessments"))
    assert refusal(lw.DataError, salvage, path, tmp_path / "sound.lw").startswith("No assessment can be read from")


@pytest.mark.parametrize("table", ["assessments", "events", "pieces"])
def test_a_view_in_place_of_a_table_is_not_read(damaged, tmp_path, refusal, table):
    """It may have rows without end."""
    path = damaged("UPDATE assessments SET name = name")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, x AS name FROM n"
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"CREATE VIEW {table.title()} AS {endless}")
    connection.close()
    assert refusal(lw.DataError, salvage, path, tmp_path / "sound.lw").startswith("No assessment can be read from")


def test_flipped_bits_are_sentences_and_no_other_content(damaged, tmp_path):
    """Of a file with any bit flipped, the store opens with the same content, or is refused in a sentence."""
    path = damaged("UPDATE assessments SET name = name")
    data = path.read_bytes()

    def content(path):
        with lw.SqliteStore(path, create=False) as store:
            assessment = store.open()
            return assessment.history(), assessment.ledger.label_of, assessment.pool.fingerprint

    wanted, refused, rng = content(path), 0, random.Random(1)
    for number in range(sized(full=400, quick=80)):
        place = rng.randrange(8 * len(data))
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        spoiled = tmp_path / f"{number}.lw"
        spoiled.write_bytes(flipped)
        try:
            assert content(spoiled) == wanted, f"bit {place}"
        except lw.LabelwiseError:
            refused += 1
        try:
            for found in salvage(spoiled, tmp_path / f"{number}-sound.lw"):
                assert len(found.labels) <= 20
        except lw.LabelwiseError:
            pass
    assert refused > 0
