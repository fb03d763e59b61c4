"""Small groups that are left out: never asked, ranked or named, and said to be left out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelwise as lw
from strategies import score_tables

SAID = "2 groups with fewer than 10 items were left out (7 items)"


@pytest.fixture
def pool():
    region = ["north"] * 60 + ["south"] * 40 + ["isle"] * 4 + ["rock"] * 3
    truth = ["yes"] * 54 + ["no"] * 6 + ["yes"] * 24 + ["no"] * 16 + ["no"] * 7
    return lw.pool_from_arrays(
        predicted=["yes"] * 107, confidence=[0.8] * 107, labels=truth, columns={"region": region}, classes=["yes", "no"]
    )


@pytest.fixture
def groups(pool):
    return lw.groups.without_small(lw.by_column(pool, "region"), 10)


def assessment_of(groups, question=None, **options):
    options = {"seed": 1, "prior": lw.FlatPrior(), **options}
    return lw.Assessment(groups.pool, groups, question=question or lw.Worst(lw.accuracy), **options)


def labelled(assessment, n):
    labels = assessment.pool.labels
    for ticket in assessment.ask(n):
        assessment.tell(ticket, assessment.pool.classes[labels[assessment.ledger.slip(ticket.number).item]])
    return assessment


@given(score_tables(), st.integers(1, 4))
def test_every_item_keeps_its_group(table, least):
    every = lw.by_column(lw.read_pool(table), "group")
    least = min(least, int(every.n_items.max()))
    found = lw.groups.without_small(every, least)
    assert found.of_item.tolist() == every.of_item.tolist()
    assert found.candidates.tolist() == (every.n_items >= least).tolist()
    assert found.n_left_out == ((every.n_items > 0) & (every.n_items < least)).sum()


def test_groups_without_items_are_not_candidates_and_not_counted_as_left_out():
    pool = lw.pool_from_arrays(predicted=["cat"] * 5 + ["dog"], classes=["cat", "dog", "emu"])
    found = lw.groups.without_small(lw.by_prediction(pool), 2)
    assert found.candidates.tolist() == [True, False, False]
    assert found.left_out == "1 group with fewer than 2 items was left out (1 item)"
    assert repr(found) == ("<Grouping by prediction: 3 groups, 1 of them empty, 1 left out with fewer than 2 items>")


def test_nothing_is_said_where_nothing_is_left_out(pool):
    assert lw.groups.without_small(lw.by_column(pool, "region"), 3).left_out == ""


def test_groups_that_are_left_out_are_neither_asked_nor_named(groups):
    assert groups.left_out == SAID
    assessment = labelled(assessment_of(groups), 100)
    assert assessment.ask(5) == []
    result = assessment.answer()
    assert result.is_spent
    assert {groups.names[g] for g in result.answer.ranking.order} == {"north", "south"}
    assert sorted(result.answer.frame()["group"].tolist()) == ["north", "south"]
    assert f"{SAID}: they are neither asked nor named." in result.answer.notes


def test_a_ranking_gives_them_no_probability(groups):
    belief = lw.belief_from_labels(lw.accuracy, groups)
    ranking = lw.rank(lw.accuracy, belief, rng=np.random.default_rng(1))
    few = ~groups.candidates
    assert ranking.p_worst[few].tolist() == ranking.p_best[few].tolist() == [0.0, 0.0]
    assert [ranking.names[g] for g in ranking.order] == ["south", "north"]
    assert ranking.p_worst.sum() == pytest.approx(1)


def test_an_estimate_has_no_value_of_the_whole(groups):
    answer = labelled(assessment_of(groups, lw.Estimate(lw.accuracy)), 20).answer().answer
    assert answer.overall is None
    assert answer.sentence.startswith("accuracy of 2 groups is known within")


def test_an_estimate_gains_nothing_from_them(groups):
    question = lw.Estimate(lw.accuracy)
    gains = question.mean_gains(question.start(groups, lw.FlatPrior()))
    assert gains[~groups.candidates].tolist() == [0.0, 0.0]


def test_as_many_groups_as_take_part_can_be_looked_for(groups, refusal):
    assert refusal(lw.ArgumentError, assessment_of, groups, lw.Worst(lw.accuracy, m=3)) == (
        "`m` must be a whole number from 1 to 2, but is 3."
    )


def test_a_store_reopens_with_the_rule(groups, tmp_path):
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        labelled(assessment_of(groups, journal=store.journal("main")), 10)
        again = store.open("main")
        assert again.groups.left_out == SAID
        assert again.groups.rule == "column 'region'"
        assert (again.n_open[~groups.candidates] == 0).all()


def test_a_crossing_reopens_with_the_rule(pool, tmp_path):
    crossed = lw.crossed(lw.by_column(pool, "region"), lw.by_prediction(pool))
    groups = lw.groups.without_small(crossed, 10)
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        assessment_of(groups, journal=store.journal("main"))
        again = store.open("main").groups
    assert again.names == groups.names
    assert again.candidates.tolist() == groups.candidates.tolist()
    assert [factor.rule for factor in again.factors] == ["column 'region'", "prediction"]


def test_a_minimum_that_no_group_has_is_refused(pool, refusal):
    assert refusal(lw.UnanswerableError, lw.groups.without_small, lw.by_column(pool, "region"), 100) == (
        "No group has 100 items; the largest, 'north', has 60. Ask for fewer items per group."
    )


def test_a_question_about_the_whole_is_refused(groups, refusal):
    assert refusal(lw.UnanswerableError, lw.Overall(lw.accuracy).start, groups) == (
        f"A question about all items together needs every group, but {SAID}. Pool small groups instead."
    )


def test_a_comparison_of_classifiers_is_refused(refusal):
    pool = lw.pool_from_arrays(predicted=[0, 1] * 10, columns={"rival": [0, 0] * 10, "region": ["n"] * 15 + ["s"] * 5})
    groups = lw.groups.without_small(lw.by_column(pool, "region"), 6)
    assert refusal(lw.UnanswerableError, lw.Versus("rival").start, groups) == (
        "A comparison of two classifiers needs every group, but 1 group with fewer than 6 items was left out "
        "(5 items). Pool small groups instead."
    )


def test_a_comparison_with_a_group_that_is_left_out_is_refused(groups, refusal):
    assert refusal(lw.UnanswerableError, lw.Compare("north", "isle").start, groups) == (
        "Group 'isle' has 4 items, and groups with fewer than 10 are left out. Name others, or leave out fewer."
    )


def test_a_metric_of_all_predicted_classes_is_refused(refusal):
    pool = lw.pool_from_arrays(predicted=["cat"] * 20 + ["dog"] * 3)
    groups = lw.groups.without_small(lw.by_prediction(pool), 10)
    for metric in (lw.recall, lw.balanced_accuracy):
        assert refusal(lw.UnanswerableError, metric.start, groups) == (
            f"{metric.name} by prediction rests on the items of every group, so small groups cannot be left out. "
            "Measure accuracy or cost, or group by something else than the predicted class."
        )


def test_a_cost_by_prediction_leaves_groups_out():
    pool = lw.pool_from_arrays(predicted=["cat"] * 20 + ["dog"] * 3 + ["emu"] * 30, labels=["cat"] * 53)
    groups = lw.groups.without_small(lw.by_prediction(pool), 10)
    cost = lw.ExpectedCost(1 - np.eye(3))
    assert cost.candidates(lw.belief_from_labels(cost, groups)).tolist() == [True, False, True]


def test_a_cost_by_a_crossing_with_the_prediction_is_refused(pool, refusal):
    crossed = lw.groups.without_small(lw.crossed(lw.by_column(pool, "region"), lw.by_prediction(pool)), 10)
    assert refusal(lw.UnanswerableError, lw.ExpectedCost(1 - np.eye(2)).start, crossed) == (
        "A metric of confusion has one value per group of column 'region', so small groups of column 'region' × "
        "prediction cannot be left out. Group by column 'region' alone."
    )


def test_charts_do_not_show_them(groups):
    assessment = labelled(assessment_of(groups), 40)
    for kind in ("groups", "allocation", "ranks", "reliability", "curve", "scatter"):
        chart = lw.plot(assessment, kind)
        assert set(chart.frame()["group"]) == {"north", "south"}, kind
    assert "2 groups with few items left out." in lw.plot(assessment, "groups").subtitle
    assert "2 groups with few items left out." in lw.plot(assessment, "ranks").subtitle


@pytest.mark.parametrize("prior", [lw.FlatPrior(), lw.LearnedPrior()], ids=["flat", "learned"])
@pytest.mark.parametrize("question", [lw.Worst(lw.accuracy), lw.Estimate(lw.accuracy)], ids=["worst", "estimate"])
def test_both_engines_leave_them_out(groups, question, prior):
    from labelwise.simulation import scores_for

    scenario = lw.Scenario(groups, question, lw.Thompson(), prior, 60)
    assert scenario.can_be_asked[~groups.candidates].tolist() == [0, 0]
    [score, *_] = scores_for(question)
    ends = [lw.simulate(scenario, [score], n_runs=20, at=[20, 60], engine=e, seed=2) for e in ("compiled", "exact")]
    means, errors = ([getattr(end, field)[score.name] for end in ends] for field in ("mean", "error"))
    assert (np.abs(means[0] - means[1]) < 5 * np.hypot(*errors) + 0.02).all()


def test_the_compiled_engine_refuses_a_cost_without_small_groups(refusal):
    from labelwise.simulation.runner import check_playable

    pool = lw.pool_from_arrays(predicted=["cat"] * 20 + ["dog"] * 3 + ["emu"] * 30, labels=["cat"] * 53)
    groups = lw.groups.without_small(lw.by_prediction(pool), 10)
    scenario = lw.Scenario(groups, lw.Worst(lw.ExpectedCost(1 - np.eye(3))), lw.Thompson(), lw.FlatPrior())
    assert refusal(lw.UnanswerableError, check_playable, scenario, []) == (
        "The compiled engine cannot simulate Worst of cost without small groups with thompson. Use the exact engine or "
        "another policy."
    )
