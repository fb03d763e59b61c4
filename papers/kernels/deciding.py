"""Comparisons of two groups played until they are decided; probabilities by quadrature, or by draws as published.

The published code takes every probability from 10,000 draws. Their number in a region has a binomial distribution, so
one draw of that from the exact probability does the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compare import move_pair, pair_bounds, start_pair
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.generator import (
    State,
    below,
    beta_of,
    binomial,
    gamma_constants,
    seeded,
)
from labelwise.simulation.kernels.rope import likeliest, n_nodes

_SHAPE = 0.03  # a grid misses 1e-8 of the mass of such a Beta, which a verdict within 5 % can spare


@inlined
def _by_draws(bounds: tuple[float, float], n_draws: int, state: State) -> tuple[float, float, State]:
    """Return what draws make of P(Delta < -margin) and P(Delta <= margin): exact ones if there are no draws."""
    lower, up_to = min(max(bounds[0], 0.0), 1.0), min(max(bounds[1], 0.0), 1.0)
    if n_draws == 0:
        return lower, up_to, state
    below_it, state = binomial(n_draws, lower, state)
    rest = n_draws - below_it
    inside = 0.0 if lower >= 1 else min(max((up_to - lower) / (1 - lower), 0.0), 1.0)
    within, state = binomial(rest, inside, state)
    return below_it / n_draws, (below_it + within) / n_draws, state


@inlined
def _gain(
    hit: tuple[float, float], miss: tuple[float, float], a: float, b: float, n_draws: int, state: State
) -> tuple[float, State]:
    """Return the expected lambda after a label of a group, at one draw of its accuracy."""
    d1, c1, e1 = gamma_constants(a)
    d2, c2, e2 = gamma_constants(b)
    theta, state = beta_of(d1, c1, e1, d2, c2, e2, state)
    lower, up_to, state = _by_draws(hit, n_draws, state)
    after_hit = likeliest(lower, up_to)
    lower, up_to, state = _by_draws(miss, n_draws, state)
    return theta * after_hit + (1 - theta) * likeliest(lower, up_to), state


@compiled
def play_until_decided(
    is_active: bool,
    sizes: NDArray[np.int64],
    hits: NDArray[np.int64],
    prior_a: NDArray[np.float64],
    prior_b: NDArray[np.float64],
    margin: float,
    region: int,
    truths: NDArray[np.float64],
    tolerance: float,
    n_draws: int,
    seeds: NDArray[np.uint64],
    out: NDArray[np.int64],
) -> None:
    """Compare two groups once a seed, and write the label count at which each run is decided; 0 if it never is.

    A run is decided when the probability of the true region differs from its truth by less than the tolerance, as a
    part of it; by quadrature the region must be the likeliest one too.

    Parameters
    ----------
    is_active : whether Thompson sampling chooses; else items at random.
    sizes, hits, prior_a, prior_b : of the two groups.
    margin, region : the difference up to which they are equal; 0, 1 or 2 for lower, equal and higher.
    truths, tolerance : the probability of the region on all labels, one a run, and how near is near enough.
    n_draws : by which probabilities are taken; 0 for quadrature.
    """
    a, b = prior_a.copy(), prior_b.copy()
    grids = np.empty((2, 7, n_nodes(max(a[0] + b[0] + sizes[0], a[1] + b[1] + sizes[1]))))
    edges, tails = np.zeros((2, 2), np.int64), np.zeros(2)
    left, hits_left = sizes.copy(), hits.copy()
    for run in range(len(seeds)):
        state = seeded(seeds[run])
        for g in range(2):
            a[g], b[g], left[g], hits_left[g] = prior_a[g], prior_b[g], sizes[g], hits[g]
        followed, n_told, out[run] = False, 0, 0
        while left[0] + left[1] > 0:
            if not followed and min(min(a[0], b[0]), min(a[1], b[1])) >= _SHAPE:
                followed = True
                start_pair(grids, edges, tails, a[0], b[0], a[1], b[1], margin)
            if n_told > 0 or is_active:
                now, hit, miss, hit_other, miss_other = pair_bounds(
                    followed, grids, edges, tails, a[0], b[0], a[1], b[1], margin
                )
            if n_told > 0:
                lower, up_to, state = _by_draws(now, n_draws, state)
                chance = lower if region == 0 else (up_to - lower if region == 1 else 1 - up_to)
                is_likeliest = n_draws > 0 or chance >= likeliest(lower, up_to) - 1e-12
                if is_likeliest and abs(chance - truths[run]) < tolerance * truths[run]:
                    out[run] = n_told
                    break
            if not is_active:
                place, state = below(left[0] + left[1], state)
                g = 0 if place < left[0] else 1
            elif left[0] == 0 or left[1] == 0:
                g = 0 if left[0] > 0 else 1
            else:
                one, state = _gain(hit, miss, a[0], b[0], n_draws, state)
                other, state = _gain(hit_other, miss_other, a[1], b[1], n_draws, state)
                g = 0 if one >= other else 1
            place, state = below(left[g], state)
            is_hit = place < hits_left[g]
            if followed:
                move_pair(grids, edges, tails, g == 0, is_hit, a[g], b[g], margin)
            if is_hit:
                hits_left[g] -= 1
                a[g] += 1
            else:
                b[g] += 1
            left[g] -= 1
            n_told += 1
