"""Lines of gains against the questions of the package."""

import numpy as np
import pytest
from scipy import stats

import labelwise as lw
from labelwise.simulation.kernels.gain import ESTIMATE, RANK, gain_line, mean_gain, upper_gain


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (3.5, 1.25), (0.001, 2.0), (400.0, 30.0)])
def test_the_line_of_an_estimate_is_the_expected_drop_of_the_variance(a, b):
    belief = lw.beliefs.BetaBelief.from_counts([0], [0], prior_a=a, prior_b=b)
    level, slope = gain_line(ESTIMATE, a, b, 0.3, 0.0)
    for draw in (0.0, 0.2, 1.0):
        expected = 0.3 * belief.variance_drop(np.array([draw]))[0]
        assert level + slope * draw == pytest.approx(expected, rel=1e-9, abs=1e-15)
    assert mean_gain(level, slope, a, b) == pytest.approx(0.3 * belief.variance_drop(belief.mean())[0], rel=1e-9)


def test_the_line_of_a_ranking_is_the_metric():
    assert gain_line(RANK, 2.0, 3.0, -1.0, 0.7) == (0.7, -1.0)


@pytest.mark.parametrize("slope", [2.0, -2.0])
def test_the_upper_gain_is_a_quantile(slope):
    draws = 0.1 + slope * stats.beta(3, 5).ppf(np.linspace(0.0005, 0.9995, 1000))
    assert upper_gain(0.1, slope, 3.0, 5.0, 0.975) == pytest.approx(np.quantile(draws, 0.975), abs=0.003)
    assert upper_gain(0.1, 0.0, 3.0, 5.0, 0.975) == 0.1
