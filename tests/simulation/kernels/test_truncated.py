"""Truncated draws against theory. A right sampler fails a test once in 10,000 seeds."""

import numpy as np
import pytest
from scipy import stats

from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.generator import seeded
from labelwise.simulation.kernels.incomplete import chance_below, quantile
from labelwise.simulation.kernels.truncated import draw_above, draw_below, draw_between

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one


@compiled
def _chances(a, b, t, above, n):
    """Draw, and give where each draw stands in the truncated law: uniform if it is right."""
    out, state = np.empty(n), seeded(np.uint64(3))
    under = chance_below(a, b, t, 1 - t)
    over = chance_below(b, a, 1 - t, t)
    for i in range(n):
        if above:
            x, state = draw_above(a, b, t, 1 - t, over, state)
            out[i] = chance_below(b, a, 1 - x, x) / over
        else:
            x, state = draw_below(a, b, t, 1 - t, under, state)
            out[i] = chance_below(a, b, x, 1 - x) / under
    return out


SHAPES = [(1.0, 1.0), (3.0, 8.0), (80.0, 20.0), (0.4, 3.0), (5.0, 0.2), (0.3, 0.4), (400.0, 1.2), (0.05, 30.0)]


@pytest.mark.parametrize(("a", "b"), SHAPES)
@pytest.mark.parametrize("chance", [1e-9, 1e-3, 0.1, 0.5, 0.95])
def test_draws_below_and_above_follow_their_law(a, b, chance):
    for above, t in ((False, quantile(a, b, chance, 1 - chance)), (True, quantile(a, b, 1 - chance, chance))):
        if 1e-300 < t < 1 - 1e-12:  # nearer to 1 a number has too few digits to be a threshold
            assert stats.kstest(_chances(a, b, t, above, 5000), "uniform").pvalue > 1e-4


@compiled
def _between(a, b, low, high, n):
    """Draw between two ends, and give where each draw stands in its law."""
    out, state = np.empty(n), seeded(np.uint64(4))
    below, above = chance_below(a, b, low, 1 - low), chance_below(b, a, 1 - high, high)
    chance = 1 - below - above
    for i in range(n):
        x, state = draw_between(a, b, low, high, chance, state)
        out[i] = (chance_below(a, b, x, 1 - x) - below) / chance
    return out


@pytest.mark.parametrize(("a", "b"), SHAPES)
@pytest.mark.parametrize(("low", "high"), [(0.0, 0.1), (0.1, 0.12), (0.3, 0.7), (0.85, 0.9), (0.6, 1.0), (0.0, 1.0)])
def test_draws_between_two_ends_follow_their_law(a, b, low, high):
    below, above = chance_below(a, b, low, 1 - low), chance_below(b, a, 1 - high, high)
    if 1 - below - above > 1e-6:  # with less, the differences of this test have too few digits
        assert stats.kstest(_between(a, b, low, high, 5000), "uniform").pvalue > 1e-4


def test_an_end_of_the_unit_interval_shuts_no_draw_out():
    # most draws of this Beta are 0 or 1 to the last digit
    assert (_between(0.001, 0.002, 0.5, 1.0, 200) > 0.9).mean() > 0.8
    assert (_between(0.002, 0.001, 0.0, 0.5, 200) < 0.2).mean() > 0.1
