"""Gains of a comparison against four integrals each."""

import numpy as np
import pytest

from labelwise.simulation.kernels.compare import move_pair, pair_lines, start_pair
from labelwise.simulation.kernels.rope import n_nodes, verdict


def by_integrals(a1, b1, a2, b2, margin):
    hit, miss = verdict(a1 + 1, b1, a2, b2, margin), verdict(a1, b1 + 1, a2, b2, margin)
    hit_other, miss_other = verdict(a1, b1, a2 + 1, b2, margin), verdict(a1, b1, a2, b2 + 1, margin)
    return [miss, hit - miss, miss_other, hit_other - miss_other]


@pytest.mark.parametrize("margin", [0.05, 0.0, 0.3])
def test_gains_follow_labels_to_1e_9(margin):
    rng = np.random.default_rng(2)
    a, b = [1.8, 1.5], [0.2, 0.5]
    grids, edges, tails = np.empty((2, 7, n_nodes(300.0))), np.zeros((2, 2), np.int64), np.zeros(2)
    start_pair(grids, edges, tails, a[0], b[0], a[1], b[1], margin)
    for step in range(300):
        if step in (0, 1, 5, 20, 100, 299):
            lines = pair_lines(grids, edges, tails, a[0], b[0], a[1], b[1], margin)
            assert np.allclose(lines, by_integrals(a[0], b[0], a[1], b[1], margin), rtol=0, atol=1e-9)
        side, hit = int(rng.integers(2)), bool(rng.uniform() < 0.8)
        move_pair(grids, edges, tails, side == 0, hit, a[side], b[side], margin)
        a[side], b[side] = a[side] + hit, b[side] + (not hit)


def test_shapes_too_small_for_a_grid_are_integrated_anew():
    grids, edges, tails = np.empty((2, 7, 1)), np.zeros((2, 2), np.int64), np.zeros(2)
    lines = pair_lines(grids, edges, tails, 1.99, 0.01, 1.0, 1.0, 0.05)
    assert np.allclose(lines, by_integrals(1.99, 0.01, 1.0, 1.0, 0.05))
