"""Rows of confusion that share what is learned: moments, calibration, every metric and question, real pools."""

from dataclasses import replace

import numpy as np
import pytest

import labelwise as lw
from labelwise.beliefs.learned.confusion import ConfusionBelief
from labelwise.simulation import confusion_error
from labelwise.testing import belief_simulation, check_belief, check_calibration
from labelwise.testing.worlds import small_pool
from strength import sized

LEARNED = lw.LearnedPrior()
COST = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]


def _belief(seed=3, n=25):
    pool = small_pool()
    rng = np.random.default_rng(seed)
    items = rng.permutation(pool.n_items)[:n]
    return lw.beliefs.LearnedConfusion.start(lw.by_prediction(pool)).update(items, rng.integers(0, 3, n))


@pytest.mark.parametrize("scored", ["scores", "confidence", "nothing"])
def test_it_keeps_the_contract_with_and_without_scores(scored):
    pool = small_pool()
    how = {"scores": {}, "confidence": {"confidence": pool.confidence}, "nothing": {}}[scored]
    if scored != "scores":
        pool = lw.pool_from_arrays(predicted=pool.prediction, classes=[0, 1, 2], **how)
    labels = np.random.default_rng(4).integers(0, 3, pool.n_items)
    check_belief(lw.beliefs.LearnedConfusion.start(lw.by_prediction(pool)), labels)


@pytest.mark.parametrize("target", ["population", "pool"])
def test_variances_agree_with_draws(target):
    """60,000 draws of each entry and of each row's cost; 6 % allowed, four standard errors of a variance."""
    belief = _belief()
    draws = belief.draw(60_000, target=target, rng=np.random.default_rng(1))
    assert np.allclose(draws.sum(axis=-1), 1)
    assert np.allclose(belief.variance(target=target), draws.var(axis=0), rtol=0.06, atol=1e-9)
    cost = np.array(COST, float).T
    assert np.allclose(belief.variance_of(cost, target=target), (draws * cost).sum(axis=-1).var(axis=0), rtol=0.06)


def test_rows_of_one_node_are_a_beta_times_a_dirichlet():
    """Fix map, strength and trust: the mean is (1 - a / (a + b)) times the share of the pseudo-counts."""
    belief = _belief()
    hit = belief.accuracies.mean()
    others = [[j for j in range(3) if j != k] for k in range(3)]
    for k in range(3):
        assert belief.mean()[k, k] == pytest.approx(hit[k])
        assert np.allclose(belief.mean()[k, others[k]], (1 - hit[k]) * belief.misses.mean()[k])


def test_the_variance_drop_is_what_one_label_is_expected_to_take_within_maps():
    belief = _belief()
    theta = belief.draw(1, rng=np.random.default_rng(5))[0]

    def within(a, b, alpha, k):
        """Average over nodes the summed variance of a row that is Beta(a, b) times Dirichlet(alpha)."""
        x, y = b / (a + b), b * (b + 1) / ((a + b) * (a + b + 1))
        total = 0.0
        for w, one in zip(belief.misses.weight, alpha, strict=True):
            share, size = one[k] / one[k].sum(), one[k].sum()
            square = share * (size * share + 1) / (size + 1)
            entries = y[:, k, None] * square - (x[:, k, None] * share) ** 2
            total += w * belief.accuracies.maps.weight @ (entries.sum(axis=1) + y[:, k] - x[:, k] ** 2)
        return total

    a, b = belief.accuracies.a, belief.accuracies.b
    alpha = [belief.misses.alpha(node) for node in range(len(belief.misses.weight))]
    for k in range(3):
        one = np.eye(3)[k]
        after = theta[k, k] * within(a + one, b, alpha, k)
        for place, j in enumerate(j for j in range(3) if j != k):
            more = np.zeros((3, 2))
            more[k, place] = 1
            after += theta[k, j] * within(a, b + one, [node + more for node in alpha], k)
        drop = belief.variance_drop(theta)[k]
        assert drop == pytest.approx(within(a, b, alpha, k) - after, rel=1e-9)
    assert np.allclose(belief.variance_drop(np.stack([theta, theta]))[1], belief.variance_drop(theta))


