"""The learned belief, compiled, against the belief itself: the same numbers at the same labels.

Means agree to a relative 1e-8, variances and gains to 1e-6; most agree to 1e-12. What differs is rounding: sums run in
another order, and gamma functions come from series. Where probabilities of thousands of labels are compared, rounding
can decide whether the search for a mode takes its last step, so that nodes lie up to 1e-6 apart.
"""

import numpy as np
import pytest
from scipy.special import expit, logit

import labelwise as lw
from labelwise.beliefs.learned.group_slope import steepness_in
from labelwise.simulation import Scenario

pytest.importorskip("numba", reason="kernels need the compiler: pip install 'labelwise[simulate]'")
from labelwise.simulation.kernels.calibration_map import fit_maps, n_nodes_of
from labelwise.simulation.kernels.mixture_gain import move_drops, put_drops, put_overall_drops
from labelwise.simulation.scores import estimates

MEAN, VARIANCE_AND_GAIN = 1e-8, 1e-6
COUNTS = [0, 1, 10, 200, 5_000]
N_ITEMS = 6_000


def _groups(n_groups, confidence=None, chance=None, share=None, n_classes=None):
    """Return a labelled grouping whose items are hits with this chance given their confidence."""
    rng = np.random.default_rng(n_groups)
    predicted = rng.choice(n_groups, N_ITEMS, p=share)
    shown = rng.beta(6, 2, N_ITEMS) if confidence is None else confidence(rng)
    hit = rng.uniform(size=N_ITEMS) < (shown if chance is None else chance(shown))
    n_classes = n_classes or n_groups
    labels = np.where(hit, predicted, (predicted + 1) % n_classes)
    shown = None if confidence is _no_scores else shown
    return lw.by_prediction(
        lw.pool_from_arrays(predicted=predicted, confidence=shown, labels=labels, classes=list(range(n_classes)))
    )


def _no_scores(rng):
    return np.full(N_ITEMS, 0.8)


def _by_confidence():
    return lw.by_score(_groups(4).pool, bins=8)


POOLS = {
    "many groups": lambda: _groups(100),
    "two groups": lambda: _groups(2),
    "empty and tiny groups": lambda: _groups(
        12, share=0.5 ** np.arange(12) / np.sum(0.5 ** np.arange(12)), n_classes=15
    ),
    "useless scores": lambda: _groups(10, chance=lambda shown: np.full(N_ITEMS, 0.7)),
    "reversed scores": lambda: _groups(10, chance=lambda shown: 1 - 0.8 * shown),
    "scores far off": lambda: _groups(10, chance=lambda shown: expit(2 + 1.7 * logit(shown))),
    "nearly perfect": lambda: _groups(10, confidence=lambda rng: 1 - 1e-3 * rng.beta(1, 5, N_ITEMS)),
    "equal scores": lambda: _groups(10, confidence=lambda rng: np.full(N_ITEMS, 0.9)),
    "no scores": lambda: _groups(10, confidence=_no_scores),
    "bins of the score": _by_confidence,
}


@pytest.fixture(scope="module", params=POOLS)
def groups(request):
    return POOLS[request.param]()


def _labelled(groups, n_labels):
    items = np.random.default_rng(n_labels).permutation(N_ITEMS)[:n_labels]
    return lw.beliefs.LearnedAccuracy.start(groups).update(items, groups.pool.labels[items])


