"""Special functions against scipy's."""

import mpmath
import numpy as np
import pytest
from scipy import special

from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.incomplete import (
    chance_below,
    front,
    incomplete,
    inverse,
    log_beta,
    normal_quantile,
    quantile,
)


@pytest.fixture(scope="module")
def parameters():
    rng = np.random.default_rng(1)
    a, b = 10 ** rng.uniform(-2, 4, (2, 10_000))
    x = np.where(rng.uniform(size=10_000) < 0.5, rng.beta(a, b), rng.uniform(size=10_000))
    return a, b, x


def test_incomplete_beta_agrees_to_1e_10(parameters):
    a, b, x = parameters
    ours = np.array([incomplete(*row) for row in zip(a, b, x, strict=True)])
    assert np.abs(ours - special.betainc(a, b, x)).max() < 1e-10


def test_its_inverse_agrees_to_1e_9(parameters):
    a, b, _ = parameters
    p = np.random.default_rng(2).uniform(size=len(a))
    ours = np.array([inverse(*row) for row in zip(a, b, p, strict=True)])
    theirs = special.betaincinv(a, b, p)
    normal = theirs > 1e-290
    assert (np.abs(ours - theirs)[normal] / theirs[normal]).max() < 1e-9
    assert (ours[~normal] < 1e-289).all()


def test_both_tails_keep_their_digits():
    assert quantile(3.0, 5.0, 1e-12, 1.0) == pytest.approx(special.betaincinv(3.0, 5.0, 1e-12), rel=1e-9)
    assert 1 - quantile(5.0, 3.0, 1.0, 1e-12) == pytest.approx(special.betaincinv(3.0, 5.0, 1e-12), abs=1e-15)
    # so near to 0 only the leading term x^a / (a B(a, b)) is left
    tiny = (1e-300 * 3 * special.beta(3.0, 5.0)) ** (1 / 3)
    assert quantile(3.0, 5.0, 1e-300, 1.0) == pytest.approx(tiny, rel=1e-9)
    assert chance_below(2.0, 3.0, 1 - 1e-18, 1e-18) == 1.0
    assert chance_below(0.01, 3.0, 1e-200, 1.0) == pytest.approx(special.betainc(0.01, 3.0, 1e-200), rel=1e-10)


def test_ends_are_exact():
    assert incomplete(2.0, 3.0, 0.0) == 0.0
    assert incomplete(2.0, 3.0, 1.0) == 1.0
    assert inverse(2.0, 3.0, 0.0) == 0.0
    assert inverse(2.0, 3.0, 1.0) == 1.0
    assert front(2.0, 3.0, 0.0, 1.0) == 0.0


def test_log_beta_agrees(parameters):
    # scipy's is a difference of large logarithms here, so with many digits instead
    a, b, _ = (values[:500] for values in parameters)
    for p, q in zip(a, b, strict=True):
        exact = mpmath.log(mpmath.beta(p, q))
        assert float(abs(log_beta(p, q) - exact)) < 1e-13 * max(1.0, float(abs(exact)))


def test_normal_quantile_agrees():
    rng = np.random.default_rng(1)
    p = np.concatenate([rng.uniform(size=500), 10 ** rng.uniform(-300, -1, 500), 1 - 10 ** rng.uniform(-15, -1, 500)])
    ours = np.array([normal_quantile(q) for q in p])
    assert np.abs((ours - special.ndtri(p)) / np.maximum(np.abs(ours), 1e-3)).max() < 1e-12
    assert normal_quantile(0.0) == -np.inf
    assert normal_quantile(1.0) == np.inf


def test_they_can_be_called_from_compiled_code():
    @compiled
    def both(a, b, x):
        return inverse(a, b, incomplete(a, b, x))

    assert both(2.0, 3.0, 0.3) == pytest.approx(0.3)
