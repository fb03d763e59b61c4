"""Quantiles from the largest draws against those of all draws."""

import numpy as np
import pytest

from labelwise.questions import estimate, extreme
from labelwise.simulation.kernels.upper import ESTIMATE_DRAWS, RANK_DRAWS, kept, n_kept, upper_of


@pytest.mark.parametrize("n_draws", [2, 7, 200, 500])
@pytest.mark.parametrize("level", [0.51, 0.9, 0.975, 0.999999])
@pytest.mark.parametrize("ties", [False, True])
def test_the_quantile_is_that_of_all_draws(n_draws, level, ties):
    rng = np.random.default_rng(4)
    draws = rng.normal(size=n_draws)
    draws = draws.round() if ties else draws
    most, n_top = n_kept(n_draws, level), 0
    top = np.full(most, np.nan)
    for draw in draws:
        # what is below all that are kept may come as minus infinity: it was not drawn to its end
        value = -np.inf if n_top == most and draw < top[most - 1] else draw
        n_top = kept(float(value), top, n_top, most)
    assert n_top == most
    assert top.tolist() == sorted(draws, reverse=True)[:most]
    assert upper_of(top, n_draws, level) == pytest.approx(np.quantile(draws, level), abs=1e-12)


def test_there_are_as_many_draws_as_in_the_package():
    assert (RANK_DRAWS, ESTIMATE_DRAWS) == (extreme._UPPER_DRAWS, estimate._UPPER_DRAWS)
