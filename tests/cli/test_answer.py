"""`answer`, `status`, `history`, `export`, `close`, `verify` and `backup`: what an assessment says."""

import json
import sqlite3

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from command_words import with_store


@pytest.fixture
def labelled(asked, command):
    """Five tickets: two told, one skipped, one not known, one out."""
    table = "ticket,label,skip,labeller\n0,cat,,ann\n1,dog,,bob\n2,,too dark,ann\n3,,unknown,ann\n"
    assert command("tell", "spring.lw", "-", stdin=table).code == 0
    return asked


# answer


def test_answer_leaves_with_5_until_the_target_is_met_and_then_with_0(folder, command):
    command("new", "a.lw", "predictions.csv", "--budget", 2, "--seed", 1)
    command("ask", "a.lw", "-n", 2)
    for label, code, sentence in (("", 5, "0 of 2"), ("0,cat\n", 5, "1 of 2"), ("1,cat\n", 0, "2 of 2")):
        command("tell", "a.lw", "-", stdin=f"ticket,label\n{label}")
        done = command("answer", "a.lw", "--no-forecast", "--json")
        assert (done.code, done.err) == (code, "")
        assert done.document["stop"]["sentence"] == f"{sentence} labels spent"
        assert done.document["stop"]["is_met"] is (code == 0)


