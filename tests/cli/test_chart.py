"""`labelwise chart`: pictures of stores and of labelled pools, and what is refused."""

import csv
import json

import pytest

import labelwise as lw


@pytest.fixture
def labelled(asked, command, truth):
    """A store with five labels."""
    events = command("store", "history", "spring.lw", "--json").document["events"]
    handed = [(row["ticket"], row["item"]) for row in events if row["event"] == "asked"]
    rows = "".join(f"{ticket},{truth[item]}\n" for ticket, item in handed)
    assert command("tell", "spring.lw", "-", stdin=f"ticket,label\n{rows}").code == 0
    return asked


@pytest.mark.parametrize(
    "kind",
    ["groups", "progress", "allocation", "ranks", "difference", "confusion", "reliability", "ece", "scatter", "curve"],
)
def test_every_kind_of_a_store(labelled, command, kind):
    words = ["--compare", "cat", "dog"] if kind == "difference" else []
    before = labelled.read_bytes()
    done = command("chart", "spring.lw", "--kind", kind, *words, "-o", f"{kind}.svg", "--theme", "dark")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(f"'{kind}.svg': ")
    assert (labelled.parent / f"{kind}.svg").read_text(encoding="utf-8").startswith("<svg")
    assert labelled.read_bytes() == before


def test_json_is_the_frame_of_the_chart(labelled, command):
    done = command("chart", "spring.lw", "--json")
    store = lw.SqliteStore(labelled)
    chart = lw.plot(store.open(None))
    store.close()
    assert done.document == {"title": chart.title, "alt": chart.alt, "rows": chart.frame().rows()}
    assert done.err == ""


@pytest.mark.parametrize(
    "kind", ["groups", "reliability", "curve", "ece", "scatter", "ranks", "confusion", "difference", "cost"]
)
def test_every_kind_of_a_labelled_pool(folder, command, kind):
    (folder / "cost.csv").write_text("0,1,2\n3,0,4\n5,6,0\n")
    words = {"difference": ["--compare", "cat", "dog"], "cost": ["--cost", "cost.csv"]}.get(kind, [])
    done = command("chart", "predictions.csv", "--kind", kind, *words, "--draws", 500)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("<svg")
    assert done.out == command("chart", "predictions.csv", "--kind", kind, *words, "--draws", 500).out


def test_the_numbers_are_those_of_measure(folder, command):
    drawn = command("chart", "predictions.csv", "--by", "region", "--json").document["rows"]
    measured = command("measure", "predictions.csv", "--by", "region", "--json").document["groups"]
    for row, group in zip(drawn, measured, strict=True):
        assert row["group"] == group["group"]
        assert [row[end] for end in ("mean", "low", "high")] == pytest.approx(list(group["accuracy"].values())[:3])


def test_calibration_is_of_all_items_unless_groups_are_named(folder, command):
    def groups(*words):
        done = command("chart", "predictions.csv", "--kind", "reliability", *words, "--json")
        return {row["group"] for row in done.document["rows"]}

    assert groups() == {"all items"}
    assert groups("--by", "region") == {"north", "south"}
    assert groups("--group", "cat") == {"cat", "cow", "dog"}


@pytest.mark.parametrize("suffix", ["png", "pdf", "html", "json"])
def test_the_name_says_what_is_written(folder, command, suffix):
    assert command("chart", "predictions.csv", "-o", f"x.{suffix}").code == 0
    start = {"png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE", "json": b"{"}[suffix]
    assert (folder / f"x.{suffix}").read_bytes().startswith(start)


def test_an_ensemble_is_drawn_by_its_uncertainty(folder, command):
    with (folder / "scores.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a_x", "a_y", "b_x", "b_y", "label"])
        writer.writerows([[0.9, 0.1, 0.2, 0.8, "x"], [0.3, 0.7, 0.4, 0.6, "y"]] * 10)
    words = ["--scores", "a_*", "--member-scores", "b_*", "--classes", "x,y"]
    done = command("chart", "scores.csv", *words, "--json")
    assert done.code == 0, done.err
    for row in done.document["rows"]:
        assert row["total"] == pytest.approx(row["aleatoric"] + row["epistemic"])


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["spring.lw", "--kind", "pie"], 2, "`--kind` must be one of 'groups', "),
        (["predictions.csv", "--kind", "progress"], 2, "`--kind` must be one of 'groups', "),
        (["spring.lw", "-o", "x.gif"], 2, "A chart file must end in one of '.svg', "),
        (["spring.lw", "-o", "no/x.svg"], 3, "'no/x.svg' cannot be written: No such file or directory."),
        (["spring.lw", "--theme", "blue"], 2, "`--theme` must be one of 'light', 'dark', but is 'blue'."),
        (["spring.lw", "--by", "region"], 2, "'spring.lw' is a store, and knows its pool and groups; leave out --by."),
        (["spring.lw", "--kind", "ranks", "--goal", 0.9], 2,
         "`--goal` goes with a chart of groups, not of ranks. Leave it out."),
        (["predictions.csv", "--kind", "cost"], 2, "A cost chart needs a cost matrix: "),
        (["predictions.csv", "--kind", "uncertainty"], 2, "A chart of uncertainty needs an ensemble; "),
        (["predictions.csv", "--target", "all"], 2, "`--target` must be one of 'pool', 'population', but is 'all'."),
        (["old.csv"], 3, "Column 'label' is not in 'old.csv'."),
        (["none.lw"], 3, "'none.lw' does not exist. Check the path, or create it with `labelwise new`."),
        (["none.csv"], 3, "'none.csv' does not exist. Check the path."),
    ],
)  # fmt: skip
def test_refusals_are_one_sentence_and_change_nothing(labelled, command, contents, words, code, sentence):
    before = contents(labelled.parent)
    done = command("chart", *words)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(f"Error: {sentence}")
    assert done.err.count("\n") == 1
    assert contents(labelled.parent) == before


def test_without_the_library_there_is_the_way_to_it(labelled, shell):
    code = "import sys; sys.modules['vl_convert'] = None; from labelwise.cli.main import main; main()"
    done = shell(f'python -c "{code}" chart spring.lw -o x.svg', cwd=labelled.parent)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("Install it with `pip install 'labelwise[charts]'`.\n")
    assert not (labelled.parent / "x.svg").exists()
    done = shell(f'python -c "{code}" chart spring.lw --json', cwd=labelled.parent)
    assert json.loads(done.out)["rows"]
