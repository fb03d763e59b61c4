"""`labelwise study simulate`: policies, priors and questions on a pool whose labels are known, and what is refused."""

import csv
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from patience import limit

SCRIPT = Path(sys.executable).with_name("labelwise")


def test_it_says_when_each_policy_reaches_the_goal(folder, command):
    words = ["--question", "worst", "--policy", "top-two", "--runs", 200, "--seed", 1, "--json"]
    document = command("study", "simulate", "predictions.csv", *words).document
    rows = [row for row in document["rows"] if row["score"] == "mrr"]
    after = []
    for name in ("top-two", "random-item"):
        mine = [row for row in rows if row["policy"] == name]
        assert (mine[-1]["labels"], mine[-1]["mean"], mine[-1]["runs"]) == (240, 1.0, 200)
        after.append(f"{next(row['share'] for row in mine if row['mean'] > 0.99):.1%}")
    assert document["questions"][0]["sentence"] == (
        f"A mean reciprocal rank of 0.99 is reached by top-two after {after[0]} of the labels, "
        f"by random-item after {after[1]} of the labels."
    )


def test_an_estimate_is_scored_by_error_coverage_and_width(folder, command):
    done = command(
        "study", "simulate", "predictions.csv", "--question", "estimate", "--runs", 20, "--budget", 100, "--seed", 1
    )
    assert done.code == 0
    for word in ("rmse", "coverage-0.95", "width-0.95", "estimates best"):
        assert word in done.out


@pytest.mark.slow  # test_compiled.py holds the engines against each other too
def test_both_engines_give_the_same_table_within_chance(folder, command):
    words = ["study", "simulate", "predictions.csv", "--question", "estimate", "--prior", "flat", "--budget", 40,
             "--seed", 1, "--json"]  # fmt: skip
    exact = command(*words, "--runs", 20, "--exact").document["rows"]
    fast = command(*words, "--runs", 300, "--jobs", 2).document["rows"]
    for one, other in zip(exact, fast, strict=True):
        if one["score"] == "rmse":  # 5 standard errors
            assert abs(one["mean"] - other["mean"]) <= 5 * (one["error"] ** 2 + other["error"] ** 2) ** 0.5


@pytest.mark.parametrize(
    ("words", "scores"),
    [
        (["--question", "estimate", "--metric", "cost", "--cost", "cost.csv"], {"rmse"}),
        (["--question", "estimate", "--metric", "recall"], {"confusion"}),
        pytest.param(["--metric", "ece", "--bins", 4, "--policy", "upper-bound"], {"mrr", "success"},
                     marks=pytest.mark.slow),
        (["--metric", "cost", "--cost", "cost.csv", "--policy", "upper-bound"], {"mrr", "success"}),
        (["--by", "region", "--metric", "cost", "--cost", "cost.csv", "--exact", "--budget", 20], {"mrr", "success"}),
        (["--by", "region", "--question", "estimate", "--metric", "recall", "--positive", "dog", "--exact", "--budget",
          20], {"confusion"}),
    ],
)  # fmt: skip
def test_other_metrics_have_the_scores_that_suit_them(folder, command, words, scores):
    (folder / "cost.csv").write_text(",cat,cow,dog\ncat,0,1,5\ncow,2,0,1\ndog,9,3,0\n")
    done = command("study", "simulate", "predictions.csv", *words, "--runs", 3, "--seed", 1, "--json")
    assert done.code == 0, done.err
    rows = done.document["rows"]
    assert {row["score"] for row in rows} == scores
    assert all(row["mean"] >= 0 for row in rows)


COMPARE = ["--by", "region", "--question", "compare", "--compare", "north", "south"]


def test_a_comparison_says_after_how_many_labels_it_is_decided_and_how_often_it_is_right(folder, command):
    words = ["study", "simulate", "predictions.csv", *COMPARE, "--runs", 100, "--seed", 1]
    document = command(*words, "--json").document
    assert document["questions"][0]["question"] == "Does accuracy differ between 'north' and 'south' by more than 0.05?"
    last = {(row["policy"], row["score"]): row for row in document["rows"] if row["labels"] == 240}
    for policy in ("thompson", "random-item"):
        assert last[policy, "right"]["mean"] == 1.0
        assert 10 < last[policy, "labels"]["mean"] < 200
        needs = f"{policy} after {last[policy, 'labels']['mean']:.1f} (+- {last[policy, 'labels']['error']:.1f}) labels"
        assert needs in document["questions"][0]["sentence"]
    text = command(*words).out
    for word in ("labels", "decided", "right"):
        assert f"  random-item  {word}" in text


