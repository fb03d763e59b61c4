"""The SQLite store: nothing lost, nothing doubled, edits found, bad files refused."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import labelwise as lw
from labelwise.assessment.events import Closed, Told
from labelwise.store.migrations import MIGRATIONS

LABELLER = Path(__file__).parent / "labeller.py"
ROUNDS = int(os.environ.get("LABELWISE_KILLS", "50"))


def pool_of(n=60):
    return lw.pool_from_arrays(predicted=np.arange(n) % 3, ids=np.arange(n))


def assessment_of(store, name="main", pool=None, **options):
    pool = pool or pool_of()
    return lw.Assessment(
        pool, lw.by_prediction(pool), **{"question": lw.Worst(), "seed": 1, "journal": store.journal(name)} | options
    )


def labelled(store, n=20):
    assessment = assessment_of(store)
    for ticket in assessment.ask(n):
        assessment.tell(ticket, ticket.item["id"] % 3)
    return assessment


def test_a_reopened_file_believes_the_same_to_the_last_bit(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    before = labelled(store)
    store.close()
    again = assessment_of(lw.SqliteStore(tmp_path / "a.lw"))
    assert np.array_equal(before.belief.a, again.belief.a)
    assert again.ask()[0].number == 20


def test_a_file_holds_several_assessments_that_do_not_mix(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    one, two = assessment_of(store, "one"), assessment_of(store, "two")
    one.tell(one.ask()[0], 0)
    assert (one.answer().n_labels, two.answer().n_labels) == (1, 0)
    assert store.names() == ["one", "two"]
    assert store.verify("one") == store.verify("two") == []


def test_a_page_that_fails_leaves_no_trace(tmp_path):
    journal = lw.SqliteStore(tmp_path / "a.lw").journal()

    def fail():
        with journal.writing() as page:
            page.append(Closed(1.0), key="k")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert journal.events() == []
    with journal.writing() as page:
        assert page.keyed("k") is None
        page.append(Told(1.0, 0, 0, "ann"), key="k")
        assert page.keyed("k").ticket == 0


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
    assert str(refusal.value) == "'text.lw' is not a labelwise file, or a damaged one. Restore it from a backup."
    foreign = tmp_path / "foreign.lw"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(lw.DataError) as refusal:
        lw.SqliteStore(foreign)
    assert str(refusal.value) == "'foreign.lw' is a database, but not one of labelwise. Check the path."


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
    assert str(refusal.value) == "'cut.lw' is not a labelwise file, or a damaged one. Restore it from a backup."


def test_a_file_from_the_future_is_refused(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    store._connection.execute("PRAGMA user_version=99")
    store.close()
    with pytest.raises(lw.DataError) as refusal:
        lw.SqliteStore(tmp_path / "a.lw")
    assert str(refusal.value) == (
        f"'a.lw' was written by a newer labelwise (form 99, this one knows {len(MIGRATIONS)}). "
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
    assert str(refusal.value) == "The disk is full; nothing was written to 'a.lw'. Make room, and try again."
    store._connection.execute("PRAGMA max_page_count=1000000")
    assert store.verify("main") == []
    assert assessment.answer().n_labels == 20
    assert len(assessment.history()) == assessment._ledger.n_events


def test_a_file_that_may_not_be_written_is_a_sentence(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    assessment = assessment_of(store)
    store._connection.execute("PRAGMA query_only=ON")  # root may write anything, so SQLite is told to refuse
    with pytest.raises(lw.LabelwiseError) as refusal:
        assessment.ask()
    assert str(refusal.value) == "'a.lw' cannot be written here. Check the rights of the file and of its folder."


def test_a_writer_that_waits_too_long_is_told_so(tmp_path):
    holder, other = lw.SqliteStore(tmp_path / "a.lw"), lw.SqliteStore(tmp_path / "a.lw", patience=0.1)
    with holder.transaction(), pytest.raises(lw.ConflictError) as refusal:
        assessment_of(other)
    assert str(refusal.value) == "'a.lw' is held by another writer for too long; nothing was changed. Try again."


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


def started(path, name, n_items, said=subprocess.PIPE, pause=0.0):
    command = [sys.executable, str(LABELLER), str(path), name, str(n_items), str(pause)]
    return subprocess.Popen(command, stdout=said, stderr=subprocess.PIPE, text=True)


def told_of(store, name):
    history = store.journal(name).events()
    items = {event.ticket: event.item for event in history if event.kind == "asked"}
    return [(event.ticket, items[event.ticket], event.label) for event in history if event.kind == "told"]


def test_eight_processes_share_a_file_without_a_lost_or_doubled_label(tmp_path):
    n_items = 5_000
    labellers = [started(tmp_path / "a.lw", "shared", n_items) for _ in range(8)]
    outputs = [labeller.communicate(timeout=300) for labeller in labellers]
    assert [error for _, error in outputs] == [""] * 8
    said = sorted(tuple(map(int, line.split())) for output, _ in outputs for line in output.splitlines())
    store = lw.SqliteStore(tmp_path / "a.lw")
    assert said == sorted(told_of(store, "shared"))
    assert len(said) == len({item for _, item, _ in said}) == n_items
    assert store.verify("shared") == []


def test_a_killed_labeller_loses_nothing_that_was_acknowledged(tmp_path):
    """SIGKILL at random moments, four writers at a time; afterwards every acknowledged label is there exactly once."""
    draw = random.Random(7)
    acknowledged = {}
    path = tmp_path / "a.lw"
    running = []
    killed = 0
    while killed < ROUNDS:
        while len(running) < 4:
            said = tmp_path / f"said-{killed}-{len(running)}.txt"
            with said.open("w") as file:
                running.append((started(path, "shared", 100_000, file, pause=0.01), said))
        victim, said = running.pop(draw.randrange(len(running)))
        # one in five is killed while it starts, the others in the middle of their work
        patience = time.monotonic() + (0 if draw.uniform(0, 1) < 0.2 else 60)
        while time.monotonic() < patience and said.stat().st_size == 0 and victim.poll() is None:
            time.sleep(0.01)
        time.sleep(draw.uniform(0.0, 0.2))
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
        killed += 1
        for line in said.read_text().splitlines(keepends=True):
            if not line.endswith("\n"):
                continue  # killed in the middle of a line
            ticket, item, label = map(int, line.split())
            acknowledged[ticket] = (item, label)
    for labeller, _ in running:
        labeller.send_signal(signal.SIGKILL)
        labeller.communicate()
    store = lw.SqliteStore(path)
    told = told_of(store, "shared")
    assert len(told) == len({ticket for ticket, _, _ in told}) == len({item for _, item, _ in told})
    kept = {ticket: (item, label) for ticket, item, label in told}
    assert acknowledged.items() <= kept.items()
    assert acknowledged, "no labeller lived long enough to say anything"
    assert store.verify("shared") == []


def test_a_file_is_all_that_is_needed_to_go_on(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    before = labelled(store)
    store.backup(tmp_path / "copy.lw")
    again = lw.SqliteStore(tmp_path / "copy.lw").open()
    assert np.array_equal(before.belief.a, again.belief.a)
    assert (again.setup.seed, str(again.question)) == (1, "Which group is the worst in accuracy?")
    assert [t.item for t in again.ask(5)] == [t.item for t in before.ask(5)]


def test_two_assessments_of_one_pool_keep_it_once(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    pool = pool_of()
    assessment_of(store, "one", pool), assessment_of(store, "two", pool, seed=2)
    assert store._connection.execute("SELECT count(*) FROM pieces").fetchone() == (1,)


@pytest.mark.parametrize(
    ("names", "asked", "sentence"),
    [
        ([], None, "'a.lw' has no assessment."),
        (["one", "two"], None, "'a.lw' has 2 assessments: 'one', 'two'. Name one with --name."),
        (["spring"], "sprung", "There is no assessment 'sprung' in 'a.lw'. Did you mean 'spring'?"),
    ],
)
def test_an_assessment_that_cannot_be_told_is_asked_for(tmp_path, refusal, names, asked, sentence):
    store = lw.SqliteStore(tmp_path / "a.lw")
    for name in names:
        assessment_of(store, name)
    assert refusal(lw.NotFoundError, store.open, asked) == sentence


def test_a_set_up_that_fails_leaves_no_assessment_behind(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    pool = pool_of()
    with pytest.raises(lw.NotFoundError):
        assessment_of(store, "bad", pool, question=lw.Compare("0", "nine"))
    assert store.names() == []


@pytest.mark.parametrize("edit", ["UPDATE pieces SET data = x'00'", "DELETE FROM pieces"])
def test_an_edited_pool_is_found_and_refused(tmp_path, edit):
    store = lw.SqliteStore(tmp_path / "a.lw")
    labelled(store)
    store._connection.execute(edit)
    [problem] = store.verify("main")
    assert problem.startswith("Piece ")
    assert problem.endswith(" of the pool is not what was written.")
    with pytest.raises(lw.DataError, match="is damaged: a piece of the pool is missing or was changed"):
        store.open()


def test_a_store_is_known_by_its_first_bytes(tmp_path):
    from labelwise.store import is_store

    lw.SqliteStore(tmp_path / "a.lw").close()
    (tmp_path / "b.csv").write_text("a,b\n")
    assert is_store(tmp_path / "a.lw")
    assert not is_store(tmp_path / "b.csv")
    assert not is_store(tmp_path)
