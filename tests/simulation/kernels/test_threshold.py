"""Chances to beat a threshold against scipy, from label to label, and the search for a threshold."""

import numpy as np
import pytest
from scipy import special

from labelwise.simulation.kernels.gain import ESTIMATE, RANK, set_constants
from labelwise.simulation.kernels.threshold import (
    CHANCE,
    LOG_BETA,
    move_chance,
    retuned,
    set_chance,
    top_constant,
)

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one


def started(goal, a, b, weight, offset=0.0):
    n = len(a)
    constants, firing = np.empty((n, 8)), np.zeros((n, 5))
    for g in range(n):
        set_constants(constants, g, goal, a[g], b[g], weight[g], offset)
        firing[g, LOG_BETA] = special.betaln(a[g], b[g])
    return constants, firing


def slow_chance(constants, g, a, b, tau):
    level, slope = constants[g, 6:8]
    at = np.clip((tau - level) / slope, 0, 1)
    return special.betainc(a, b, at) if slope < 0 else special.betainc(b, a, 1 - at)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_chances_follow_labels(sign):
    rng = np.random.default_rng(1)
    a, b = np.array([1.3]), np.array([0.7])
    tau = sign * 0.4
    constants, firing = started(RANK, a, b, [sign])
    set_chance(firing, constants, 0, a[0], b[0], tau)
    for _ in range(200):
        hit = bool(rng.uniform() < 0.6)
        firing[0, LOG_BETA] += np.log((a[0] if hit else b[0]) / (a[0] + b[0]))
        move_chance(firing, constants, 0, a[0], b[0], hit, tau)
        a[0], b[0] = a[0] + hit, b[0] + (not hit)
        expected = slow_chance(constants, 0, a[0], b[0], tau)
        assert firing[0, CHANCE] == pytest.approx(expected, rel=1e-6, abs=1e-13)


@pytest.mark.parametrize("goal", [RANK, ESTIMATE])
def test_a_threshold_is_found_that_a_few_groups_beat(goal):
    rng = np.random.default_rng(2)
    a, b = rng.uniform(0.2, 30, (2, 300))
    weight = np.full(300, -1.0) if goal == RANK else rng.uniform(0.5, 1, 300)
    constants, firing = started(goal, a, b, weight)
    tau, total, _ = retuned(firing, constants, a, b, np.arange(300), 300, 0.0, 4.0, -1, 0.0, 1.0)
    assert 2 <= total <= 10
    assert total == pytest.approx(sum(slow_chance(constants, g, a[g], b[g], tau) for g in range(300)), rel=1e-6)


def test_the_best_constant_gain_is_known_without_a_draw():
    a, b = np.array([2.0, 1.0, 1.0, 3.0]), np.array([5.0, 1.0, 1.0, 3.0])
    constants, firing = started(ESTIMATE, a, b, np.ones(4))
    assert top_constant(constants, np.arange(4), 4) == 1
    assert top_constant(constants, np.array([0, 3]), 2) == 3
    assert top_constant(constants, np.array([0]), 1) == -1
    set_chance(firing, constants, 1, 1.0, 1.0, -1.0)
    assert firing[1, CHANCE] == 0
