"""Groups that lie further apart than their items say: by how much, what it is worth, and where there is none of it."""

import numpy as np
import pytest
from scipy.special import expit, logit

import labelwise as lw
from labelwise.beliefs.learned.calibration_map import CalibrationMap
from labelwise.beliefs.learned.group_slope import LabelledGroups, lifted, odds_of


def _groups(n_groups=30, n_items=200, apart=1.0, seed=1):
    """Groups whose items differ, and whose means do."""
    rng = np.random.default_rng(seed)
    level = np.repeat(rng.normal(1.5, apart, n_groups), n_items)
    predicted = np.repeat(np.arange(n_groups), n_items)
    confidence = expit(level + rng.normal(0, 2.0, len(level)))
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, confidence=confidence))


def test_odds_multiply():
    assert lifted(np.array([0.5, 0.8]), np.array([3.0, 0.25])) == pytest.approx([0.75, 0.5])


@pytest.mark.parametrize("steep", [0.7, 1.0, 1.4])
def test_logits_of_groups_lie_so_many_times_as_far_from_that_of_the_pool(steep):
    scores, place = CalibrationMap.of(_groups()), np.array([-0.3, 0.8])
    flat, whole = scores.accuracy(place[None])[0], scores.chance(place[None])[0] @ scores.whole
    accuracy = lifted(flat, odds_of(scores, place, steep))
    assert np.allclose(logit(accuracy) - logit(whole), steep * (logit(flat) - logit(whole)))


def test_slopes_are_those_of_the_chances_of_labelled_items():
    groups, rng = _groups(6, 40), np.random.default_rng(2)
    items = rng.permutation(240)[:60]
    belief = lw.beliefs.LearnedAccuracy.start(groups).update(items, rng.integers(0, 6, 60))
    asked = LabelledGroups.of(belief.scores, belief.told, np.linspace(0.5, 2.0, 6))
    place, step = np.array([[0.3, 0.8]]), 1e-6
    for direction in range(2):
        moved = place + step * np.eye(2)[[direction]]
        slope = (asked.expected(moved) - asked.expected(place)) / step
        assert np.allclose(asked.slopes(place)[0, direction], slope[0], atol=1e-5)


def _error(steep, prior, n_worlds=30):
    """Return the mean squared error of accuracies after two labels per group, where groups are so steep."""
    groups, rng, found = _groups(), np.random.default_rng(5), []
    x, start = logit(groups.pool.confidence), lw.beliefs.LearnedAccuracy.start(groups, prior)
    middle = np.bincount(groups.of_item, x) / groups.n_items
    between = (middle - middle.mean())[groups.of_item]
    for _ in range(n_worlds):
        level = rng.normal(0, 0.2, groups.n_groups)[groups.of_item]
        hit = rng.uniform(size=len(x)) < expit(-0.5 + 0.7 * x + (steep - 1) * 0.7 * between + level)
        labels = np.where(hit, groups.pool.prediction, (groups.pool.prediction + 1) % groups.n_groups)
        items = rng.permutation(len(x))[:60]
        truth = np.bincount(groups.of_item, hit) / groups.n_items
        found.append(((start.update(items, labels[items]).mean(target="pool") - truth) ** 2).mean())
    return np.mean(found)


def test_it_helps_where_groups_are_steeper_and_costs_little_where_they_are_not():
    """The same thirty worlds for both priors, so that only the steepness differs."""
    steep, flat = lw.LearnedPrior(), lw.LearnedPrior(steepness=1.0)
    assert _error(1.6, steep) < 0.9 * _error(1.6, flat)
    assert _error(1.0, steep) < 1.1 * _error(1.0, flat)


def test_groups_that_are_parts_of_the_scores_have_no_steepness_of_their_own():
    groups = _groups()
    bins, whole = lw.by_score(groups.pool, 10, equal="mass"), lw.everything(groups.pool)
    without = lw.by_prediction(lw.pool_from_arrays(predicted=groups.pool.prediction))
    for grouping, is_mixed in ((groups, True), (bins, False), (whole, False), (without, False)):
        assert CalibrationMap.of(grouping).is_mixed == is_mixed
        belief = lw.beliefs.LearnedAccuracy.start(grouping)
        assert (belief.maps.odds != 1).any() == is_mixed
