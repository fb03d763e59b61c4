"""Impact: a mirrored Beta, scaled by the group's share; the impacts add up to the error of the whole."""

import numpy as np
import pytest
from scipy import stats

import labelwise as lw
from labelwise.metrics import Impact, MetricOptions, impact
from labelwise.metrics.impact import impact_of

POOL = lw.pool_from_arrays(
    predicted=["cat"] * 60 + ["dog"] * 30 + ["emu"] * 10,
    confidence=[0.8] * 100,
    labels=["cat"] * 50 + ["dog"] * 10 + ["dog"] * 21 + ["cat"] * 9 + ["emu"] * 4 + ["dog"] * 6,
)
GROUPS = lw.by_prediction(POOL)
SHARE = np.array([0.6, 0.3, 0.1])
HITS, LABELS = np.array([50, 21, 4]), np.array([60, 30, 10])


@pytest.fixture
def belief():
    return lw.belief_from_labels(impact, GROUPS, lw.FlatPrior())


def some_labels():
    """Return the belief after every third label, so that the pool is not certain."""
    items = np.arange(0, 100, 3)
    return impact.start(GROUPS, lw.FlatPrior()).update(items, POOL.labels[items])


def test_mean_variance_and_interval_are_those_of_a_scaled_mirrored_beta(belief):
    error = stats.beta(1 + LABELS - HITS, 1 + HITS)
    draws = impact.draw(belief, 200_000, rng=np.random.default_rng(1))
    found = impact.estimate(belief, rng=np.random.default_rng(1))
    assert found.method == "exact"
    assert found.mean == pytest.approx(SHARE * error.mean())
    assert found.low == pytest.approx(SHARE * error.ppf(0.025))
    assert found.high == pytest.approx(SHARE * error.ppf(0.975))
    assert draws.mean(axis=0) == pytest.approx(SHARE * error.mean(), rel=0.005)
    assert draws.var(axis=0) == pytest.approx(SHARE**2 * error.var(), rel=0.03)
    assert np.quantile(draws, [0.025, 0.975], axis=0) == pytest.approx(np.array([found.low, found.high]), rel=0.02)


@pytest.mark.parametrize("target", ["pool", "population"])
def test_the_highest_density_interval_is_mirrored_too(target):
    belief = some_labels()
    low, high = lw.accuracy.interval(belief, 0.9, kind="highest-density", target=target)
    ends = impact.interval(belief, 0.9, kind="highest-density", target=target)
    assert np.array(ends) == pytest.approx(np.array([SHARE * (1 - high), SHARE * (1 - low)]))


@pytest.mark.parametrize("prior", [lw.FlatPrior(), lw.LearnedPrior()], ids=["flat", "learned"])
@pytest.mark.parametrize("target", ["pool", "population"])
def test_impacts_add_up_to_the_error_of_the_whole(prior, target):
    items = np.arange(0, 100, 3)
    belief = impact.start(GROUPS, prior).update(items, POOL.labels[items])
    how = {"target": target, "n_draws": 4_000}
    error = impact.overall(belief, **how, rng=np.random.default_rng(1))
    accuracy = lw.accuracy.overall(belief, **how, rng=np.random.default_rng(1))
    assert error.mean == pytest.approx(1 - accuracy.mean)
    assert (error.low, error.high) == (pytest.approx(1 - accuracy.high), pytest.approx(1 - accuracy.low))
    assert impact.mean(belief, target=target).sum() == pytest.approx(error.mean[0], abs=0.005)


def test_when_all_is_labelled_the_impact_is_the_share_of_items_that_are_errors_here(belief):
    assert impact.mean(belief, target="pool") == pytest.approx([0.10, 0.09, 0.06])
    assert lw.metrics.known_value(impact, POOL) == pytest.approx(0.25)


