"""Functions of compiled maps; the maps themselves are tested in `simulation/test_same_posterior.py`."""

import pytest
from scipy.special import digamma, gammaln

from labelwise.simulation.kernels.calibration_map import _digamma_rise, _rising
from labelwise.simulation.kernels.compiler import compiled


@compiled
def _both(a, n):
    return _rising(a, n), _digamma_rise(a, n)


@pytest.mark.parametrize("n", [0, 1, 5, 16, 17, 64, 65, 400])
@pytest.mark.parametrize("a", [0.001, 0.3, 4.0, 900.0])
def test_rising_factorials_and_their_slopes_are_those_of_the_gamma_function(a, n):
    rising, slope = _both(a, n)
    assert rising == pytest.approx(gammaln(a + n) - gammaln(a), abs=1e-9, rel=1e-12)
    assert slope == pytest.approx(digamma(a + n) - digamma(a), abs=1e-10, rel=1e-10)