def test_the_margin_of_a_comparison_counts(folder, command):
    """The regions differ by about 0.26: lower at a margin of 0.05, equal at one of 0.5."""
    for margin in (0.05, 0.5):
        words = [
            "study",
            "simulate",
            "predictions.csv",
            *COMPARE,
            "--margin",
            margin,
            "--runs",
            20,
            "--seed",
            1,
            "--json",
        ]
        document = command(*words).document
        assert f"by more than {margin:g}?" in document["questions"][0]["question"]
        rows = [row for row in document["rows"] if row["score"] == "right"]
        assert rows[-1]["mean"] == 1.0
    # so wide a margin is right from the start on: few differences are wider
    assert rows[0]["mean"] > 0.9


@pytest.mark.slow  # test_compiled.py holds the engines against each other too
def test_both_engines_decide_a_comparison_after_as_many_labels(folder, command):
    """Mean labels after at most 40, of 40 exact and 2,000 compiled runs, within 5 standard errors."""
    words = ["study", "simulate", "predictions.csv", *COMPARE, "--budget", 40, "--seed", 1, "--json"]
    both = [command(*words, *more).document["rows"] for more in (["--runs", 40, "--exact"], ["--runs", 2_000])]
    for one, other in zip(*both, strict=True):
        if one["labels"] in (20, 40):
            gap = abs(one["mean"] - other["mean"])
            assert gap <= 5 * (one["error"] ** 2 + other["error"] ** 2) ** 0.5 + 1e-9, one


def test_every_policy_is_played_with_every_prior(folder, command):
    words = ["--policy", "top-two", "--against-policy", "epsilon-greedy", "--against-policy", "epsilon-greedy:0.5"]
    words += ["--prior", "flat", "--against-prior", "informed:4", "--against-prior", "9,1", "--against-prior", "flat"]
    document = command("study", "simulate", "predictions.csv", *words, "--runs", 3, "--seed", 1, "--json").document
    policies, priors = ("top-two", "epsilon-greedy", "epsilon-greedy:0.5"), ("flat", "informed:4", "9,1")
    played = {(row["scenario"], row["policy"], row["prior"]) for row in document["rows"]}
    assert played == {(f"{policy} ({prior})", policy, prior) for policy in policies for prior in priors}
    # different priors see different beliefs from the start on
    first = {row["scenario"]: row["mean"] for row in document["rows"][::-1] if row["score"] == "mrr"}
    assert first["top-two (informed:4)"] == 1.0  # confidences rank the groups rightly
    assert first["top-two (9,1)"] < 1.0
    for name in first:
        assert f"by {name} after " in document["questions"][0]["sentence"]


def test_one_prior_needs_no_mention(folder, command):
    document = command("study", "simulate", "predictions.csv", "--runs", 3, "--seed", 1, "--json").document
    assert {(row["scenario"], row["prior"]) for row in document["rows"]} == {
        ("border", "learned"),
        ("random-item", "learned"),
    }


def test_defaults_that_are_not_compiled_are_replaced_for_all_scenarios_alike(folder, command):
    words = ["study", "simulate", "predictions.csv", "--runs", 2, "--budget", 10, "--seed", 1, "--json"]
    note = "with border, the search for the answer without that for its proof. --exact plays the defaults.\n"
    done = command(*words)
    assert done.err == f"Note: Simulated {note}"
    assert {row["policy"] for row in done.document["rows"]} == {"border", "random-item"}
    # of the pool, only the learned prior is compiled: scores about two targets could not be compared
    words += ["--against-prior", "informed"]
    done = command(*words)
    assert done.err == f"Note: Simulated about the population; {note}"
    asked = command(*words, "--target", "population", "--policy", "border")
    assert (asked.err, asked.document["rows"]) == ("", done.document["rows"])


def test_every_question_has_its_own_table_and_policy(folder, command):
    words = ["--also-question", "worst:2", "--also-question", "estimate", "--also-question", "compare", "--compare",
             "cat", "dog", "--runs", 3, "--seed", 1]  # fmt: skip
    document = command("study", "simulate", "predictions.csv", *words, "--json").document
    questions = [part["question"] for part in document["questions"]]
    assert questions == [
        "Which group is the worst in accuracy?",
        "Which 2 groups are the worst in accuracy?",
        "What is the accuracy of every group?",
        "Does accuracy differ between 'cat' and 'dog' by more than 0.05?",
    ]
    assert [part["budget"] for part in document["questions"]] == [240, 240, 240, 160]
    own = {row["question"]: row["policy"] for row in document["rows"][::-1] if row["policy"] != "random-item"}
    assert [own[question] for question in questions] == ["border", "border", "thompson", "thompson"]
    text = command("study", "simulate", "predictions.csv", *words).out
    places = [text.index(question) for question in questions]
    assert places == sorted(places)
    assert text.count("3 runs on 240 items") == 4


