"""`labelwise report`: one file, three formats, two stores compared, and what is refused."""

import json
import shlex

import pytest

import labelwise as lw


def tell_all(command, store, truth):
    events = command("store", "history", store, "--rows", 0, "--json").document["events"]
    handed = [(row["ticket"], row["item"]) for row in events if row["kind"] == "asked"]
    rows = "".join(f"{ticket},{truth[item]}\n" for ticket, item in handed)
    assert command("tell", store, "-", stdin=f"ticket,label\n{rows}").code == 0


@pytest.fixture
def labelled(spring, command, truth):
    """A store with twenty labels."""
    assert command("ask", "spring.lw", "-n", 20).code == 0
    tell_all(command, "spring.lw", truth)
    return spring


@pytest.fixture
def autumn(labelled, command, truth, as_csv, items):
    """Another store: the same items, a far worse classifier."""
    as_csv(labelled.parent / "worse.csv", [row | {"pred": row["old"]} for row in items])
    words = ["--content", "text", "--seed", 8, "--prior", "flat", "--question", "estimate"]
    assert command("new", "autumn.lw", "worse.csv", *words).code == 0
    assert command("ask", "autumn.lw", "-n", 60).code == 0
    tell_all(command, "autumn.lw", truth)
    return labelled.parent / "autumn.lw"


def test_the_name_of_the_file_says_what_is_written(labelled, command):
    starts = {"html": "<!DOCTYPE html>", "md": "# How good is the classifier? predictions.csv", "json": "{"}
    before = labelled.read_bytes()
    for suffix, start in starts.items():
        done = command("report", "spring.lw", "-o", f"r.{suffix}")
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith(f"'r.{suffix}': 'dog' ")
        assert (labelled.parent / f"r.{suffix}").read_text(encoding="utf-8").startswith(start)
    assert labelled.read_bytes() == before


def test_standard_output_gets_html_and_any_format_that_is_said(labelled, command):
    html = command("report", "spring.lw")
    assert (html.code, html.err) == (0, "")
    assert html.out == command("report", "spring.lw", "-o", "-").out
    assert html.out.startswith("<!DOCTYPE html>")
    assert command("report", "spring.lw", "--format", "md").out.startswith("# ")
    assert (
        command("report", "spring.lw", "--format", "json").document == command("report", "spring.lw", "--json").document
    )
    command("report", "spring.lw", "--format", "md", "-o", "r.txt")
    assert (labelled.parent / "r.txt").read_text(encoding="utf-8").startswith("# ")


def test_the_document_is_that_of_the_library(labelled, command):
    store = lw.SqliteStore(labelled)
    report = lw.report_of(store.open(None), title="Spring", source="spring.lw")
    store.close()
    assert command("report", "spring.lw", "--title", "Spring", "--json").document == json.loads(report.json())
    assert command("report", "spring.lw", "--title", "Spring").out == report.html()


def test_the_numbers_are_those_of_answer(labelled, command):
    answer = command("answer", "spring.lw", "--no-forecast", "--json").document
    report = command("report", "spring.lw", "--json").document
    for part in ("answer", "stop", "labels", "groups", "overall", "notes"):
        assert report[part] == answer[part]


def test_the_first_command_begins_the_same_assessment(labelled, command):
    commands = command("report", "spring.lw", "--json").document["reproduce"]["commands"]
    words = shlex.split(commands[0])
    assert words[:4] == ["labelwise", "new", "spring.lw", "predictions.csv"]
    words[2] = "again.lw"
    assert command(*words[1:]).code == 0
    stores = [lw.SqliteStore(labelled.parent / name) for name in ("spring.lw", "again.lw")]
    setups = [store.open(None).setup for store in stores]
    first, again = (setup.to_data(setup.start()) for setup in setups)
    for store in stores:
        store.close()
    assert first == again
    for line in commands[1:]:
        assert command(*shlex.split(line)[1:]).code == 0


def test_two_stores_are_compared(autumn, command):
    done = command("report", "spring.lw", "autumn.lw", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.document["difference"]["p_better"] < 0.2
    assert "'autumn' is worse than 'spring'" in done.document["headline"]
    assert {row["group"] for row in done.document["groups"]} == {"cat", "cow", "dog"}
    for suffix in ("html", "md"):
        written = command("report", "spring.lw", "autumn.lw", "-o", f"both.{suffix}")
        assert written.code == 0
        text = (autumn.parent / f"both.{suffix}").read_text(encoding="utf-8")
        assert "Second less first" in text


def test_two_assessments_of_one_file_are_told_apart_by_their_names(labelled, command):
    assert command("new", "spring.lw", "predictions.csv", "--name", "second", "--seed", 9).code == 0
    done = command("report", "spring.lw", "spring.lw", "--name", "main", "--name", "second", "--json")
    assert [side["name"] for side in done.document["assessments"]] == ["main", "second"]


def test_without_the_chart_library_there_are_words(labelled, shell):
    code = "import sys; sys.modules['vl_convert'] = None; from labelwise.cli.main import main; main()"
    done = shell(f'python -c "{code}" report spring.lw -o x.html', cwd=labelled.parent)
    assert done.code == 2
    assert done.err.endswith("Install it with `pip install 'labelwise[charts]'`.\n")
    done = shell(f'python -c "{code}" report spring.lw --no-charts', cwd=labelled.parent)
    assert done.code == 0
    assert "<svg" not in done.out


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["spring.lw", "-o", "r.pdf"], 2, "A report is written as one of '.html', "),
        (["spring.lw", "--format", "pdf"], 2, "`--format` must be one of 'html', 'md', 'json', but is 'pdf'."),
        (["spring.lw", "-o", "no/r.html"], 3, "'no/r.html' cannot be written: No such file or directory."),
        (["none.lw"], 3, "'none.lw' does not exist."),
        (["spring.lw", "none.lw"], 3, "'none.lw' does not exist."),
        (["spring.lw", "--name", "x"], 3, ""),
        (["spring.lw"] * 3, 2, "A report is of one store or of two, but 3 are given."),
        (["spring.lw", "--name", "a", "--name", "b"], 2, "Give `--name` as often as there are stores"),
    ],
)  # fmt: skip
def test_refusals_are_one_sentence_and_change_nothing(labelled, command, contents, words, code, sentence):
    before = contents(labelled.parent)
    done = command("report", *words)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(f"Error: {sentence}")
    assert done.err.count("\n") == 1
    assert contents(labelled.parent) == before
