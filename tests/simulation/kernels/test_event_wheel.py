"""Who fires when: waiting times against the geometric law, and a wheel that loses nobody."""

import numpy as np
import pytest
from scipy import stats

from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.event_wheel import DUE, N_SLOTS, NEVER, put, put_due, scale_of, take_out
from labelwise.simulation.kernels.generator import seeded

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one


@compiled
def _fired(chance, n_groups, n_steps):
    """Let every group fire and be clocked anew; give how often each fired, and the steps of the first one."""
    slots, entries = np.full(N_SLOTS, NEVER), np.full((n_groups, 3), NEVER)
    fired, count = np.empty(n_groups, np.int64), np.zeros(n_groups, np.int64)
    state, waits, last = seeded(np.uint64(1)), np.zeros(n_steps, np.int64), 0
    scale = scale_of(chance)
    for g in range(n_groups):
        state = put(slots, entries, g, scale, 0, n_steps, state)
    for now in range(1, n_steps + 1):
        for i in range(put_due(slots, entries, now, fired)):
            g = fired[i]
            if g == 0:
                waits[count[0]], last = now - last, now
            count[g] += 1
            take_out(slots, entries, g)
            state = put(slots, entries, g, scale, now, n_steps, state)
    return count, waits


def test_waiting_times_are_geometric():
    count, waits = _fired(0.3, 3, 100_000)
    assert np.abs(count / 100_000 - 0.3).max() < 5 * (0.21 / 100_000) ** 0.5
    seen = np.bincount(np.minimum(waits[: count[0]], 20), minlength=21)[1:]
    law = stats.geom(0.3)
    expected = np.append(law.pmf(np.arange(1, 20)), law.sf(19)) * count[0]
    assert stats.chisquare(seen, expected * seen.sum() / expected.sum()).pvalue > 1e-4


def test_waits_longer_than_a_turn_of_the_wheel_come_true():
    count, _ = _fired(1 / (5 * N_SLOTS), 50, 200 * N_SLOTS)
    # about forty each: all of them within five standard errors of their mean, the last too
    assert abs(count.mean() - 40) < 5 * (40 / 50) ** 0.5


def test_certain_groups_fire_at_every_step_and_impossible_ones_never():
    assert _fired(1.0, 2, 1000)[0].tolist() == [1000, 1000]
    assert _fired(0.0, 2, 1000)[0].tolist() == [0, 0]


def test_a_group_that_was_taken_out_does_not_fire():
    slots, entries = np.full(N_SLOTS, NEVER), np.full((3, 3), NEVER)
    state = seeded(np.uint64(1))
    state = tuple(np.uint64(word) for word in state)
    for g in range(3):
        put(slots, entries, g, 0.0, 0, 10, state)
    take_out(slots, entries, 1)
    take_out(slots, entries, 1)  # twice does no harm
    fired = np.empty(3, np.int64)
    assert put_due(slots, entries, 1, fired) == 2
    assert sorted(fired[:2].tolist()) == [0, 2]
    assert entries[1, DUE] == NEVER
