"""The group that is reported as worst: chosen by the labels that its interval rests on.

Five groups of accuracy 0.8, 1,000 runs. What is wanted: the interval of the group with the least mean covers in at
least 0.94 of the runs, and its mean is at most 0.02 too low on average. The learned prior keeps the first. Its mean is
0.029 too low with scores under Thompson sampling, 0.038 without scores at 20 labels per group and 0.02 at 80; a little
more where all groups get labels alike. Flat priors are two to three times further off. A prior that expects smaller
differences would mend that, and cover less where groups do differ.
"""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import Scenario
from labelwise.simulation.card import mixture_interval
from labelwise.simulation.compiled import play_compiled
from strength import sized

TRUE, N_GROUPS = 0.8, 5
RUNS = sized(full=1_000, quick=250)
SLACK = 1.5 * np.sqrt(0.94 * 0.06 / RUNS) - 1.5 * np.sqrt(0.94 * 0.06 / 1_000)  # for fewer runs, none at full strength


def groups_of(confidence):
    """Return five groups of 2,000 items of which 0.8 are hits; the confidence spreads about a mean, or is not there."""
    size = 2_000
    predicted = np.repeat(np.arange(N_GROUPS), size)
    is_hit = np.tile(np.arange(size) < TRUE * size, N_GROUPS)
    scores = {}
    if confidence is not None:
        rng = np.random.default_rng(0)
        scores["confidence"] = np.clip(rng.beta(confidence * 20, (1 - confidence) * 20, len(predicted)), 0.3, 0.9999)
    labels = np.where(is_hit, predicted, (predicted + 1) % N_GROUPS)
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, labels=labels, **scores))


def reported(prior, confidence, policy, n):
    """Return the bias of the mean and the coverage of the interval of the group that is reported as worst.

    After n labels per group on average.
    """
    scenario = Scenario(groups_of(confidence), lw.Worst(), policy, prior, n * N_GROUPS)
    played = play_compiled(scenario, range(RUNS), np.array([n * N_GROUPS]))
    misses, covered = [], []
    for run in range(RUNS):
        belief = scenario.stacked({name: array[run, 0] for name, array in played.items()})
        mean = belief.mean()
        g = int(np.argmin(mean))
        if isinstance(belief, lw.beliefs.LearnedAccuracy):
            low, high = mixture_interval(belief, g, 0.95)
        else:
            low, high = (end[g] for end in belief.interval(0.95))
        misses.append(mean[g] - TRUE)
        covered.append(low <= TRUE <= high)
    return np.mean(misses), np.mean(covered)


@pytest.mark.parametrize(("policy", "most"), [(lw.policies.RandomGroup(), 0.04), (lw.Thompson(), 0.03)])
def test_with_scores_the_reported_worst_is_covered_and_little_biased(policy, most):
    """Scores that are 0.15 too high, and tell nothing. Measured: bias -0.039 and -0.029, coverage 0.972 and 0.975."""
    bias, coverage = reported(lw.LearnedPrior(), 0.95, policy, 20)
    assert -most - SLACK <= bias <= 0
    assert coverage >= 0.94 - SLACK


@pytest.mark.parametrize(
    ("policy", "n", "most"),
    [(lw.policies.RandomGroup(), 20, 0.055), (lw.Thompson(), 20, 0.045), (lw.Thompson(), 80, 0.025)],
)
def test_without_scores_the_reported_worst_is_covered_but_takes_more_labels_to_be_unbiased(policy, n, most):
    """Measured: bias -0.049, -0.038 and -0.020, coverage 0.959, 0.957 and 0.962."""
    bias, coverage = reported(lw.LearnedPrior(), None, policy, n)
    assert -most - SLACK <= bias <= 0
    assert coverage >= 0.94 - 0.01 - SLACK  # one and a half standard errors of 1,000 runs


@pytest.mark.parametrize(
    ("policy", "bias", "coverage"), [(lw.policies.RandomGroup(), -0.124, 0.847), (lw.Thompson(), -0.084, 0.903)]
)
def test_flat_priors_fall_short_so_this_test_can_fail(policy, bias, coverage):
    """To four standard errors of 1,000 runs."""
    found = reported(lw.FlatPrior(), None, policy, 20)
    assert found[0] == pytest.approx(bias, abs=0.012 * np.sqrt(1_000 / RUNS))
    assert found[1] == pytest.approx(coverage, abs=0.045 * np.sqrt(1_000 / RUNS))
