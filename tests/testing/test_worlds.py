"""Simulation-based calibration of every belief, both targets; and proof that the harness can fail.

500 simulations per case (5,000 with LABELWISE_SIMULATIONS=5000), 99 % simultaneous band, corrected for the number of
cells. All cases together: a right belief fails some case with probability at most 0.01 x the number of cases for a
random seed; the seeds are fixed.
"""

from dataclasses import replace

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing import belief_simulation, check_calibration
from labelwise.testing.worlds import small_pool
from strength import SIMULATIONS

COST = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]
CASES = {
    "beta, flat": (lw.accuracy, "prediction", None),
    "beta, informed": (lw.accuracy, "prediction", lw.InformedPrior()),
    "beta, custom": (lw.accuracy, "site", lw.CustomPrior(8, 3)),
    "beta, bias": (lw.calibration_bias, "site", lw.InformedPrior(5)),
    "cells, ece": (lw.metrics.ECE(bins=4), "prediction", lw.FlatPrior()),
    "cells, mce": (lw.metrics.MCE(bins=4), "site", lw.InformedPrior(4)),
    "dirichlet, recall": (lw.recall, "prediction", lw.FlatPrior(3)),
    "dirichlet, cost": (lw.ExpectedCost(COST), "prediction", lw.InformedPrior()),
    "paired, lead": (lw.metrics.Lead("rival"), "site", None),
    "dirichlet, rate a group": (lw.metrics.FalsePositiveRate(positive=1), "site", lw.FlatPrior(2)),
}


def groups_by(name):
    pool = small_pool()
    return lw.by_prediction(pool) if name == "prediction" else lw.by_column(pool, name)


@pytest.mark.parametrize("target", ["pool", "population"])
@pytest.mark.parametrize("case", CASES)
def test_every_belief_is_calibrated(case, target):
    metric, by, prior = CASES[case]
    simulation = belief_simulation(metric, groups_by(by), prior, target=target)
    check = check_calibration(simulation, n_simulations=SIMULATIONS, seed=11)
    assert check.passed, check


def _beta(change):
    """A mistake in a Beta belief, from (hits, labels, prior_a, prior_b, world) to what is wrongly believed."""

    def mistake(belief, world):
        return replace(belief, **change(belief, world))

    return mistake


def told_again(belief, world):
    """A client that heard no answer sent half of its labels a second time."""
    return belief.update(world.seen[:10], world.labels[world.seen[:10]])


def one_forgotten_after_undo(belief, world):
    """Labels were corrected from a miss to a hit, but the belief kept the old ones."""
    first = world.seen[:6]
    return world.prior_belief.update(world.seen[6:], world.labels[world.seen[6:]]).update(
        first, (world.labels[first] + 1) % 3
    )


def wrong_neighbour(belief, world):
    swapped = [1, 0, 2]
    return replace(belief, hits=belief.hits[swapped], labels=belief.labels[swapped])


def easy_items_first(belief, world):
    """Items were not drawn at random: those that are hits came first."""
    groups = belief.groups
    hits = groups.pool.prediction == world.labels
    order = np.argsort(~hits, kind="stable")[: len(world.seen)]
    return world.prior_belief.update(order, world.labels[order])


def as_a(kind, belief):
    """Return a belief as one of a kind that extends its own."""
    other = object.__new__(kind)
    other.__dict__.update(belief.__dict__)
    return other


class Tempered(lw.beliefs.BetaBelief):
    """A belief whose draws are too close to their mean."""

    def draw(self, n_draws, *, target="population", rng):
        draws = super().draw(n_draws, target=target, rng=rng)
        return draws.mean(axis=0) + 0.7 * (draws - draws.mean(axis=0))


class OtherTarget(lw.beliefs.BetaBelief):
    """A belief that answers about the population when asked about the pool."""

    def draw(self, n_draws, *, target="population", rng):
        return super().draw(n_draws, target="population", rng=rng)


class WithReplacement(lw.beliefs.BetaBelief):
    """A pool belief that treats labelled items as if they could be drawn again."""

    def draw(self, n_draws, *, target="population", rng):
        accuracy = super().draw(n_draws, target="population", rng=rng)
        size = np.maximum(self.n_items, 1)
        return rng.binomial(size, accuracy) / size


BETA_MISTAKES = {
    "an extra pseudo-count": ("population", _beta(lambda b, w: {"prior_a": b.prior_a + 1})),
    "hits and misses swapped": ("population", _beta(lambda b, w: {"hits": b.labels - b.hits})),
    "a and b of the prior swapped": ("population", _beta(lambda b, w: {"prior_a": b.prior_b, "prior_b": b.prior_a})),
    "the prior counted twice": ("population", _beta(lambda b, w: {"prior_a": 2 * b.prior_a, "prior_b": 2 * b.prior_b})),
    "the prior left out": (
        "population",
        _beta(lambda b, w: {"prior_a": b.prior_a * 1e-3, "prior_b": b.prior_b * 1e-3}),
    ),
    "labels counted twice after a retry": ("population", told_again),
    "a stale belief after undo": ("population", one_forgotten_after_undo),
    "labels credited to the neighbouring group": ("population", wrong_neighbour),
    "easy items labelled first": ("population", easy_items_first),
    "draws too close to the mean": ("population", lambda b, w: as_a(Tempered, b)),
    "the population instead of the pool": ("pool", lambda b, w: as_a(OtherTarget, b)),
    "with replacement instead of without": ("pool", lambda b, w: as_a(WithReplacement, b)),
}


@pytest.mark.parametrize("name", BETA_MISTAKES)
def test_planted_mistakes_in_a_beta_belief_are_caught(name):
    target, mistake = BETA_MISTAKES[name]
    simulation = belief_simulation(
        lw.accuracy, groups_by("prediction"), lw.CustomPrior(2, 1), target=target, n_labels=20, mistake=mistake
    )
    assert not check_calibration(simulation, n_simulations=SIMULATIONS, seed=12).passed


def predicted_instead_of_true(belief, world):
    """The slip of the published code: the Dirichlet learns the predicted class."""
    return world.prior_belief.update(world.seen, belief.groups.pool.prediction[world.seen])


def sampled_as_prior(belief, world):
    return replace(belief, prior_alpha=belief.mean())


class UnweightedGroups(lw.beliefs.CellBelief):
    """Shares of the cells dropped: every bin counts the same."""

    @property
    def weight(self):
        there = super().weight > 0
        return there / np.maximum(there.sum(axis=1, keepdims=True), 1)


OTHER_MISTAKES = {
    "the predicted class learned instead of the true one": (
        lw.recall, lw.FlatPrior(3), predicted_instead_of_true, "population",
    ),
    "a prior made from the posterior": (lw.ExpectedCost(COST), lw.FlatPrior(3), sampled_as_prior, "population"),
    "weights of the bins dropped": (
        lw.metrics.ECE(bins=4), lw.FlatPrior(), lambda b, w: as_a(UnweightedGroups, b), "population",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER_MISTAKES)
def test_planted_mistakes_in_other_beliefs_are_caught(name):
    metric, prior, mistake, target = OTHER_MISTAKES[name]
    simulation = belief_simulation(metric, groups_by("prediction"), prior, target=target, n_labels=30, mistake=mistake)
    assert not check_calibration(simulation, n_simulations=SIMULATIONS, seed=13).passed
