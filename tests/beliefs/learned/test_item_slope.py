"""What items within groups tell: the slope, how much confidences explain, and hits judged by what was asked."""

import numpy as np
import pytest
from scipy.special import expit, gammaln, logit
from scipy.stats import t as student_t

import labelwise as lw
from labelwise.beliefs.learned import item_slope
from labelwise.beliefs.learned.calibration_map import CalibrationMap, LabelCounts
from labelwise.beliefs.learned.item_slope import bend_of

SETTINGS = lw.LearnedPrior().settings


def _groups(n_groups=6, n_items=40, seed=1):
    rng = np.random.default_rng(seed)
    predicted = np.repeat(np.arange(n_groups), n_items)
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, confidence=rng.beta(6, 2, len(predicted))))


def _bend(belief):
    return bend_of(belief.scores, belief.told, SETTINGS["middle"], SETTINGS["spread"], SETTINGS["strengths"].min())


def _labels(groups, chance, rng):
    """Draw labels of all items: the prediction with this chance, else the next class."""
    hit = rng.uniform(size=groups.pool.n_items) < chance
    return np.where(hit, groups.pool.prediction, (groups.pool.prediction + 1) % groups.pool.n_classes)


@pytest.mark.parametrize("slope", [0.4, 0.9, 1.6])
def test_the_slope_among_items_is_found_whatever_the_levels_of_groups(slope):
    groups, rng = _groups(20, 200), np.random.default_rng(3)
    x, level = logit(groups.pool.confidence), rng.normal(0, 0.4, 20)
    labels = _labels(groups, expit(level[groups.of_item] + slope * x), rng)
    bend = _bend(lw.beliefs.LearnedAccuracy.start(groups).update(np.arange(4_000), labels))
    error = 1 / np.sqrt(bend.precision / (1 - item_slope.APART**2 * bend.precision))  # before what groups may differ by
    assert error < 0.1
    assert bend.slope == pytest.approx(slope, abs=3.5 * error)


def test_the_parabola_is_that_of_the_conditional_likelihood():
    """With many labels per group: levels of their own, each at its best value, and the slope's curvature left over."""
    groups, rng = _groups(4, 300), np.random.default_rng(5)
    scores = CalibrationMap.of(groups)
    x = scores.x[scores.bin_of_item]
    labels = _labels(groups, expit(0.3 + 0.8 * x), rng)
    belief = lw.beliefs.LearnedAccuracy.start(groups).update(np.arange(1_200), labels)
    hit = labels == groups.pool.prediction

    def profile(slope):
        chance = scores.chances_for(belief.hits / belief.labels, slope)  # the best levels fit each group's hits
        chance = chance[groups.of_item, scores.bin_of_item]
        return float(np.log(np.where(hit, chance, 1 - chance)).sum())

    slopes = np.linspace(0.4, 1.4, 101)
    values = np.array([profile(slope) for slope in slopes])
    curve = -np.polyfit(slopes - slopes[values.argmax()], values, 4)[-3] * 2
    bend = _bend(belief)
    alone = bend.precision / (1 - item_slope.APART**2 * bend.precision)
    # levels are not free but lie within a spread of 1.5, and the prior pulls a little
    assert bend.slope == pytest.approx(slopes[values.argmax()], abs=0.05)
    assert alone == pytest.approx(curve, rel=0.12)


def test_what_confidences_explain_of_the_spread_of_hits():
    groups = _groups()
    belief = lw.beliefs.LearnedAccuracy.start(groups)
    chance = expit(0.8 * belief.scores.x)  # the likeliest map, before any label
    mean = belief.scores.share @ chance
    left = belief.scores.share @ (chance * (1 - chance)) / (mean * (1 - mean))
    assert np.allclose(_bend(belief).explained, 1 - left)
    alike = lw.by_prediction(lw.pool_from_arrays(predicted=[0, 1] * 20, confidence=[0.8] * 40))
    assert np.allclose(_bend(lw.beliefs.LearnedAccuracy.start(alike)).explained, 0.0)


def test_without_scores_items_tell_nothing_of_their_own():
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=[0, 1] * 20))
    belief = lw.beliefs.LearnedAccuracy.start(groups).update([0, 1, 2], [0, 1, 1])
    bend = _bend(belief)
    assert (bend.precision, bend.level) == (0.0, 0.0)
    np.testing.assert_allclose(
        belief.mean(), lw.beliefs.LearnedAccuracy.start(groups).add([1, 1], [2, 1]).mean(), rtol=0, atol=1e-12
    )


def test_a_fair_sample_counts_more_by_what_its_confidences_explain():
    groups = _groups()
    belief = lw.beliefs.LearnedAccuracy.start(groups).update(
        np.arange(240), np.repeat(np.arange(6), 40)
    )  # every item: fair
    explained = belief.maps.explained
    total = belief.maps.prior_a + belief.maps.prior_b + belief.labels / (1 - explained)
    mean = (belief.maps.prior_a + belief.hits / (1 - explained)) / total
    assert np.allclose(belief.a / (belief.a + belief.b), mean)
    # and the 40 confidences of a group are only a sample of those of new items
    assert np.allclose(1 / (belief.a + belief.b + 1), 1 / (total + 1) + explained / 40)


