"""`labelwise serve` and `labelwise demo --serve`: they say where they are, and end when interrupted."""

import json
import os
import shlex
import signal
import subprocess
import sys
import urllib.request

import pytest

import labelwise as lw
from patience import limit
from strength import in_quick
from website.commands import commands

LINES = [
    line.strip()
    for name in ("serve", "demo")
    for line in commands()[name].help.partition("Examples:")[2].splitlines()
    if "serve" in line
]
ADDRESS = "postgresql://ann@db.example/team"


class Lasting:
    """A command that runs until it is interrupted."""

    def __init__(self, words, cwd):
        env = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "labelwise", *words], cwd=cwd, env=env, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.first = self.process.stdout.readline()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        with self.process:
            code = self.process.wait(30)
            return code, self.first + self.process.stdout.read(), self.process.stderr.read()


def test_there_are_examples_of_both():
    assert len(LINES) == 4


@pytest.mark.parametrize("line", in_quick(LINES, "labelwise serve spring.lw"), ids=lambda line: line[:60])
def test_every_example_opens_a_page_that_answers(asked, line, request):
    words = shlex.split(line)[1:]
    if ADDRESS in words:
        address = request.getfixturevalue("postgres").fresh()
        with lw.open_store(asked) as here, lw.open_store(address) as there:
            lw.store.copy_assessment(here, there, "main")
            lw.accounts.Accounts(there).add("ann", "owner", "correct horse")
        words[words.index(ADDRESS)] = address
    (asked.parent / "photos").mkdir()
    opener = ["--no-open"] if words[0] == "demo" else ["--no-browser"]
    running = Lasting([*words, "--port", "0", *opener, "--json"], asked.parent)
    url = json.loads(running.first)["url"]
    with urllib.request.urlopen(
        urllib.request.Request(url, headers={"accept": "text/html"}), timeout=limit(30)
    ) as answer:
        assert b"labelwise" in answer.read()
    code, out, err = running.end()
    warning = "Warning: Passwords and labels cross the network unencrypted." if "--host" in words else ""
    assert code == 130
    assert err.startswith(warning) if warning else err == ""
    assert isinstance(json.loads(out), dict)


def test_people_are_told_where_to_go_and_how_to_end_it(asked):
    running = Lasting(["serve", "spring.lw", "--port", "0", "--no-browser"], asked.parent)
    code, out, err = running.end()
    assert (code, err) == (130, "")
    assert out.startswith("Label at http://127.0.0.1:")
    assert out.splitlines()[1] == "It signs you in once. Ctrl-C ends the server; every label is kept."


@pytest.mark.slow  # trains a classifier, starts a server twice
def test_digits_are_labelled_by_whoever_wants_to_and_gone_on_with_later(tmp_path):
    words = ["demo", "--serve", "--out", str(tmp_path), "--port", "0", "--no-open", "--json"]
    Lasting(words, tmp_path).end()
    with lw.open_store(tmp_path / "own.lw") as store:
        before = store.open().history()
    assert [event.kind for event in before] == ["opened"]
    assert (tmp_path / "images").is_dir()
    Lasting(words, tmp_path).end()
    with lw.open_store(tmp_path / "own.lw") as store:
        assert store.open().history() == before


def test_guidelines_that_are_not_there_are_one_sentence(asked, command):
    done = command("serve", "spring.lw", "--guidelines", "none.md")
    assert (done.code, done.out) == (3, "")
    assert done.err == "Error: 'none.md' does not exist. Check the path.\n"