@pytest.mark.parametrize("target", ["population", "pool"])
@pytest.mark.parametrize(
    ("metric", "by"),
    [
        (lw.metrics.Recall(positive=0), "prediction"),
        (lw.ExpectedCost(COST), "prediction"),
        (lw.metrics.Recall(positive=1), "site"),
    ],
    ids=["recall", "cost", "recall a group"],
)
def test_it_is_calibrated(metric, by, target):
    """200 worlds (60 in `make test`) drawn from the prior, 99 % simultaneous band."""
    pool = small_pool()
    groups = lw.by_prediction(pool) if by == "prediction" else lw.by_column(pool, by)
    simulation = belief_simulation(metric, groups, LEARNED, target=target)
    check = check_calibration(simulation, n_simulations=sized(full=200, quick=60), seed=11)
    assert check.passed, check


def test_rows_learn_from_each_other():
    """Misses of the first row go where the scores say: the other rows' misses are then expected there too."""
    scores = np.full((90, 3), 0.1)
    for k in range(3):
        scores[30 * k : 30 * k + 30, [k, (k + 1) % 3]] = 0.6, 0.3
    start = lw.beliefs.LearnedConfusion.start(lw.by_prediction(lw.pool_from_arrays(scores=scores)))
    told = start.update(range(20), [0] * 8 + [1] * 12)
    before, after = (b.mean()[1, 2] / (1 - b.mean()[1, 1]) for b in (start, told))
    assert after > before
    assert told.mean()[1, 1] < start.mean()[1, 1]


METRICS = [
    lw.recall, lw.precision, lw.f1, lw.metrics.false_positive_rate, lw.balanced_accuracy, lw.metrics.Recall(positive=1),
    lw.metrics.ConfusionFunction(function=lambda joint: np.trace(joint, axis1=-2, axis2=-1)), lw.ExpectedCost(COST),
]  # fmt: skip


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: f"{m.name} {getattr(m, 'positive', '')}")
def test_every_confusion_metric_and_question_reads_it(metric):
    pool = small_pool()
    rng = np.random.default_rng(1)
    for groups in (lw.by_prediction(pool), lw.by_column(pool, "site")):
        if groups.prediction_of_group is None and getattr(metric, "positive", 1) is None and not metric.average:
            continue  # one value per class
        question = lw.Estimate(metric)
        belief = question.start(groups, LEARNED).update([0, 1, 2, 3], [0, 1, 2, 0])
        assert isinstance(belief, lw.beliefs.LearnedConfusion)
        draws = metric.draw(belief, 50, target="pool", rng=rng)  # a class of which no item is has no recall
        assert np.isfinite(draws[:, :2]).mean() > 0.9
        assert np.isfinite(metric.draw(belief, 50, rng=rng)).all()
        answer = question.answer(belief, n_draws=200, rng=rng)
        assert np.isfinite(answer.posterior.mean).all()
        assert question.gains(belief, rng=rng).shape == (groups.n_groups,)
        assert question.upper_gains(belief, 0.9).shape == (groups.n_groups,)


def test_the_exact_moments_of_cost_agree_with_draws():
    metric = lw.ExpectedCost(COST)
    belief = _belief()
    draws = metric.draw(belief, 40_000, rng=np.random.default_rng(2))
    assert np.allclose(metric.mean(belief), draws.mean(axis=0), atol=0.03)
    assert np.allclose(metric.variance(belief), draws.var(axis=0), rtol=0.06)


def test_a_store_gives_it_back_and_undo_leaves_no_trace(tmp_path):
    pool = small_pool()
    journal = lw.SqliteStore(tmp_path / "a.lw").journal("first")
    assessment = lw.Assessment(
        pool, lw.by_prediction(pool), question=lw.Estimate(lw.recall), prior=LEARNED, seed=1, journal=journal
    )
    for ticket in assessment.ask(12):
        assessment.tell(ticket, ticket.number % 3)
    mean = assessment.belief.mean()
    ticket = assessment.ask(1)[0]
    assessment.tell(ticket, 2)
    assert not np.array_equal(assessment.belief.mean(), mean)
    assessment.withdraw(ticket)
    assert np.array_equal(assessment.belief.mean(), mean)
    again = lw.SqliteStore(tmp_path / "a.lw").open("first")
    assert isinstance(again.belief, lw.beliefs.LearnedConfusion)
    assert np.array_equal(again.belief.mean(), mean)


def test_only_the_exact_engine_plays_a_policy_that_looks(refusal):
    rng = np.random.default_rng(2)
    pool = small_pool()
    groups = lw.by_prediction(replace(pool, labels=rng.integers(0, 3, pool.n_items).astype(np.int32)))
    looks = lw.Scenario(groups, lw.Estimate(lw.recall), lw.Thompson(), LEARNED, 20)
    assert refusal(lw.UnanswerableError, lw.simulate, looks, [confusion_error], n_runs=2) == (
        "The compiled engine cannot simulate Estimate of recall with thompson. Use the exact engine or another policy."
    )
    exact = lw.simulate(looks, [confusion_error], n_runs=2, at=[5, 20], engine="exact")
    assert np.isfinite(exact.mean["confusion"]).all()


