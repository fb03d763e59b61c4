"""Tallies: weights of codes, and losses that share a code."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.metrics.tally import draw_tallies, gathered, tally_of_losses


def test_weights_that_share_a_code_are_added_up():
    found = gathered(np.array([[1.0, 2.0, 4.0]]), np.array([2, 0, 2]), 4)
    assert found.tolist() == [[2.0, 0.0, 5.0, 0.0]]


def test_very_many_losses_share_codes_and_keep_their_mean(monkeypatch):
    monkeypatch.setattr("labelwise.metrics.tally._LEVELS", 50)
    losses = np.random.default_rng(1).exponential(size=3_000)
    tally = tally_of_losses(losses, np.arange(3_000), 3_000)
    assert tally.n_codes == 50
    assert tally.of(np.arange(3_000)) == pytest.approx(losses.mean())


def test_two_classifiers_share_their_weights():
    """A classifier compared with itself never differs, in any draw."""
    pool = lw.pool_from_arrays(predicted=[0, 1, 1, 0], labels=[0, 1, 0, 0])
    tally = lw.accuracy.tally(pool)
    draws = draw_tallies((tally, tally), np.arange(4), 0, 100, target="population", rng=np.random.default_rng(1))
    assert np.array_equal(draws[:, 0], draws[:, 1])
    assert draws[:, 0].std() > 0


def test_urn_and_bootstrap_have_the_same_mean():
    pool = lw.pool_from_arrays(predicted=[0, 1, 1, 0], labels=[0, 1, 0, 0])
    tally = lw.accuracy.tally(pool)
    for target in ("pool", "population"):
        draws = draw_tallies((tally,), np.arange(4), 20, 40_000, target=target, rng=np.random.default_rng(2))
        assert draws.mean() == pytest.approx(0.75, abs=5 * draws.std() / 200)
