"""The command from outside: exit codes, help, streams, completion."""

import os
import re
import subprocess
import sys

import pytest

from patience import limit
from website.commands import commands

COMMANDS = commands()


def run(*words, **options):
    command = [sys.executable, "-m", "labelwise", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=limit(60), check=False, **options)


def test_help_and_version_leave_with_0():
    assert "measure" in run("--help").stdout
    assert run("--help").stdout.lstrip().startswith("Usage: labelwise ")
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("labelwise 0.")


def test_an_unknown_option_leaves_with_2_and_a_hint():
    done = run("measure", "x.csv", "--lable", "y")
    assert done.returncode == 2
    assert "--label" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["no.csv"], 3, "Error: 'no.csv' does not exist. Check the path.\n"),
        (["p.csv", "--predicted", "prd"], 3, "Error: Column 'prd' is not in 'p.csv'. Did you mean 'pred'?\n"),
        (["p.csv", "--target", "all"], 2, "Error: `--target` must be one of 'pool', 'population', but is 'all'.\n"),
        (["p.csv", "--level", "1"], 2, "Error: `level` must lie between 0 and 1, but is 1.0.\n"),
        (["bad.csv"], 1, "Error: Label 'cow' of row 2 is not one of the 2 classes. Available: 'cat', 'dog'. "
                         "Correct it, or pass all class names as `classes`.\n"),
    ],
)  # fmt: skip
def test_errors_are_one_sentence_on_standard_error(tmp_path, words, code, sentence):
    (tmp_path / "p.csv").write_text("pred,label\ncat,cat\ndog,cat\n")
    (tmp_path / "bad.csv").write_text("p_cat,p_dog,label\n0.5,0.5,cat\n0.1,0.9,cow\n")
    if words[0] == "bad.csv":
        words = [*words, "--scores", "p_*"]
    done = run("measure", *words, cwd=tmp_path)
    assert (done.returncode, done.stderr, done.stdout) == (code, sentence, "")


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    rows = "".join(f"{k},{k % 7}\n" for k in range(600))
    (tmp_path / "many.csv").write_text(f"pred,label\n{rows}")
    command = f"{sys.executable} -m labelwise measure many.csv --rows 0 | head -1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, cwd=tmp_path, timeout=limit(60), check=False
    )
    assert done.stdout.startswith("many.csv: 600 items")
    assert "Traceback" not in done.stderr


def test_the_six_exit_codes(asked, command):
    tell = ["tell", "spring.lw", "-"]
    assert command("status", "spring.lw").code == 0
    assert command(*tell, stdin="ticket,label\n0,emu\n").code == 1
    assert command("ask", "spring.lw", "--format", "xml").code == 2
    assert command("ask", "spring.lw", "-n", "0").code == 2
    assert command("status", "autumn.lw").code == 3
    assert command(*tell, stdin="ticket,label\n99,cat\n").code == 3
    assert command(*tell, stdin="ticket,label\n0,cat\n").code == 0
    assert command(*tell, stdin="ticket,label\n0,dog\n").code == 4
    assert command("answer", "spring.lw", "--no-forecast").code == 5


def test_a_process_leaves_with_the_code_and_writes_to_the_right_stream(asked, process):
    done = process("answer", "spring.lw", "--no-forecast", "--json", cwd=asked.parent)
    assert (done.code, done.err) == (5, "")
    assert done.document["stop"]["is_met"] is False
    done = process("tell", "spring.lw", "-", "--json", cwd=asked.parent, input="ticket,label\n0,emu\n")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "Error: Row 1: Label 'emu' is not one of the 3 classes. Available: 'cat', 'cow', 'dog'. Nothing was told.\n"
    )


