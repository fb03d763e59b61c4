"""How commands are listed, found and explained: panels, groups, rare options, and where a moved command is."""

import re
import subprocess
import sys

import pytest

from command_words import GROUPS
from patience import limit
from website.commands import commands

COMMANDS = commands()
RARE = {name: command for name, command in COMMANDS.items() if any(getattr(o, "hidden", False) for o in command.params)}


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_the_top_lists_every_command_with_the_first_sentence_of_its_help(command):
    text = command("--help").out
    for name, one in COMMANDS.items():
        if " " not in name:
            summary = one.help.split("\n")[0]
            assert f"\n  {name:<8} {summary}\n" in text


@pytest.mark.parametrize("name", GROUPS)
def test_a_group_lists_its_commands_without_cutting_a_sentence(command, name):
    text = command(name, "--help").out
    assert text.splitlines()[2].strip() in command("--help").out
    assert "..." not in text.partition("Commands:")[2]
    for path, one in COMMANDS.items():
        group, _, own = path.rpartition(" ")
        if group == name:
            assert f"\n  {own} " in text
            assert f" {one.help.splitlines()[0].removesuffix('.')}" in text


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["verify", "a.lw"], "Did you mean 'store verify'?"),
        (["seconds", "a.lw"], "Did you mean 'review request'?"),
        (["simulte", "a.csv"], "Did you mean 'study simulate'?"),
        (["stats", "a.lw"], "Did you mean 'status'?"),
        (["store", "verfy", "a.lw"], "Did you mean 'store verify'?"),
        (["store", "settle", "a.lw"], "Did you mean 'review settle'?"),
        (["review", "ask", "a.lw"], "Did you mean 'ask'?"),
        (["xyzq"], "No such command 'xyzq'.\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistyped_or_moved_command_says_where_it_is(command, words, hint):
    done = command(*words)
    assert (done.code, done.out) == (2, "")
    assert hint in done.err


def test_the_help_of_new_fits_on_two_screens(command):
    assert len(command("new", "--help").out.splitlines()) <= 100


@pytest.mark.parametrize("name", RARE)
def test_rare_options_are_shown_by_help_all_only(command, name):
    short, long = (command(*name.split(), option).out for option in ("--help", "--help-all"))
    for option in RARE[name].params:
        if option.param_type_name == "option":
            there = re.compile(rf"^  (-\w, )?{option.opts[0]}[ /;]", re.M)
            assert there.search(long), option.opts
            assert bool(there.search(short)) != option.hidden, option.opts
    assert command(*name.split(), "--help").out == short  # they are rare again


def test_the_long_commands_have_rare_options():
    assert {"new", "plan", "measure", "chart", "serve", "study simulate"} <= set(RARE)


def test_rare_options_work_and_are_completed(folder, command, process):
    assert command("new", "a.lw", "predictions.csv", "--lease", "5", "--seed", "1").code == 0
    env = {"_LABELWISE_COMPLETE": "complete_bash", "COMP_WORDS": "labelwise new a b --leas", "COMP_CWORD": "4"}
    assert process(env=env).out.split() == ["--lease"]


def test_naming_commands_imports_none_of_them():
    program = (
        "import sys\nfrom labelwise.cli.main import app\napp(['--help'], standalone_mode=False)\n"
        "print(*[name for name in sys.modules if name.startswith('labelwise')], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=limit(60), check=False
    )
    assert set(done.stderr.split()) <= {
        "labelwise", "labelwise.cli", "labelwise.cli.main", "labelwise.cli.command", "labelwise.errors",
    }  # fmt: skip


def test_ask_imports_only_what_it_uses(spring, tmp_path):
    program = (
        "import sys\nfrom labelwise.cli.main import main\nsys.argv = ['labelwise', 'ask', 'spring.lw', '-n', '3']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=limit(60), check=False, cwd=tmp_path
    )
    assert done.stdout.count("\n") == 4, done.stderr
    loaded = set(done.stderr.split())
    ours = {name for name in loaded if name.split(".")[0] == "labelwise"}
    assert len(ours) <= 140
    assert (
        not {"labelwise.plots", "labelwise.report", "labelwise.simulation", "labelwise.web", "labelwise.accounts"}
        & ours
    )
    assert not {"numba", "altair", "fastapi", "pandas", "scipy.stats", "sklearn", "rich"} & loaded
