"""`--min-items`, `--pool-rare` and `--metric impact`, through every command that chooses groups."""

import pytest

SAID = "2 groups with fewer than 30 items were left out (9 items)"
READ = ("predictions.csv", "--by", "region", "--min-items", 30)
POOLED = "column 'region' (groups with fewer than 30 items pooled)"


@pytest.fixture
def folder(tmp_path, monkeypatch, items, as_csv):
    """The pool with two small regions more."""
    small = {231: "isle", 232: "isle", 233: "isle", 234: "isle"} | dict.fromkeys(range(235, 240), "rock")
    as_csv(tmp_path / "predictions.csv", [row | {"region": small.get(k, row["region"])} for k, row in enumerate(items)])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_new_says_what_is_left_out(folder, command):
    done = command("new", "spring.lw", *READ, "--seed", 1)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[1] == "  240 items in 4 groups by column 'region', of which 231 can change the answer"
    assert lines[2] == f"  {SAID}"


def test_they_are_neither_asked_nor_named_in_answer_status_and_report(folder, command):
    assert command("new", "spring.lw", *READ, "--seed", 1, "--json").document["left_out"] == SAID
    found = command("answer", "spring.lw", "--json").document
    assert {row["group"] for row in found["groups"]} == {"north", "south"}
    assert f"{SAID}: they are neither asked nor named." in found["notes"]
    assert found["settings"]["left_out"] == SAID
    assert f"4 groups by column 'region' ({SAID}), seed 1" in command("status", "spring.lw").out
    assert command("report", "spring.lw", "-o", "report.md", "--format", "md").code == 0
    page = (folder / "report.md").read_text()
    assert f"{SAID}: they are neither asked nor named." in page
    assert f"4, by column 'region'; {SAID}" in page
    assert "isle" not in page.replace("--", "")
    done = command("ask", "spring.lw", "-n", 240, "-o", "-")
    assert len(done.rows) == 231


def test_the_command_is_written_down_so_that_it_can_be_typed_again(folder, command):
    command("new", "spring.lw", *READ, "--pool-rare", "--seed", 1)
    assert command("report", "spring.lw", "-o", "report.md", "--format", "md").code == 0
    assert "--min-items 30 --pool-rare" in (folder / "report.md").read_text()


def test_rare_groups_are_pooled_on_request(folder, command):
    done = command("new", "spring.lw", *READ, "--pool-rare", "--seed", 1, "--json")
    assert done.code == 0, done.err
    found = command("answer", "spring.lw", "--json").document
    assert {row["group"]: row["items"] for row in found["groups"]}["others (2 groups)"] == 9
    assert found["settings"]["grouping"] == POOLED
    assert found["settings"]["left_out"] == ""


def test_measure_leaves_them_out_and_shows_the_impact(folder, command):
    words = ("measure", "predictions.csv", "--predicted", "pred", "--confidence", "conf", *READ[1:])
    found = command(*words, "--json").document
    assert {row["group"] for row in found["groups"]} == {"north", "south"}
    assert f"{SAID}." in found["notes"]
    for row in found["groups"]:
        assert row["impact"]["mean"] == pytest.approx(row["items"] / 240 * (1 - row["accuracy"]["mean"]))
    text = command(*words).out
    assert f"Note: {SAID}." in text
    assert "  group  items  accuracy          interval  impact" in text


def test_measure_ranks_by_impact_if_it_comes_first(folder, command):
    words = ("measure", "predictions.csv", "--predicted", "pred", "--confidence", "conf", *READ[1:], "--pool-rare")
    found = command(*words, "--metric", "impact", "--metric", "accuracy", "--json").document
    means = [row["impact"]["mean"] for row in found["groups"]]
    assert means == sorted(means, reverse=True)
    assert "others (2 groups)" in {row["group"] for row in found["groups"]}
    total = next(row for row in found["overall"] if row["metric"] == "impact")["known"]
    accuracy = next(row for row in found["overall"] if row["metric"] == "accuracy")["known"]
    assert total == pytest.approx(1 - accuracy)


def test_the_group_that_causes_most_errors_can_be_asked_for(folder, command):
    done = command("new", "spring.lw", *READ, "--metric", "impact", "--target", "pool", "--seed", 1)
    assert done.out.splitlines()[0] == "Which group is the worst in impact?"
    found = command("answer", "spring.lw", "--json").document
    assert found["metric"] == "impact"
    assert "impact" not in found["groups"][0]  # it is the value itself


def test_the_answer_shows_the_impact_beside_the_accuracy(folder, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    command("new", "spring.lw", *READ, "--seed", 1)
    for row in command("answer", "spring.lw", "--json").document["groups"]:
        assert row["impact"] == pytest.approx(row["items"] / 240 * (1 - row["mean"]))
    assert "impact  P(worst)" in command("answer", "spring.lw").out


def test_a_plan_and_a_simulation_say_it_too(folder, command):
    done = command("plan", *READ, "--worlds", 2, "--limit", 20, "--over-confidence", 0, "--seed", 1)
    assert done.out.rstrip().endswith(f"Note: {SAID}.")
    words = ("study", "simulate", *READ, "--budget", 20, "--runs", 2, "--seed", 1)
    assert f"Note: {SAID}." in command(*words).out
    assert command(*words, "--json").document["left_out"] == SAID


@pytest.mark.parametrize("metric", ["impact", "accuracy"])
def test_a_simulation_by_impact_drives_real_assessments(folder, command, metric):
    words = ("study", "simulate", *READ, "--budget", 10, "--runs", 1, "--seed", 1, "--exact", "--metric", metric)
    done = command(*words)
    assert done.code == 0, done.err


def test_a_chart_leaves_them_out(folder, command):
    words = ("chart", "predictions.csv", "--predicted", "pred", *READ[1:], "--json")
    assert {row["group"] for row in command(*words).document["rows"]} == {"north", "south"}
    assert command(*words, "--metric", "impact").document["title"] == "Impact of 2 groups, worst first"
    command("new", "spring.lw", *READ, "--seed", 1)
    assert command("chart", "spring.lw", "--metric", "impact", "--json").document["title"] == (
        "Impact of 2 groups, worst first"
    )
    assert command("chart", "spring.lw", "--min-items", 3).err == (
        "Error: 'spring.lw' is a store, and knows its pool and groups; leave out --min-items.\n"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--pool-rare"], "`--pool-rare` pools the groups below `--min-items`; give that too."),
        (
            ["--min-items", 30, "--pool-rare", "--prior-from", "predictions.csv"],
            "`--pool-rare` pools other groups in another file; leave it or `--prior-from` out.",
        ),
        (
            ["--min-items", 30, "--question", "overall"],
            f"A question about all items together needs every group, but {SAID}. Pool small groups instead.",
        ),
        (
            ["--min-items", 30, "--question", "compare", "--compare", "north", "isle"],
            "Group 'isle' has 4 items, and groups with fewer than 30 are left out. Name others, or leave out fewer.",
        ),
        (
            ["--min-items", 500],
            "No group has 500 items; the largest, 'north', has 117. Ask for fewer items per group.",
        ),
        (
            ["--metric", "impact", "--question", "versus", "--rival", "old"],
            "`--question versus` is about accuracy; leave `--metric impact` out.",
        ),
    ],
)
def test_what_cannot_work_is_refused(folder, command, words, sentence):
    done = command("new", "spring.lw", "predictions.csv", "--by", "region", *words)
    assert done.code != 0
    assert done.err == f"Error: {sentence}\n"