class _Compiled:
    """What the compiled engine makes of the labels that a belief has counted."""

    def __init__(self, belief, target):
        self.belief, scores, settings = belief, belief.scores, belief.prior.settings
        self.in_pool, directions = target == "pool", slice(2 if scores.has_scores else 1)
        n_nodes, n_groups = n_nodes_of(len(settings["strengths"]), directions.stop), belief.n_groups
        in_bin = np.ascontiguousarray(belief.in_bin.T, float)
        self.weight, self.accuracy = np.empty(n_nodes), np.empty((n_nodes, n_groups))
        self.summed, self.chance = np.empty((n_nodes, n_groups)), np.empty((n_nodes, len(scores.x)))
        self.odds, self.explained = np.empty(n_groups), np.empty(n_groups)
        fit_maps(
            scores.x, np.ascontiguousarray(scores.share.T), scores.whole[:, None], belief.hits, belief.labels,
            in_bin if scores.has_scores else belief.labels[None].astype(float), belief.bin_hits.astype(np.int64),
            settings["middle"][directions], settings["spread"][directions], settings["strengths"],
            steepness_in(scores, settings["steepness"]), self.weight, self.accuracy, self.summed, self.chance,
            self.odds, self.explained,
        )  # fmt: skip
        self.strength = np.repeat(settings["strengths"], n_nodes // len(settings["strengths"]))
        self.part = belief.groups.share.copy()
        self.apart, self.moments = np.empty((n_nodes, n_groups)), np.empty((3, n_groups))
        self.others, self.lines = np.empty(n_groups), np.empty((n_groups, 2))
        put_drops(*self.maps, *self.counts, self.part, self.in_pool, *self.out)

    @property
    def maps(self):
        return self.weight, self.strength, self.accuracy, self.summed, self.odds, self.explained

    @property
    def counts(self):
        return self.belief.hits, self.belief.labels, self.belief.n_items.astype(np.int64)

    @property
    def out(self):
        return self.apart, self.moments, self.others, self.lines


def _moments(belief, target):
    """Return mean and variance of the accuracy of new items, or of those left, as `put_drops` writes them."""
    a, b = belief._of(target)
    mean = belief.maps.weight @ (a / (a + b))
    second = belief.maps.weight @ (a * (a + 1) / ((a + b) * (a + b + 1)))
    own = second - mean**2
    if target == "pool":
        size = np.maximum(belief.n_items, 1)
        own = belief.n_left / size * own + (mean * (1 - mean) - own) / size
    return mean, own


@pytest.mark.parametrize("target", ["population", "pool"])
@pytest.mark.parametrize("n_labels", COUNTS)
def test_means_variances_and_gains_are_those_of_the_belief(groups, n_labels, target):
    belief = _labelled(groups, n_labels)
    engine = _Compiled(belief, target)
    mean, own = _moments(belief, target)
    assert engine.moments[0] == pytest.approx(mean, rel=MEAN)
    assert engine.moments[1] == pytest.approx(own, rel=VARIANCE_AND_GAIN)
    if target == "population":
        assert own == pytest.approx(belief.variance(), rel=VARIANCE_AND_GAIN)
    share, draw = groups.share, np.linspace(0.1, 0.9, groups.n_groups)
    gain = engine.lines[:, 0] + engine.lines[:, 1] * draw
    assert gain == pytest.approx(belief.total_drop(share, draw, target=target), rel=VARIANCE_AND_GAIN, abs=1e-300)
    lines = np.empty((groups.n_groups, 2))
    put_overall_drops(*engine.maps, *engine.counts, engine.part, engine.in_pool, lines)
    # a covariance is a difference, and its rounding is that of the numbers it is made of
    covariance = belief.covariance_with(share, target=target) ** 2
    assert lines[:, 0] == pytest.approx(covariance / (1 - mean) ** 2, rel=VARIANCE_AND_GAIN, abs=1e-18)
    assert lines.sum(axis=1) == pytest.approx(covariance / mean**2, rel=VARIANCE_AND_GAIN, abs=1e-18)


@pytest.mark.parametrize("target", ["population", "pool"])
def test_gains_between_two_fits_are_those_of_the_belief_that_groups_are_chosen_by(groups, target):
    rng, basis = np.random.default_rng(5), _labelled(groups, 200)
    engine, belief = _Compiled(basis, target), basis
    for item in np.flatnonzero(rng.uniform(size=N_ITEMS) < 0.002):
        if belief.n_left[groups.of_item[item]] < 2:
            continue
        belief = belief.update([item], groups.pool.labels[[item]])
        g, place = groups.of_item[item], 0 if groups.pool.confidence is None else belief.scores.bin_of_item[item]
        engine.summed[:, g] += engine.chance[:, place]
        move_drops(
            *engine.maps,
            g,
            belief.hits[g],
            belief.labels[g],
            belief.n_items[g],
            engine.part,
            engine.in_pool,
            *engine.out,
        )
    draw = np.linspace(0.1, 0.9, groups.n_groups)
    expected = belief.with_maps_of(basis).total_drop(groups.share, draw, target=target)
    gain = engine.lines[:, 0] + engine.lines[:, 1] * draw
    assert gain == pytest.approx(expected, rel=VARIANCE_AND_GAIN, abs=1e-300)


@pytest.mark.parametrize("target", ["population", "pool"])
def test_means_that_simulations_score_are_those_of_the_belief(groups, target):
    beliefs = [_labelled(groups, n_labels) for n_labels in COUNTS]
    stacked = beliefs[0].with_state(
        {name: np.stack([one.state[name] for one in beliefs])[None] for name in beliefs[0].state}
    )
    scenario = Scenario(groups, lw.Estimate(), lw.Thompson(), lw.LearnedPrior(), target=target)
    assert estimates(scenario, stacked)[0] == pytest.approx(
        np.stack([one.mean(target=target) for one in beliefs]), rel=MEAN
    )
