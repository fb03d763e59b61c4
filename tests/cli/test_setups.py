"""From a request to a set-up: every word has its effect, and words that contradict each other are refused."""

import shlex
from pathlib import Path

import pytest

import labelwise as lw
from labelwise.cli.request import Request
from labelwise.cli.setups import (
    policy_named,
    pool_of,
    prior_worded,
    question_of,
    requests_of,
    setup_of,
    stop_of,
)
from labelwise.policies import POLICIES
from labelwise.questions import QUESTIONS


def made(**words):
    return setup_of(Request(**words), Path("predictions.csv"), lambda done, total: None)


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_is_known_by_its_name(name):
    assert policy_named(name).name == name


def test_policies_take_their_number():
    assert policy_named("epsilon-greedy:0.2") == lw.policies.EpsilonGreedy(0.2)
    assert policy_named("upper-bound:0.9") == lw.policies.BayesianUpperBound(0.9)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("thompson:2", "`--policy thompson` takes no number, but has '2'. Leave it out."),
        ("epsilon-greedy:x", "`--policy epsilon-greedy:x`: 'x' is not a number."),
        ("epsilon-greedy:7", "`--policy epsilon-greedy:7`: `epsilon` must lie between 0 and 1 inclusive, but is 7.0."),
    ],
)
def test_numbers_that_a_policy_cannot_take_are_refused(refusal, said, sentence):
    assert refusal(lw.ArgumentError, policy_named, said) == sentence


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ({}, lw.Worst(lw.accuracy)),
        ({"top": 3}, lw.Worst(lw.accuracy, 3)),
        ({"question": "best", "top": 2}, lw.Best(lw.accuracy, 2)),
        ({"question": "estimate"}, lw.Estimate(lw.accuracy)),
        ({"question": "compare", "compare": ("a", "b")}, lw.Compare("a", "b", lw.accuracy, 0.05)),
        ({"question": "compare", "compare": ("a", "b"), "margin": 0.0}, lw.Compare("a", "b", lw.accuracy, 0.0)),
        ({"question": "versus", "rival": "old"}, lw.Versus("old")),
        ({"question": "versus", "against": Path("old.csv"), "margin": 0.02}, lw.Versus("rival", 0.02)),
    ],
    ids=str,
)
def test_every_question_is_understood(words, question):
    assert question_of(Request(**words), lw.accuracy) == question


def test_every_question_of_the_help_is_there():
    assert set(QUESTIONS) >= {"estimate", "overall", "worst", "best", "compare", "versus"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"question": "compare"}, "`--question compare` needs two groups; name them with --compare A B."),
        ({"compare": ("a", "b")}, "`--compare` is for `--question compare`; leave it out."),
        ({"margin": 0.1}, "`--margin` is for `--question compare` and `--question versus`; leave it out."),
        ({"question": "estimate", "top": 2}, "`--top` is for `--question worst` and `--question best`; leave it out."),
    ],
    ids=str,
)
def test_words_of_another_question_are_refused(refusal, words, sentence):
    assert refusal(lw.ArgumentError, question_of, Request(**words), lw.accuracy) == sentence


def test_a_versus_has_its_own_metric(refusal, folder):
    """Versus is about accuracy; another metric would be left aside in silence."""
    sentence = refusal(lw.ArgumentError, made, question="versus", rival="old", metric="recall")
    assert "--metric" in sentence


def asked(also, **words):
    return [question_of(one, lw.accuracy) for one in requests_of(Request(**words), also)]


def test_further_questions_share_the_words_that_are_for_them():
    pair = {"compare": ("a", "b"), "margin": 0.1}
    assert asked(["best", "worst:5"], top=3) == [lw.Worst(m=3), lw.Best(m=3), lw.Worst(m=5)]
    assert asked(["compare", "estimate"], **pair) == [lw.Worst(), lw.Compare("a", "b", margin=0.1), lw.Estimate()]
    assert asked(["worst:2"], question="compare", **pair) == [lw.Compare("a", "b", margin=0.1), lw.Worst(m=2)]
    assert asked(["worst"], question="estimate", top=2) == [lw.Estimate(), lw.Worst(m=2)]
    assert asked([]) == [lw.Worst()]


