"""Synthetic data drawn from the prior, for simulation-based calibration of any belief and metric."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Prior, Target
from labelwise.groups import Grouping
from labelwise.metrics import Metric
from labelwise.pool import Pool, pool_from_arrays
from labelwise.testing.calibration import pit_of_draws

_Floats = NDArray[np.float64]
Mistake = Callable[[Belief, "World"], Belief]
"""Maps the correct belief and its world to a wrong belief, to show that a check can fail."""


@dataclass(frozen=True, eq=False)
class World:
    """One draw of everything: parameters from the prior, labels given the parameters, and the observed items.

    Attributes
    ----------
    prior_belief : the belief before any label.
    labels : the label of every item of the pool.
    seen : the items whose labels are observed.
    """

    prior_belief: Belief
    parameters: _Floats
    labels: NDArray[np.int64]
    seen: NDArray[np.int64]

    @property
    def belief(self) -> Belief:
        """The posterior given the observed labels."""
        return self.prior_belief.update(self.seen, self.labels[self.seen])

    def truth(self, metric: Metric, target: Target, rng: np.random.Generator) -> _Floats:
        """Return the true value of a metric: that of the parameters, or of all labels of the pool."""
        if target == "population":
            return metric.draw(_known(self.prior_belief, self.parameters), 1, rng=rng)[0]
        everything = np.arange(len(self.labels))
        return metric.draw(self.prior_belief.update(everything, self.labels), 1, target="pool", rng=rng)[0]


def _known(belief: Belief, parameters: _Floats) -> Belief:
    """Return a copy of a belief whose draws all equal the true parameters."""
    known = copy(belief)

    def draw(n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        return np.repeat(parameters[None], n_draws, axis=0)

    known.__dict__.update(draw=draw, draws=lambda n_draws, **how: [draw(n_draws, **how)])
    return known


def small_pool(n_items: int = 60, n_classes: int = 3, *, seed: int = 0) -> Pool:
    """Return a pool with random scores and a rival classifier that disagrees on every item.

    The last class is never predicted, so that one group is empty.

    Examples
    --------
    >>> small_pool(5).n_classes
    3
    """
    rng = np.random.default_rng(seed)
    scores = rng.dirichlet(np.full(n_classes, 0.7), n_items)
    scores[:, -1] *= 0.5 * scores[:, :-1].max(axis=1)
    site = rng.choice(["north", "south"], n_items)
    rival = (scores.argmax(axis=1) + rng.integers(1, n_classes, n_items)) % n_classes
    return pool_from_arrays(scores=scores, normalise=True, columns={"site": site, "rival": rival})


def make_world(start: Belief, n_labels: int, rng: np.random.Generator) -> World:
    """Draw parameters from a belief, labels for every item, and a random subset of items to observe."""
    parameters = start.draw(1, rng=rng)[0]
    n_items = start.outer.pool.n_items
    labels = start.imagine(parameters, np.arange(n_items), rng=rng)
    return World(start, parameters, labels, rng.permutation(n_items)[:n_labels])


def belief_simulation(
    metric: Metric,
    groups: Grouping,
    prior: Prior | None = None,
    *,
    n_labels: int = 20,
    target: Target = "population",
    n_draws: int = 200,
    mistake: Mistake | None = None,
) -> Callable[[np.random.Generator], _Floats]:
    """Return a simulation for `check_calibration`: the PIT value of every group's true metric.

    Examples
    --------
    >>> import labelwise as lw
    >>> from labelwise.testing import check_calibration
    >>> simulation = belief_simulation(lw.accuracy, lw.by_prediction(small_pool()))
    >>> check_calibration(simulation, n_simulations=100, seed=1).passed
    True
    """
    start = metric.start(groups, prior)
    sizes = metric.n_items(start)

    def simulate(rng: np.random.Generator) -> _Floats:
        world = make_world(start, n_labels, rng)
        belief = world.belief if mistake is None else mistake(world.belief, world)
        truth = world.truth(metric, target, rng)
        draws = metric.draw(belief, n_draws, target=target, rng=rng)
        pit = pit_of_draws(truth, draws, rng)
        return pit if sizes is None else pit[sizes > 0]

    return simulate
