"""An assessment that stands still."""

import pytest

import labelwise as lw
from labelwise.report.snapshot import snapshot_of


def test_leases_do_not_run_out_in_a_snapshot(pool_of):
    pool, now = pool_of(["cat", "dog"]), [0.0]
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, clock=lambda: now[0])
    assessment.ask(3)
    now[0] = 1e6
    assert snapshot_of(assessment).answer().n_out == 3
    assert assessment.answer().n_out == 0


def test_a_snapshot_believes_the_same(animals):
    assert snapshot_of(animals).belief.mean() == pytest.approx(animals.belief.mean(), abs=1e-12)
