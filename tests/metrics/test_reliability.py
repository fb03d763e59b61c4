"""The data of a reliability diagram."""

import numpy as np
import pytest

import labelwise as lw


def test_a_bin_with_one_label_has_a_wide_interval_and_not_a_point():
    pool = lw.pool_from_arrays(predicted=[0] * 4, confidence=[0.9, 0.95, 0.3, 0.35], classes=[0, 1])
    belief = lw.beliefs.CellBelief.start(lw.everything(pool), bins=2).update([0], [0])
    rows = lw.metrics.reliability(belief, level=0.9).rows()
    assert [row["bin"] for row in rows] == ["0-0.5", "0.5-1"]
    assert [row["labels"] for row in rows] == [0, 1]
    assert all(row["high"] - row["low"] > 0.1 for row in rows)
    assert rows[1]["accuracy"] == pytest.approx((2 * 0.925 + 1) / 3)


def test_the_pool_target_is_exact_with_all_labels():
    rng = np.random.default_rng(1)
    confidence = rng.uniform(size=200)
    pool = lw.pool_from_arrays(
        predicted=[0] * 200, confidence=confidence, labels=rng.integers(0, 2, 200), classes=[0, 1]
    )
    frame = lw.metrics.reliability(lw.belief_from_labels(lw.metrics.ECE(bins=4), lw.everything(pool)), target="pool")
    assert np.array_equal(frame["low"], frame["high"])
    frequency = [pool.hits[(confidence >= b / 4) & (confidence < (b + 1) / 4)].mean() for b in range(4)]
    assert np.allclose(frame["accuracy"], frequency)
