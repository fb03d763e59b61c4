"""The group that is reported as worst: chosen by the labels that its interval rests on.

Five groups of accuracy 0.8, 1,000 runs. What is wanted: the interval of the group with the least mean covers in at
least 0.94 of the runs, and its mean is at most 0.02 too low on average. The learned prior keeps both where there are
scores and Thompson sampling chooses. Labelled evenly it is 0.027 too low; without scores 0.037 at 20 labels a group and
0.02 at 80. Flat priors do far worse in all settings. A prior that expects smaller differences would mend that, and
cover less where groups do differ.
"""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import Scenario
from labelwise.simulation.card import mixture_interval
from labelwise.simulation.compiled import play_compiled

TRUE, N_GROUPS, RUNS = 0.8, 5, 1_000


def groups_of(confidence):
    """Give five groups of 2,000 items of which 0.8 are hits; the confidence spreads about a mean, or is not there."""
    size = 2_000
    predicted = np.repeat(np.arange(N_GROUPS), size)
    is_hit = np.tile(np.arange(size) < TRUE * size, N_GROUPS)
    scores = {}
    if confidence is not None:
        rng = np.random.default_rng(0)
        scores["confidence"] = np.clip(rng.beta(confidence * 20, (1 - confidence) * 20, len(predicted)), 0.3, 0.9999)
    labels = np.where(is_hit, predicted, (predicted + 1) % N_GROUPS)
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, labels=labels, **scores))


def counted(groups, prior, allocation, n):
    """Give hits and labels of each run, n labels a group on average."""
    if allocation == "even":
        hits = np.random.default_rng(3).binomial(n, TRUE, (RUNS, N_GROUPS))
        return hits, np.full_like(hits, n)
    scenario = Scenario(groups, lw.Worst(), lw.Thompson(), prior, n * N_GROUPS)
    played = play_compiled(scenario, range(RUNS), np.array([n * N_GROUPS]))
    return played["hits"][:, 0].astype(int), played["labels"][:, 0].astype(int)


def reported(prior, confidence, allocation, n):
    """Give the bias of the mean and the coverage of the interval of the group that is reported as worst."""
    groups = groups_of(confidence)
    start = lw.accuracy.start(groups, prior)
    misses, covered = [], []
    for hits, labels in zip(*counted(groups, prior, allocation, n), strict=True):
        belief = start.add(hits, labels)
        mean = belief.mean()
        g = int(np.argmin(mean))
        if isinstance(belief, lw.MixtureBelief):
            low, high = mixture_interval(belief, g, 0.95)
        else:
            low, high = (end[g] for end in belief.interval(0.95))
        misses.append(mean[g] - TRUE)
        covered.append(low <= TRUE <= high)
    return np.mean(misses), np.mean(covered)


@pytest.mark.parametrize(("allocation", "most"), [("even", 0.035), ("thompson", 0.02)])
def test_with_scores_the_reported_worst_is_covered_and_hardly_biased(allocation, most):
    """Scores that are 0.15 too high. Measured: bias -0.027 and -0.017, coverage 0.983 and 0.985."""
    bias, coverage = reported(lw.LearnedPrior(), 0.95, allocation, 20)
    assert -most <= bias <= 0
    assert coverage >= 0.94


@pytest.mark.parametrize(
    ("allocation", "n", "most"), [("even", 20, 0.055), ("thompson", 20, 0.045), ("thompson", 80, 0.025)]
)
def test_without_scores_the_reported_worst_is_covered_but_takes_more_labels_to_be_unbiased(allocation, n, most):
    """Measured: bias -0.046, -0.037 and -0.019, coverage 0.962, 0.943 and 0.958."""
    bias, coverage = reported(lw.LearnedPrior(), None, allocation, n)
    assert -most <= bias <= 0
    assert coverage >= 0.94 - 0.01  # one and a half standard errors of 1,000 runs


@pytest.mark.parametrize(("allocation", "bias", "coverage"), [("even", -0.124, 0.847), ("thompson", -0.084, 0.903)])
def test_flat_priors_fall_short_so_this_test_can_fail(allocation, bias, coverage):
    """To four standard errors of 1,000 runs."""
    found = reported(lw.FlatPrior(), None, allocation, 20)
    assert found[0] == pytest.approx(bias, abs=0.012)
    assert found[1] == pytest.approx(coverage, abs=0.045)