def test_labels_of_unknown_items_count_once():
    start = lw.beliefs.LearnedAccuracy.start(_groups())
    belief = start.add([5] * 6, [10] * 6)
    a, b = belief.maps.prior_a + 5, belief.maps.prior_b + 5
    assert np.allclose(belief.a / (belief.a + belief.b), a / (a + b))
    a, b = start.maps.prior_a, start.maps.prior_b
    assert np.allclose(1 / (start.a + start.b + 1), 1 / (a + b + 1) + start.maps.explained / 40)


def test_what_a_single_item_left_will_be_does_not_depend_on_how_sure_its_chance_is():
    groups, rng = _groups(), np.random.default_rng(7)
    labels, items = _labels(groups, 0.7, rng), np.flatnonzero(np.arange(240) % 40)  # all but the first of each group
    belief = lw.beliefs.LearnedAccuracy.start(groups).update(items, labels[items])
    chance = 40 * belief.mean(target="pool") - belief.hits
    assert np.all((chance > 0) & (chance < 1))
    assert np.allclose(1600 * belief.variance(target="pool"), chance * (1 - chance))


def test_hits_among_the_surest_items_say_little_and_misses_much():
    groups, n = _groups(), 10
    order = np.argsort(groups.pool.confidence[:40])
    start = lw.beliefs.LearnedAccuracy.start(groups)
    hard, easy = (start.update(items, [0] * n).mean()[0] for items in (order[:n], order[-n:]))
    assert start.mean()[0] < easy < hard
    hard, easy = (start.update(items, [1] * n).mean()[0] for items in (order[:n], order[-n:]))
    assert easy < hard < start.mean()[0]


def test_labels_of_the_hardest_items_alone_do_not_mislead():
    """Half of each group, the one that the scores are least sure of, is labelled: its hits are no fair sample."""
    rng = np.random.default_rng(11)
    groups = _groups(10, 100)
    x = logit(groups.pool.confidence)
    hard = np.concatenate(
        [np.flatnonzero(groups.of_item == g)[np.argsort(x[groups.of_item == g])[:50]] for g in range(10)]
    )
    start = lw.beliefs.LearnedAccuracy.start(groups)
    by_item, by_group = [], []
    for _ in range(20):
        labels = _labels(groups, expit(-0.4 + 0.8 * x), rng)
        hits = labels == groups.pool.prediction
        belief = start.update(hard, labels[hard])
        fair = start.add(belief.hits, belief.labels)
        truth = np.bincount(groups.of_item, hits) / 100
        by_item.append((belief.mean(target="pool") - truth).mean())
        by_group.append((fair.mean(target="pool") - truth).mean())
    # taken for a fair sample they are off by points, one way
    assert np.mean(by_group) < -0.03
    assert abs(np.mean(by_item)) < 0.012


def test_forgetting_is_exact_and_order_does_not_matter():
    groups, rng = _groups(), np.random.default_rng(2)
    start, items = lw.beliefs.LearnedAccuracy.start(groups), rng.permutation(240)[:30]
    labels = rng.integers(0, 6, 30)
    belief = start.update(items, labels)
    np.testing.assert_allclose(start.update(items[::-1], labels[::-1]).mean(), belief.mean(), rtol=0, atol=1e-12)
    halves = start.update(items[:10], labels[:10]).merge(start.update(items[10:], labels[10:]))
    np.testing.assert_allclose(halves.mean(), belief.mean(), rtol=0, atol=1e-12)
    back = belief.update([239], [0]).forget([239], [0]) if 239 not in items else belief
    for name in ("in_bin", "bin_hits", "hits", "labels"):
        assert np.array_equal(getattr(back, name), getattr(belief, name))


def test_what_is_labelled_is_known():
    groups, rng = _groups(), np.random.default_rng(4)
    labels = _labels(groups, 0.7, rng)
    belief = lw.beliefs.LearnedAccuracy.start(groups).update(np.arange(240), labels)
    truth = belief.hits / belief.n_items
    assert np.allclose(belief.mean(target="pool"), truth)
    assert np.allclose(belief.variance(target="pool"), 0.0)
    assert np.allclose(belief.draw(5, target="pool", rng=rng), truth)


@pytest.mark.parametrize("n_labels", [0, 20, 90])
def test_moments_about_the_pool_are_those_of_draws(n_labels):
    groups, rng = _groups(), np.random.default_rng(6)
    labels, items = _labels(groups, 0.7, rng), rng.permutation(240)[:n_labels]
    belief = lw.beliefs.LearnedAccuracy.start(groups).update(items, labels[items])
    for target in ("population", "pool"):
        draws = belief.draw(60_000, target=target, rng=rng)
        # 60,000 draws, and items that are alike come in whole numbers
        assert np.allclose(draws.mean(axis=0), belief.mean(target=target), atol=0.004)
        assert np.allclose(draws.std(axis=0), np.sqrt(belief.variance(target=target)), rtol=0.04)


