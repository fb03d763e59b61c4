"""The calibration curve: fits and quantiles against direct computation, coverage, and what is refused."""

import numpy as np
import pytest
from scipy.special import expit, logit

import labelwise as lw
from labelwise.beliefs import LearnedPrior
from labelwise.metrics.curve import CURVE_BINS, _Data, _fitted, _mean, _quantile

POINTS = np.array([0.1, 0.3, 0.5, 0.7, 0.9])


def _pool(chance, n_items=3_000, seed=1):
    """A pool whose items are hits with a chance that is a function of their confidence."""
    rng = np.random.default_rng(seed)
    confidence = rng.beta(5, 1.5, n_items)
    hit = rng.uniform(size=n_items) < chance(confidence)
    return lw.pool_from_arrays(predicted=np.zeros(n_items, int), confidence=confidence, labels=np.where(hit, 0, 1))


def _told(pool, n, seed=0):
    items = np.random.default_rng(seed).permutation(pool.n_items)[:n]
    return lw.metrics.ECE(CURVE_BINS, "mass").start(lw.everything(pool)).update(items, pool.labels[items])


def _bent(confidence):
    """Over-confident in the middle by 32 points as CIFAR-100's DenseNet is, right at both ends: no line can say so.

    (A dip of 45 points twice as narrow is held by 0.885 of the points after 50 labels: it is seen too late.)
    """
    return confidence - 0.32 * np.exp(-(((confidence - 0.75) / 0.2) ** 2))


@pytest.mark.parametrize("n_labels", [50, 200])
def test_the_band_holds_the_truth_where_a_straight_line_cannot(n_labels):
    """30 pools, 20 points each: on average at least 0.9 of the points inside, where 0.95 is claimed point by point."""
    inside = []
    for seed in range(30):
        pool = _pool(_bent, seed=seed)
        curve = lw.metrics.calibration_curve(_told(pool, n_labels, seed))
        truth = _bent(curve["confidence"])
        inside.append(((curve["low"] <= truth) & (truth <= curve["high"])).mean())
    assert 0.9 <= np.mean(inside) <= 0.995


def test_the_error_is_less_than_that_of_bins():
    """Ten bins and their means against the curve, 200 labels, 20 pools: at most two thirds of the error."""
    errors = []
    for seed in range(20):
        pool = _pool(_bent, seed=seed)
        belief = _told(pool, 200, seed)
        curve = lw.metrics.calibration_curve(belief)
        bins = lw.by_score(pool, 10, equal="mass")
        items = np.random.default_rng(seed).permutation(pool.n_items)[:200]
        mean = lw.accuracy.start(bins, lw.FlatPrior(1)).update(items, pool.labels[items]).mean()
        place = np.searchsorted(np.sort(bins.mean_confidence), curve["confidence"]).clip(0, 9)
        truth = _bent(curve["confidence"])
        errors.append([np.mean((curve["accuracy"] - truth) ** 2), np.mean((mean[place] - truth) ** 2)])
    ours, binned = np.sqrt(np.mean(errors, axis=0))
    assert ours < 2 / 3 * binned


def test_scores_that_are_surely_off_are_named_and_others_are_not():
    curve = lw.metrics.calibration_curve(_told(_pool(lambda c: c - 0.3 * (c > 0.8)), 1_500), at=[0.5, 0.95])
    assert curve["scores"].tolist() == ["", "over-confident"]
    curve = lw.metrics.calibration_curve(_told(_pool(lambda c: np.sqrt(c)), 1_500), at=[0.5])
    assert curve["scores"].tolist() == ["under-confident"]


def test_before_any_label_the_scores_are_believed_with_the_doubt_of_the_learned_prior():
    """The logit at confidence 1/2 has mean 0 and the variance of the shift and of departures of each amplitude."""
    pool = _pool(lambda c: c)
    start = lw.metrics.ECE(CURVE_BINS, "mass").start(lw.everything(pool))
    curve = lw.metrics.calibration_curve(start, at=[0.5])
    assert curve["accuracy"][0] == pytest.approx(0.5, abs=1e-9)
    rng = np.random.default_rng(1)
    amplitude = rng.choice([0.1, 0.2, 0.4, 0.8, 1.6], 400_000)
    draws = expit(np.sqrt(1 + amplitude**2) * rng.standard_normal(400_000))
    assert curve["low"][0] == pytest.approx(np.quantile(draws, 0.025), abs=2e-3)
    sure = lw.metrics.ECE(CURVE_BINS, "mass").start(lw.everything(pool), LearnedPrior(shift=0.1))
    assert lw.metrics.calibration_curve(sure, at=[0.5])["low"][0] > curve["low"][0]


