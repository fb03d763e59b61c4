"""`new` and `plan`: the whole loop of every question by commands alone, and what is refused before there is a file."""

import csv
import re

import pytest


def loop(command, folder, truth, *words, n=12, rounds=30):
    """Ask, label from the truth, tell and answer by files, until the stopping rule is met; give answer and items."""
    made = command("new", "loop.lw", "predictions.csv", "--seed", 11, *words, "--json")
    assert (made.code, made.err) == (0, "")
    asked = []
    for _ in range(rounds):
        assert command("ask", "loop.lw", "-n", n, "-o", "to_label.csv").code == 0
        with (folder / "to_label.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        asked += [row["id"] for row in rows]
        with (folder / "labelled.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(row | {"label": truth[row["id"]]} for row in rows)
        assert command("tell", "loop.lw", "labelled.csv").code == 0
        done = command("answer", "loop.lw", "--no-forecast", "--json")
        if done.code == 0:
            break
        assert done.code == 5
    assert done.code == 0
    assert done.document["labels"]["told"] == len(asked) == len(set(asked))
    return made.document, done.document, asked


def accuracy(items, **wanted):
    rows = [row for row in items if all(row[key] == value for key, value in wanted.items())]
    return sum(row["pred"] == row["label"] for row in rows) / len(rows)


def test_the_worst_group_is_found(folder, command, truth):
    made, found, asked = loop(command, folder, truth)
    assert made["question"] == "Which group is the worst in accuracy?"
    assert made["can_be_asked"] == 240
    assert found["answer"]["named"] == ["dog"]
    assert found["answer"]["probability"] >= 0.95
    assert len(asked) < 120
    assert found["answer"]["proof"]["claim"] == "dog is the worst in accuracy"
    assert found["answer"]["proof"]["error"] <= 0.05
    text = command("answer", "loop.lw").out
    assert text.splitlines()[1].startswith("  stop: dog is the worst in accuracy: guaranteed with P(error) <= 0.0")
    assert text.splitlines()[1].rpartition(": ")[2].startswith("guaranteed with P(error) <= 0.0")


def test_the_worst_group_is_believed(folder, command, truth):
    words = ["--stop", "believed", "--policy", "top-two", "--target", "population"]
    _, found, asked = loop(command, folder, truth, *words)
    assert found["answer"]["named"] == ["dog"]
    assert found["answer"]["probability"] >= 0.95
    assert len(asked) < 120
    assert command("answer", "loop.lw").out.splitlines()[1].startswith("  stop: P(dog is the worst in accuracy) = ")


def test_the_best_two_groups_are_found(folder, command, truth):
    _, found, _ = loop(command, folder, truth, "--question", "best", "--top", 2, "--sure", "0.9")
    assert set(found["answer"]["named"]) == {"cat", "cow"}
    assert found["answer"]["proof"]["error"] <= 0.1
    assert found["settings"]["policy"] == "prove"
    assert "P(best)" in command("answer", "loop.lw").out


def test_every_group_is_estimated(folder, command, truth, items):
    _, found, _ = loop(command, folder, truth, "--question", "estimate", "--width", "0.3", "--target", "pool")
    for row in found["groups"]:
        assert row["high"] - row["low"] <= 0.3
        assert row["low"] - 0.05 <= accuracy(items, pred=row["group"]) <= row["high"] + 0.05
    assert found["overall"]["low"] <= accuracy(items) <= found["overall"]["high"]


def test_two_groups_are_compared(folder, command, truth):
    words = ["--by", "region", "--question", "compare", "--compare", "north", "south", "--sure", "0.8"]
    _, found, _ = loop(command, folder, truth, *words, "--policy", "random-group", n=60)
    assert found["difference"]["mean"] > 0.05
    assert found["difference"]["p_higher"] >= 0.8
    assert [row["group"] for row in found["groups"]] == ["north", "south"]


@pytest.mark.parametrize("words", [["--rival", "old"], ["--against", "old.csv"]], ids=lambda words: words[0])
def test_two_classifiers_are_compared_by_the_items_on_which_they_differ(folder, command, truth, items, words):
    made, found, asked = loop(command, folder, truth, "--question", "versus", *words, "--target", "pool")
    differ = {row["id"] for row in items if row["pred"] != row["old"]}
    assert made["can_be_asked"] == len(differ) < 240
    assert set(asked) <= differ
    assert found["answer"]["named"] == ["this classifier"]
    assert found["notes"][0] == (
        f"Only the {len(differ)} items ({len(differ) / 2.4:.1f} %) on which the two differ can change the answer."
    )


def test_the_lead_over_a_rival_is_estimated_by_group(folder, command, truth):
    words = ["--metric", "lead", "--rival", "old", "--question", "worst", "--sure", "0.9"]
    _, found, _ = loop(command, folder, truth, *words)
    assert found["answer"]["named"] == ["dog"]
    assert found["metric"] == "lead"


@pytest.mark.parametrize("metric", ["bias", "ece", "mce", "recall", "precision", "f1", "balanced-accuracy", "cost"])
def test_every_metric_can_be_asked_and_read_again(folder, command, truth, metric):
    (folder / "cost.csv").write_text("0,1,5\n1,0,1\n5,1,0\n")
    by = ["--by", "region"] if metric == "balanced-accuracy" else []
    words = ["--cost", "cost.csv"] if metric == "cost" else []
    done = command("new", "m.lw", "predictions.csv", "--metric", metric, *by, *words, "--budget", 5, "--seed", 1)
    assert (done.code, done.err) == (0, "")
    rows = command("ask", "m.lw", "-n", 5).rows
    table = "".join(f"{row['ticket']},{truth[row['id']]}\n" for row in rows)
    command("tell", "m.lw", "-", stdin=f"ticket,label\n{table}")
    done = command("answer", "m.lw", "--no-forecast", "--json", "--draws", 200)
    assert done.code == 0
    assert done.document["metric"].replace("-", "") in (metric.replace("-", ""), "calibrationbias")
    assert command("store", "verify", "m.lw").code == 0


@pytest.mark.parametrize(
    ("words", "settled"),
    [
        ([], ("prove", "LearnedPrior", "prediction")),
        (["--top", 2], ("prove", "LearnedPrior", "prediction")),
        (["--question", "overall"], ("thompson", "LearnedPrior", "score (20 bins of equal mass)")),
        (["--question", "overall", "--bins", "8"], ("thompson", "LearnedPrior", "score (8 bins of equal mass)")),
        (["--question", "overall", "--by", "region"], ("thompson", "LearnedPrior", "column 'region'")),
        (["--prior", "flat", "--policy", "random-item"], ("random-item", "FlatPrior", "prediction")),
    ],
    ids=str,
)
def test_what_is_not_said_is_what_needs_the_fewest_labels(folder, command, words, settled):
    done = command("new", "some.lw", "predictions.csv", "--seed", 1, "--json", *words)
    assert (done.code, done.err) == (0, "")
    found = done.document["settings"]
    policy, prior, grouping = settled
    assert (found["policy"], found["grouping"]) == (policy, grouping)
    assert found["prior"].startswith(prior)


def test_new_says_what_was_settled_and_what_to_do_next(folder, command):
    done = command("new", "spring.lw", "predictions.csv", "--seed", 7)
    assert done.out == (
        "Which group is the worst in accuracy?\n"
        "  240 items in 3 groups by prediction\n"
        "  stop when the answer is right with probability 0.95, guaranteed; policy prove, target pool, seed 7\n"
        "Next: labelwise ask spring.lw -n 20 -o to_label.csv\n"
    )
    other = command("new", "spring.lw", "predictions.csv", "--name", "second", "--seed", 7)
    following = other.out.splitlines()[-1].removeprefix("Next: labelwise ")
    assert command(*following.split()).code == 0  # it names the assessment, now that there are two


def test_a_seed_is_drawn_and_kept_if_none_is_given(folder, command):
    seeds = [command("new", f"{k}.lw", "predictions.csv", "--json").document["settings"]["seed"] for k in (1, 2)]
    assert seeds[0] != seeds[1]
    kept = command("status", "1.lw", "--json").document["assessments"][0]["settings"]["seed"]
    assert kept == seeds[0]


def test_the_same_seed_asks_the_same_items(folder, command):
    for name in ("one.lw", "two.lw"):
        command("new", name, "predictions.csv", "--seed", 3)
    one, two = (command("ask", name, "-n", 20).rows for name in ("one.lw", "two.lw"))
    assert [row["id"] for row in one] == [row["id"] for row in two]
    assert len({row["assessment"] for row in one + two}) == 2  # each is one of its own


def test_the_store_needs_no_other_file(spring, command):
    (spring.parent / "predictions.csv").unlink()
    assert command("ask", "spring.lw").rows[0]["text"].startswith("about ")
    assert command("store", "verify", "spring.lw").code == 0


def test_several_rules_stop_at_the_first_or_at_all(folder, command):
    rules = ["--sure", "0.9", "--budget", "50", "--width", "0.2"]
    one = command("new", "any.lw", "predictions.csv", *rules, "--json").document["stop"]
    other = command("new", "all.lw", "predictions.csv", *rules, "--stop-at-all", "--json").document["stop"]
    assert one == (
        "the answer is right with probability 0.9, guaranteed or the widest always-valid interval is at most 0.2 wide "
        "or 50 labels are spent"
    )
    assert other == one.replace(" or ", " and ")


REFUSED = {
    "unknown column": (["--by", "regoin"], 3, "Column 'regoin' is not in 'predictions.csv'. Did you mean 'region'?"),
    "unknown prediction": (
        ["--predicted", "prde"], 3, "Column 'prde' is not in 'predictions.csv'. Did you mean 'pred'?"),
    "unknown scores": (
        ["--scores", "z*"], 3, "No column of 'predictions.csv' matches 'z*'. Its columns are: 'id', 'pred', 'conf', "
                               "'region', 'text', 'label', 'old'."),
    "unknown content": (
        ["--content", "txet"], 3, "Column 'txet' is not in 'predictions.csv'. Did you mean 'text'?"),
    "unknown show": (["--show", "txet"], 3, "Column 'txet' is not in 'predictions.csv'. Did you mean 'text'?"),
    "unknown rival": (
        ["--question", "versus", "--rival", "odl"], 3, "Column 'odl' is not in 'predictions.csv'. Did you mean 'old'?"),
    "no other file": (
        ["--question", "versus", "--against", "odl.csv"], 3, "'odl.csv' does not exist. Check the path."),
    "unknown question": (
        ["--question", "wurst"], 2,
        "`--question` must be one of 'estimate', 'overall', 'worst', 'best', 'compare', 'versus', but is 'wurst'."),
    "unknown metric": (
        ["--metric", "auc"], 2,
        "`--metric` must be one of 'accuracy', 'bias', 'ece', 'mce', 'balanced-accuracy', 'recall', 'precision', "
        "'f1', 'fpr', 'cost', 'impact', 'lead', but is 'auc'."),
    "unknown policy": (
        ["--policy", "thomson"], 2,
        "`--policy` must be one of 'prove', 'thompson', 'top-two', 'border', 'multiple-play', 'random-item', "
        "'random-group', 'epsilon-greedy', 'upper-bound', 'greedy', but is 'thomson'."),
    "unknown target": (["--target", "all"], 2, "`--target` must be one of 'pool', 'population', but is 'all'."),
    "unknown group": (
        ["--by", "region", "--question", "compare", "--compare", "north", "suoth"], 3,
        "Group 'suoth' does not exist. Did you mean 'south'?"),
    "more groups than there are": (
        ["--top", "4"], 2, "`m` must be a whole number from 1 to 3, but is 4."),
    "versus without a rival": (
        ["--question", "versus"], 2,
        "`--question versus` needs the other classifier: --rival COLUMN, or --against FILE."),
    "two rivals": (
        ["--question", "versus", "--rival", "old", "--against", "old.csv"], 2,
        "Give either `--rival` (a column) or `--against` (a file), not both."),
    "no cost": (["--metric", "cost"], 2, "`--metric cost` needs a cost matrix; give it with --cost FILE."),
    "a lease of nothing": (["--lease", "0"], 2, "`lease` must be a number above 0, but is 0.0."),
    "a level of one": (["--level", "1"], 2, "`level` must lie between 0 and 1, but is 1.0."),
    "a certainty of one": (["--sure", "1"], 2, "`probability` must lie between 0 and 1, but is 1.0."),
    "an estimate that is to be sure": (
        ["--question", "estimate", "--sure", "0.9"], 1,
        "An estimate is not right or wrong; stop it by width or budget."),
    "a width of the whole pool that no one can know": (
        ["--question", "estimate", "--metric", "recall", "--overall-width", "0.1"], 1,
        "This question has no recall of the whole pool. Estimate accuracy, bias, ECE or cost, or stop by another "
        "rule."),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_set_up_that_is_refused_leaves_no_file_behind(folder, command, contents, case):
    words, code, sentence = REFUSED[case]
    before = contents(folder)
    done = command("new", "spring.lw", "predictions.csv", *words)
    assert (done.code, done.out, done.err) == (code, "", f"Error: {sentence}\n")
    assert contents(folder) == before


def test_a_metric_that_a_file_cannot_keep_is_refused_at_once(folder, command):
    (folder / "mine.py").write_text("def off_diagonal(joint):\n    return 1 - joint.trace(axis1=-2, axis2=-1)\n")
    done = command("new", "spring.lw", "predictions.csv", "--by", "region", "--metric", "mine:off_diagonal")
    assert done.code in (1, 2)
    assert done.err.startswith("Error: ")
    assert not (folder / "spring.lw").exists()


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("id,pred,conf\na,cat,2\nb,dog,0.5\n", "of item 'a'"),
        ("id,pred\na,cat\na,dog\n", "'a'"),
        ("id,pred\na,cat\nb,cat\n", "one class"),
    ],
    ids=["a confidence above 1", "an id twice", "one class"],
)
def test_a_pool_that_is_refused_leaves_no_file_behind(folder, command, contents, rows, sentence):
    (folder / "bad.csv").write_text(rows)
    before = contents(folder)
    done = command("new", "spring.lw", "bad.csv")
    assert (done.code, done.out) == (1, "")
    assert sentence in done.err
    assert contents(folder) == before


def test_an_existing_name_is_not_begun_again(spring, command, contents):
    before = contents(spring.parent)
    done = command("new", "spring.lw", "predictions.csv", "--seed", 7)
    assert (done.code, done.out) == (4, "")
    assert done.err == (
        "Error: 'spring.lw' has an assessment 'main' already. Go on with it, or give the new one another --name.\n"
    )
    assert contents(spring.parent) == before


def test_a_folder_that_is_not_there_is_said(folder, command):
    done = command("new", "nowhere/spring.lw", "predictions.csv")
    assert (done.code, done.err) == (3, "Error: The folder 'nowhere' does not exist. Create it first.\n")


def test_a_file_that_is_no_store_is_not_overwritten(folder, command, contents):
    before = contents(folder)
    done = command("new", "old.csv", "predictions.csv")
    assert (done.code, done.out) == (1, "")
    assert done.err == "Error: 'old.csv' is not a labelwise file, or is damaged. Restore it from a backup.\n"
    assert contents(folder) == before


# plan


def test_a_plan_compares_policies_under_every_assumption(folder, command):
    words = ["predictions.csv", "--seed", 1, "--worlds", 4, "--prior", "flat"]
    done = command("plan", *words, "--json")
    assert (done.code, done.err) == (0, "")
    found = done.document
    assert [(row["policy"], row["over_confidence"]) for row in found["rows"]] == [
        (policy, gap) for gap in (0.0, 0.05, 0.1) for policy in ("prove", "random-item")
    ]
    assert found["items"] == 240
    assert found["assumption"].startswith("Truth is imagined from the confidences")
    text = command("plan", *words).out
    assert "if over-confident by" in text
    assert found["sentence"] in text
    assert re.search(r"With prove: about \d+ more labels expected", text)


def test_a_plan_takes_other_policies_and_assumptions(folder, command):
    words = ["--against-policy", "random-group", "--against-policy", "greedy", "--over-confidence", "0.2"]
    found = command("plan", "predictions.csv", *words, "--seed", 1, "--worlds", 2, "--limit", 5, "--json").document
    assert [(row["policy"], row["over_confidence"]) for row in found["rows"]] == [
        ("prove", 0.2), ("random-group", 0.2), ("greedy", 0.2),
    ]  # fmt: skip


def test_a_plan_from_a_store_starts_from_what_is_believed_now_and_changes_nothing(spring, command, contents):
    command("ask", "spring.lw", "-n", 3)
    command("tell", "spring.lw", "-", stdin="ticket,label\n0,cat\n1,cat\n")
    before = contents(spring.parent)
    found = command("plan", "spring.lw", "--worlds", 2, "--limit", 5, "--json").document
    assert found["assumption"] == "Truth is imagined from what is believed after 2 labels."
    assert found["items"] == 237
    assert contents(spring.parent) == before


def test_a_plan_from_a_store_takes_no_other_question(spring, command):
    done = command("plan", "spring.lw", "--question", "best", "--worlds", 2, "--limit", 5)
    assert done.code == 2
    assert "--question" in done.err


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["none.csv"], 3, "'none.csv' does not exist. Check the path."),
        (["predictions.csv", "--against-policy", "none"], 2,
         "`--against-policy` must be one of 'prove', 'thompson', 'top-two', 'border', 'multiple-play', 'random-item', "
         "'random-group', 'epsilon-greedy', 'upper-bound', 'greedy', but is 'none'."),
        (["predictions.csv", "--over-confidence", "3"], 2,
         "`over_confidence` must lie between -1 and 1 inclusive, but is 3.0."),
        (["predictions.csv", "--question", "estimate", "--sure", "0.9"], 1,
         "An estimate is not right or wrong; stop it by width or budget."),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_made_is_refused_in_a_sentence(folder, command, words, code, sentence):
    done = command("plan", *words)
    assert (done.code, done.out, done.err) == (code, "", f"Error: {sentence}\n")


def test_control_c_while_planning_leaves_with_130_no_colour_and_a_sound_store(spring, terminal, command, contents):
    before = contents(spring.parent)
    words = ["plan", "spring.lw", "--worlds", 1_500]
    screen = terminal(*words, cwd=spring.parent, env={"NO_COLOR": "1"})
    screen.wait_for("labels imagined")
    screen.press("\x03")
    assert screen.end() == 130
    assert "Traceback" not in screen.screen
    colours = [code for code in re.findall(r"\x1b\[([\d;]*)m", screen.screen) if code not in ("", "0")]
    assert colours == []
    assert contents(spring.parent) == before
    assert command("store", "verify", "spring.lw").code == 0