def test_imagined_labels_have_the_drawn_accuracies_and_the_slope():
    groups, rng = _groups(4, 3_000), np.random.default_rng(8)
    belief = lw.beliefs.LearnedAccuracy.start(groups)
    draw, items = np.array([0.3, 0.6, 0.9, 0.99]), np.arange(12_000)
    hit = belief.imagine(draw, items, rng=rng) == groups.pool.prediction
    # 3,000 items a group: four standard errors
    assert np.allclose(np.bincount(groups.of_item, hit) / 3_000, draw, atol=4 * np.sqrt(0.25 / 3_000))
    x = logit(groups.pool.confidence)
    assert x[(groups.of_item == 1) & hit].mean() > x[(groups.of_item == 1) & ~hit].mean() + 0.3


def _by_quadrature(belief, labels_of, items):
    """Integrate the model itself: maps and strengths on a grid, each group's level by quadrature, items one by one.

    Gives mean and deviation of each group's accuracy on the pool: its hits so far, and those of the items left.
    """
    scores, groups = belief.scores, belief.groups
    shift, slope = np.meshgrid(np.linspace(-5, 5, 61), np.linspace(-1.0, 3.0, 41), indexing="ij")
    place = np.stack([shift.ravel(), slope.ravel()], axis=1)
    prior = student_t(4).logpdf(place[:, 0]) + student_t(4).logpdf((place[:, 1] - 0.8) / 0.4)
    levels = np.linspace(-7, 7, 57)
    hit = labels_of[items] == groups.pool.prediction[items]
    group, place_of = groups.of_item[items], scores.bin_of_item[items]
    log_weight, mean, square = [], [], []
    left = np.maximum(belief.n_items[:, None] * scores.share - belief.in_bin, 0) / belief.n_items[:, None]
    m = scores.accuracy(place)
    logits = place[:, [0]] + place[:, [1]] * scores.x  # (n_maps, n_bins)
    parts = []
    for g in range(groups.n_groups):
        chance = expit(logits[:, None, :] + levels[:, None])  # (n_maps, n_levels, n_bins)
        accuracy = np.clip(chance @ scores.share[g], 1e-12, 1 - 1e-12)
        steep = (chance * (1 - chance)) @ scores.share[g]
        mine = place_of[group == g], hit[group == g]
        log = sum((np.log(chance[:, :, b] if h else 1 - chance[:, :, b]) for b, h in zip(*mine, strict=True)), 0.0)
        pool = belief.hits[g] / belief.n_items[g] + chance @ left[g]
        parts.append((accuracy, steep, log, pool, pool**2 + (chance * (1 - chance)) @ left[g] / belief.n_items[g]))
    for strength in SETTINGS["strengths"]:
        total, means, squares = prior.copy(), [], []
        for g, (accuracy, steep, log, pool, pool_square) in enumerate(parts):
            a, b = strength / (1 - m[:, [g]]), strength / m[:, [g]]
            density = (a - 1) * np.log(accuracy) + (b - 1) * np.log1p(-accuracy) + np.log(steep)
            density += gammaln(a + b) - gammaln(a) - gammaln(b) + log
            chance = np.exp(density) * (levels[1] - levels[0])
            found = chance.sum(axis=1)
            total += np.log(found)
            means.append((chance * pool).sum(axis=1) / found)
            squares.append((chance * pool_square).sum(axis=1) / found)
        log_weight.append(total)
        mean.append(np.stack(means, axis=1))
        square.append(np.stack(squares, axis=1))
    weight = np.exp(np.concatenate(log_weight) - np.max(log_weight))
    weight /= weight.sum()
    middle = weight @ np.concatenate(mean)
    return middle, np.sqrt(weight @ np.concatenate(square) - middle**2)


@pytest.mark.parametrize(
    ("n_labels", "shift", "slope"), [(8, 0.0, 0.9), (40, -1.0, 0.6), (120, 0.5, 1.4), (120, 2.0, 1.0)]
)
def test_the_belief_is_near_the_model_integrated_item_by_item(monkeypatch, n_labels, shift, slope):
    """The Betas stand for a posterior that has no closed form; here it is, by quadrature.

    Allowed: two points of a group's mean (of standard deviations of 3 to 15 points), and a ninth of its deviation.
    """
    monkeypatch.setattr(item_slope, "APART", 0.0)  # one slope among items and between groups, as in the integral
    groups, rng = _groups(), np.random.default_rng(n_labels)
    labels = _labels(
        groups, expit(shift + slope * logit(groups.pool.confidence) + rng.normal(0, 0.5, 6)[groups.of_item]), rng
    )
    items = rng.permutation(240)[:n_labels]
    belief = lw.beliefs.LearnedAccuracy.start(groups, lw.LearnedPrior(steepness=1.0)).update(items, labels[items])
    mean, deviation = _by_quadrature(belief, labels, items)
    assert np.allclose(belief.mean(target="pool"), mean, atol=0.02)
    assert np.allclose(np.sqrt(belief.variance(target="pool")), deviation, rtol=0.11)


def test_nothing_told_of_a_pool():
    scores = CalibrationMap.of(_groups())
    told = LabelCounts.nothing(scores)
    assert np.array_equal(told.mixture(scores), scores.share)