@pytest.mark.slow  # compiles one more kernel
def test_both_engines_agree_on_labels_at_random():
    """300 and 100 runs: within four standard errors."""
    rng = np.random.default_rng(2)
    pool = small_pool()
    groups = lw.by_prediction(replace(pool, labels=rng.integers(0, 3, pool.n_items).astype(np.int32)))
    blind = lw.Scenario(groups, lw.Estimate(lw.recall), lw.RandomItem(), LEARNED, 20)
    one = lw.simulate(blind, [confusion_error], n_runs=300, at=[20])
    other = lw.simulate(blind, [confusion_error], n_runs=100, at=[20], engine="exact", seed=1)
    error = np.hypot(one.error["confusion"], other.error["confusion"])
    assert (np.abs(one.mean["confusion"] - other.mean["confusion"]) < 4 * error).all()


def test_what_cannot_be_is_refused(refusal):
    groups = lw.by_prediction(small_pool())
    one, other = (lw.beliefs.LearnedConfusion.start(groups, lw.LearnedPrior(shift)) for shift in (1.0, 2.0))
    assert refusal(lw.ArgumentError, one.merge, other) == (
        "Only beliefs with the same groups and the same prior can be merged."
    )
    assert refusal(lw.ArgumentError, lw.CarriedPrior(one).dirichlet, groups) == (
        "A LearnedConfusion cannot be carried over here; carry over a belief of the same kind."
    )
    assert isinstance(one, ConfusionBelief)


def test_one_dirichlet_a_row_for_beliefs_that_share_nothing(refusal):
    pool = small_pool()
    groups = lw.by_prediction(pool)
    a, b = LEARNED.beta(groups)
    alpha = LEARNED.dirichlet(groups)
    assert np.allclose(np.diag(alpha), a)
    assert np.allclose(alpha.sum(axis=1), a + b)
    row = groups.mean_scores[0, 1:]
    assert np.allclose(alpha[0, 1:] / b[0], row / row.sum())
    assert refusal(lw.UnanswerableError, LEARNED.dirichlet, lw.by_column(pool, "site")) == (
        "A learned prior for confusion needs a grouping by prediction."
    )


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "most"), [("newsgroups20_cleanlab", 0.5), ("mnist_cleanlab", 0.5), ("svhn_resnet152_authors", 0.5)]
)
def test_on_real_pools_the_error_is_less_than_half_of_that_of_the_papers_prior(data_folder, file, most):
    """Five labels per row at random, 40 runs; docs/confusion.md has all numbers."""
    pool = lw.read_pool(data_folder / f"{file}.parquet", scores="s*", label="label")
    groups, found = lw.by_prediction(pool), {}
    for prior in (lw.FlatPrior(), lw.InformedPrior(), LEARNED):
        scenario = lw.Scenario(groups, lw.Estimate(lw.recall), lw.RandomItem(), prior, 5 * pool.n_classes)
        played = lw.simulate(scenario, [confusion_error], n_runs=40, at=[5 * pool.n_classes])
        found[scenario.prior_name] = float(played.mean["confusion"][0])
    assert found["learned"] < most * found["informed"] < most * found["flat"]


def test_the_diagonal_is_the_accuracy_of_the_same_labels():
    rng = np.random.default_rng(9)
    scores = rng.dirichlet([4, 2, 1], 90)
    groups = lw.by_prediction(lw.pool_from_arrays(scores=scores, classes=["cat", "dog", "emu"]))
    items, labels = rng.permutation(90)[:30], rng.integers(0, 3, 30)
    rows = lw.beliefs.LearnedConfusion.start(groups).update(items, labels)
    accuracies = lw.beliefs.LearnedAccuracy.start(groups).update(items, labels)
    for target in ("population", "pool"):
        assert np.allclose(np.diagonal(rows.mean(target=target)), accuracies.mean(target=target))
        assert np.allclose(np.diagonal(rows.variance(target=target)), accuracies.variance(target=target))
        drawn = rows.draw(4_000, target=target, rng=rng)
        assert np.allclose(drawn.sum(axis=2), 1.0)
        # 4,000 draws: four standard errors
        error = 4 * np.sqrt(rows.variance(target=target) / 4_000)
        assert (np.abs(drawn.mean(axis=0) - rows.mean(target=target)) <= error + 1e-9).all()
