"""What `verify` looks at: the chain of events, the belief, the file of predictions."""

import json
import os
import sqlite3

import pytest

import labelwise as lw
from labelwise.cli.store_verification import problems_of


@pytest.fixture
def told(asked, command):
    assert command("tell", "spring.lw", "-", stdin="ticket,label\n0,cat\n1,dog\n2,cow\n").code == 0
    return asked


def edit(store, statement, *values):
    with sqlite3.connect(store) as connection:
        connection.execute(statement, values)
    connection.close()


def fingerprint(command):
    return command("status", "spring.lw", "--json").document["assessments"][0]["settings"]["fingerprint"]


def test_a_store_as_it_was_written_has_no_problem(told, command):
    done = command("store", "verify", "spring.lw")
    assert (done.code, done.err) == (0, "")
    assert done.out == "1 assessment: all as written.\n"
    assert command("store", "verify", "spring.lw", "--pool", "predictions.csv").code == 0


def test_a_store_of_learned_confusion_is_verified_too(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    rows = [f"{0.6 - i / 200},{0.3 + i / 300},{0.1 + i / 600},{i % 3}" for i in range(30)]
    (tmp_path / "p.csv").write_text("\n".join(["s0,s1,s2,label", *rows]) + "\n")
    asked = ("--question", "estimate", "--metric", "recall", "--prior", "learned")
    assert command("new", "a.lw", "p.csv", "--scores", "s*", *asked).code == 0
    assert command("ask", "a.lw", "-n", "3").code == 0
    assert command("tell", "a.lw", "-", stdin="ticket,label\n0,0\n1,1\n2,1\n").code == 0
    done = command("store", "verify", "a.lw")
    assert (done.code, done.out) == (0, "1 assessment: all as written.\n")
    assert command("answer", "a.lw", "--json").document["labels"]["told"] == 3


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE events SET body = replace(body, '\"label\":0', '\"label\":1') WHERE number = 6",
         "Event 6 (told) was changed after it was written."),
        ("UPDATE events SET kind = 'skipped' WHERE number = 7", "Event 7 (skipped) was changed after it was written."),
        ("DELETE FROM events WHERE number = 7", "Event 7 is missing: event 8 is in its place."),
        ("DELETE FROM events WHERE number = 8", "There are 8 events, but 9 were written."),
        ("UPDATE events SET key = 'k' WHERE number = 6", "Event 6 (told) was changed after it was written."),
    ],
    ids=["label", "kind", "removed", "cut off", "key"],
)  # fmt: skip
def test_events_that_were_edited_are_named(told, command, statement, sentence):
    edit(told, statement)
    done = command("store", "verify", "spring.lw")
    assert (done.code, done.out, done.err) == (1, f"main: {sentence}\n", "")


def test_a_piece_of_the_pool_that_was_edited_is_named(told, command):
    edit(told, "UPDATE pieces SET data = ?", b"nothing")
    done = command("store", "verify", "spring.lw")
    assert done.code == 1
    assert done.out.startswith("main: Part ")
    assert done.out.endswith(" of the pool is missing or was changed.\n")
    for words in (["ask"], ["answer", "--no-forecast"], ["status"]):
        found = command(words[0], "spring.lw", *words[1:])
        assert found.code == 1
        assert found.err == "Error: 'spring.lw' is damaged: part of the pool is missing or was changed.\n"


@pytest.mark.parametrize("named", [[], ["--pool", "predictions.csv"]])
def test_predictions_that_changed_since_new_are_found_and_both_fingerprints_named(told, command, contents, named):
    was = fingerprint(command)
    pool = told.parent / "predictions.csv"
    text = pool.read_text()
    pool.write_text(text.replace("i000,cat", "i000,dog"))
    now = lw.read_pool(pool, columns=[], content=["text"]).fingerprint
    before = contents(told.parent)
    done = command("store", "verify", "spring.lw", *named)
    sentence = (
        f"The predictions in 'predictions.csv' changed since `new` (fingerprint {now[:8]}, was {was[:8]}); the answers "
        "are about the ones that were there then. Make a new assessment of the new ones."
    )
    assert (done.code, done.out, done.err) == (1, f"main: {sentence}\n", "")
    document = command("store", "verify", "spring.lw", *named, "--json").document
    assert document == {"is_whole": False, "problems": {"main": [sentence]}, "trail": []}
    assert contents(told.parent) == before
    pool.write_text(text)
    assert command("store", "verify", "spring.lw", *named).code == 0


