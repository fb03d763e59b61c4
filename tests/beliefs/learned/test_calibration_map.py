"""Maps from scores to accuracies: their weights against a fine grid, and what they give without scores."""

import numpy as np
import pytest
from scipy.special import expit, gammaln, logit
from scipy.stats import t as student_t

import labelwise as lw
from labelwise.beliefs.learned.calibration_map import CalibrationMap, LabelCounts, weighed_maps

SETTINGS = lw.LearnedPrior().settings


def _pool(n_groups=6, n_items=40, seed=1):
    rng = np.random.default_rng(seed)
    predicted = np.repeat(np.arange(n_groups), n_items)
    return lw.pool_from_arrays(predicted=predicted, confidence=rng.beta(6, 2, len(predicted)))


def _by_grid(scores, hits, labels, odds):
    """Integrate over a fine grid of shift and slope at every strength: mean and variance of each group."""
    shift, slope = np.meshgrid(np.linspace(-12, 12, 161), np.linspace(-4, 6, 101), indexing="ij")
    place = np.stack([shift.ravel(), slope.ravel()], axis=1)
    accuracy = np.clip(expit(logit(scores.accuracy(place)) + np.log(odds)), 1e-6, 1 - 1e-6)
    log_prior = student_t(4).logpdf(place[:, 0]) + student_t(4).logpdf((place[:, 1] - 0.8) / 0.4)
    parts = []
    for strength in SETTINGS["strengths"]:
        a, b = strength / (1 - accuracy), strength / accuracy
        r, n = hits, labels
        log = gammaln(a + r) - gammaln(a) + gammaln(b + n - r) - gammaln(b) - gammaln(a + b + n) + gammaln(a + b)
        parts.append((log_prior + log.sum(axis=1), (a + r) / (a + b + n), a + b + n))
    log_weight = np.concatenate([part[0] for part in parts])
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    mean, total = (np.concatenate([part[i] for part in parts]) for i in (1, 2))
    middle = weight @ mean
    return middle, weight @ (mean * (1 - mean) / (total + 1) + (mean - middle) ** 2)


@pytest.mark.parametrize(
    ("hits", "labels"),
    [
        ([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]),
        ([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]),
        ([5, 5, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5]),  # all hits
        ([0, 0, 0, 0, 0, 0], [3, 3, 3, 3, 3, 3]),  # no hit
        ([8, 2, 9, 5, 0, 1], [10, 9, 10, 10, 0, 3]),
        ([30, 12, 38, 20, 25, 31], [40, 40, 40, 40, 40, 40]),
    ],
)
def test_the_nodes_integrate_as_a_fine_grid_does(hits, labels):
    groups = lw.by_prediction(_pool())
    belief = lw.beliefs.LearnedAccuracy.start(groups).add(hits, labels)
    mean, variance = _by_grid(belief.scores, np.array(hits), np.array(labels), belief.maps.odds)
    # twenty-five nodes a strength: means to 0.6 of a point, standard deviations to six percent, worst without labels
    assert np.allclose(belief.mean(), mean, atol=0.006)
    assert np.allclose(np.sqrt(belief.variance()), np.sqrt(variance), rtol=0.06)


def test_the_search_ends_at_the_mode_when_scores_reach_far():
    """Logits from 0 to 11 and a slope near a half: plain Fisher scoring jumps to and fro here, and never arrives."""
    x = np.linspace(0, 11, 4_000)
    groups = lw.by_score(lw.pool_from_arrays(predicted=np.arange(4_000) % 2, confidence=expit(x)), 10, equal="mass")
    hits, labels = np.array([6, 8, 11, 13, 16, 18, 19, 19, 20, 20]), np.full(10, 20)
    belief = lw.beliefs.LearnedAccuracy.start(groups).add(hits, labels)
    mean, variance = _by_grid(belief.scores, hits, labels, belief.maps.odds)
    assert np.allclose(belief.mean(), mean, atol=0.002)
    assert np.allclose(np.sqrt(belief.variance()), np.sqrt(variance), rtol=0.02)
    assert belief.maps.weight @ belief.maps.place == pytest.approx([-1.3, 0.58], abs=0.1)


def test_accuracies_are_means_over_items_of_the_logistic_map():
    groups = lw.by_prediction(_pool(n_items=400))
    x = logit(np.clip(groups.pool.confidence, 1e-5, 1 - 1e-5))
    exact = np.bincount(groups.of_item, expit(-0.7 + 1.3 * x)) / groups.n_items
    # scores are binned, into bins so narrow that it does not matter
    assert np.allclose(CalibrationMap.of(groups).accuracy(np.array([[-0.7, 1.3]]))[0], exact, atol=0.002)