def test_values_in_the_pool_rise_and_have_all_the_probability():
    belief = some_labels()
    values, chances = impact.values_in_pool(belief, 1)
    assert (np.diff(values) > 0).all()
    assert chances.sum() == pytest.approx(1)
    assert values @ chances == pytest.approx(impact.mean(belief, target="pool")[1])


def test_the_largest_impact_is_not_the_lowest_accuracy(belief):
    def worst(metric):
        return lw.Worst(metric).answer(belief, target="pool", rng=np.random.default_rng(1)).named

    assert (worst(lw.accuracy), worst(impact)) == (("emu",), ("cat",))


def test_the_impact_of_a_cost_is_the_cost_times_the_share():
    cost = lw.ExpectedCost([[0, 2, 3], [1, 0, 4], [5, 1, 0]])
    belief = lw.belief_from_labels(cost, GROUPS)
    both = Impact(cost)
    assert both.mean(belief) == pytest.approx(SHARE * cost.mean(belief))
    assert both.names(belief) == ("cat", "dog", "emu")
    total = both.overall(belief, target="pool", rng=np.random.default_rng(1)).mean[0]
    assert total == pytest.approx(lw.metrics.known_value(cost, POOL))
    assert both.description.title == "Impact (share of all items times expected cost)"


def test_a_cost_matrix_on_the_command_line_makes_it_the_impact_of_the_cost():
    assert Impact.from_options(MetricOptions()) == impact
    assert isinstance(Impact.from_options(MetricOptions(cost=[[0, 1], [1, 0]])).metric, lw.ExpectedCost)


def test_a_belief_from_counts_knows_shares_if_it_knows_sizes(refusal):
    belief = lw.beliefs.BetaBelief.from_counts([8, 2], [10, 3], n_items=[300, 100])
    assert impact.mean(belief) == pytest.approx(np.array([0.75, 0.25]) * (1 - belief.mean()))
    assert refusal(lw.UnanswerableError, impact.mean, lw.beliefs.BetaBelief.from_counts([8], [10])) == (
        "A value over all groups needs the size of each group; give `n_items`."
    )


@pytest.mark.parametrize("metric", [lw.recall, lw.ece, lw.metrics.Lead("old"), impact], ids=lambda m: m.name)
def test_a_metric_that_is_no_mean_over_items_is_refused(metric, refusal):
    assert refusal(lw.UnanswerableError, Impact, metric) == (
        f"There is no impact of {metric.name}: an impact is a part of an error that is a mean over all items. Take the "
        "impact of accuracy, or of a cost."
    )


def test_it_is_shown_beside_accuracy_and_cost_alone():
    cost = lw.ExpectedCost([[0, 1], [1, 0]])
    assert (impact_of(lw.accuracy), impact_of(cost)) == (impact, Impact(cost))
    assert impact_of(lw.calibration_bias) is None


@pytest.mark.parametrize("question", [lw.Worst(impact), lw.Best(impact), lw.Estimate(impact), lw.Overall(impact)])
def test_every_question_takes_it_and_a_store_reopens_with_it(question, tmp_path):
    with lw.SqliteStore(tmp_path / "spring.lw") as store:
        assessment = lw.Assessment(POOL, GROUPS, question=question, journal=store.journal("main"), seed=1)
        for ticket in assessment.ask(12):
            assessment.tell(ticket, "cat")
        again = store.open("main")
        assert again.question == question
        assert again.answer().answer.posterior.metric == "impact"


def test_an_estimate_stops_at_ten_errors_per_thousand_items():
    assert lw.Setup(GROUPS, lw.Estimate(impact), seed=1).stop == lw.Width(0.01, is_guaranteed=True)


def test_a_simulation_plays_it_exactly():
    scenario = lw.Scenario(GROUPS, lw.Worst(impact), lw.Thompson(), lw.FlatPrior(), 90)
    assert scenario.truth == pytest.approx([0.10, 0.09, 0.06])
    found = lw.simulate(scenario, [lw.simulation.success()], n_runs=2, at=[90], engine="exact")
    assert 0 <= found.mean["success"][0] <= 1
