"""The calibration check: right at its level, and able to see small faults."""

import numpy as np
import pytest

from labelwise.testing import check_calibration, pit_of_draws
from labelwise.testing.calibration import _simultaneous_p, _smallest_local_p


def test_uniform_values_fail_as_rarely_as_promised():
    """At level 0.9 a tenth of right simulations fail: 400 trials, three standard errors and a point allowed."""
    failed = sum(
        not check_calibration(lambda rng: rng.uniform(size=3), n_simulations=50, level=0.9, seed=seed).passed
        for seed in range(400)
    )
    assert failed / 400 <= 0.1 + 0.01 + 3 * np.sqrt(0.1 * 0.9 / 400)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda rng: rng.beta(1.3, 1),  # shifted
        lambda rng: rng.beta(1.5, 1.5),  # too wide a posterior
        lambda rng: rng.beta(0.7, 0.7),  # too narrow
        lambda rng: rng.uniform() if rng.uniform() > 0.03 else 0.0005 * rng.uniform(),  # one bad tail
    ],
)
def test_values_that_are_not_quite_uniform_are_seen(wrong):
    assert not check_calibration(lambda rng: [wrong(rng)], n_simulations=500, seed=1).passed


def test_one_bad_cell_among_many_is_seen():
    def simulate(rng):
        values = rng.uniform(size=20)
        values[7] = rng.beta(1.5, 1)
        return values

    check = check_calibration(simulate, n_simulations=500, seed=2)
    assert not check.passed
    assert check.p_values.argmin() == 7


def test_ties_are_broken_at_random():
    rng = np.random.default_rng(3)
    pit = [pit_of_draws([0.5], np.full((9, 1), 0.5), rng)[0] for _ in range(2_000)]
    assert np.mean(pit) == pytest.approx(0.5, abs=5 / np.sqrt(12 * 2_000))


def test_many_cells_can_still_fail():
    """With 300 cells the threshold is 3.3e-5: p-values that stopped short of it would let everything pass."""
    check = check_calibration(lambda rng: np.full(300, 0.5), n_simulations=50, seed=1)
    assert not check.passed


@pytest.mark.parametrize("n", [1, 2, 7, 60])
def test_the_p_value_is_how_often_uniform_samples_stray_as_far(n):
    """20,000 samples, five standard errors."""
    ordered = np.sort(np.random.default_rng(n).uniform(size=(20_000, n)), axis=1)
    local = np.sort(_smallest_local_p(ordered))
    for share in (0.01, 0.2, 0.8):
        wanted = pytest.approx(share, abs=5 * np.sqrt(share * (1 - share) / 20_000))
        assert _simultaneous_p(float(local[int(share * 20_000)]), n) == wanted


def test_the_p_value_of_one_and_of_two_values_has_a_closed_form():
    assert _simultaneous_p(0.3, 1) == pytest.approx(0.3, abs=1e-12)
    # the smaller of two values is Beta(1, 2), the larger Beta(2, 1); q is cut off at either end of each
    q = 0.15
    low, high = [1 - np.sqrt(1 - q), np.sqrt(q)], [1 - np.sqrt(q), np.sqrt(1 - q)]
    u = np.linspace(low[0], high[0], 200_001)
    inside = 2 * np.trapezoid(np.maximum(high[1] - np.maximum(u, low[1]), 0), u)
    assert _simultaneous_p(2 * q, 2) == pytest.approx(1 - inside, abs=1e-8)


def test_the_ends_of_the_p_value():
    assert _simultaneous_p(0.0, 500) == 0
    assert _simultaneous_p(1.0, 500) == 1
