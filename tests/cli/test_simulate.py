"""`labelwise simulate`: policies compared on a pool whose labels are known, and what it has no use for."""

import pyarrow.parquet as pq
import pytest


def test_it_says_when_each_policy_reaches_the_goal(folder, command):
    words = ["--question", "worst", "--policy", "top-two", "--runs", 200, "--seed", 1, "--json"]
    document = command("simulate", "predictions.csv", *words).document
    rows = [row for row in document["rows"] if row["score"] == "mrr"]
    after = []
    for name in ("top-two", "random-item"):
        mine = [row for row in rows if row["policy"] == name]
        assert (mine[-1]["labels"], mine[-1]["mean"], mine[-1]["runs"]) == (240, 1.0, 200)
        after.append(f"{next(row['share'] for row in mine if row['mean'] > 0.99):.1%}")
    assert document["sentence"] == (
        f"A mean reciprocal rank of 0.99 is reached by top-two after {after[0]} of the labels, "
        f"by random-item after {after[1]} of the labels."
    )


def test_an_estimate_is_scored_by_error_coverage_and_width(folder, command):
    done = command("simulate", "predictions.csv", "--question", "estimate", "--runs", 20, "--budget", 100, "--seed", 1)
    assert done.code == 0
    for word in ("rmse", "coverage-0.95", "width-0.95", "estimates best"):
        assert word in done.out


def test_both_engines_give_the_same_table_within_chance(folder, command):
    words = ["simulate", "predictions.csv", "--question", "estimate", "--budget", 40, "--seed", 1, "--json"]
    exact = command(*words, "--runs", 100, "--exact").document["rows"]
    fast = command(*words, "--runs", 2_000, "--jobs", 2).document["rows"]
    for one, other in zip(exact, fast, strict=True):
        if one["score"] == "rmse":  # 5 standard errors
            assert abs(one["mean"] - other["mean"]) <= 5 * (one["error"] ** 2 + other["error"] ** 2) ** 0.5


def test_all_scores_are_written(folder, command):
    assert command("simulate", "predictions.csv", "--runs", 5, "--seed", 1, "-o", "scores.parquet").code == 0
    table = pq.read_table(folder / "scores.parquet")
    assert {"scenario", "policy", "score", "labels", "share", "mean", "error", "runs"} == set(table.column_names)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--sure", 0.9, "--lease", 5], 2, "A simulation has no use for --sure, --lease; leave it out."),
        (["--question", "compare", "--compare", "cat", "dog"], 2,
         "A simulation has no use for --compare; leave it out."),
        (["--budget", 1_000], 2, "`budget` must be a whole number from 1 to 240, but is 1000."),
        (["--top", 4], 2, "`m` must be a whole number from 1 to 3, but is 4."),
        (["--label", "truth"], 3, "Column 'truth' is not in 'predictions.csv'. Its columns are: "),
        (["--metric", "recall"], 1, "The compiled engine does not play Worst of recall with thompson. Use the exact "
                                    "engine, or another policy."),
    ],
)  # fmt: skip
def test_what_cannot_be_simulated_is_refused_in_a_sentence(folder, command, words, code, sentence):
    done = command("simulate", "predictions.csv", "--runs", 2, *words)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(f"Error: {sentence}")


def test_items_without_a_label_are_refused(folder, command):
    text = (folder / "predictions.csv").read_text().splitlines()
    place = text[0].split(",").index("label")
    cells = text[1].split(",")
    cells[place] = ""
    (folder / "predictions.csv").write_text("\n".join([text[0], ",".join(cells), *text[2:]]) + "\n")
    done = command("simulate", "predictions.csv", "--runs", 2)
    assert done.code == 1
    assert "has no label (1 have none); a simulation needs the label of every item" in done.err
