"""The SQLite store: edits found, bad files refused, full disks survived; test_store.py has what every store must do."""

import contextlib
import os
import random
import shutil
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import labelwise as lw
from assessed import assessment_of, labelled
from labelwise.files import is_database
from labelwise.store import sqlite
from labelwise.store.migrations import MIGRATIONS
from patience import limit


def test_every_tell_is_synchronised(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    assert store._connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert store._connection.execute("PRAGMA synchronous").fetchone()[0] == 2


def test_a_backup_is_whole_and_sound(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    before = labelled(store)
    store.backup(tmp_path / "b.lw")
    copy = lw.SqliteStore(tmp_path / "b.lw")
    assert copy.verify("main") == []
    assert np.array_equal(assessment_of(copy).belief.a, before.belief.a)


EDITS = [
    "UPDATE events SET body = replace(body, 'label\":0', 'label\":1') WHERE number = {n} AND body LIKE '%label\":0%'",
    "UPDATE events SET body = replace(body, 'at\":', 'at\": ') WHERE number = {n}",
    "UPDATE events SET key = 'new' WHERE number = {n}",
    "UPDATE events SET kind = 'closed' WHERE number = {n}",
    "UPDATE events SET hash = randomblob(16) WHERE number = {n}",
    "DELETE FROM events WHERE number = {n}",
    "UPDATE events SET number = number + 1000 WHERE number = {n}",
]


def test_verify_finds_every_one_of_a_thousand_random_edits(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    labelled(store, 40)
    connection = store._connection
    n_events = connection.execute("SELECT count(*) FROM events").fetchone()[0]
    draw = random.Random(1)
    found = 0
    while found < 1_000:
        with store._lock:  # the store moves its log into the file from a thread of its own
            connection.execute("SAVEPOINT edit")
            if connection.execute(draw.choice(EDITS).format(n=draw.randrange(n_events))).rowcount:
                assert store.verify("main") != []
                found += 1
            connection.execute("ROLLBACK TO edit")
            connection.execute("RELEASE edit")
    assert store.verify("main") == []


def broken(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    return path


def test_files_that_are_not_ours_are_refused_and_left_as_they_are(tmp_path):
    text = broken(tmp_path, "text.lw", b"this is not a database at all, however long it may be" * 30)
    with pytest.raises(lw.DataError) as refusal:
        lw.SqliteStore(text)
    assert str(refusal.value) == "'text.lw' is not a labelwise file, or is damaged. Restore it from a backup."
    foreign = tmp_path / "foreign.lw"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(lw.DataError) as refusal:
        lw.SqliteStore(foreign)
    assert str(refusal.value) == "'foreign.lw' is a database, but not a labelwise store. Check the path."


def test_a_truncated_file_is_refused(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    labelled(store, 40)
    store.close()
    whole = (tmp_path / "a.lw").read_bytes()
    cut = broken(tmp_path, "cut.lw", whole[: len(whole) // 2])

    def read():
        store = lw.SqliteStore(cut)
        try:
            return store.verify("main")
        finally:
            store.close()

    with pytest.raises(lw.DataError) as refusal:
        read()
    assert str(refusal.value).startswith("'cut.lw' is damaged.")


def test_a_file_from_the_future_is_refused(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    store._connection.execute("PRAGMA user_version=99")
    store.close()
    with pytest.raises(lw.DataError) as refusal:
        lw.SqliteStore(tmp_path / "a.lw")
    assert str(refusal.value) == (
        f"'a.lw' was written by a newer version of labelwise (schema version 99; this one supports up to "
        f"{len(MIGRATIONS)}). "
        "Update labelwise to open it."
    )


def test_missing_files_and_folders_are_named(tmp_path):
    with pytest.raises(lw.NotFoundError, match=r"none\.lw' does not exist"):
        lw.SqliteStore(tmp_path / "none.lw", create=False)
    with pytest.raises(lw.NotFoundError, match=r"The folder '.*nowhere' does not exist"):
        lw.SqliteStore(tmp_path / "nowhere" / "a.lw")
    with pytest.raises(lw.NotFoundError, match=r"There is no assessment 'x' in 'a\.lw'"):
        lw.SqliteStore(tmp_path / "a.lw").verify("x")


def test_a_full_disk_is_a_sentence_and_no_harm(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    assessment = labelled(store)
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count={pages}")  # SQLite then says what a full disk makes it say

    def fill():
        for _ in range(200):
            for ticket in assessment.ask():
                assessment.skip(ticket, "x" * 500)

    with pytest.raises(lw.LabelwiseError) as refusal:
        fill()
    assert str(refusal.value) == "The disk is full; nothing was written to 'a.lw'. Free some space and try again."
    store._connection.execute("PRAGMA max_page_count=1000000")
    assert store.verify("main") == []
    assert assessment.answer().n_labels == 20
    assert len(assessment.history()) == assessment.ledger.n_events


def test_a_file_that_may_not_be_written_is_a_sentence(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    assessment = assessment_of(store)
    store._connection.execute("PRAGMA query_only=ON")  # root may write anything, so SQLite is told to refuse
    with pytest.raises(lw.LabelwiseError) as refusal:
        assessment.ask()
    assert str(refusal.value) == "'a.lw' cannot be written. Check the permissions of the file and its folder."


def test_a_writer_that_waits_too_long_is_told_so(tmp_path):
    holder, other = lw.SqliteStore(tmp_path / "a.lw"), lw.SqliteStore(tmp_path / "a.lw", patience=0.1)
    with holder.transaction(), pytest.raises(lw.ConflictError) as refusal:
        assessment_of(other)
    assert str(refusal.value) == "Another writer has locked 'a.lw' for too long; nothing was changed. Try again."


def test_many_may_make_the_same_file_at_once(tmp_path):
    """SQLite does not wait when it switches to the write-ahead log; the store does."""
    at_once = threading.Barrier(8)

    def opened(path):
        at_once.wait()
        store = lw.SqliteStore(path)
        names = store.names()
        store.close()
        return names

    with ThreadPoolExecutor(8) as threads:
        for number in range(40):
            assert list(threads.map(opened, [tmp_path / f"{number}.lw"] * 8)) == [[]] * 8


def test_a_database_is_known_by_its_first_bytes(tmp_path):
    lw.SqliteStore(tmp_path / "a.lw").close()
    (tmp_path / "b.csv").write_text("a,b\n")
    assert is_database(tmp_path / "a.lw")
    assert not is_database(tmp_path / "b.csv")
    assert not is_database(tmp_path)


def told_of(path):
    with lw.SqliteStore(path, create=False) as store:
        return sum(event.kind == "told" for event in store.journal("main").events())


def label(assessment, n):
    for ticket in assessment.ask(n):
        assessment.tell(ticket, 0)


def test_a_plain_copy_of_an_idle_store_is_whole(tmp_path):
    """Without the log beside it: what people do with files."""
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        assessment = assessment_of(store)
        label(assessment, 7)
        end = time.monotonic() + limit(20)
        while True:
            shutil.copy(tmp_path / "spring.lw", tmp_path / "copy.lw")
            if told_of(tmp_path / "copy.lw") == 7:
                break
            assert time.monotonic() < end, "the log was not moved into the file"
            (tmp_path / "copy.lw").unlink()
            time.sleep(0.1)
        assert (tmp_path / "spring.lw-wal").stat().st_size > 0  # it was copied while it was open
    assert not (tmp_path / "spring.lw-wal").exists()


def test_a_store_that_is_opened_takes_in_what_a_killed_process_left_in_the_log(tmp_path):
    """The reader keeps the file open, so that the log outlives the writer."""
    writer = lw.SqliteStore(tmp_path / "spring.lw")
    label(assessment_of(writer), 7)
    for name in ("spring.lw", "spring.lw-wal"):
        shutil.copy(tmp_path / name, tmp_path / name.replace("spring", "killed"))
    writer.close()
    with lw.SqliteStore(tmp_path / "killed.lw", create=False):
        shutil.copy(tmp_path / "killed.lw", tmp_path / "copy.lw")
    assert told_of(tmp_path / "copy.lw") == 7


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("CREATE TRIGGER owner AFTER INSERT ON events BEGIN INSERT INTO accounts VALUES ('x', 'owner', '', 0); END",
         "trigger 'owner'"),
        ("CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
         "view 'endless'"),
        ("ALTER TABLE accounts ADD COLUMN more TEXT", "table 'accounts'"),
        ("DROP INDEX events_by_key", "index 'events_by_key'"),
        ("CREATE TABLE mine (x)", "table 'mine'"),
    ],
)  # fmt: skip
def test_a_store_with_anything_that_labelwise_did_not_make_is_refused(tmp_path, refusal, statement, what):
    with lw.SqliteStore(tmp_path / "spring.lw"):
        pass
    with contextlib.closing(sqlite3.connect(tmp_path / "spring.lw")) as connection:
        connection.execute(statement)
        connection.commit()
    before = (tmp_path / "spring.lw").read_bytes()
    assert refusal(lw.DataError, lw.SqliteStore, tmp_path / "spring.lw") == (
        f"The schema of 'spring.lw' was modified: the {what} was added, changed or removed. The file may be malicious; "
        "restore it from a backup."
    )
    assert (tmp_path / "spring.lw").read_bytes() == before


def write_schema(path, kind, name, table, statement):
    """Add an entry to the schema of a file as only a program for that purpose does."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, 0, ?)",
            (kind, name, table, statement),
        )
        connection.execute("PRAGMA schema_version=99")  # other connections read the schema again
        connection.commit()


@pytest.mark.parametrize("name", ["sqlite_owner", "SQLITE_stat1", "sqlite_autoindex_events_1"])
def test_a_trigger_with_a_name_of_sqlites_own_is_refused(tmp_path, refusal, name):
    """SQLite refuses such names in statements, but runs a trigger of that name in a file."""
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        lw.accounts.Accounts(store).add("ann", "labeller", "correct horse")
    statement = f"CREATE TRIGGER {name} AFTER INSERT ON events BEGIN UPDATE accounts SET role = 'owner'; END"
    write_schema(tmp_path / "spring.lw", "trigger", name, "events", statement)
    assert f"the trigger '{name}' was added" in refusal(lw.DataError, lw.SqliteStore, tmp_path / "spring.lw")


def test_a_store_that_was_analysed_is_opened(tmp_path):
    """As programs that show databases do."""
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        labelled(store)
    with contextlib.closing(sqlite3.connect(tmp_path / "spring.lw")) as connection:
        connection.execute("ANALYZE")
        assert connection.execute("SELECT count(*) FROM sqlite_stat1").fetchone()[0] > 0
        connection.commit()
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        assert store.verify("main") == []


def test_a_backup_is_for_its_owner_alone_and_overwrites_nothing(tmp_path, refusal):
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        labelled(store)
        store.backup(tmp_path / "copy.lw")
        before = (tmp_path / "copy.lw").read_bytes()
        assert refusal(lw.ConflictError, store.backup, tmp_path / "copy.lw") == (
            f"'{tmp_path / 'copy.lw'}' already exists and is not overwritten. Choose another name."
        )
    assert (tmp_path / "copy.lw").read_bytes() == before
    if os.name != "nt":
        assert (tmp_path / "copy.lw").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name == "nt", reason="modes of files are those of POSIX")
def test_a_new_store_is_for_its_owner_alone(tmp_path):
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        assessment_of(store)
        assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {
            "spring.lw": 0o600, "spring.lw-wal": 0o600, "spring.lw-shm": 0o600,
        }  # fmt: skip


@pytest.fixture
def read_only(monkeypatch):
    """Makes a file look as on a read-only medium, also to an almighty user; whatever is written beside it is seen."""
    monkeypatch.setattr(sqlite.os, "access", lambda path, mode: mode != os.W_OK)


@pytest.mark.parametrize("form", [1, 2, 3])
def test_a_store_on_a_read_only_medium_can_be_read_and_nothing_is_written_beside_it(tmp_path, read_only, form, refusal):
    shutil.copy(Path(__file__).parent / "frozen" / f"form-{form}.lw", tmp_path / "old.lw")
    before = (tmp_path / "old.lw").read_bytes()
    with lw.SqliteStore(tmp_path / "old.lw", create=False) as store:
        assert store.verify("worst") == []
        worst = store.open("worst")
        assert worst.answer(n_draws=200).n_labels == 7
        assert len(worst.history()) > 7
        assert refusal(lw.LabelwiseError, worst.ask).startswith("'old.lw' cannot be written.")
    assert [path.name for path in tmp_path.iterdir()] == ["old.lw"]
    assert (tmp_path / "old.lw").read_bytes() == before


def test_what_another_user_writes_now_is_read_where_one_may_only_read(tmp_path, monkeypatch):
    owner = lw.SqliteStore(tmp_path / "a.lw")
    labelled(owner)
    monkeypatch.setattr(sqlite.os, "access", lambda path, mode: mode != os.W_OK)
    with lw.SqliteStore(tmp_path / "a.lw", create=False) as guest:
        assert guest.open().answer(n_draws=200).n_labels == 20
    owner.close()