@pytest.mark.parametrize(
    ("also", "words", "sentence"),
    [
        (["versus"], {}, "`--also-question` must be one of 'estimate', 'overall', 'worst', 'best', 'compare', but is "
         "'versus'."),
        (["worst:x"], {}, "`--also-question worst:x`: 'x' is not a whole number."),
        (["estimate:2"], {}, "`--also-question estimate` takes no number, but has '2'. Leave it out."),
        (["worst:0"], {}, "`m` must be a whole number of at least 1, but is 0."),
        (["compare"], {}, "`--question compare` needs two groups; name them with --compare A B."),
        (["best"], {"compare": ("a", "b")}, "`--compare` is for `--question compare`; leave it out."),
        (["estimate"], {"question": "compare", "compare": ("a", "b"), "top": 3},
         "`--top` is for `--question worst` and `--question best`; leave it out."),
        (["best"], {"margin": 0.1},
         "`--margin` is for `--question compare` and `--question versus`; leave it out."),
    ],
)  # fmt: skip
def test_words_that_are_for_none_of_several_questions_are_refused(refusal, also, words, sentence):
    assert refusal(lw.ArgumentError, asked, also, **words) == sentence


@pytest.mark.parametrize(
    ("said", "prior"),
    [("flat", lw.FlatPrior()), ("informed:4", lw.InformedPrior(4.0)), ("9,1", lw.CustomPrior(9.0, 1.0))],
)
def test_a_prior_is_said_in_one_word(said, prior):
    assert prior_worded(said, "--against-prior") == prior


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("flat:x", "'x' is not a number."),
        ("flat:0", "`strength` must be a number above 0, but is 0.0."),
        ("uniform", "`--prior` must be flat, informed, learned, or two numbers such as 9,1; not 'uniform'."),
    ],
)
def test_a_word_that_is_no_prior_is_refused(refusal, said, reason):
    assert refusal(lw.ArgumentError, prior_worded, said, "--against-prior") == f"`--against-prior {said}`: {reason}"


GROUPS = lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"]))


def rule_of(question=None, groups=GROUPS, **words):
    return stop_of(Request(**words), question or lw.Worst(), groups)


@pytest.mark.parametrize(
    ("words", "sure", "is_guaranteed"),
    [
        ({}, lw.Guaranteed, True),
        ({"stop": "guaranteed"}, lw.Guaranteed, True),
        ({"stop": "believed"}, lw.Sure, False),
        ({"question": lw.Worst(lw.recall)}, lw.Sure, False),  # no guarantee is known
    ],
    ids=str,
)
def test_rules_are_joined(words, sure, is_guaranteed):
    assert rule_of(**words) == sure()
    assert rule_of(rules={"sure": 0.9}, **words) == sure(0.9)
    assert rule_of(rules={"width": 0.1}, **words) == lw.Width(0.1, is_guaranteed=is_guaranteed)
    assert rule_of(rules={"mean-width": 0.1}, **words) == lw.Width(0.1, "mean", is_guaranteed)
    assert rule_of(rules={"price": 0.01}, **words) == lw.Price(0.01)
    both = (sure(0.9), lw.Budget(5))
    assert rule_of(rules={"sure": 0.9, "budget": 5}, **words) == lw.AnyOf(both)
    assert rule_of(rules={"sure": 0.9, "budget": 5}, stop_at_all=True, **words) == lw.AllOf(both)


def test_the_whole_is_guaranteed_in_one_group_and_believed_in_several():
    whole = lw.everything(GROUPS.pool)
    for groups, is_guaranteed in ((whole, True), (GROUPS, False)):
        for question in (lw.Estimate(), lw.Overall()):
            rule = rule_of(question, groups, rules={"overall-width": 0.1})
            assert rule == lw.Width(0.1, "overall", is_guaranteed)
    assert rule_of(lw.Overall(), whole) == lw.Width(0.05, "overall", is_guaranteed=True)
    assert rule_of(lw.Overall(), GROUPS) == lw.Width(0.05, "overall")
    assert rule_of(lw.Overall(), whole, stop="believed") == lw.Width(0.05, "overall")


def test_a_promise_that_is_none_is_refused(refusal):
    sentence = refusal(lw.ArgumentError, rule_of, stop="sure")
    assert sentence == "`--stop` must be one of 'guaranteed', 'believed', but is 'sure'."


def test_a_set_up_has_what_was_said(folder):
    found = made(by=["region"], policy="top-two", target="pool", level=0.9, seed=4, lease=2.0, show=["text"])
    assert found.groups.names == ("north", "south")
    assert (found.policy, found.target, found.level, found.seed) == (lw.TopTwo(), "pool", 0.9, 4)
    assert (found.lease, found.is_blind, found.show) == (120.0, True, ("text",))
    origin = dict(found.origin)
    assert shlex.join(origin.pop("command")) == (
        "--show text --by region --policy top-two --target pool --level 0.9 --seed 4 --lease 2.0"
    )
    assert origin == {"file": "predictions.csv", "by": ["region"], "show": ["text"]}


