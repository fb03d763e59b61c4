"""Opening a store for a command: damaged, foreign, read-only and missing files, and how output leaves."""

import io
import os
import sqlite3
import sys
from pathlib import Path

import pytest

import labelwise as lw
from command_words import called, with_store
from labelwise.cli.opening import opened, store_at
from labelwise.cli.output import read_in, say, write_out
from labelwise.store import open_store
from labelwise.store.migrations import MIGRATIONS

READERS = [
    ["ask"], ["tell", "-"], ["label"], ["ticket", "skip", 0], ["ticket", "withdraw", 0], ["ticket", "renew", 0],
    ["store", "import", "-", "--drawn-at-random"], ["answer", "--no-forecast"], ["status"], ["store", "history"],
    ["export"], ["store", "close"], ["store", "verify"],
    ["store", "backup", "copy.lw"], ["store", "copy", "copy.lw"], ["store", "audit"],
]  # fmt: skip
OF_THE_STORE = ("status", "store verify", "store backup", "store audit")  # whatever assessments are in it


def run(command, words, store="spring.lw"):
    return command(*with_store(words, store), stdin="ticket,id,label\n0,i000,cat\n")


def by_name(words):
    return called(words)


NOT_OURS = "Error: 'spring.lw' is not a labelwise file, or is damaged. Restore it from a backup.\n"
DAMAGED = (
    "Error: 'spring.lw' is damaged. Restore it from a backup, or recover the intact part with `labelwise "
    "store salvage`.\n"
)


@pytest.mark.parametrize("words", [*READERS, ["plan"]], ids=by_name)
def test_a_store_that_is_not_there_is_not_made(folder, command, contents, words):
    before = contents(folder)
    done = run(command, words)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Error: 'spring.lw' does not exist. Check the path")
    assert contents(folder) == before


@pytest.mark.parametrize("words", READERS, ids=by_name)
def test_a_file_that_is_not_sqlite_is_refused_and_left_alone(folder, command, contents, words):
    (folder / "spring.lw").write_text("this is no database, but it is long enough to be one\n" * 40)
    before = contents(folder)
    done = run(command, words)
    assert (done.code, done.out) == (1, "")
    assert done.err == NOT_OURS
    assert contents(folder) == before


@pytest.mark.parametrize("words", [*READERS, ["plan"], ["new", "predictions.csv"]], ids=by_name)
def test_another_database_is_refused_and_left_alone(folder, command, contents, words):
    connection = sqlite3.connect(folder / "spring.lw")
    connection.execute("CREATE TABLE birds (name TEXT)")
    connection.commit()
    connection.close()
    before = contents(folder)
    done = run(command, words)
    assert (done.code, done.out) == (1, "")
    assert done.err == "Error: 'spring.lw' is a database, but not a labelwise store. Check the path.\n"
    assert contents(folder) == before


@pytest.mark.parametrize("part", [0, 50, 100, 4_096, 0.5, -4_096])
@pytest.mark.parametrize(
    "words", [["status"], ["answer", "--no-forecast"], ["tell", "-"], ["store", "verify"]], ids=by_name
)
def test_a_truncated_store_is_refused_and_left_alone(asked, command, contents, words, part):
    whole = asked.read_bytes()
    size = int(len(whole) * part) if isinstance(part, float) else part
    asked.write_bytes(whole[:size])
    before = contents(asked.parent)
    done = run(command, words)
    assert (done.code, done.out) == (1, "")
    assert done.err in (NOT_OURS, DAMAGED)
    assert contents(asked.parent) == before


@pytest.mark.parametrize(
    "words", [["status"], ["answer", "--no-forecast"], ["tell", "-"], ["store", "verify"]], ids=by_name
)
def test_a_single_byte_that_is_missing_at_the_end_is_noticed(asked, command, contents, words):
    asked.write_bytes(asked.read_bytes()[:-1])
    before = contents(asked.parent)
    done = run(command, words)
    assert (done.code, done.out) == (1, "")
    assert done.err == DAMAGED
    assert contents(asked.parent) == before


