"""Whole assessments of groups that share a map from scores to accuracies: the belief of `beliefs/mixture.py`.

A draw picks one node of the maps for all groups, and then each group's accuracy from its Beta. The nodes are laid anew
on a schedule; between two fits every label still counts in its own group.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.beta import noted
from labelwise.simulation.kernels.beyond import SHORT, distance, hits_beyond, hits_far_off
from labelwise.simulation.kernels.choice import (
    BLIND_POLICIES,
    MULTIPLE_PLAY,
    REDRAWS,
    THOMPSON,
    TOP_TWO,
    blind,
    closed,
    judge,
    opened,
    put_leaders,
)
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.gain import ESTIMATE, OVERALL, RANK
from labelwise.simulation.kernels.generator import State, Word, below, beta_of, gamma_constants, seeded, uniform
from labelwise.simulation.kernels.maps import NODES, fit_maps

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
MIXTURE_POLICIES = (*BLIND_POLICIES, THOMPSON, TOP_TWO, MULTIPLE_PLAY)
"""The policies that `simulate_mixture` has: both random ones, and those that look at draws."""
REFIT = 1.25
"""The maps are fitted anew when there are so many times more labels."""
_NOTHING = 1e-5  # the weight of a node that tells nothing of other groups
_RARE = math.log(1e9)
_FIRST_STEPS, _STEPS = 30, 3  # of the search for the likeliest maps: the first fit starts from nothing


@inlined
def _node(cumulative: _Floats, state: State) -> tuple[Word, State]:
    """Draw a node by its weight."""
    u, state = uniform(state)
    low, high = 0, len(cumulative) - 1
    while low < high:
        half = (low + high) // 2
        if cumulative[half] < u:
            low = half + 1
        else:
            high = half
    return np.int64(low), state


@inlined
def _set_draw(draws: _Floats, f: Word, g: int, strength: Any, accuracy: Any, hits: int, labels: int) -> None:
    """Work out what the draws of a group under a node need after its belief has changed."""
    a, b = strength / (1 - accuracy) + hits, strength / accuracy + (labels - hits)
    draws[f, g, 0], draws[f, g, 1], draws[f, g, 2] = gamma_constants(a)
    draws[f, g, 3], draws[f, g, 4], draws[f, g, 5] = gamma_constants(b)
    draws[f, g, 6], draws[f, g, 7] = a / (a + b), a + b


@inlined
def _line(
    weight: _Floats,
    strength: _Floats,
    accuracy: _Floats,
    g: int,
    hits: int,
    labels: int,
    size: int,
    part: float,
    others: float,
    in_pool: bool,
) -> tuple[float, float]:
    """Give level and slope of the expected drop of all groups' variances, as a function of a group's draw.

    As `MixtureBelief.total_drop`; `others` is what a label of this group tells of the others.
    """
    middle, second = 0.0, 0.0
    for f in range(len(weight)):
        a = strength[f] / (1 - accuracy[f, g]) + hits
        b = strength[f] / accuracy[f, g] + (labels - hits)
        mean = a / (a + b)
        middle += weight[f] * mean
        second += weight[f] * mean * (a + 1) / (a + b + 1)
    own = second - middle * middle
    if in_pool:
        own = ((size - labels) * own + middle * (1 - middle) - own) / size
    square = others + part * own * own
    hit, miss = square / (middle * middle), square / ((1 - middle) * (1 - middle))
    return miss, hit - miss


@compiled
def _put_others(
    weight: _Floats,
    strength: _Floats,
    accuracy: _Floats,
    hits: _Counts,
    labels: _Counts,
    sizes: _Counts,
    part: _Floats,
    in_pool: bool,
    others: _Floats,
) -> None:
    """Put what a label of each group tells of all other groups through the map: the squared covariances, weighed."""
    n_groups, n_nodes = len(hits), 0
    kept = np.empty(len(weight), np.int64)
    for f in range(len(weight)):
        if weight[f] > _NOTHING:
            kept[n_nodes] = f
            n_nodes += 1
    apart, open_part = np.empty((n_groups, n_nodes)), np.empty(n_groups)
    gathered = np.zeros((n_nodes, n_nodes))
    for g in range(n_groups):
        middle = 0.0
        for i in range(n_nodes):
            f = kept[i]
            a = strength[f] / (1 - accuracy[f, g]) + hits[g]
            b = strength[f] / accuracy[f, g] + (labels[g] - hits[g])
            apart[g, i] = a / (a + b)
            middle += weight[f] * apart[g, i]
        for i in range(n_nodes):
            apart[g, i] = math.sqrt(weight[kept[i]]) * (apart[g, i] - middle)
        left = (sizes[g] - labels[g]) / max(sizes[g], 1) if in_pool else 1.0
        open_part[g] = part[g] * left * left
        for i in range(n_nodes):
            factor = open_part[g] * apart[g, i]
            for j in range(n_nodes):
                gathered[i, j] += factor * apart[g, j]
    for g in range(n_groups):
        total, own = 0.0, 0.0
        for i in range(n_nodes):
            row = 0.0
            for j in range(n_nodes):
                row += gathered[i, j] * apart[g, j]
            total += apart[g, i] * row
            own += apart[g, i] * apart[g, i]
        others[g] = max(total - open_part[g] * own * own, 0.0)


@compiled
def _put_overall_drops(
    weight: _Floats,
    strength: _Floats,
    accuracy: _Floats,
    hits: _Counts,
    labels: _Counts,
    sizes: _Counts,
    part: _Floats,
    in_pool: bool,
    lines: _Floats,
) -> None:
    """Put level and slope of the expected drop of the whole's variance, as in `questions/overall.py`."""
    n_groups = len(hits)
    middle, second, spread, product = np.zeros(n_groups), np.zeros(n_groups), np.zeros(n_groups), np.zeros(n_groups)
    whole = 0.0
    for f in range(len(weight)):
        summed = 0.0
        for g in range(n_groups):
            a = strength[f] / (1 - accuracy[f, g]) + hits[g]
            b = strength[f] / accuracy[f, g] + (labels[g] - hits[g])
            mean = a / (a + b)
            open_part = part[g] * (sizes[g] - labels[g]) / max(sizes[g], 1) if in_pool else part[g]
            summed += open_part * mean
        whole += weight[f] * summed
        for g in range(n_groups):
            a = strength[f] / (1 - accuracy[f, g]) + hits[g]
            b = strength[f] / accuracy[f, g] + (labels[g] - hits[g])
            mean = a / (a + b)
            variance = mean * (1 - mean) / (a + b + 1)
            middle[g] += weight[f] * mean
            spread[g] += weight[f] * variance
            second[g] += weight[f] * (variance + mean * mean)
            product[g] += weight[f] * mean * summed
    for g in range(n_groups):
        an_item = part[g] / max(sizes[g], 1)
        open_part = an_item * (sizes[g] - labels[g]) if in_pool else part[g]
        covariance = open_part * spread[g] + product[g] - middle[g] * whole
        if in_pool:
            covariance += an_item * (middle[g] - second[g])
        hit, miss = (covariance / middle[g]) ** 2, (covariance / (1 - middle[g])) ** 2
        lines[g, 0], lines[g, 1] = miss, hit - miss