def test_all_scores_are_written(folder, command):
    words = ["study", "simulate", "predictions.csv", "--runs", 5, "--seed", 1, "--against-prior", "informed"]
    words += ["--policy", "border", "--target", "population"]
    done = command(*words, "-o", "scores.parquet")
    assert (done.code, done.err) == (0, "")
    table = pq.read_table(folder / "scores.parquet")
    columns = ["scenario", "question", "policy", "prior", "score", "labels", "share", "mean", "error", "runs"]
    assert table.column_names == columns
    assert set(table.column("prior").to_pylist()) == {"learned", "informed"}
    assert command(*words, "-o", "scores.csv").out == done.out
    with (folder / "scores.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert (list(rows[0]), len(rows)) == (columns, table.num_rows)
    assert command(*words, "-o", "-").rows == rows


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_played(folder, command):
    done = command("study", "simulate", "predictions.csv", "--runs", 10_000_000, "-o", "nowhere/scores.csv")
    assert (done.code, done.out) == (3, "")
    assert done.err == "Error: 'nowhere/scores.csv' cannot be written: No such file or directory.\n"


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--sure", 0.9, "--lease", 5], 2, "A simulation has no use for --lease, --sure; leave it out."),
        (["--stop", "believed"], 2, "A simulation has no use for --stop; leave it out."),
        (["--question", "versus", "--rival", "old"], 2,
         "A simulation does not play two classifiers against each other; ask estimate, overall, worst, best or "
         "compare."),
        (["--also-question", "versus"], 2,
         "A simulation does not play two classifiers against each other; ask estimate, overall, worst, best or "
         "compare."),
        (["--metric", "lead", "--rival", "old"], 2,
         "A simulation does not play two classifiers against each other; ask estimate, overall, worst, best or "
         "compare."),
        (["--rival", "old"], 2, "A simulation has no use for --rival; leave it out."),
        (["--question", "compare"], 2,
         "`--question compare` needs two groups; name them with --compare A B."),
        (["--question", "compare", "--compare", "cat", "emu"], 3,
         "Group 'emu' does not exist. Available: 'cat', 'cow', 'dog'."),
        (["--question", "compare", "--compare", "cat", "cow", "--metric", "bias"], 1,
         "The compiled engine cannot simulate Compare of bias with thompson. Use the exact engine or another policy."),
        (["--question", "compare", "--compare", "cat", "cow", "--metric", "bias", "--exact"], 1,
         "Verdicts are scored only for comparisons of accuracy; this question is \"Does bias differ between 'cat' and "
         "'cow' by more than 0.05?\". Compare accuracies instead."),
        (["--budget", 1_000], 2, "`budget` must be a whole number from 1 to 240, but is 1000."),
        (["--question", "compare", "--compare", "cat", "cow", "--budget", 200], 2,
         "`budget` must be a whole number from 1 to 160, but is 200."),
        (["--top", 4], 2, "`m` must be a whole number from 1 to 3, but is 4."),
        (["--also-question", "best:4"], 2, "`m` must be a whole number from 1 to 3, but is 4."),
        (["--against-prior", "uniform"], 2,
         "`--against-prior uniform`: `--prior` must be flat, informed, learned, or two numbers such as 9,1; not "
         "'uniform'."),
        (["--against-policy", "none"], 2, "`--against-policy` must be one of 'prove', 'thompson', 'top-two', 'border', "
         "'multiple-play', 'random-item', 'random-group', 'epsilon-greedy', 'upper-bound', 'greedy', but is 'none'."),
        (["--label", "truth"], 3, "Column 'truth' is not in 'predictions.csv'. Available: 'id', 'pred', 'conf', "
         "'region', 'text', 'label', 'old'."),
        (["--metric", "recall"], 1, "The compiled engine cannot simulate Worst of recall about the pool with "
                                    "prove. Use the exact engine or another policy."),
        (["--metric", "recall", "--exact"], 1,
         "Simulations cannot score recall, which has no closed-form mean; use accuracy, bias, ECE or cost."),
        (["--question", "estimate", "--metric", "ece", "--against-policy", "multiple-play"], 1,
         "The compiled engine cannot simulate Estimate of ece about the pool with thompson. Use the exact engine or "
         "another policy."),
    ],
)  # fmt: skip
def test_what_cannot_be_simulated_is_refused_in_a_sentence(folder, command, words, code, sentence):
    """So many runs would take for ever: the refusal comes first."""
    done = command("study", "simulate", "predictions.csv", "--runs", 10_000_000, *words)
    assert (done.code, done.out, done.err) == (code, "", f"Error: {sentence}\n")