def test_answer_says_what_is_known_and_how_many_more_labels_to_expect(labelled, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    done = command("answer", "spring.lw")
    assert (done.code, done.err) == (5, "")
    lines = done.out.splitlines()
    assert lines[0] == "Which group is the worst in accuracy?"
    assert lines[1].startswith("  go on: c")
    assert lines[1].endswith(" is the worst in accuracy: nothing is proven yet")
    assert "more labels expected" in lines[2] or "not expected within" in lines[2]
    assert lines[3].startswith("  2 labels of 240 items, 1 with labellers, 1 skipped, 1 not known; policy prove")
    assert "By prediction (0.95 intervals)" in done.out
    header = "  group  items  labels  accuracy          credible      always valid  impact  P(worst)            bounds"
    assert header in done.out


def test_without_a_forecast_none_is_made(labelled, command):
    assert command("answer", "spring.lw", "--no-forecast", "--json").document["forecast"] is None
    found = command("answer", "spring.lw", "--json").document["forecast"]
    assert set(found) == {"more", "low", "high", "limit", "sentence"}


def test_the_same_answer_is_given_again(labelled, command):
    words = ["answer", "spring.lw", "--no-forecast", "--json", "--draws", 500]
    assert command(*words).out == command(*words).out


def test_fewer_rows_are_printed_when_asked(labelled, command):
    done = command("answer", "spring.lw", "--no-forecast", "--rows", 1)
    assert "... and 2 more" in done.out
    assert len(command("answer", "spring.lw", "--no-forecast", "--rows", 1, "--json").document["groups"]) == 3


def test_names_from_the_data_cannot_steer_the_terminal(tmp_path, monkeypatch, command):
    regions = ["no\x1b]0;rth\x07", "so\x9b31muth"]
    pq.write_table(pa.table({"pred": ["cat", "dog"] * 8, "region": regions * 8}), tmp_path / "p.parquet")
    monkeypatch.chdir(tmp_path)
    words = ["--by", "region", "--question", "compare", "--compare", *regions, "--seed", 1]
    plan = ["plan", "p.parquet", *words, "--worlds", 2, "--limit", 1]
    for line in (["new", "p.lw", "p.parquet", *words], ["answer", "p.lw", "--no-forecast"], ["status", "p.lw"],
                 ["store", "history", "p.lw"], plan):  # fmt: skip
        done = command(*line)
        assert not [character for character in done.out if not character.isprintable() and character != "\n"], line[0]


# status


def test_status_counts_everything(labelled, command):
    command("ticket", "withdraw", "spring.lw", 1)
    found = command("status", "spring.lw", "--json").document
    assert found["store"] == "spring.lw"
    (state,) = found["assessments"]
    counts = {"labels": 1, "out": 1, "skipped": 1, "unknown": 1, "withdrawn": 1, "open": 236, "events": 11}
    assert {name: state[name] for name in counts} == counts
    assert state["labellers"] == {"ann": 1}
    assert state["is_closed"] is False
    text = command("status", "spring.lw").out
    assert text.startswith("main: Which group is the worst in accuracy?\n  predictions.csv: 240 items, 3 groups by ")
    assert "  labelled by ann 1\n" in text


def test_status_lists_all_assessments_of_a_file(labelled, command):
    command("new", "spring.lw", "predictions.csv", "--name", "second", "--question", "best", "--seed", 2)
    command("store", "close", "spring.lw", "--name", "second")
    found = command("status", "spring.lw", "--json").document["assessments"]
    assert [(state["name"], state["is_closed"]) for state in found] == [("main", False), ("second", True)]
    assert "\n\nsecond (closed): Which group is the best in accuracy?\n" in command("status", "spring.lw").out


# history


def test_history_tells_who_said_what_when(labelled, command):
    found = command("store", "history", "spring.lw", "--rows", 0, "--json").document
    assert found["n_events"] == 10
    assert [row["kind"] for row in found["events"]] == ["opened", *["asked"] * 5, "told", "told", "skipped", "skipped"]
    told = found["events"][6]
    assert (told["ticket"], told["label"], told["labeller"]) == (0, "cat", "ann")
    assert found["events"][8]["reason"] == "too dark"
    assert found["events"][9]["is_unknown"] is True


def test_history_prints_the_newest_and_counts_the_earlier(labelled, command):
    done = command("store", "history", "spring.lw", "--rows", 2)
    assert done.out.startswith("... 8 earlier events\n  event  at")
    assert len(done.out.splitlines()) == 4
    assert len(command("store", "history", "spring.lw", "--rows", 2, "--json").document["events"]) == 2


def test_imported_labels_are_in_the_history(spring, command):
    command("store", "import", "spring.lw", "-", "--drawn-at-random", stdin="id,label\ni000,cat\n")
    assert command("store", "history", "spring.lw", "--json").document["events"][-1]["labels"] == {"i000": "cat"}
    assert "labels 1" in command("store", "history", "spring.lw").out.splitlines()[-1]


# export


def test_export_gives_the_labels_that_count(labelled, command):
    command("ticket", "withdraw", "spring.lw", 1)
    done = command("export", "spring.lw")
    assert done.out.splitlines()[0] == "id,label,status,reason,labeller,at,ticket"
    assert [(row["label"], row["status"], row["reason"], row["labeller"], row["ticket"]) for row in done.rows] == [
        ("cat", "told", "", "ann", "0"),
        ("", "skipped", "too dark", "ann", "2"),
        ("", "unknown", "", "ann", "3"),
    ]


def test_export_writes_csv_parquet_and_json_alike(labelled, command):
    folder = labelled.parent
    for name in ("labels.csv", "labels.parquet"):
        done = command("export", "spring.lw", "-o", name)
        assert (done.code, done.out, done.err) == (0, "", f"4 rows in '{name}'.\n")
    as_json = command("export", "spring.lw", "--json").document["labels"]
    assert pq.read_table(folder / "labels.parquet").to_pylist() == as_json
    assert (folder / "labels.csv").read_text() == command("export", "spring.lw", "-o", "-").out


def test_export_in_json_writes_the_file_that_was_named(labelled, command):
    expected = command("export", "spring.lw", "--json").document
    assert command("export", "spring.lw", "--json", "-o", "labels.json").code == 0
    assert json.loads((labelled.parent / "labels.json").read_text()) == expected


def test_export_before_any_label_is_an_empty_table(spring, command):
    assert command("export", "spring.lw").out == "id,label,status,reason,labeller,at,ticket\n"
    assert command("export", "spring.lw", "-o", "labels.parquet").code == 0
    assert command("export", "spring.lw", "--json").document == {"labels": []}


def test_predictions_are_exported_when_asked_for(labelled, command, items):
    rows = command("export", "spring.lw", "--with-predictions").rows
    said = {row["id"]: row for row in items}
    for row in rows:
        assert (row["prediction"], row["group"]) == (said[row["id"]]["pred"],) * 2
        assert float(row["confidence"]) == said[row["id"]]["conf"]


@pytest.mark.parametrize("name", ["nowhere/labels.csv", "nowhere/labels.parquet", "nowhere/labels.json"])
def test_an_unwritable_file_is_said_in_a_sentence(labelled, command, contents, name):
    before = contents(labelled.parent)
    done = command("export", "spring.lw", "-o", name, *(["--json"] if name.endswith("json") else []))
    assert (done.code, done.out) == (3, "")
    assert done.err == f"Error: '{name}' cannot be written: No such file or directory.\n"
    assert contents(labelled.parent) == before


# close, verify, backup


def test_close_ends_it_and_the_answer_can_still_be_read(labelled, command):
    assert command("store", "close", "spring.lw", "--json").document == {"status": "closed", "labels": 2}
    for words in (["answer", "--no-forecast"], ["status"], ["store", "history"], ["export"], ["store", "verify"]):
        assert command(*with_store(words, "spring.lw")).code in (0, 5)
    done = command("store", "close", "spring.lw")
    assert (done.code, done.out) == (4, "")
    assert done.err == "Error: This assessment is closed; nothing more can be asked or told.\n"


def test_verify_finds_an_edited_event(labelled, command):
    assert command("store", "verify", "spring.lw", "--json").document == {
        "is_whole": True, "problems": {"main": []}, "trail": [],
    }  # fmt: skip
    with sqlite3.connect(labelled) as connection:
        connection.execute("UPDATE events SET body = replace(body, 'ann', 'eve') WHERE number = 6")
    connection.close()
    done = command("store", "verify", "spring.lw")
    assert (done.code, done.err) == (1, "")
    assert done.out == "main: Event 6 (told) was changed after it was written.\n"
    assert command("store", "verify", "spring.lw", "--json").document == {
        "is_whole": False,
        "problems": {"main": ["Event 6 (told) was changed after it was written."]},
        "trail": [],
    }


def test_a_backup_is_a_whole_store(labelled, command, events):
    assert command("store", "backup", "spring.lw", "copy.lw").out == "Copied to 'copy.lw'.\n"
    assert events(labelled.parent / "copy.lw") == events(labelled)
    assert command("store", "verify", "copy.lw").code == 0


def test_a_backup_never_overwrites(labelled, command, contents):
    before = contents(labelled.parent)
    done = command("store", "backup", "spring.lw", "predictions.csv")
    assert (done.code, done.out) == (4, "")
    assert done.err == "Error: 'predictions.csv' exists already, and is not overwritten. Give another name.\n"
    assert contents(labelled.parent) == before


def test_a_backup_that_cannot_be_written_names_the_copy(labelled, command, contents):
    before = contents(labelled.parent)
    done = command("store", "backup", "spring.lw", "nowhere/copy.lw")
    assert done.code in (1, 3)
    assert "nowhere" in done.err
    assert "spring.lw" not in done.err
    assert contents(labelled.parent) == before


# one of a kind


def test_one_is_not_many(spring, command):
    command("ask", "spring.lw", "-n", 2)
    said = [
        command("store", "import", "spring.lw", "-", "--drawn-at-random", stdin=f"id,label\n{free(command)},cat\n").out,
        command("export", "spring.lw", "-o", "labels.csv").err,
        command("store", "verify", "spring.lw").out,
        command("tell", "spring.lw", "-", stdin="ticket,label\n0,\n").out,
        command("store", "history", "spring.lw", "--rows", 6).out,
        command("store", "close", "spring.lw").out,
    ]
    for text in said:
        for word in (" labels", " rows", " assessments", " events"):
            assert not text.startswith(f"1{word}"), text
            assert f" 1{word}" not in text, text


def free(command):
    """Return an item that nobody has."""
    return command("ask", "spring.lw", "--json").document["tickets"][0]["id"]


# blindness


@pytest.mark.parametrize("words", [[], ["--by", "score"], ["--question", "versus", "--rival", "rival"]])
@pytest.mark.parametrize(
    "line", [["store", "history", "--rows", 0], ["status"], ["export"], ["store", "history", "--json"],
             ["status", "--json"], ["export", "--json"]],
    ids=lambda words: " ".join(map(str, words)),
)  # fmt: skip
def test_what_a_labeller_may_read_tells_no_prediction(secret, command, told_secrets, words, line):
    line = [str(word) for word in line]
    store = secret(*words)
    command("ask", store, "-n", 4, "--labeller", "ann")
    command("tell", store, "-", stdin="ticket,label,skip\n0,yes,\n1,no,\n2,,dark\n")
    command("ticket", "withdraw", store, 1)
    done = command(*with_store(line, store))
    assert (done.code, done.err) == (0, "")
    assert told_secrets(done.out) == []
    assert "yes" in done.out or line[0] == "status"


def test_an_exported_file_of_labels_tells_no_prediction(secret, command, told_secrets):
    store = secret()
    command("ask", store, "-n", 4)
    command("tell", store, "-", stdin="ticket,label\n0,yes\n1,no\n")
    for name in ("labels.csv", "labels.parquet"):
        command("export", store, "-o", name)
        data = (store.parent / name).read_bytes().decode(errors="replace")
        assert "about" not in data
        assert told_secrets(data) == []
    command("export", store, "-o", "all.csv", "--with-predictions")
    assert told_secrets((store.parent / "all.csv").read_text()) != []
