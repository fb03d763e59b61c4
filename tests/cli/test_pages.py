"""Every command in the pages, run as it stands in a folder that has what it names."""

import csv
import re
import shlex
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from command_words import called
from prepared import write_examples
from website.commands import commands as every_command

ROOT = Path(__file__).parent.parent.parent
PAGES = ["README.md", *sorted(f"docs/{path.relative_to(ROOT / 'docs')}" for path in (ROOT / "docs").rglob("*.md"))]
NOT_RUN = ("label", "demo", "study card", "serve")  # need a person, the real data or much time; tested elsewhere
ELSEWHERE = "@db.example/"  # a server that is not there; tests/store has one that is
WRITTEN_BY_OTHERS = ("docs/commands.md",)  # its examples are those of the help, which test_examples runs
ASK_A_PERSON = ("user add", "user password")  # for a password; it comes from a pipe here
QUICKER = {"answer": ["--no-forecast"], "plan": ["--limit", "30"], "study simulate": ["--runs", "10"]}
NOT_MET = 5
_BLOCK = re.compile(r"^```\n(.*?)^```$", re.M | re.S)
_IN_TABLE = re.compile(r"^\|.*?`(labelwise [^`]*)` *(?:\(.*\) *)?\|$", re.M)


def commands(page):
    """Return the commands of a page in order: of blocks without a language, and of tables."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = [line for block in _BLOCK.findall(text) for line in block.splitlines()]
    lines += _IN_TABLE.findall(text)
    lines = [line for line in lines if ELSEWHERE not in line]
    return [line for line in lines if line.startswith("labelwise ") and called(line.split()[1:]) not in NOT_RUN]


def with_labels(path):
    """Fill in the labels that a person would."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"label": row["label"] or "cat"} for row in rows)


@pytest.fixture
def folder(tmp_path, monkeypatch, command):
    """A folder with the files that pages name, and a store with a few labels."""
    write_examples(tmp_path)
    monkeypatch.chdir(tmp_path)
    table = pq.read_table("predictions.parquet")  # its classes under the names that labellers say
    names = {f"s{k}": f"s{name}" for k, name in enumerate(("cat", "cow", "dog", "emu"))}
    table = table.drop_columns(["label"]).rename_columns(names)
    pq.write_table(table.append_column("label", [["cat"] * len(table)]), "predictions.parquet")
    for name in ("old.csv", "last_year.csv"):
        shutil.copy("predictions.csv", name)
    lines = Path("old.csv").read_text().splitlines()
    changed = [line.replace(",cat,", ",dog,", 1) for line in lines[:60]]  # the two classifiers differ on some
    Path("old.csv").write_text("\n".join([*changed, *lines[60:]]) + "\n")
    for store in ("spring.lw", "autumn.lw"):
        assert command("new", store, "predictions.csv", "--content", "text", "--seed", 1).code == 0
    assert command("ask", "spring.lw", "-n", 8, "-o", "labelled.csv").code == 0
    with_labels(Path("labelled.csv"))
    assert command("tell", "spring.lw", "labelled.csv").code == 0
    return tmp_path


SLOW = ("docs/believing.md", "docs/assessing.md", "docs/guides/which.md")  # plan and simulate several times


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] if page in SLOW else [])
        for page in PAGES
        if commands(page) and page not in WRITTEN_BY_OTHERS
    ],
)
def test_every_command_of_a_page_runs(folder, command, shell, page):
    for line in commands(page):
        words = shlex.split(line, comments=True)
        if words[1] in ("new", "tell"):
            file = Path(words[2] if words[1] == "new" else words[3])
            if words[1] == "new":
                file.unlink(missing_ok=True)  # a page may begin the same assessment several times
            elif str(file) != "-":
                with_labels(file)
        asks = " ".join(words[1:3]) in ASK_A_PERSON
        done = (
            shell(f'PATH="$PWD/bin:$PATH"; {line}', cwd=folder)
            if "|" in words
            else command(
                *words[1:],
                *(["--password-stdin"] if asks else QUICKER.get(called(words[1:]), [])),
                stdin="correct horse" if asks else "",
            )
        )
        assert done.code in ((0, NOT_MET) if words[1] == "answer" else (0,)), f"{line}\n{done.err}"


def test_a_page_names_commands_that_there_are():
    names = tuple(f"labelwise {name} " for name in every_command())
    for page in PAGES:
        for line in commands(page):
            assert f"{line} ".startswith(names), f"{page}: {line}"