@compiled
def simulate_mixture(
    policy: int,
    goal: int,
    sizes: _Counts,
    hits: _Counts,
    x: _Floats,
    share: _Floats,
    middle: _Floats,
    spread: _Floats,
    strengths: _Floats,
    gain_weight: _Floats,
    offset: _Floats,
    m: int,
    growth: float,
    in_pool: bool,
    budget: int,
    at: _Counts,
    seeds: NDArray[np.uint64],
    out_hits: NDArray[np.int32],
    out_labels: NDArray[np.int32],
) -> None:
    """Run one assessment a seed, and write hits and labels of each group after `at` labels.

    Parameters
    ----------
    policy : one of `MIXTURE_POLICIES`.
    goal, sizes, hits, budget, at, seeds, out_hits, out_labels : as for `simulate_beta`; RANK, ESTIMATE or OVERALL.
    x, share, middle, spread, strengths : of the maps, as for `fit_maps`.
    gain_weight, offset : of the gain.
    m : groups that multiple-play asks at once.
    growth : the maps are fitted anew when there are so many times more labels than at the last fit; 1 for every label.
    in_pool : whether draws are of the accuracy on the pool, part of which is known, or of new items.
    """
    n_groups, n_directions = len(sizes), len(middle)
    per_strength = NODES if n_directions == 1 else NODES * NODES
    n_nodes = len(strengths) * per_strength
    weight, accuracy, cumulative = np.empty(n_nodes), np.empty((n_nodes, n_groups)), np.empty(n_nodes)
    strength = np.repeat(strengths, per_strength)
    start_weight, start_accuracy = np.empty(n_nodes), np.empty((n_nodes, n_groups))
    zero = np.zeros(n_groups, np.int64)
    start_modes = np.empty((len(strengths), n_directions))
    for t in range(len(strengths)):
        start_modes[t] = middle
    fit_maps(x, share, zero, zero, middle, spread, strengths, start_modes, 1, start_weight, start_accuracy)
    modes = start_modes.copy()
    gains, lines, others = np.empty(n_groups), np.empty((n_groups, 2)), np.empty(n_groups)
    draws, fitted = np.empty((n_nodes, n_groups, 8)), np.zeros(n_nodes, np.int64)
    left, got_hits, got = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64), np.empty(n_groups, np.int64)
    open_groups, plays = np.empty(n_groups, np.int64), np.empty(max(m, 1), np.int64)
    for run in range(len(seeds)):
        state = seeded(seeds[run])
        n_left = 0
        for g in range(n_groups):
            left[g], got_hits[g], got[g] = sizes[g], 0, 0
            n_left += left[g]
        modes[:], weight[:], accuracy[:] = start_modes, start_weight, start_accuracy
        n_open = opened(left, open_groups)
        n_told, end, next_fit, n_fits, last = 0, min(budget, n_left), 0.0, 0, -1
        fitted[:] = 0
        seen = noted(0, 0, at, run, got_hits, got, out_hits, out_labels)
        while n_told < end:
            n_plays = 1
            pick, state = blind(policy, 0.0, left, n_left, open_groups, n_open, state)
            if pick < 0 and n_told >= next_fit:
                if n_told > 0:
                    steps = _FIRST_STEPS if n_told < 10 else _STEPS
                    fit_maps(x, share, got_hits, got, middle, spread, strengths, modes, steps, weight, accuracy)
                next_fit = max(n_told + 1.0, n_told * growth)
                n_fits += 1
                total = 0.0
                for f in range(n_nodes):
                    total += weight[f]
                    cumulative[f] = total
                cumulative[n_nodes - 1] = 2.0
                if goal == ESTIMATE:
                    _put_others(weight, strength, accuracy, got_hits, got, sizes, gain_weight, in_pool, others)
                    for g in range(n_groups):
                        lines[g, 0], lines[g, 1] = _line(
                            weight, strength, accuracy, g, got_hits[g], got[g], max(sizes[g], 1), gain_weight[g],
                            others[g], in_pool,
                        )  # fmt: skip
            if goal == OVERALL and pick < 0:
                _put_overall_drops(weight, strength, accuracy, got_hits, got, sizes, gain_weight, in_pool, lines)
            first, redraws = -1, 0
            while pick < 0:
                f, state = _node(cumulative, state)
                if fitted[f] < n_fits:
                    fitted[f] = n_fits
                    for g in range(n_groups):
                        _set_draw(draws, f, g, strength[f], accuracy[f, g], got_hits[g], got[g])
                # after the last redraw the best but the first leader is wanted
                spared = first if redraws == REDRAWS else -1
                best, start = -math.inf, last
                for i in range(-1, n_open):
                    # the last leader first: a gain that leads early spares the others their draw
                    g = start if i < 0 else open_groups[i]
                    if g < 0 or left[g] == 0 or (i >= 0 and g == start):
                        continue
                    if g == spared:
                        gains[g] = -math.inf
                        continue
                    looks_low, wanted = gain_weight[g] < 0, math.inf if gain_weight[g] < 0 else -math.inf
                    far, most, is_far = 0.0, 0.0, False
                    if goal == RANK and policy != MULTIPLE_PLAY and best > -math.inf:
                        wanted = (best - offset[g]) / gain_weight[g]
                        known = draws[f, g, 7]
                        if in_pool:  # of the items left, whose hits spread as if fewer labels had been seen
                            wanted = (wanted * sizes[g] - got_hits[g]) / left[g]
                            known *= left[g] / (known + left[g])
                        far = known * distance(draws[f, g, 6], wanted, looks_low)
                        if far > _RARE:  # by Chernoff's bound no draw goes this far but once in 1e9
                            gains[g] = -math.inf
                            continue
                        most = left[g] * (wanted if looks_low else 1 - wanted)
                        is_far = in_pool and far > 1 and most < SHORT
                    theta, more, is_beyond = 0.0, 0, True
                    if is_far:
                        more, is_beyond, state = hits_far_off(
                            left[g], strength[f] / (1 - accuracy[f, g]) + got_hits[g],
                            strength[f] / accuracy[f, g] + (got[g] - got_hits[g]), far, most, looks_low, state,
                        )  # fmt: skip
                    else:
                        theta, state = beta_of(
                            draws[f, g, 0], draws[f, g, 1], draws[f, g, 2], draws[f, g, 3], draws[f, g, 4],
                            draws[f, g, 5], state,
                        )  # fmt: skip
                        if goal != RANK:
                            gains[g] = lines[g, 0] + lines[g, 1] * theta
                            continue
                        if in_pool:
                            more, is_beyond, state = hits_beyond(left[g], theta, wanted, looks_low, state)
                    if not is_beyond:
                        gains[g] = -math.inf
                        continue
                    if in_pool:
                        theta = (got_hits[g] + more) / sizes[g]
                    gains[g] = offset[g] + gain_weight[g] * theta
                    if gains[g] > best:
                        best, last = gains[g], g
                if policy == MULTIPLE_PLAY:
                    n_plays = put_leaders(gains, open_groups, n_open, m, plays)
                    break
                pick, first, state = judge(policy, gains, open_groups, n_open, first, redraws, state)
                redraws += 1
            for play in range(min(n_plays, end - n_told)):
                g = plays[play] if policy == MULTIPLE_PLAY else pick
                place, state = below(left[g], state)
                if place < hits[g] - got_hits[g]:
                    got_hits[g] += 1
                got[g] += 1
                left[g] -= 1
                n_left -= 1
                n_told += 1
                if left[g] == 0:
                    n_open = closed(g, open_groups, n_open)
                for f in range(n_nodes):
                    if fitted[f] == n_fits and n_fits > 0:
                        _set_draw(draws, f, g, strength[f], accuracy[f, g], got_hits[g], got[g])
                if goal == ESTIMATE and policy >= THOMPSON:
                    lines[g, 0], lines[g, 1] = _line(
                        weight, strength, accuracy, g, got_hits[g], got[g], sizes[g], gain_weight[g], others[g],
                        in_pool,
                    )  # fmt: skip
                seen = noted(n_told, seen, at, run, got_hits, got, out_hits, out_labels)
        while seen < len(at):
            seen = noted(at[seen], seen, at, run, got_hits, got, out_hits, out_labels)
