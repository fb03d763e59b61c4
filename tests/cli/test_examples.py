"""Every example of every command's help, run as it stands in a folder that has what it names."""

import shlex
import shutil
import subprocess
import sys

import pytest

from patience import limit
from prepared import write_examples
from website.commands import commands

COMMANDS = commands()
MET_OR_NOT = (0, 5)  # `answer` says by its exit code whether the target is met


def examples():
    """Return (command, line) of every line below "Examples:" in the help."""
    for name, command in COMMANDS.items():
        _, _, block = command.help.partition("Examples:")
        for line in block.splitlines():
            if line.strip():
                yield name, line.strip()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A folder with every file that an example names."""
    folder = tmp_path_factory.mktemp("examples")
    write_examples(folder)
    return folder


@pytest.fixture
def ready(prepared, tmp_path, monkeypatch, command):
    """A copy of that folder with a store in the state that a command's examples need."""

    def make(name):
        folder = tmp_path / name
        shutil.copytree(prepared, folder)
        monkeypatch.chdir(folder)
        if name == "new":
            return folder
        assert command("new", "spring.lw", "predictions.csv", "--content", "text", "--seed", 1).code == 0
        tickets = command("ask", "spring.lw", "-n", 8, "--json").document["tickets"]
        rows = "".join(f"{ticket['ticket']},cat\n" for ticket in tickets[:6])
        (folder / "labelled.csv").write_text(f"ticket,label\n{rows}")
        out = {ticket["id"] for ticket in tickets}
        known = [f"i{k}" for k in range(20) if f"i{k}" not in out]
        (folder / "known.csv").write_text("id,label\n" + "".join(f"{item},dog\n" for item in known))
        if name == "report":
            assert command("new", "autumn.lw", "predictions.csv", "--seed", 2).code == 0
        (folder / "password.txt").write_text("correct horse\n")
        if name.startswith("user ") and name != "user add":
            words = ("user", "add", "spring.lw", "bob", "--password-stdin")
            assert command(*words, stdin="battery staple").code == 0
        if name in ("ticket withdraw", "review settle"):
            assert command("tell", "spring.lw", "labelled.csv").code == 0
        if name == "review settle":
            assert command("store", "import", "spring.lw", "known.csv", "--drawn-at-random").code == 0
        return folder

    return make


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_that_names_it(name):
    lines = [line for owner, line in examples() if owner == name]
    assert lines
    for line in lines:
        assert f"labelwise {name} " in f"{line} "


def is_run_elsewhere(line):
    """Return whether a command runs until it is interrupted (test_serve.py), or takes long (test_demo.py)."""
    return "labelwise serve " in line or "--serve" in line or line == "labelwise demo"


def is_slow(line):
    """Return whether an example takes seconds; what it shows, quicker tests show too."""
    return line.startswith(
        (
            "labelwise demo ",
            "labelwise plan predictions.parquet",
            "labelwise plan spring.lw --json",
        )
    )


RUN_HERE = [
    pytest.param(name, line, marks=[pytest.mark.slow] if is_slow(line) else [])
    for name, line in examples()
    if not is_run_elsewhere(line)
]


@pytest.mark.parametrize(("name", "line"), RUN_HERE, ids=lambda value: str(value)[:60])
def test_every_example_of_the_help_runs(ready, command, shell, name, line):
    folder = ready(name)
    if "|" in line or not line.startswith("labelwise "):
        done = shell(f'PATH="$PWD/bin:$PATH"; {line}', cwd=folder)
    else:
        done = command(*shlex.split(line)[1:])
    assert done.code in (MET_OR_NOT if name == "answer" else (0,)), done.err
    assert "Traceback" not in done.err
    assert "\x1b" not in done.out
    if line.startswith("labelwise ") and line.endswith(" --json"):
        assert isinstance(done.document, dict)
        assert done.err == ""
    assert done.out or "--out" in line or " -o " in line


def test_the_examples_stand_line_by_line_in_the_printed_help(command):
    for name, line in examples():
        assert f"    {line}\n" in command(*name.split(), "--help").out


LIST_MEMBERS = ("new", "plan", "measure", "chart", "study simulate")  # metrics, policies and priors are in their help


def test_help_is_quick_for_nothing_heavy_is_loaded():
    names = [
        name for name in COMMANDS if name not in LIST_MEMBERS and name != "study card"
    ]  # in one file with simulate
    words = f"for name in {names}:\n    run([*name.split(), '--help'])"
    program = (
        "import sys\nfrom labelwise.cli.main import app\n"
        "def run(words):\n    app(words, standalone_mode=False)\n"
        f"{words}\n"
        "heavy = {'numpy', 'scipy', 'pyarrow', 'sqlite3', 'rich'} & set(sys.modules)\n"
        "sys.exit(f'{heavy} loaded' if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=limit(60), check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Usage: ") == len(names)