LINES = {
    "new": ["new", "other.lw", "predictions.csv"],
    "ask": ["ask", "spring.lw", "-n", 2],
    "tell": ["tell", "spring.lw", "-"],
    "label": ["label", "spring.lw"],
    "serve": ["serve", "spring.lw", "--no-browser"],
    "ticket skip": ["ticket", "skip", "spring.lw", 1],
    "ticket withdraw": ["ticket", "withdraw", "spring.lw", 4],
    "ticket renew": ["ticket", "renew", "spring.lw", 1],
    "store import": ["store", "import", "spring.lw", "-", "--drawn-at-random"],
    "review request": ["review", "request", "spring.lw", "--share", 0.5],
    "review agreement": ["review", "agreement", "spring.lw"],
    "review disputes": ["review", "disputes", "spring.lw"],
    "review settle": ["review", "settle", "spring.lw", "ID", "dog"],
    "answer": ["answer", "spring.lw"],
    "status": ["status", "spring.lw"],
    "store history": ["store", "history", "spring.lw"],
    "export": ["export", "spring.lw"],
    "store close": ["store", "close", "spring.lw"],
    "store verify": ["store", "verify", "spring.lw"],
    "store backup": ["store", "backup", "spring.lw", "copy.lw"],
    "store copy": ["store", "copy", "spring.lw", "copy.lw"],
    "store audit": ["store", "audit", "spring.lw"],
    "store salvage": ["store", "salvage", "spring.lw", "-o", "sound.lw"],
    "user add": ["user", "add", "spring.lw", "eve", "--password-stdin"],
    "user list": ["user", "list", "spring.lw"],
    "user remove": ["user", "remove", "spring.lw", "bob"],
    "user password": ["user", "password", "spring.lw", "bob", "--password-stdin"],
    "user role": ["user", "role", "spring.lw", "bob", "viewer"],
    "user key": ["user", "key", "spring.lw", "bob"],
    "user sessions": ["user", "sessions", "spring.lw"],
    "user revoke": ["user", "revoke", "spring.lw", "bob"],
    "plan": ["plan", "spring.lw", "--worlds", 2, "--limit", 5],
    "study simulate": ["study", "simulate", "predictions.csv", "--runs", 2, "--budget", 20, "--exact"],
    "study card": ["study", "card", "--runs", 10],
    "measure": ["measure", "predictions.csv"],
    "chart": ["chart", "spring.lw"],
    "report": ["report", "spring.lw"],
}
# one runs until it is interrupted (test_serve.py), one takes long and is held to the same by test_examples.py
ENDING = [name for name in COMMANDS if name not in ("serve", "demo")]
NEED_FILES = [name for name in COMMANDS if name not in ("study card", "demo")]  # which bring their own labels


@pytest.fixture
def line_of(asked, command):
    """Return what to say, and on standard input, to have a command do its work."""
    handed = [row["item"] for row in command("store", "history", "spring.lw", "--json").document["events"][1:]]
    free = next(f"i{k:03}" for k in range(240) if f"i{k:03}" not in handed)
    command("tell", "spring.lw", "-", stdin="ticket,label\n4,cat\n")
    command("user", "add", "spring.lw", "bob", "--password-stdin", stdin="correct horse")
    texts = {"tell": "ticket,label\n0,cat\n", "store import": f"id,label\n{free},cat\n", "label": "cat\n:q\n"}
    texts |= dict.fromkeys(["user add", "user password"], "battery staple\n")
    return lambda name: ([handed[4] if word == "ID" else word for word in LINES[name]], texts.get(name, ""))


@pytest.mark.parametrize("name", ENDING)
def test_every_command_gives_one_json_document_and_nothing_else(line_of, command, name):
    words, text = line_of(name)
    done = command(*words, "--json", stdin=text)
    assert done.code == (5 if name == "answer" else 0), done.err
    assert isinstance(done.document, dict)
    assert done.err == "" or name == "label"  # the screen of a labeller goes to standard error then
    assert "\x1b" not in done.out + done.err


@pytest.mark.slow  # every command once more; the test above looks for escape codes too
@pytest.mark.parametrize("name", ENDING)
def test_no_command_writes_escape_codes_when_there_is_no_terminal(line_of, command, name):
    words, text = line_of(name)
    done = command(*words, stdin=text)
    assert done.code == (5 if name == "answer" else 0), done.err
    assert done.err == ""
    assert done.out
    assert "\x1b" not in done.out