def test_rows_in_another_order_and_columns_that_are_not_read_do_not_matter(told, command):
    pool = told.parent / "predictions.csv"
    head, *rows = pool.read_text().splitlines()
    pool.write_text("\n".join([f"{head},more", *(f"{row},x" for row in rows[::-1])]) + "\n")
    assert command("store", "verify", "spring.lw").code == 0


def test_a_text_that_labellers_saw_and_that_changed_matters(told, command):
    pool = told.parent / "predictions.csv"
    pool.write_text(pool.read_text().replace("about 007", "about 7"))
    assert command("store", "verify", "spring.lw").code == 1


def test_predictions_that_are_gone_are_no_problem_unless_named(told, command):
    (told.parent / "predictions.csv").unlink()
    assert command("store", "verify", "spring.lw").code == 0
    done = command("store", "verify", "spring.lw", "--pool", "predictions.csv")
    assert done.code in (1, 3)
    assert "'predictions.csv' does not exist. Check the path." in done.out + done.err


def test_predictions_that_cannot_be_read_as_they_were_are_a_problem(told, command):
    (told.parent / "predictions.csv").write_text("a,b\n1,2\n")
    done = command("store", "verify", "spring.lw")
    assert done.code == 1
    assert done.out.startswith(
        "main: The predictions in 'predictions.csv' cannot be read as they were: Column 'text' is"
    )


@pytest.mark.parametrize("name", ["predictions.csv", "old.csv"])
def test_two_files_of_a_comparison_are_both_looked_at(folder, command, name):
    command("new", "spring.lw", "predictions.csv", "--question", "versus", "--against", "old.csv", "--seed", 1)
    assert command("store", "verify", "spring.lw").code == 0
    head, first, *rows = (folder / name).read_text().splitlines()
    other = next(row for row in rows if row.split(",")[1] != first.split(",")[1])
    (folder / name).write_text("\n".join([head, other.replace(other.split(",")[0], "i000"), *rows]) + "\n")
    assert command("store", "verify", "spring.lw").code == 1
    (folder / name).unlink()
    assert command("store", "verify", "spring.lw").code == 0  # a file that is gone is no problem


def test_the_predictions_are_found_from_another_folder(told, command, tmp_path, monkeypatch):
    pool = told.parent / "predictions.csv"
    pool.write_text(pool.read_text().replace("i000,cat", "i000,dog"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert command("store", "verify", told).code == 1


def test_a_belief_that_is_not_what_the_labels_make_it_is_found(told):
    store = lw.SqliteStore(told)
    try:
        assert problems_of(store, "main", None) == []
        honest = lw.Assessment.belief.fget

        class Bent(lw.Assessment):
            @property
            def belief(self):
                believed = honest(self)
                return believed.update([0], [1])

        store.open = lambda name: Bent.reopen(store.journal(name))
        assert problems_of(store, "main", None) == ["The belief is not what the labels make it."]
    finally:
        store.close()


def test_several_assessments_are_looked_at_one_by_one(told, command):
    command("new", "spring.lw", "predictions.csv", "--name", "second", "--seed", 1)
    assert command("store", "verify", "spring.lw").out == "2 assessments: all as written.\n"
    edit(told, "UPDATE events SET hash = x'00' WHERE assessment = 2")
    assert command("store", "verify", "spring.lw", "--json").document["problems"] == {
        "main": [],
        "second": ["Event 0 (opened) was changed after it was written."],
    }


def test_an_assessment_made_in_python_has_no_file_to_compare(tmp_path, command):
    pool = lw.pool_from_arrays(predicted=["cat", "dog"] * 5)
    store = lw.SqliteStore(tmp_path / "py.lw")
    lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=store.journal("main"))
    store.close()
    assert command("store", "verify", tmp_path / "py.lw").code == 0
    assert json.loads(command("status", tmp_path / "py.lw", "--json").out)["store"] == os.fspath(tmp_path / "py.lw")
