"""What a stop promises: guaranteed or believed, near ties, and what is refused because no guarantee is known."""

import pytest
from tests.cli.test_new import loop

GUARANTEED = "the answer is right with probability {}, guaranteed"
BELIEVED = "the answer is believed with probability {}"
RECALL = ["--metric", "recall"]
COMPARE = ["--question", "compare", "--compare", "cat", "dog"]


@pytest.mark.parametrize(
    ("words", "stop"),
    [
        ([], GUARANTEED.format("0.95")),
        (["--stop", "guaranteed"], GUARANTEED.format("0.95")),
        (["--stop", "believed"], BELIEVED.format("0.95")),
        (["--sure", "0.9"], GUARANTEED.format("0.9")),
        (["--sure", "0.9", "--stop", "believed"], BELIEVED.format("0.9")),
        ([*COMPARE], GUARANTEED.format("0.95")),
        ([*COMPARE, "--stop", "believed"], BELIEVED.format("0.95")),
        (["--question", "versus", "--rival", "old"], GUARANTEED.format("0.95")),
        (["--question", "versus", "--rival", "old", "--by", "region"], BELIEVED.format("0.95")),  # several strata
        (["--question", "estimate"], "the widest always-valid interval is at most 0.1 wide"),
        (["--question", "estimate", "--stop", "believed"], "the widest interval is at most 0.1 wide"),
        (["--question", "estimate", "--mean-width", "0.2"], "always-valid intervals are on average at most 0.2 wide"),
        (["--question", "overall"], "the overall interval is at most 0.05 wide"),  # 20 strata of scores
        (["--question", "estimate", "--overall-width", "0.1"], "the overall interval is at most 0.1 wide"),
        (["--question", "overall", "--by", "nothing"], "the overall always-valid interval is at most 0.05 wide"),
        # recall of classes: nothing is guaranteed
        (RECALL, BELIEVED.format("0.95")),
        ([*RECALL, "--sure", "0.9"], BELIEVED.format("0.9")),
        ([*RECALL, "--question", "estimate", "--width", "0.2"], "the widest interval is at most 0.2 wide"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_a_stop_is_guaranteed_where_it_can_be_and_believed_otherwise(folder, command, words, stop):
    done = command("new", "some.lw", "predictions.csv", "--seed", 1, "--json", *words)
    assert (done.code, done.err) == (0, "")
    assert done.document["stop"] == stop
    assert command("answer", "some.lw", "--no-forecast", "--json").document["stop"]["rule"] == stop


def test_an_answer_without_a_known_guarantee_says_so(folder, command):
    command("new", "some.lw", "predictions.csv", "--seed", 1, *RECALL)
    assert command("answer", "some.lw", "--no-forecast", "--json").document["answer"]["proof"] is None
    text = command("answer", "some.lw", "--no-forecast").out
    assert "\nGuaranteed: nothing, for no guarantee is known for this question.\nBelieved: P(" in text


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--stop", "sure"], 2, "`--stop` must be one of 'guaranteed', 'believed', but is 'sure'."),
        (
            [*RECALL, "--stop", "guaranteed"], 1,
            "No guarantee is known for this question. Stop when the answer is believed (`--stop believed`, in Python "
            "`Sure`), by width or by budget.",
        ),
        (
            [*RECALL, "--stop", "guaranteed", "--sure", "0.9"], 1,
            "No guarantee is known for this question. Stop when the answer is believed (`--stop believed`, in Python "
            "`Sure`), by width or by budget.",
        ),
        (
            [*RECALL, "--question", "estimate", "--stop", "guaranteed"], 1,
            "No always-valid interval is known for recall. Stop by credible intervals (`--stop believed`, "
            "`is_guaranteed=False` in Python) or by budget.",
        ),
        (
            ["--question", "estimate", "--stop", "guaranteed", "--overall-width", "0.1"], 1,
            "No always-valid interval is known for accuracy of all items in several groups. Put them in one "
            "group (`--by nothing`), stop by credible intervals (`--stop believed`, `is_guaranteed=False` in Python) "
            "or by budget.",
        ),
        (
            ["--question", "estimate", "--within", "0.1"], 2,
            "`--within` is for `--question worst` and `--question best`; leave it out.",
        ),
        ([*COMPARE, "--within", "0.1"], 2, "`--within` is for `--question worst` and `--question best`; leave it out."),
        (["--within", "-0.1"], 2, "`within` must lie between 0 and 1 inclusive, but is -0.1."),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)  # fmt: skip
def test_a_promise_that_cannot_be_kept_is_refused_and_leaves_no_file(folder, command, words, code, sentence):
    done = command("new", "some.lw", "predictions.csv", "--seed", 1, *words)
    assert (done.code, done.out, done.err) == (code, "", f"Error: {sentence}\n")
    assert not (folder / "some.lw").exists()


def test_near_ties_need_not_be_decided(folder, command, truth):
    _, near, few = loop(command, folder, truth, "--question", "best", "--within", "0.4")
    claim = f"{near['answer']['named'][0]} is the best in accuracy, or within 0.4 of it"
    assert near["answer"]["proof"]["claim"] == claim
    assert near["stop"]["sentence"].startswith(f"{claim}: guaranteed with P(error) <= ")
    assert near["answer"]["sentence"].startswith(f"P({claim}) = ")
    (folder / "loop.lw").unlink()
    _, exact, many = loop(command, folder, truth, "--question", "best")
    assert "within" not in exact["answer"]["sentence"]
    assert len(few) < len(many)


def test_the_other_target_is_shown_beside(folder, command):
    command("new", "some.lw", "predictions.csv", "--seed", 1)
    found = command("answer", "some.lw", "--no-forecast", "--json").document
    assert found["settings"]["target"] == "pool"
    assert set(found["other_target"]) == {"target", "sentence", "named", "probability"}
    assert found["other_target"]["target"] == "population"
    line = f"\nFor new items of the same kind: {found['other_target']['sentence']} (believed).\n"
    assert line in command("answer", "some.lw", "--no-forecast").out