def test_groups_can_be_crossed_binned_and_mapped(folder):
    (folder / "map.csv").write_text("class,group\ncat,pet\ncow,farm\ndog,pet\n")
    assert made(by=["region", "prediction"]).groups.n_groups == 6
    assert made(by=["score"], bins=3).groups.n_groups == 3
    assert set(made(map="map.csv").groups.names) == {"pet", "farm"}
    assert made(question="versus", rival="old").groups.names == ("all items",)
    assert made(question="versus", rival="old", by=["region"]).groups.names == ("north", "south")


def test_a_prior_is_said_or_taken_from_a_labelled_file(folder, items):
    assert made(prior="9,1").start().prior_a.tolist() == [9.0] * 3
    assert made(prior="flat", strength=10.0).start().prior_a.tolist() == [5.0] * 3
    carried = made(prior_from=Path("predictions.csv"), discount=0.5).start()
    hits = [sum(row["pred"] == row["label"] == name for row in items) for name in ("cat", "cow", "dog")]
    assert carried.prior_a.tolist() == [1 + hit / 2 for hit in hits]


@pytest.mark.parametrize("prior", ["flat", "learned"])
def test_a_prior_is_taken_from_a_former_assessment(folder, command, truth, prior):
    command("new", "first.lw", "predictions.csv", "--seed", 1, "--prior", prior, "--target", "population")
    rows = command("ask", "first.lw", "-n", 30).rows
    table = "".join(f"{row['ticket']},{truth[row['id']]}\n" for row in rows)
    command("tell", "first.lw", "-", stdin=f"ticket,label\n{table}")
    words = ["--prior-from", "first.lw", "--target", "population", "--seed", 1, "--json"]
    done = command("new", "second.lw", "predictions.csv", *words)
    assert (done.code, done.err) == (0, "")
    first, second = (command("answer", f"{name}.lw", "--no-forecast", "--json") for name in ("first", "second"))
    means = [{row["group"]: row["mean"] for row in found.document["groups"]} for found in (first, second)]
    if prior == "flat":
        assert means[1] == pytest.approx(means[0])
    assert set(means[1].values()) != {0.5}  # a map is not carried over, the labels of each group are
    assert second.document["labels"]["told"] == 0


def test_priors_that_contradict_each_other_are_refused(folder, refusal):
    sentence = refusal(lw.ArgumentError, made, prior_from=Path("predictions.csv"), prior="flat")
    assert sentence == "Give either `--prior-from` or `--prior` with `--strength`, not both."


def test_a_discount_must_lie_between_0_and_1(folder, refusal):
    sentence = refusal(lw.ArgumentError, made, discount=2.0)
    assert sentence == "`--discount` must lie between 0 and 1 inclusive, but is 2.0."


def test_the_pool_has_no_labels_and_no_column_that_nobody_asked_for(folder):
    found = pool_of(Request(by=["region"], content=["text"]), Path("predictions.csv"), lambda done, total: None)
    assert found.labels is None
    assert set(found.columns) == {"region", "text"}
    assert found.content == ("text",)


def test_a_rival_from_a_file_is_that_of_a_column(folder):
    def rival(**words):
        pool = pool_of(Request(**words), Path("predictions.csv"), lambda done, total: None)
        return pool.column(words.get("rival", "rival")).tolist()

    assert rival(rival="old") == rival(against=Path("old.csv"))


def test_a_rival_file_may_have_its_rows_in_any_order_but_must_have_them_all(folder, refusal):
    head, *rows = (folder / "old.csv").read_text().splitlines()
    before = pool_of(Request(against=Path("old.csv")), Path("predictions.csv"), lambda done, total: None)
    (folder / "old.csv").write_text("\n".join([head, *rows[::-1]]) + "\n")
    after = pool_of(Request(against=Path("old.csv")), Path("predictions.csv"), lambda done, total: None)
    assert before.fingerprint == after.fingerprint
    assert before.column("rival").tolist() == after.column("rival").tolist()
    (folder / "old.csv").write_text("\n".join([head, *rows[1:]]) + "\n")
    sentence = refusal(
        lw.DataError, pool_of, Request(against=Path("old.csv")), Path("predictions.csv"), lambda done, total: None
    )
    assert sentence == "The other classifier has no prediction for item 'i000'; it must predict every item."