@pytest.mark.parametrize("name", NEED_FILES)
def test_no_command_writes_a_document_when_it_fails(folder, command, name):
    words = ["nowhere.lw" if word == "spring.lw" else "nowhere.csv" if word == "predictions.csv" else word
             for word in LINES[name]]  # fmt: skip
    done = command(*words, "--json", stdin="id,ticket,label\ni000,0,cat\n")
    assert (done.code, done.out) == (3, "")
    assert re.fullmatch(
        r"Error: 'nowhere\.(lw|csv)' does not exist\. .*\n|Error: '.*' is not in 'data'\. .*\n", done.err
    )


@pytest.mark.parametrize("name", NEED_FILES)
def test_without_words_a_command_gives_its_help(command, name):
    done = command(*name.split())
    assert "Usage: " in done.out + done.err
    assert "Examples:" in done.out + done.err


def test_everything_that_is_no_result_goes_to_standard_error(asked, command):
    done = command("ask", "spring.lw", "-n", 500, "--json")
    assert len(done.document["tickets"]) == 235
    other = "the other 5 items that can change the answer are with labellers until their leases end."
    assert done.err == f"Only 235 of 500: {other}\n"
    done = command("export", "spring.lw", "-o", "labels.csv")
    assert (done.out, done.err) == ("", "0 rows in 'labels.csv'.\n")


def completed(process, *words):
    env = os.environ | {
        "_LABELWISE_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["labelwise", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = process(env=env)
    assert (done.code, done.err) == (0, "")
    return done.out.split()


def test_the_shell_completes_commands_and_options(process):
    assert completed(process, "s") == ["serve", "status", "store", "study"]
    assert completed(process, "review", "") == ["request", "agreement", "disputes", "settle"]
    assert completed(process, "answer", "spring.lw", "--no") == ["--no-forecast"]
    assert {"--question", "--width", "--against"} <= set(completed(process, "new", "a.lw", "b.csv", "--"))


def test_the_script_that_completes_can_be_shown(process):
    done = process(env=os.environ | {"_LABELWISE_COMPLETE": "source_bash"})
    assert done.code == 0
    assert "complete -o default -F _labelwise_completion labelwise" in done.out


def test_a_command_that_is_not_known_gets_a_hint(command):
    done = command("stats", "spring.lw")
    assert (done.code, done.out) == (2, "")
    assert "Did you mean 'status'?" in done.err


def test_a_pipe_through_a_labeller(spring, shell):
    labeller = "import json, sys; [print(json.dumps(t | {'label': 'cat'})) for t in json.load(sys.stdin)['tickets']]"
    pipe = (
        f'labelwise ask spring.lw -n 5 --json | "{sys.executable}" -c "{labeller}" | labelwise tell spring.lw - --json'
    )
    done = shell(pipe, cwd=spring.parent)
    assert (done.code, done.err) == (0, "")
    assert done.document == {"told": 5, "before": 0, "left_for_later": 0, "labels": 5}


def test_a_reader_that_leaves_early_is_no_failure(folder, command, shell, as_csv):
    as_csv(folder / "long.csv", [{"id": k, "pred": k % 3, "text": "x" * 4_000} for k in range(100)])
    command("new", "long.lw", "long.csv", "--content", "text", "--seed", 1)
    done = shell("labelwise ask long.lw -n 100 --format jsonl | head -1", cwd=folder)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith('{"ticket": 0, ')
    assert done.out.count("\n") == 1
    assert command("store", "verify", "long.lw").code == 0


def test_a_warning_about_the_data_is_one_line_and_no_error(process, tmp_path):
    (tmp_path / "p.csv").write_text("id,pred,conf\na,cat,0.9\nb,cat ,0.8\nc,dog,0.7\n")
    done = process("new", "a.lw", "p.csv", cwd=tmp_path)
    assert done.code == 0
    [line] = [line for line in done.err.splitlines() if line.startswith("Warning")]
    assert line.startswith("Warning: The classes 'cat' and 'cat ' look alike: they differ only in white space")
    assert ".py" not in done.err
