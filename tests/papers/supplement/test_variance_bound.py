"""The published upper bound, posterior mean less variance, is played as an assessment would play it."""

import numpy as np

import labelwise as lw
from labelwise.policies.policy import leader
from labelwise.simulation import Scenario
from labelwise.simulation.exact import play_exactly
from papers.supplement.variance_bound import play_variance_bound


class MeanLessVariance:
    """The published Bayesian UCB as a policy that an assessment can follow."""

    name = "mean-less-variance"

    def choose(self, belief, question, n_open, *, target="population", rng):
        open_groups = np.flatnonzero(n_open)
        return (leader(belief.variance() - belief.mean(), open_groups),) if len(open_groups) else ()


def three_groups():
    rng = np.random.default_rng(5)
    predicted = np.repeat([0, 1, 2], [20, 12, 7])
    labels = np.where(rng.uniform(size=39) < 0.7, predicted, (predicted + 1) % 3)
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, labels=labels))


def test_the_published_upper_bound_is_played_as_an_assessment_would_play_it():
    """Mean labels of each group after 10: 200 assessments and 4,000 runs, within 5 standard errors."""
    scenario = Scenario(three_groups(), lw.Worst(), MeanLessVariance(), lw.CustomPrior(0.5, 0.5))
    at = np.array([10])
    exact = play_exactly(scenario, range(200), at)
    fast = play_variance_bound(scenario, 4_000, at, rng=np.random.default_rng(2))
    for name in ("hits", "labels"):
        one, two = exact[name][:, 0], fast[name][:, 0]
        error = np.sqrt(one.var(axis=0) / 200 + two.var(axis=0) / 4_000)
        assert (np.abs(one.mean(axis=0) - two.mean(axis=0)) <= 5 * error + 1e-12).all(), name


def test_the_published_upper_bound_ends_with_every_item_labelled():
    scenario = Scenario(three_groups(), lw.Worst(), lw.policies.Greedy())
    found = play_variance_bound(scenario, 3, np.array([1, 20, 39]), rng=np.random.default_rng(2))
    assert found["labels"].sum(axis=2).tolist() == [[1, 20, 39]] * 3
    assert (found["labels"][:, -1] == scenario.groups.n_items).all()
    assert (found["hits"][:, -1] == scenario.known.hits).all()
