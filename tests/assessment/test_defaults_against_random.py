"""The default policy of every question against random items with the same groups and belief.

At no budget is the default's score worse than that of random items by more than four standard errors of the difference:
for 200 comparisons, which are what the full run makes, that happens by chance once in 150 runs of this file. The table
of all pools, questions and metrics is `python -m benchmarks.labels defaults`.
"""

import numpy as np
import pytest

import labelwise as lw
from labelwise.assessment.defaults import default_groups, default_policy, default_prior
from labelwise.policies.prove import search_of
from labelwise.simulation import Scenario, overall_error, reciprocal_rank, rmse, simulate, success, verdict_right
from strength import in_quick, sized

RUNS = sized(full=120, quick=80)
AT = np.array([20, 50, 100, 200])
SLACK = 4.0  # standard errors
TARGETS = ("pool", "population")
QUESTIONS = {
    "worst": lw.Worst(),
    "best": lw.Best(),
    "worst 3": lw.Worst(m=3),
    "best 3": lw.Best(m=3),
    "estimate": lw.Estimate(),
    "overall": lw.Overall(),
    "worst bias": lw.Worst(lw.calibration_bias),
    "estimated bias": lw.Estimate(lw.calibration_bias),
}


def scores_of(question):
    if question.is_comparison:
        return [verdict_right]
    if question.is_ranking:
        return [reciprocal_rank(question.plays), success(question.plays)]
    return [overall_error if question.kind == "overall" else rmse]


def lead(groups, question, target, policy=None, n_runs=RUNS, at=AT):
    """Return by how many standard errors a policy (the default) is worse than random items, at its worst budget."""
    # proofs are not scored here: of the default, its search for the answer is played
    own, prior = policy or search_of(default_policy(question), question), default_prior(question)
    scores = scores_of(question)
    one, other = (
        simulate(Scenario(groups, question, each, prior, int(at[-1]), target=target), scores, n_runs=n_runs, at=at)
        for each in (own, lw.RandomItem())
    )
    worst = -np.inf
    for score in scores:
        worse = (other.mean[score.name] - one.mean[score.name]) * (1 if score.is_better_high else -1)
        error = np.hypot(one.error[score.name], other.error[score.name])
        worst = max(worst, float((worse / np.maximum(error, 1e-9)).max()))
    return worst


def digits_for(question):
    pool = lw.datasets.digits().labelled()
    return default_groups(question, pool)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("asked", in_quick(QUESTIONS, "worst", "worst 3", "estimate", "overall"))
def test_the_default_is_never_worse_than_random_items_on_digits(asked, target):
    question = QUESTIONS[asked]
    assert lead(digits_for(question), question, target) < SLACK


def far_apart():
    """Six groups, the worst one far below the others, and a border that is hard to see."""
    accuracy, size = np.array([0.1, 0.5, 0.55, 0.75, 0.8, 0.85]), 300
    predicted = np.repeat(np.arange(6), size)
    is_hit = np.tile(np.arange(size), 6) < accuracy[predicted] * size
    return lw.by_prediction(
        lw.pool_from_arrays(predicted=predicted, labels=np.where(is_hit, predicted, (predicted + 1) % 6))
    )


@pytest.mark.parametrize("target", TARGETS)
def test_the_default_is_never_worse_where_one_group_stands_out(target):
    assert lead(far_apart(), lw.Worst(m=3), target) < SLACK


def test_a_policy_that_locks_in_is_caught():
    """Thompson sampling, the former default for sets, gives its labels to the group that stands out."""
    assert lead(far_apart(), lw.Worst(m=3), "population", lw.Thompson(), n_runs=150) > SLACK


def test_comparing_is_never_worse_than_random_items():
    question = lw.Compare("1", "8")
    at = np.array([20, 50, 100])
    assert lead(digits_for(question), question, "population", at=at) < SLACK


POOLS = ("newsgroups20_cleanlab", "svhn_resnet152_authors", "cifar100_densenetbc100")


@pytest.mark.parametrize("asked", ["worst", "best", "worst 3", "best 3", "estimate", "overall"])
@pytest.mark.parametrize("name", POOLS)
def test_the_default_is_never_worse_than_random_items_on_real_predictions(data_folder, name, asked):
    question = QUESTIONS[asked]
    groups = default_groups(question, real_pool(data_folder, name))
    assert lead(groups, question, "pool", n_runs=60, at=AT[1:]) < SLACK


@pytest.mark.parametrize("asked", ["worst", "best", "worst 3", "best 3", "estimate"])
def test_the_default_is_never_worse_than_random_items_on_groups_of_very_different_size(data_folder, asked):
    """Six races of 18 to 3,696 persons."""
    path = data_folder / "compas_two_years.parquet"
    pool = lw.read_pool(path, predicted="pred", label="label", columns=["race"])
    for target in TARGETS:
        assert lead(lw.by_column(pool, "race"), QUESTIONS[asked], target, n_runs=60) < SLACK


def real_pool(folder, name):
    return lw.read_pool(folder / f"{name}.parquet", label="label", columns=[])