def test_the_evidence_of_one_bin_is_its_integral():
    """One bin with 12 hits of 15, against 200,000 draws of the logit; Laplace's method may be off by 3 %."""
    data = _Data(POINTS, np.array([1.0]), np.array([0.5]), np.array([12.0]), np.array([15.0]))
    *_, found = _fitted(data, np.array([[0.49]]))
    f = 1.0 + 0.7 * np.random.default_rng(2).standard_normal(200_000)
    direct = np.log(np.mean(np.exp(12 * f - 15 * np.logaddexp(0, f))))
    assert found == pytest.approx(direct, abs=0.03)


def test_a_fit_is_where_the_slope_vanishes():
    x = logit(POINTS)
    data = _Data(POINTS, x, POINTS, np.array([0.0, 3.0, 2.0, 9.0, 0.0]), np.array([5.0, 4.0, 8.0, 9.0, 0.0]))
    covariance = 1.0 + 0.25 * np.outer(x, x) + 0.6 * np.exp(-0.5 * (np.subtract.outer(POINTS, POINTS) / 0.3) ** 2)
    slope, *_ = _fitted(data, covariance)
    f = x + covariance @ slope
    assert np.allclose(slope, data.hits - data.labels * expit(f), atol=1e-7)


def test_quantiles_and_means_of_mixtures_agree_with_draws():
    middle, spread = np.array([[0.0], [2.0]]), np.array([[1.0], [0.5]])
    weight = np.array([0.3, 0.7])
    rng = np.random.default_rng(3)
    node = rng.choice(2, 400_000, p=weight)
    draws = middle[node, 0] + spread[node, 0] * rng.standard_normal(400_000)
    assert _quantile(middle, spread, weight, 0.1)[0] == pytest.approx(np.quantile(draws, 0.1), abs=0.01)
    assert _mean(middle, spread, weight)[0] == pytest.approx(expit(draws).mean(), abs=0.001)


def test_every_group_has_its_own_curve_and_an_empty_one_none():
    rng = np.random.default_rng(4)
    pool = lw.pool_from_arrays(
        predicted=rng.integers(0, 2, 400),
        confidence=rng.uniform(0.5, 1, 400),
        labels=np.zeros(400, int),
        classes=[0, 1, 2],
    )
    belief = lw.belief_from_labels(lw.metrics.ECE(10, "mass"), lw.by_prediction(pool))
    curve = lw.metrics.calibration_curve(belief, points=5)
    assert list(dict.fromkeys(curve["group"])) == ["0", "1"]
    first, second = np.split(curve["accuracy"], 2)
    assert (first > 0.8).all()
    assert (second < 0.2).all()
    assert ((curve["below"] >= 0) & (curve["below"] < 1)).all()


def test_confidences_that_are_all_alike_give_one_point():
    pool = lw.pool_from_arrays(predicted=[0] * 50, confidence=[1.0] * 50, labels=[0] * 40 + [1] * 10)
    curve = lw.metrics.calibration_curve(lw.belief_from_labels(lw.metrics.ECE(CURVE_BINS, "mass"), lw.everything(pool)))
    assert len(curve["confidence"]) == 1
    assert curve["low"][0] < 0.8 < curve["high"][0]
    assert curve["scores"].tolist() == ["over-confident"]


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"at": [0.5, 1.5]}, "`at` must be a list of confidences between 0 and 1, but has 1.5."),
        ({"at": []}, "`at` must be a list of confidences between 0 and 1."),
        ({"at": [float("nan")]}, "`at` must be a list of confidences between 0 and 1, but has nan."),
        ({"points": 0}, "`points` must be a whole number of at least 1, but is 0."),
    ],
)
def test_what_cannot_be_is_refused(how, sentence, refusal):
    belief = _told(_pool(lambda c: c, n_items=100), 10)
    assert refusal(lw.ArgumentError, lw.metrics.calibration_curve, belief, **how) == sentence
