"""The command from outside: exit codes, help, streams."""

import subprocess
import sys

import pytest


def run(*words, **options):
    command = [sys.executable, "-m", "labelwise.cli.main", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)


def test_help_and_version_leave_with_0():
    assert "measure" in run("--help").stdout
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
        (["bad.csv"], 1, "Error: Label 'cow' of row 2 is not one of the 2 classes. There are: 'cat', 'dog'. "
                         "Correct it, or name all `classes`.\n"),
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
    rows = "".join(f"{k},{k % 7}\n" for k in range(3_000))
    (tmp_path / "many.csv").write_text(f"pred,label\n{rows}")
    command = f"{sys.executable} -m labelwise.cli.main measure many.csv --rows 0 | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert done.stdout.startswith("many.csv: 3,000 items")
    assert "Traceback" not in done.stderr
