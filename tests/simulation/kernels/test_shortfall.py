"""Levels of cells against plain draws and fresh starts. A right kernel fails a test once in 10,000 seeds."""

import numpy as np
import pytest
from scipy import stats

from labelwise.simulation.kernels.cells import drawn_error, put_cells, set_cell
from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.generator import seeded
from labelwise.simulation.kernels.shortfall import (
    move_cell,
    planned,
    reach_chance,
    reaching_gain,
    set_sums,
    start_cell,
)

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one

N_DRAWS = 40_000
POOLS = {  # items and confidence of the cells of one group
    "one cell": ([9], [0.7]),
    "sure": ([4, 3, 2], [1.0, 0.0, 1.0]),
    "even": ([4, 3], [0.5, 0.5]),
    "many": ([1, 2, 30, 7, 1, 12], [0.05, 0.2, 0.4, 0.55, 0.8, 0.97]),
}
SHAPES = {
    "flat": (1.0, 1.0),
    "weak": (0.01, 0.03),
    "improper": (5e-7, 5e-7),
    "mixed": (0.4, 3.0),
    "strong": (40.0, 25.0),
}
LABELS = np.array([(0, 1), (1, 0), (0, 0), (0, 1), (2, 1), (1, 1), (0, 1)])  # cell and hit


@compiled
def _drawn(sizes, confidence, a, b, labels, tau, n):
    """Return the chance to reach tau, moved and fresh, plain errors, and errors given that they may reach tau."""
    shape = sizes.shape
    cells, order, n_cells = np.empty((1, shape[1], 9)), np.empty(shape, np.int64), np.empty(1, np.int64)
    put_cells(sizes, confidence, cells, order, n_cells)
    plan, n_knots, n_masses, n_sums = planned(cells, n_cells)
    knots, masses, sums = np.empty((n_knots, 3)), np.empty(n_masses), np.empty(n_sums)
    many = n_cells[0]
    for k in range(many):
        start_cell(cells, plan, knots, masses, 0, k, a[k], b[k])
    set_sums(plan, masses, sums, many, 0, many - 1)
    for i in range(len(labels)):
        k, hit = labels[i, 0], labels[i, 1] > 0
        if k < many:
            move_cell(cells, plan, knots, masses, 0, k, a[k], b[k], hit)
            set_sums(plan, masses, sums, many, 0, k)
            a[k], b[k] = a[k] + hit, b[k] + (not hit)
    moved = reach_chance(cells, plan, sums, 0, tau)
    plain, reaching, state = np.empty(n), np.empty(n), seeded(np.uint64(3))
    for k in range(many):
        set_cell(cells, 0, k, a[k], b[k])
    for i in range(n):
        plain[i], state = drawn_error(cells, many, 0, 1.0, -np.inf, state)
        if moved > 0:
            reaching[i], state = reaching_gain(cells, plan, knots, masses, sums, many, 0, a, b, tau, -np.inf, state)
    for k in range(many):
        start_cell(cells, plan, knots, masses, 0, k, a[k], b[k])
    set_sums(plan, masses, sums, many, 0, many - 1)
    return moved, reach_chance(cells, plan, sums, 0, tau), plain, reaching


def drawn(pool, shape, labels, tau):
    sizes, confidence = (np.array([part]) for part in POOLS[pool])
    a, b = (np.full(sizes.shape[1], value) for value in SHAPES[shape])
    return _drawn(sizes, confidence, a, b, labels, tau, N_DRAWS)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n_labels", [0, 7])
def test_draws_that_reach_a_threshold_are_as_many_and_as_large_as_plain_ones(pool, shape, n_labels):
    labels = LABELS[:n_labels]
    plain = drawn(pool, shape, labels, 2.0)[2]
    for level in (0.2, 0.7, 0.97):
        tau = np.quantile(plain, level) - 1e-9  # draws of tiny shapes are ties: not between them
        moved, fresh, slow, quick = drawn(pool, shape, labels, tau)
        assert moved == pytest.approx(fresh, abs=1e-12)
        slow, quick = slow[slow >= tau], quick[quick >= tau]
        one, other = len(slow) / N_DRAWS, len(quick) / N_DRAWS
        error = np.sqrt((one * (1 - one) + moved**2 * other * (1 - other)) / N_DRAWS)
        assert abs(one - moved * other) < 5 * error + 5 / N_DRAWS
        assert stats.ks_2samp(slow.round(9), quick.round(9)).pvalue > 1e-6


def test_few_draws_that_may_reach_a_threshold_do_not():
    plain = drawn("many", "flat", LABELS[:0], 2.0)[2]
    tau = np.quantile(plain, 0.9)
    moved, _, slow, _ = drawn("many", "flat", LABELS[:0], tau)
    assert (slow >= tau).mean() < moved < 0.2


def test_what_no_draw_can_reach_has_no_chance_and_what_all_reach_is_certain():
    for pool in POOLS:
        assert drawn(pool, "flat", LABELS, 1.01)[0] == 0
        assert drawn(pool, "flat", LABELS, -0.01)[0] == 1