def test_items_without_a_label_are_refused(folder, command):
    text = (folder / "predictions.csv").read_text().splitlines()
    place = text[0].split(",").index("label")
    cells = text[1].split(",")
    cells[place] = ""
    (folder / "predictions.csv").write_text("\n".join([text[0], ",".join(cells), *text[2:]]) + "\n")
    done = command("study", "simulate", "predictions.csv", "--runs", 2)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "Error: A simulation needs the label of every item, but item 'i000' has none (unlabelled items: 1). Remove "
        "unlabelled items.\n"
    )


def interrupted(folder, *words, after):
    """Run the command as a process of its own, and interrupt it when its progress bar says so."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [SCRIPT, "study", "simulate", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=slave,  # a terminal, so that there is a progress bar to wait for
        cwd=folder,
        text=True,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "120"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a parent in the background ignores it
    )
    os.close(slave)
    seen, end = "", time.monotonic() + limit(100)
    try:
        while after not in seen:
            assert process.poll() is None, f"it ended before {after!r}: {seen!r}"
            assert time.monotonic() < end, f"no {after!r} in {seen!r}"
            if select.select([master], [], [], 0.1)[0]:
                seen += os.read(master, 65_536).decode()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=limit(100))  # far less than what was left to do
        while select.select([master], [], [], 0)[0]:
            try:
                seen += os.read(master, 65_536).decode()
            except OSError:  # closed on the other side
                break
    finally:
        process.kill()
        process.communicate()  # waits, and closes the pipe
        os.close(master)
    assert "Traceback" not in seen
    return process.returncode, out


def test_an_interruption_prints_what_is_finished_and_leaves_with_130(folder):
    words = ["predictions.csv", "--exact", "--budget", 40, "--runs", 100_000, "--seed", 1, "-o", "cut.csv"]
    code, out = interrupted(folder, *words, after="of 100,000 runs")
    assert code == 130
    title, counts = out.splitlines()[:2]
    assert title == "Which group is the worst in accuracy?"
    n_runs = int(counts.split(" runs on 240 items")[0].replace(",", ""))
    assert 0 < n_runs < 100_000
    assert "  prove   mrr " in out
    note = f"Note: Interrupted: prove finished {n_runs:,} of 100,000 runs; 1 of 2 scenarios were not played."
    assert out.splitlines()[-1] == note
    with (folder / "cut.csv").open(newline="") as file:
        assert {row["runs"] for row in csv.DictReader(file)} == {str(n_runs)}


@pytest.mark.slow  # seconds of runs, to have something to interrupt
def test_an_interruption_keeps_the_policies_before_it_in_full(folder, command):
    words = ["predictions.csv", "--seed", 1, "--policy", "random-item", "--against-policy", "top-two",
             "--prior", "flat", "--budget", 100, "--json"]  # fmt: skip
    assert (
        command("study", "simulate", *words, "--runs", 2).code == 0
    )  # compiles, which may take minutes, and keeps it on disk
    code, out = interrupted(folder, *words, "--runs", 100_000, after="top-two: ")
    assert code == 130
    document = json.loads(out)
    runs = {row["policy"]: row["runs"] for row in document["rows"]}
    assert runs["random-item"] == 100_000
    assert 0 < runs["top-two"] < 100_000
    assert document["interrupted"] == f"Interrupted: top-two finished {runs['top-two']:,} of 100,000 runs."


@pytest.mark.parametrize("question", ["estimate", "worst"])
@pytest.mark.slow  # compiles one more kernel; guides/policies.md plays the learned prior too
def test_the_learned_prior_is_played_and_its_intervals_scored(folder, command, question):
    words = ["--prior", "learned", "--target", "pool", "--runs", 3, "--budget", 20, "--seed", 1, "--json"]
    document = command("study", "simulate", "predictions.csv", "--question", question, *words).document
    assert {row["prior"] for row in document["rows"]} == {"learned"}
    assert all(0 <= row["mean"] <= 1 for row in document["rows"])