def test_slopes_are_those_of_the_accuracies():
    scores = CalibrationMap.of(lw.by_prediction(_pool()))
    place, step = np.array([[0.3, 0.8]]), 1e-6
    for direction in range(2):
        moved = place + step * np.eye(2)[[direction]]
        slope = (scores.accuracy(moved) - scores.accuracy(place)) / step
        assert np.allclose(scores.slopes(place)[0, direction], slope[0], atol=1e-5)


def test_over_confidence_is_learned_from_labels_anywhere():
    groups = lw.by_prediction(_pool(n_groups=20, n_items=50))
    start = lw.beliefs.LearnedAccuracy.start(groups)
    assert abs(start.maps.weight @ start.maps.place[:, 0]) < 0.01
    half = np.where(np.arange(20) < 10, 20, 0)
    learned = start.add(half // 2, half)  # half of them are wrong where the scores say a quarter
    assert learned.maps.weight @ learned.maps.place[:, 0] < -0.5
    assert (learned.mean()[10:] < start.mean()[10:] - 0.1).all()


def test_without_scores_groups_share_a_mean():
    pool = lw.pool_from_arrays(predicted=np.repeat(np.arange(5), 30))
    start = lw.beliefs.LearnedAccuracy.start(lw.by_prediction(pool))
    assert start.maps.place.shape[1] == 1
    learned = start.add([28, 27, 29, 0, 0], [30, 30, 30, 0, 0])
    assert (learned.mean()[3:] > 0.8).all()
    assert np.allclose(learned.mean()[3], learned.mean()[4])


def test_a_group_without_items_is_taken_for_a_part_of_the_pool():
    pool = lw.pool_from_arrays(predicted=[0] * 30 + [1] * 30, confidence=[0.9] * 30 + [0.6] * 30, classes=[0, 1, 2])
    mean = lw.beliefs.LearnedAccuracy.start(lw.by_prediction(pool)).mean()
    assert mean[1] < mean[2] < mean[0]


@pytest.mark.parametrize("confidence", [0.0, 1.0, 0.5])
def test_scores_at_the_ends_are_normal(confidence):
    pool = lw.pool_from_arrays(predicted=[0] * 30 + [1] * 30, confidence=[confidence] * 60)
    belief = lw.beliefs.LearnedAccuracy.start(lw.by_prediction(pool)).update(np.r_[0:9, 30], [0] * 5 + [1] * 4 + [0])
    maps = weighed_maps(belief.scores, belief.told, **SETTINGS)
    assert np.isfinite(maps.prior_a).all()
    assert np.isfinite(maps.prior_b).all()
    assert maps.weight.sum() == pytest.approx(1.0)


def test_levels_are_found_at_which_groups_have_given_accuracies():
    scores = CalibrationMap.of(lw.by_prediction(_pool()))
    accuracy = np.array([0.001, 0.2, 0.5, 0.8, 0.99, 0.9999])
    chance = scores.chances_for(accuracy, 0.7)
    assert np.allclose((chance * scores.share).sum(axis=1), accuracy, rtol=1e-6)
    assert np.allclose(np.diff(logit(chance), axis=1), 0.7 * np.diff(scores.x))


def test_labels_of_unknown_items_are_a_fair_sample():
    scores = CalibrationMap.of(lw.by_prediction(_pool()))
    nothing = LabelCounts.nothing(scores)
    in_bin = nothing.in_bin.copy()
    in_bin[0, 3] = 2
    told = LabelCounts(np.array([3, 1, 0, 0, 0, 0]), np.array([4, 2, 0, 0, 0, 0]), in_bin, nothing.bin_hits)
    mixture = told.mixture(scores)
    assert np.allclose(mixture[0], (np.eye(32)[3] + scores.share[0]) / 2)
    assert np.allclose(mixture[1:], scores.share[1:])


def test_maps_are_drawn_as_a_choice_by_weights_would_and_never_beyond_the_last():
    scores = CalibrationMap.of(lw.by_prediction(_pool()))
    maps = weighed_maps(scores, LabelCounts.nothing(scores), **SETTINGS)
    drawn = maps.draw(5_000, np.random.default_rng(3))
    chosen = np.random.default_rng(3).choice(len(maps.weight), 5_000, p=maps.weight)
    assert np.array_equal(drawn, chosen)
    assert maps._cumulative[-1] == 1.0  # numbers drawn from [0, 1) fall below it
