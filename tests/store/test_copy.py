"""Copying an assessment: the same to the last byte, all or nothing, from any store to any other."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import labelwise as lw
from assessed import assessment_of, labelled, rows_of
from labelwise.store import copy
from patience import limit


@pytest.fixture
def source(tmp_path, opening):
    """A file with an assessment in it that has every kind of text and key."""
    store = opening(tmp_path / "source.lw")
    assessment = labelled(store, name="spr\x00ing '🦉'")
    [ticket] = assessment.ask(labeller="'; DROP TABLE events; --")
    assessment.skip(ticket, "a\x00b\u2028" + "ß" * 10_000, key="k\x00")
    return store


def test_there_and_back_again_is_the_same_to_the_last_byte(source, where, opening, tmp_path):
    there, back = opening(where), opening(tmp_path / "back.lw")
    [name] = source.names()
    one, two = lw.store.copy_assessment(source, there), lw.store.copy_assessment(there, back)
    assert one == two
    assert rows_of(source, name) == rows_of(there, name) == rows_of(back, name)
    assert one.n_events == len(rows_of(back, name)) == 43
    assert one.last_hash == rows_of(back, name)[-1].hash.hex()
    assert there.verify(name) == back.verify(name) == []
    ours, theirs = source.open(), back.open()
    assert np.array_equal(ours.belief.a, theirs.belief.a)
    assert ours.pool.fingerprint == theirs.pool.fingerprint
    assert [ticket.item for ticket in ours.ask(5)] == [ticket.item for ticket in theirs.ask(5)]


def test_under_another_name_only_the_hashes_are_new(source, store):
    [name] = source.names()
    assert lw.store.copy_assessment(source, store, new_name="autumn").name == "autumn"
    before, after = rows_of(source, name), rows_of(store, "autumn")
    assert [row[:4] for row in before] == [row[:4] for row in after]
    assert not {row.hash for row in before} & {row.hash for row in after}
    assert store.verify("autumn") == []


def test_a_name_that_is_taken_is_refused_and_nothing_changes(source, store, refusal):
    [name] = source.names()
    assessment_of(store, name)
    before = rows_of(store, name)
    sentence = refusal(lw.ConflictError, lw.store.copy_assessment, source, store)
    assert sentence == (
        f"'{store.label}' already has an assessment {name!r}; nothing was copied. Choose another name with --as."
    )
    assert rows_of(store, name) == before
    assert store.names() == [name]


def test_an_edited_assessment_is_not_copied(store, edit, opening, tmp_path):
    labelled(store)
    edit("UPDATE events SET key = NULL WHERE number = 30")
    target = opening(tmp_path / "b.lw")
    with pytest.raises(lw.DataError, match=r"not copied: Event 30 \(told\) was changed after it was written\."):
        lw.store.copy_assessment(store, target)
    assert target.names() == []


def test_what_arrives_otherwise_than_it_was_sent_is_not_kept(source, store, monkeypatch):
    whole = copy.pieces_of
    monkeypatch.setattr(copy, "_copy_pieces", lambda *_: None)
    assert whole is copy.pieces_of
    with pytest.raises(lw.LabelwiseError, match="differs from the source and was discarded"):
        lw.store.copy_assessment(source, store)
    assert store.names() == []


def test_an_error_on_the_way_leaves_nothing(source, store):
    def fail(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lw.store.copy_assessment(source, store, step=fail)
    assert store.names() == []
    assert lw.store.copy_assessment(source, store).n_events == 43


COPY = """
import sys, time
import labelwise as lw

def step(done, total):
    print(done, flush=True)
    time.sleep(60)

lw.store.copy_assessment(lw.open_store(sys.argv[1]), lw.open_store(sys.argv[2]), step=step)
"""


def test_a_copy_that_is_killed_leaves_nothing(source, where, opening):
    command = [sys.executable, "-c", COPY, str(source.path), where]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "43\n"
    running.send_signal(signal.SIGKILL)
    running.communicate()
    store = opening(where)
    assert store.names() == []
    deadline = time.monotonic() + limit(30)
    while time.monotonic() < deadline:  # the file or row is free again
        if lw.store.copy_assessment(source, store).n_events == 43:
            break
    assert store.verify(source.names()[0]) == []
