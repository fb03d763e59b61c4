"""Groups that share a map: draws, intervals, calibration, and what ties them together."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing.worlds import small_pool
from strength import sized

N_WORLDS = sized(full=400, quick=150)


def _groups(n_groups=8, n_items=40, seed=2):
    rng = np.random.default_rng(seed)
    predicted = np.repeat(np.arange(n_groups), n_items)
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, confidence=rng.beta(8, 2, len(predicted))))


def test_draws_of_groups_go_together_while_the_map_is_unknown():
    belief = lw.beliefs.LearnedAccuracy.start(_groups())
    draws = belief.draw(20_000, rng=np.random.default_rng(1))
    before = np.corrcoef(draws[:, 0], draws[:, 1])[0, 1]
    sure = belief.add([38, 25, 31, 15, 36, 28, 33, 20], [40] * 8).draw(20_000, rng=np.random.default_rng(1))
    assert before > 0.3
    assert abs(np.corrcoef(sure[:, 0], sure[:, 1])[0, 1]) < before / 3


@pytest.mark.parametrize("target", ["population", "pool"])
def test_the_variance_of_the_whole_counts_what_ties_groups_together(target):
    groups = _groups()
    belief = lw.beliefs.LearnedAccuracy.start(groups).add([3, 0, 1, 0, 0, 2, 0, 0], [4, 0, 2, 0, 0, 2, 0, 0])
    draws = belief.draw(100_000, target=target, rng=np.random.default_rng(4)) @ groups.share
    assert lw.metrics.overall_variance(belief, target=target) == pytest.approx(draws.var(), rel=0.03)
    assert lw.metrics.overall_variance(belief) > 2 * belief.variance() @ groups.share**2


@pytest.mark.parametrize("target", ["population", "pool"])
def test_posterior_intervals_hold_the_truth_as_often_as_they_say(target):
    """Simulation-based calibration: truths drawn from the prior, items hits by their scores, 400 worlds of 8 groups.

    Labels are counted once, though knowing the confidence makes each worth a little more: so intervals hold a little
    more often than they say, about the pool above all.
    """
    rng = np.random.default_rng(7)
    groups = _groups()
    start = lw.beliefs.LearnedAccuracy.start(groups)
    inside, ranks = [], []
    for _ in range(N_WORLDS):
        node = rng.choice(len(start.maps.weight), p=start.maps.weight)
        truth = rng.beta(start.maps.prior_a[node], start.maps.prior_b[node])
        chance = start.scores.chances_for(truth, start.maps.place[node, 1])
        hit = rng.uniform(size=groups.pool.n_items) < chance[groups.of_item, start.scores.bin_of_item]
        items = rng.permutation(groups.pool.n_items)[: rng.integers(0, 100)]
        labels = np.where(hit, groups.pool.prediction, (groups.pool.prediction + 1) % 8)
        belief = start.update(items, labels[items])
        if target == "pool":
            truth = np.bincount(groups.of_item, hit) / groups.n_items
        draws = belief.draw(400, target=target, rng=rng)
        low, high = np.quantile(draws, [0.025, 0.975], axis=0)
        inside.append((low <= truth) & (truth <= high))
        ranks.append((draws < truth).mean(axis=0) / 2 + (draws <= truth).mean(axis=0) / 2)
    # 3,200 intervals: a standard error of 0.4 points, more for those of one world
    assert 0.94 <= np.mean(inside) <= 0.985
    assert np.mean(ranks) == pytest.approx(0.5, abs=0.03 * np.sqrt(400 / N_WORLDS))


def test_counts_alone_are_calibrated_too():
    """The same where only hits and labels of groups are known, in worlds without a part for confidences."""
    rng = np.random.default_rng(8)
    groups = _groups()
    start = lw.beliefs.LearnedAccuracy.start(groups)
    inside, ranks = [], []
    for _ in range(N_WORLDS):
        node = rng.choice(len(start.maps.weight), p=start.maps.weight)
        truth = rng.beta(start.maps.prior_a[node], start.maps.prior_b[node])
        labels = rng.integers(0, 7, 8)
        belief = start.add(rng.binomial(labels, truth), labels)
        draws = belief.draw(400, rng=rng)
        low, high = np.quantile(draws, [0.025, 0.975], axis=0)
        inside.append((low <= truth) & (truth <= high))
        ranks.append((draws < truth).mean(axis=0))
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02 * np.sqrt(400 / N_WORLDS))
    assert np.mean(ranks) == pytest.approx(0.5, abs=0.03 * np.sqrt(400 / N_WORLDS))


def test_other_priors_give_independent_betas_and_merging_needs_the_same_prior():
    groups = lw.by_prediction(small_pool())
    assert isinstance(lw.accuracy.start(groups, lw.FlatPrior()), lw.beliefs.BetaBelief)
    assert isinstance(lw.accuracy.start(groups, lw.LearnedPrior()), lw.beliefs.LearnedAccuracy)
    one, other = (lw.beliefs.LearnedAccuracy.start(groups, lw.LearnedPrior(shift)) for shift in (1.0, 2.0))
    with pytest.raises(lw.ArgumentError, match="the same prior"):
        one.merge(other)


@pytest.mark.parametrize("question", [lw.Worst(), lw.Estimate(), lw.Compare("0", "1")], ids=str)
def test_every_question_reads_it(question):
    groups = _groups()
    belief = question.start(groups, lw.LearnedPrior()).add([3] * 8, [4] * 8)
    gains = question.gains(belief, rng=np.random.default_rng(1))
    assert gains.shape == (8,)
    answer = question.answer(belief, rng=np.random.default_rng(1), n_draws=500)
    assert np.isfinite(answer.posterior.mean).all()


def test_cells_share_a_map_too():
    groups = _groups()
    question = lw.Worst(lw.metrics.ECE(5))
    belief = question.start(groups, lw.LearnedPrior())
    assert isinstance(belief.beta, lw.beliefs.LearnedAccuracy)
    mean = question.metric.mean(belief)
    draws = question.metric.draw(belief, 20_000, rng=np.random.default_rng(1))
    assert np.allclose(mean, draws.mean(axis=0), atol=0.005)
    assert question.metric.mean(belief, target="pool") is None


def test_stacked_counts_give_stacked_means():
    belief = lw.beliefs.LearnedAccuracy.start(_groups())
    hits, labels = np.array([[[1] * 8, [2] * 8]]), np.array([[[2] * 8, [4] * 8]])
    bins = {"in_bin": np.zeros((1, 2, 8, 32), np.int32), "bin_hits": np.zeros((1, 2, 32), np.int32)}
    stacked = belief.with_state({"hits": hits, "labels": labels} | bins)
    assert stacked.mean().shape == (1, 2, 8)
    np.testing.assert_allclose(stacked.mean()[0, 1], belief.add([2] * 8, [4] * 8).mean(), rtol=0, atol=1e-12)


def test_cells_of_different_kinds_cannot_be_merged(refusal):
    groups = _groups()
    shared, alone = (lw.beliefs.CellBelief.start(groups, prior) for prior in (lw.LearnedPrior(), lw.InformedPrior()))
    for one, other in ((shared, alone), (alone, shared)):
        assert refusal(lw.ArgumentError, one.merge, other) == (
            "Only beliefs with the same groups and the same prior can be merged."
        )


@pytest.mark.parametrize("target", ["population", "pool"])
def test_the_covariance_of_a_label_with_a_sum_is_that_of_draws(target):
    groups = _groups(6)
    belief = lw.beliefs.LearnedAccuracy.start(groups).add([3, 1, 8, 0, 0, 2], [5, 4, 9, 0, 2, 2])
    weights = np.array([0.3, 0.1, 0.2, 0.2, 0.1, 0.1])
    rng, (a, b) = np.random.default_rng(1), belief._of(target)  # of new items, or of those that are left
    node = rng.choice(len(a), 400_000, p=belief.maps.weight)
    chance = rng.beta(a[node], b[node])
    found = belief.covariance_with(weights, target=target)
    for g in range(6):
        label = rng.uniform(size=len(chance)) < chance[:, g]
        value = chance
        if target == "pool":
            left = belief.n_left - np.eye(6, dtype=int)[g]
            value = (belief.hits + rng.binomial(left, chance) + np.outer(label, np.eye(6)[g])) / belief.n_items
        # 400,000 draws: five standard errors
        error = 5 * np.std(label) * np.std(value @ weights) / np.sqrt(len(label))
        assert found[g] == pytest.approx(np.cov(label, value @ weights)[0, 1], abs=error)


@pytest.mark.parametrize("target", ["population", "pool"])
def test_the_total_drop_adds_up_over_groups(target):
    belief = lw.beliefs.LearnedAccuracy.start(_groups(6)).add([3, 1, 8, 0, 0, 2], [5, 4, 9, 0, 2, 2])
    weights, draw, mean = np.linspace(0.1, 0.6, 6), np.full(6, 0.3), belief.mean()
    each = np.stack([belief.covariance_with(np.eye(6)[h], target=target) for h in range(6)])
    expected = (weights @ each**2) * (draw / mean**2 + (1 - draw) / (1 - mean) ** 2)
    assert np.allclose(belief.total_drop(weights, draw, target=target), expected, rtol=1e-9)