def test_a_store_of_a_newer_labelwise_is_refused_and_left_alone(asked, command, contents):
    with sqlite3.connect(asked) as connection:
        connection.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")
    connection.close()
    before = contents(asked.parent)
    done = command("status", "spring.lw")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: 'spring.lw' was written by a newer version of labelwise (schema version ")
    assert contents(asked.parent) == before


def test_a_folder_is_no_store(folder, command):
    (folder / "spring.lw").mkdir()
    done = command("status", "spring.lw")
    assert done.code == 3
    assert done.err.startswith("Error: 'spring.lw' ")


def test_a_read_only_folder_is_said_and_nothing_is_left_in_it(asked, without_rights, contents, command):
    folder = asked.parent
    before = contents(folder)
    sentence = "Error: '{}' cannot be written. Check the permissions of the file and its folder.\n"
    done = without_rights(folder, "ask", "spring.lw")
    assert (done.code, done.out, done.err) == (1, "", sentence.format("spring.lw"))
    done = without_rights(folder, "new", "other.lw", "predictions.csv")
    assert (done.code, done.out, done.err) == (1, "", sentence.format("other.lw"))
    assert contents(folder) == before
    folder.chmod(0o700)
    assert command("ask", "spring.lw").code == 0  # and nothing is stuck


def test_a_store_that_another_holds_is_waited_for(asked, command, monkeypatch):
    monkeypatch.setitem(open_store.__kwdefaults__, "patience", 0.1)
    connection = sqlite3.connect(asked, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = command("tell", "spring.lw", "-", stdin="ticket,label\n0,cat\n")
        assert done.code == 4
        assert (
            done.err == "Error: Another writer has locked 'spring.lw' for too long; nothing was changed. Try again.\n"
        )
    finally:
        connection.close()
    assert command("tell", "spring.lw", "-", stdin="ticket,label\n0,cat\n").code == 0


# which assessment


@pytest.mark.parametrize("words", [words for words in READERS if called(words) not in OF_THE_STORE],
                         ids=by_name)  # fmt: skip
def test_an_unknown_name_is_said_with_a_hint(asked, command, contents, words):
    before = contents(asked.parent)
    done = run(command, [*words, "--name", "mian"])
    assert (done.code, done.out) == (3, "")
    assert done.err == "Error: There is no assessment 'mian' in 'spring.lw'. Did you mean 'main'?\n"
    assert contents(asked.parent) == before


@pytest.mark.parametrize("words", [words for words in READERS if called(words) not in OF_THE_STORE],
                         ids=by_name)  # fmt: skip
def test_one_of_several_assessments_must_be_named(asked, command, contents, words):
    command("new", "spring.lw", "predictions.csv", "--name", "second", "--seed", 1)
    before = contents(asked.parent)
    done = run(command, words)
    assert (done.code, done.out) == (3, "")
    assert done.err == "Error: 'spring.lw' has 2 assessments: 'main', 'second'. Choose one with --name.\n"
    assert contents(asked.parent) == before


def test_a_named_assessment_is_opened(asked, command):
    command("new", "spring.lw", "predictions.csv", "--name", "second", "--seed", 1)
    assert command("ask", "spring.lw", "--name", "second", "--json").document["tickets"][0]["ticket"] == 0
    assert command("ask", "spring.lw", "--name", "main", "--json").document["tickets"][0]["ticket"] == 5


def test_a_store_is_let_go_of_when_the_command_fails(asked):
    with pytest.raises(ZeroDivisionError), opened(asked, None):
        raise ZeroDivisionError
    with store_at(asked) as store:
        assert store.names() == ["main"]
    with pytest.raises(lw.LabelwiseError):
        store.names()
    assert sorted(file.name for file in asked.parent.glob("spring.lw*")) == ["spring.lw"]


# what goes out and comes in


def test_a_document_for_machines_or_a_text_for_people(capsys):
    say({"name": "süd"}, "text", as_json=True)
    say({"name": "süd"}, "text", as_json=False)
    assert capsys.readouterr().out == '{"name": "süd"}\ntext\n'


@pytest.mark.parametrize("text", ["a,b\n", "a,b"])
def test_text_goes_to_standard_output_with_one_line_end(capsys, text):
    for out in (None, Path("-")):
        write_out(text, out)
        assert capsys.readouterr().out == "a,b\n"


def test_what_goes_into_a_pipe_or_a_file_is_the_same(tmp_path, capsys):
    text = "id,label\na\x1b[31mb,\n"  # a labeller sends ids back, and they must still be found
    write_out(text, None)
    write_out(text, tmp_path / "x.csv")
    assert capsys.readouterr().out == (tmp_path / "x.csv").read_text() == text


def test_text_goes_to_a_file_as_it_is(tmp_path, refusal):
    write_out('a,"b\r\nc"\nsüd\n', tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_bytes() == 'a,"b\r\nc"\nsüd\n'.encode()
    sentence = refusal(lw.NotFoundError, write_out, "x", tmp_path)
    assert sentence == f"'{tmp_path}' cannot be written: Is a directory."


def test_text_comes_from_a_file_or_from_standard_input_as_it_is(tmp_path, monkeypatch):
    raw = '\ufeffticket,label\r\n0,"\rcat"\r\n'.encode()
    (tmp_path / "x.csv").write_bytes(raw)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="latin-1"))
    assert read_in(tmp_path / "x.csv") == read_in(Path("-")) == 'ticket,label\r\n0,"\rcat"\r\n'


def test_text_that_cannot_be_read_is_refused(tmp_path, monkeypatch, refusal):
    (tmp_path / "x.csv").write_bytes(b"\xff\xfe")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), encoding="utf-8"))
    for path in (tmp_path / "x.csv", Path("-")):
        sentence = refusal(lw.NotFoundError, read_in, path)
        assert sentence == f"'{path}' cannot be read as UTF-8 text. Check the path, and save it as UTF-8."
    assert (
        refusal(lw.NotFoundError, read_in, tmp_path / "y.csv")
        == f"'{tmp_path / 'y.csv'}' does not exist. Check the path."
    )


def test_a_terminal_that_knows_no_unicode_gets_what_it_can_show(asked, process):
    plain = os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "160"}
    found = process("answer", "spring.lw", "--no-forecast", env=plain, cwd=asked.parent)
    assert (found.code, found.err) == (5, "")
    assert "---o---" in found.out


@pytest.mark.parametrize(
    "words",
    [
        ["ask", "spring.lw"], ["export", "spring.lw"], ["export", "spring.lw", "--json"], ["report", "spring.lw"],
        ["study", "simulate", "predictions.csv", "--label", "label", "--runs", "1"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_no_output_overwrites_a_store(spring, command, words):
    command("ask", "spring.lw", "-n", 2)
    before = command("store", "history", "spring.lw", "--rows", 0, "--json").document
    done = command(*words, "-o", "spring.lw", *(["--format", "md"] if words[0] == "report" else []))
    assert done.code == 4
    assert done.err.endswith("'spring.lw' is a store and must not be overwritten. Choose another output file.\n")
    assert command("store", "history", "spring.lw", "--rows", 0, "--json").document == before
    assert command("store", "verify", "spring.lw").code == 0


@pytest.mark.parametrize(("is_terminal", "shown"), [(True, "a?]0;owned?b"), (False, "a\x1b]0;owned\x07b")])
def test_what_items_hold_cannot_steer_a_terminal(monkeypatch, capsys, is_terminal, shown):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    write_out("a\x1b]0;owned\x07b\n", None)
    assert capsys.readouterr().out == f"{shown}\n"
